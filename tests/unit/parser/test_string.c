/* tests/unit/parser/test_string.c - decoding JSON strings: every escape, single surrogates, invalid escapes, cut ends.
 */
#include "parser/json/string.h"
#include "tests/unit/check.h"

#include <stdbool.h>
#include <stdlib.h>

static void decode(const char *in, size_t n, const char *want, size_t want_n, bool want_bad)
{
    char *from = malloc(n + 1), *out = malloc(n + 1); /* exact sizes, so that a sanitizer sees an access behind */
    bool bad = false;
    size_t got;

    from = realloc(from, n ? n : 1);
    out = realloc(out, n ? n : 1);
    memcpy(from, in, n);
    got = tt_json_unescape(from, n, out, &bad);
    CHECK_INT(got, want_n);
    CHECK(got == want_n && memcmp(out, want, got) == 0);
    CHECK_INT(bad, want_bad);
    CHECK(tt_json_unescape(from, n, from, NULL) == got && memcmp(from, want, want_n) == 0); /* decoding in place */
    free(from);
    free(out);
}

#define DECODE(in, want, bad) decode(in, sizeof(in) - 1, want, sizeof(want) - 1, bad)

int main(void)
{
    DECODE("", "", false);
    DECODE("aten::conv2d", "aten::conv2d", false);
    DECODE("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", false);
    DECODE("\\u0041\\u00e9\\u20AC\\u007f\\u0080\\u07ff\\u0800\\uffff",
           "A\xC3\xA9\xE2\x82\xAC\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF", false);
    DECODE("x\\ud83d\\ude00y\\uD800\\uDC00\\uDBFF\\uDFFF", "x\xF0\x9F\x98\x80y\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", false);
    DECODE("\\ud83d", "\xEF\xBF\xBD", false);
    DECODE("\\ude00\\ud83d", "\xEF\xBF\xBD\xEF\xBF\xBD", false);
    DECODE("\\ud83dx\\ud83d\\n\\ud83d\\ud83d\\ude00", "\xEF\xBF\xBDx\xEF\xBF\xBD\n\xEF\xBF\xBD\xF0\x9F\x98\x80", false);
    DECODE("a\\u0000b",
           "a\xC0\x80"
           "b",
           false);
    DECODE("a\0b\0",
           "a\xFF"
           "b\xFF",
           false);
    DECODE("torch\\cuda\\__init__.py", "torch\\cuda\\__init__.py", true);
    DECODE("\\q\\n", "\\q\n", true);
    DECODE("\\", "\\", true);
    DECODE("a\\u12", "a\\u12", true);
    DECODE("\\u12g4\\U0041", "\\u12g4\\U0041", true);
    DECODE("\\ud83d\\ude0", "\xEF\xBF\xBD\\ude0", true);
    DECODE("\x01\n\x80\xFF\xC3", "\x01\n\x80\xFF\xC3", false);
    return check_done();
}
