/* test_jsonscan.c - what is valid JSON and what is not, and walking through objects. */
#include "parser/json/scan.h"
#include "tests/unit/check.h"

#include <string.h>

static size_t valid(const char *s) { return tt_json_valid(s, s + strlen(s)); }
static size_t span(const char *s) { return tt_json_span(s, s + strlen(s)); }

static void test_valid(void)
{
    static const char *const good[] = {"{}",
                                       "[]",
                                       "0",
                                       "-1.5e+3",
                                       "null",
                                       "\"a\\u00e9\\n\\\"\"",
                                       "{\"a\": [1, {\"b\": true}], \"c\": \"\xc3\xa9\"}",
                                       "[ ]",
                                       "{ \"a\" : -0.0 }"};
    static const char *const bad[] = {"",      "{",       "[1,]",     "{\"a\"}",       "{\"a\":}", "01x",
                                      "nan",   "\"\\x\"", "\"a\nb\"", "\"\\u12g4\"",   "\"\xff\"", "{a:1}",
                                      "[1 2]", "\"open",  "+1",       "{\"a\":1,}",    "'a'",      "-",
                                      "1.",    "1e",      "tru",      "{\"a\":\"b\"x}"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!CHECK(valid(good[i]) == strlen(good[i]))) fprintf(stderr, "    %s\n", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (!CHECK(valid(bad[i]) != strlen(bad[i]) || !*bad[i])) fprintf(stderr, "    %s\n", bad[i]);
    }
    CHECK_INT(valid("{\"a\":1}, {"), 7);
    char deep[200] = "";
    memset(deep, '[', 70);
    memset(deep + 70, ']', 70);
    CHECK_INT(valid(deep), 0);
    CHECK_INT(span(deep), 140);
}

static void test_members(void)
{
    static const char text[] = "{ \"a\" : {\"x\":[1,2]}, \"b\\\"c\":\"}\" ,\"n\":-5.25}";
    const char *p = text + 1, *end = text + sizeof text - 1;
    tt_json_member m;
    CHECK(tt_json_next(&p, end, &m) && m.key_n == 1 && m.value_n == 11);
    CHECK(tt_json_is(&m, "a") && !tt_json_is(&m, "b") && !tt_json_is(&m, "") && !tt_json_is(&m, "ab"));
    CHECK(tt_json_next(&p, end, &m) && m.key_n == 4 && m.value_n == 3);
    CHECK(tt_json_next(&p, end, &m) && m.value_n == 5 && memcmp(m.value, "-5.25", 5) == 0);
    CHECK(!tt_json_next(&p, end, &m));
    CHECK_INT(span("\"a\\\"b\" x"), 6);
    CHECK_INT(span("{\"a\":\"}\"}"), 9);
    CHECK_INT(span("[1,[2"), 0);
}

int main(void)
{
    test_valid();
    test_members();
    return check_done();
}
