/* JSON read in pieces: the tokens do not depend on the pieces; valid and broken text; skipping, depth, line numbers. */
#include "parser/json/stream.h"

#include <stdlib.h>
#include <string.h>

#include "parser/json/scan.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

typedef struct pieces {
    const char *text;
    size_t n, at, piece;
} pieces;

static tt_status give(void *arg, char *out, size_t cap, size_t *got, tt_err *err)
{
    pieces *p = arg;
    (void)err;
    *got = p->piece < p->n - p->at ? p->piece : p->n - p->at;
    if (*got > cap) *got = cap;
    memcpy(out, p->text + p->at, *got);
    p->at += *got;
    return TT_OK;
}

/* All tokens as one text: kind, depth, line and text of each token. */
static char *tokens(const char *text, size_t n, size_t piece, tt_json_token *last)
{
    static const char kinds[] = ".!{}[]ksnw";
    tt_text out = {0};
    pieces p = {text, n, 0, piece};
    tt_json_stream s;
    tt_json_stream_init(&s, give, &p);
    do {
        char head[64];
        *last = tt_json_stream_next(&s);
        int len = snprintf(head, sizeof head, "%c%u@%llu:", kinds[*last], s.depth, (unsigned long long)s.line);
        tt_text_put(&out, head, (size_t)len);
        tt_text_put(&out, s.text, s.len);
        tt_text_put(&out, " ", 1);
    } while (*last > TT_JSON_BROKEN);
    CHECK_INT(tt_json_stream_next(&s), *last); /* every further call returns the last token */
    tt_json_stream_free(&s);
    return out.at;
}

static void expect(const char *text, const char *want, tt_json_token end)
{
    for (size_t piece = 1; piece <= strlen(text) + 1; piece++) {
        tt_json_token last;
        char *got = tokens(text, strlen(text), piece, &last);
        CHECK_STR(got, want);
        CHECK_INT(last, end);
        free(got);
    }
}

static void test_tokens(void)
{
    expect("{\"a\" : [1, -2.5e3,true , null,\n\"x\\\"y\\\\\"], \"b\":{}}\n",
           "{0@1: k1@1:a [1@1: n2@1:1 n2@1:-2.5e3 w2@1:true w2@1:null s2@2:x\\\"y\\\\ ]1@2: k1@2:b {1@2: }1@2: }0@2: "
           ".0@3: ",
           TT_JSON_END);
    expect("\xEF\xBB\xBF[NaN,-Infinity]", "[0@1: w1@1:NaN w1@1:-Infinity ]0@1: .0@1: ", TT_JSON_END);
    expect("7", "n0@1:7 .0@1: ", TT_JSON_END);
    expect("", "!0@1: ", TT_JSON_BROKEN);
    expect("{\"a\":[1,2", "{0@1: k1@1:a [1@1: n2@1:1 n2@1:2 !2@1: ", TT_JSON_BROKEN);
    expect("{\"a\":\"x", "{0@1: k1@1:a !1@1: ", TT_JSON_BROKEN);
    expect("{\"a\"", "{0@1: !1@1: ", TT_JSON_BROKEN);
    expect("[1,]", "[0@1: n1@1:1 !1@1: ", TT_JSON_BROKEN);
    expect("[1}", "[0@1: n1@1:1 !1@1: ", TT_JSON_BROKEN);
    expect("{\"a\":}", "{0@1: k1@1:a !1@1: ", TT_JSON_BROKEN);
    expect("{1:2}", "{0@1: !1@1: ", TT_JSON_BROKEN);
    expect("[1] 2", "[0@1: n1@1:1 ]0@1: !0@1: ", TT_JSON_BROKEN);
    expect("[zero]", "[0@1: !1@1: ", TT_JSON_BROKEN);
}

/* Texts made of random pieces of JSON, valid or not. */
static void test_random(void)
{
    static const char *const bits[] = {"{",           "}", "[",    "]",    ",", ":", "\"a\"",
                                       "\"\\n\\\\\"", "1", "-0.5", "true", " ", "\n"};
    for (unsigned round = 0, valid = 0; round < 20000 || !valid; round++) {
        char text[256];
        size_t n = 0, count = 1 + random_below(12);
        for (size_t i = 0; i < count; i++) {
            const char *bit = bits[random_below(sizeof bits / sizeof *bits)];
            memcpy(text + n, bit, strlen(bit) + 1);
            n += strlen(bit);
        }
        tt_json_token whole, part;
        char *a = tokens(text, n, n, &whole), *b = tokens(text, n, 1 + random_below(n), &part);
        const char *from = tt_json_blanks(text, text + n);
        size_t len = tt_json_valid(from, text + n);
        bool good = len && tt_json_blanks(from + len, text + n) == text + n;
        valid += good;
        CHECK_STR(a, b);
        CHECK_INT(whole == TT_JSON_END, good);
        free(a);
        free(b);
    }
}

static void test_skip(void)
{
    const char text[] = "{\"a\":{\"b\":[1,{}]},\"c\":2,\"d\":[[],3],\"e\":\"x\"}";
    pieces p = {text, sizeof text - 1, 0, 3};
    tt_json_stream s;
    tt_json_stream_init(&s, give, &p);
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_OBJECT);
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_KEY);
    CHECK(tt_json_stream_is(&s, "a") && !tt_json_stream_is(&s, "ab"));
    CHECK(tt_json_stream_skip(&s, TT_JSON_KEY));
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_KEY);
    CHECK(tt_json_stream_is(&s, "c") && tt_json_stream_skip(&s, TT_JSON_KEY));
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_KEY);
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_LIST);
    CHECK(tt_json_stream_skip(&s, TT_JSON_LIST));
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_KEY);
    CHECK(tt_json_stream_is(&s, "e") && tt_json_stream_skip(&s, TT_JSON_KEY));
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_OBJECT_END);
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_END);
    tt_json_stream_free(&s);

    p = (pieces){"[[[1,2", 6, 0, 6};
    tt_json_stream_init(&s, give, &p);
    CHECK(!tt_json_stream_skip(&s, tt_json_stream_next(&s)));
    tt_json_stream_free(&s);
}

/* Nesting deeper than in any real file is refused. A token longer than a piece comes whole. */
static void test_bounds(void)
{
    size_t n = 1000000;
    char *deep = tt_malloc(n);
    tt_json_token last;
    memset(deep, '[', n);
    char *got = tokens(deep, n, 4096, &last);
    CHECK_INT(last, TT_JSON_BROKEN);
    free(got);
    memset(deep, 'x', n);
    deep[0] = deep[n - 1] = '"';
    pieces p = {deep, n, 0, 4096};
    tt_json_stream s;
    tt_json_stream_init(&s, give, &p);
    CHECK_INT(tt_json_stream_next(&s), TT_JSON_STRING);
    CHECK_INT(s.len, n - 2);
    CHECK(s.text[0] == 'x' && s.text[s.len - 1] == 'x');
    tt_json_stream_free(&s);
    free(deep);
}

int main(void)
{
    test_tokens();
    test_random();
    test_skip();
    test_bounds();
    return check_done();
}
