/* test_scan.c - valid and invalid JSON, and walking through objects. */
#include "parser/json/scan.h"
#include "tests/unit/check.h"

#include <string.h>

static size_t valid(const char *s) { return tt_json_valid(s, s + strlen(s)); }
static size_t span(const char *s)
{
    const char *to = tt_json_value_end(s, s + strlen(s));
    return to ? (size_t)(to - s) : 0;
}

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
    for (size_t depth = TT_JSON_DEEPEST; depth < TT_JSON_DEEPEST + 2; depth++) {
        char deep[2 * TT_JSON_DEEPEST + 4] = "";
        memset(deep, '[', depth);
        memset(deep + depth, ']', depth);
        CHECK_INT(valid(deep), depth == TT_JSON_DEEPEST ? 2 * depth : 0);
        CHECK_INT(span(deep), 2 * depth);
    }
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
    CHECK_INT(span("\"a\\\"b\" , x"), 6);
    CHECK_INT(span("\"a \"b\" x\" ]"), 9); /* unescaped quotes, not followed by JSON: the text goes on */
    CHECK_INT(span("\"a \"b\" x"), 0);
    CHECK_INT(span("{\"a\":\"}\"}"), 9);
    CHECK_INT(span("[1,[2"), 0);
}

/* Walk through the readable members of a damaged object. */
static void test_damaged(void)
{
    static const char text[] = "{\"a\": \"x \"y\" z\", b\": , , \"c\": [1, {\"d\": 2}], \"c\": \"cut o";
    const char *p = text + 1, *end = text + sizeof text - 1, *items;
    tt_json_member m;
    CHECK(tt_json_next(&p, end, &m) && tt_json_is(&m, "a") && m.value_n == 9);
    CHECK(tt_json_next(&p, end, &m) && tt_json_is(&m, "b") && m.value_n == 0);
    CHECK(tt_json_next(&p, end, &m) && tt_json_is(&m, "c") && m.value_n == 13);
    items = m.value + 1;
    CHECK(tt_json_next(&p, end, &m) && tt_json_is(&m, "c") && m.value_n == 6 && p == end);
    CHECK(!tt_json_next(&p, end, &m));
    CHECK(tt_json_item(&items, end, &m) && !m.key && m.value_n == 1 && *m.value == '1');
    CHECK(tt_json_item(&items, end, &m) && m.value_n == 8);
    CHECK(!tt_json_item(&items, end, &m));
    CHECK(tt_json_find(text, end, "c", &m) && *m.value == '"'); /* the last of two equal keys */
    CHECK(!tt_json_find(text, end, "d", &m) && !tt_json_find(text + 1, end, "a", &m) &&
          !tt_json_find(end, end, "a", &m));
    CHECK_INT(valid("\"\\"), 0);
    CHECK_INT(valid("\"\xC0\x80\""), 0); /* invalid UTF-8 */
}

int main(void)
{
    test_valid();
    test_members();
    test_damaged();
    return check_done();
}
