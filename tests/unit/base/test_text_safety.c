/* tests/unit/base/test_text_safety.c - no text that could control a terminal, a spreadsheet or a JSON reader gets
 * through. */
#include <locale.h>
#include <stdlib.h>

#include "model/text/text_safety.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static const char *term(const char *s)
{
    static char out[256];
    tt_sanitize_term(out, sizeof out, s, strlen(s));
    return out;
}

static const char *json(const char *s)
{
    static char out[256];
    tt_sanitize_json(out, sizeof out, s, strlen(s));
    return out;
}

static const char *csv(const char *s)
{
    static char out[256];
    tt_sanitize_csv(out, sizeof out, s, strlen(s), true);
    return out;
}

static void test_terminal(void)
{
    CHECK_STR(term("plain \"text\" \\n"), "plain \"text\" \\n");
    CHECK_STR(term("\033[31mred\007"), "\u241b[31mred\u2407");
    CHECK_STR(term("a\nb\tc\rd\x7f"), "a\u240ab\u2409c\u240dd\u2421");
    CHECK_STR(term("nul\xc0\x80 here"), "nul\u2400 here");
    CHECK_STR(term("c1 \xc2\x9b"
                   "31m"),
              "c1 <U+009B>31m");
    CHECK_STR(term("\u202e"
                   "abc\u2066\u200f\u061c"),
              "<U+202E>abc<U+2066><U+200F><U+061C>");
    CHECK_STR(term("\u00e9\u4e2d\U0001F600"), "\u00e9\u4e2d\U0001F600");
    CHECK_STR(term("\x9b"
                   "31m\xff\xfe"),
              "\ufffd31m\ufffd\ufffd");
    CHECK_STR(term("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");                               /* lone surrogate */
    CHECK_STR(term("\xe4\xb8"), "\ufffd");                                               /* cut off */
    CHECK_STR(term("\xc1\x81\xf5\x80\x80\x80"), "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"); /* overlong, out of range */
    CHECK_STR(term("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
}

static void test_json(void)
{
    CHECK_STR(json("say \"hi\" \\ /"), "say \\\"hi\\\" \\\\ /");
    CHECK_STR(json("\033\n\x7f"), "\\u001b\\u000a\\u007f");
    CHECK_STR(json("\xc2\x9b\u202e"), "\\u009b\\u202e");
    CHECK_STR(json("a\xc0\x80z"), "a\\u0000z");
    CHECK_STR(json("\xff\u00e9"), "\ufffd\u00e9");
}

static void test_csv(void)
{
    CHECK_STR(csv("aten::add"), "aten::add");
    CHECK_STR(csv("a,b"), "\"a,b\"");
    CHECK_STR(csv("say \"hi\""), "\"say \"\"hi\"\"\"");
    CHECK_STR(csv("two\nlines"), "\"two\nlines\"");
    CHECK_STR(csv("back\rto"), "back\u240dto");
    CHECK_STR(csv("two\r\nlines"), "\"two\u240d\nlines\"");
    CHECK_STR(csv("=1+1"), "'=1+1");
    CHECK_STR(csv("@sum"), "'@sum");
    CHECK_STR(csv("-x,y"), "\"'-x,y\"");
    CHECK_STR(csv("+1"), "'+1");
    CHECK_STR(csv(""), "");
    CHECK_STR(csv("\033[m"), "\u241b[m");
    char out[16];
    tt_sanitize_csv(out, sizeof out, "-5", 2, false);
    CHECK_STR(out, "-5");
}

/* In a short buffer the text ends with a whole character and a whole mark, and the size needed is right. */
static void test_bounds(void)
{
    const char *text = "a\u00e9\u4e2d\033\xc2\x9b\"\\z";
    size_t (*const forms[])(char *, size_t, const char *, size_t) = {tt_sanitize_term, tt_sanitize_json};
    for (int f = 0; f < 2; f++) {
        char full[128], cut[128];
        size_t need = forms[f](full, sizeof full, text, strlen(text));
        CHECK_INT(need, strlen(full));
        CHECK_INT(forms[f](NULL, 0, text, strlen(text)), need);
        for (size_t cap = 1; cap <= need + 1; cap++) {
            memset(cut, '#', sizeof cut);
            CHECK_INT(forms[f](cut, cap, text, strlen(text)), need);
            CHECK(strlen(cut) < cap && cut[cap] == '#' && !strncmp(full, cut, strlen(cut)));
            size_t used, i = 0;
            for (; cut[i]; i += used) CHECK(tt_utf8_next(cut + i, strlen(cut + i), &used) != TT_BAD_BYTE);
        }
    }
}

/* Whatever random bytes go in, the output is valid UTF-8 without control characters. */
static void test_random(void)
{
    uint64_t x = RANDOM_SEED;
    bool clean = true, consumed = true;
    for (int round = 0; round < 20000; round++) {
        char in[24], out[400];
        size_t n = 0, used;
        for (; n < 1 + (size_t)(round % 20); n++) {
            in[n] = (char)(random_next(&x) >> 20);
        }
        for (size_t i = 0; i < n; i += used) {
            tt_utf8_next(in + i, n - i, &used);
            consumed = consumed && used >= 1 && used <= n - i;
        }
        for (int form = 0; form < 3; form++) {
            size_t need = form == 0   ? tt_sanitize_term(out, sizeof out, in, n)
                          : form == 1 ? tt_sanitize_json(out, sizeof out, in, n)
                                      : tt_sanitize_csv(out, sizeof out, in, n, true);
            for (size_t i = 0; i < need && i < sizeof out - 1; i += used) {
                uint32_t cp = tt_utf8_next(out + i, need - i, &used);
                bool line = form == 2 && (cp == '\n' || cp == '\r' || cp == '\t');
                clean = clean && cp != TT_BAD_BYTE && (line || !tt_is_control(cp));
            }
        }
    }
    CHECK(clean);
    CHECK(consumed);
}

static void test_code_points(void)
{
    char bytes[4];
    size_t used;
    bool same = true;
    for (uint32_t cp = 1; cp < 0x110000; cp++) {
        if (cp >= 0xD800 && cp < 0xE000) continue;
        size_t n = tt_utf8_put(bytes, cp);
        same = same && tt_utf8_next(bytes, n, &used) == cp && used == n;
    }
    CHECK(same);
    setlocale(LC_CTYPE, "C.UTF-8");
    CHECK_INT(tt_text_width("ab\u4e2d\u00e9", strlen("ab\u4e2d\u00e9")), 5);
    CHECK_INT(tt_text_width("e\u0301", strlen("e\u0301")), 1);
    CHECK_INT(tt_text_width("\033\xff", 2), 2);
}

int main(void)
{
    test_terminal();
    test_json();
    test_csv();
    test_bounds();
    test_random();
    test_code_points();
    return check_done();
}
