/* tests/unit/parser/test_event_text.c - the members of an event's text: valid, broken, short and long. */
#include "parser/input/event_text.h"
#include "tests/unit/check.h"

#include <stdlib.h>

/* A text in memory; at = NULL: the text cannot be read again. */
typedef struct memory_text {
    tt_text_source base;
    const char *at;
    size_t n;
} memory_text;

static int64_t memory_read(tt_text_source *self, uint64_t offset, char *out, size_t cap)
{
    memory_text *m = (memory_text *)self;

    if (!m->at) return -1;
    if (offset >= m->n) return 0;
    if (cap > m->n - offset) cap = m->n - (size_t)offset;
    memcpy(out, m->at + offset, cap);
    return (int64_t)cap;
}

static tt_fields fields_of(const char *text, size_t n, uint64_t at)
{
    char *exact = malloc(n ? n : 1); /* exactly n bytes, so that a sanitizer sees a read behind them */
    memory_text m = {{.read = memory_read}, exact, n};
    char path[] = "t.json";
    tt_trace s = {.path = path, .text = &m.base};
    tt_fields f;
    tt_err err = {0};

    memcpy(exact, text, n);
    CHECK_INT(tt_event_fields(&s, at, &f, &err), TT_OK);
    CHECK_STR(err.message, "");
    free(exact);
    return f;
}

/* Check the members of an event; want: "key=value|key=value". */
static void list(const char *text, const char *want)
{
    tt_fields f = fields_of(text, strlen(text), 0);
    char got[4096] = "";

    for (uint32_t i = 0; i < f.n; i++) {
        size_t n = strlen(got);

        snprintf(got + n, sizeof got - n, "%s%s=%s", i ? "|" : "", f.at[i].key, f.at[i].value);
    }
    CHECK_STR(got, want);
    tt_fields_free(&f);
    CHECK(f.at == NULL && f.n == 0);
}

static void test_valid(void)
{
    list("{}", "");
    list("{ }, {\"a\":1}", "");
    list("{\"ph\": \"X\", \"cat\":\"kernel\" ,\"ts\":10.250,\"dur\" : 4.031, \"args\": {\"grid\":[1, 1,1],"
         "\"stream\":7, \"o\":{\"x\":\"}\"}, \"none\":null,\"s\":\"a b\"}, \"tid\":\"7\"}, {\"other\":1}",
         "ph=X|cat=kernel|ts=10.250|dur=4.031|args.grid=[1, 1,1]|args.stream=7|args.o={\"x\":\"}\"}|args.none=null|"
         "args.s=a b|tid=7");
    list("{\n\t\"name\":\"a\\u0062\\n\\\"q\\\"\\ud83d\\ude00\",\"k\\u0041\":\"\",\"args\":{}}",
         "name=ab\n\"q\"\xF0\x9F\x98\x80|kA=");
    list("{\"args\":[1,2],\"name\":\"z\\u0000\"}", "args=[1,2]|name=z\xC0\x80");
    list("{\"args\":{\"args\":{\"a\":1}}}", "args.args={\"a\":1}");
    list("{\"a\":true,\"b\":-1e9}", "a=true|b=-1e9");
}

/* The members before the damage are listed, and nothing crashes. */
static void test_broken(void)
{
    list("{\"a\":1,\"b\":\"unfini", "a=1|b=unfini");
    list("{\"a\":1,\"b\":\"end\\", "a=1|b=end\\");
    list("{\"a\":1,\"b\":\"", "a=1|b=");
    list("{\"a\":1,\"b\":", "a=1|b=");
    list("{\"a\":1,\"b", "a=1");
    list("{\"a\":1,\"b\":[1,{\"c\":", "a=1|b=[1,{\"c\":");
    list("{\"a\":1,,\"b\":2,}", "a=1|b=2");
    list("{\"a\":,\"b\":2}", "a=|b=2");
    list("{\"a\":nan,\"b\":-inf}", "a=nan|b=-inf");
    list("{\"a\":1,tid\": 0,\"b\":2}", "a=1|tid=0|b=2");
    list("{\"name\":\"f(\"x\")\",\"b\":2}", "name=f(\"x\")|b=2");
    list("{\"name\":\"torch\\cuda\",\"b\":\"raw\nline\x01\"}", "name=torch\\cuda|b=raw\nline\x01");
    list("{\"a\":1]}", "a=1");
    list("{", "");
    list("{]", "");
    list("{:::", "=::");
}

/* For every prefix of an event and every replaced byte there is no read outside and no endless loop. */
static void test_every_cut(void)
{
    static const char event[] =
        "{\"ph\":\"X\",\"args\":{\"grid\":[1,{\"a\":\"\\\"b\"}],\"s\":\"x\\u0041\"},\"n\":null}";
    char copy[sizeof event];

    for (size_t n = 1; n < sizeof event; n++) {
        tt_fields f = fields_of(event, n, 0);

        CHECK(f.n <= 4);
        tt_fields_free(&f);
    }
    for (size_t i = 1; i + 1 < sizeof event; i++) {
        for (const char *c = "\"\\{}[],: x"; *c; c++) {
            memcpy(copy, event, sizeof event);
            copy[i] = *c;
            tt_fields f = fields_of(copy, sizeof event - 1, 0);

            CHECK(f.n <= 8);
            tt_fields_free(&f);
        }
    }
}

static void test_long(void)
{
    size_t n = (size_t)20 << 20, value = 1000000;
    char *text = malloc(n + 1);

    memset(text, 'x', n);
    memcpy(text + 100, "{\"a\":1,\"stack\":\"", 16);
    memcpy(text + 116 + value, "\",\"last\":2}", 11);
    tt_fields f = fields_of(text, n, 100);
    CHECK_INT(f.n, 3);
    CHECK_INT(strlen(f.at[1].value), value);
    CHECK_STR(f.at[2].key, "last");
    tt_fields_free(&f);

    memset(text + 116 + value, 'x', 11); /* a text without end is read up to 16 MiB */
    f = fields_of(text, n, 100);
    CHECK_INT(f.n, 2);
    CHECK_INT(strlen(f.at[1].value), (16u << 20) - 16);
    tt_fields_free(&f);
    free(text);
}

static void test_unreadable(void)
{
    memory_text gone = {{.read = memory_read}, NULL, 0}, other = {{.read = memory_read}, "  [1]", 5};
    char path[] = "gone.json";
    tt_trace s = {.path = path, .text = &gone.base};
    tt_fields f;
    tt_err err = {0};

    CHECK_INT(tt_event_fields(&s, 7, &f, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "gone.json: ") == err.message && strstr(err.message, "changed"));
    tt_fields_free(&f);
    s.text = &other.base;
    CHECK_INT(tt_event_fields(&s, 1, &f, &err), TT_ERR_INPUT); /* no event begins there */
    CHECK_INT(tt_event_fields(&s, 99, &f, &err), TT_ERR_INPUT);
    s.text = NULL;
    CHECK_INT(tt_event_fields(&s, 0, &f, &err), TT_ERR_INPUT);
    CHECK(strstr(err.message, "not kept"));
}

int main(void)
{
    test_valid();
    test_broken();
    test_every_cut();
    test_long();
    test_unreadable();
    return check_done();
}
