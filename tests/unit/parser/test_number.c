/* Numbers: the quick conversions against the slow ones and the C library, among all kinds of neighbouring bytes. */
#include "parser/json/number.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/check.h"

static uint32_t seed = 3;
static uint32_t rnd(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Write a token between bytes that could pass for a part of it; return its beginning and set its length. */
static char *token(char text[80], size_t *len)
{
    static const char around[] = "0123456789..-, :]\"";
    memset(text, 0, 80);
    for (int i = 0; i < 80; i++) text[i] = around[rnd(sizeof around - 1)];
    char *p = text + 16, *e = p;
    for (uint32_t n = rnd(20); n; n--) *e++ = (char)('0' + rnd(10));
    if (rnd(3)) {
        *e++ = '.';
        for (uint32_t n = rnd(6); n; n--) *e++ = (char)('0' + rnd(10));
    }
    if (!rnd(20) && e > p) p[rnd((uint32_t)(e - p))] = around[rnd(sizeof around - 1)];
    *len = (size_t)(e - p);
    return p;
}

static void test_against_slow(void)
{
    char text[80], copy[80];
    unsigned wrong = 0, read = 0;
    for (int i = 0; i < 300000; i++) {
        size_t n;
        const char *p = token(text, &n);
        int64_t a = 0, b = 0;
        bool fraction = false, slow_fraction = false;
        bool ok = tt_parse_us(p, p + n, &a, &fraction), slow = tt_parse_us_slow(p, p + n, &b, &slow_fraction);
        wrong += ok != slow || (ok && (a != b || fraction != slow_fraction));
        read += ok;
        ok = tt_parse_int(p, p + n, &a);
        slow = tt_parse_int_slow(p, p + n, &b);
        wrong += ok != slow || (ok && a != b);
        memcpy(copy, p, n);
        copy[n] = 0;
        char *end;
        double x = tt_parse_double(p, p + n), y = strtod(copy, &end);
        if (*end || end == copy || strchr(copy, ':') || strchr(copy, ' '))
            continue; /* only one of the two functions skips blanks */
        wrong += !(x == y);
        if (wrong == 1) fprintf(stderr, "    first wrong: %s\n", copy), wrong++;
    }
    CHECK_INT(wrong, 0);
    CHECK(read > 200000);
}

static int64_t us(const char *text, bool *fraction)
{
    char padded[64] = "\"ts.\": ";
    size_t n = strlen(text), at = strlen(padded);
    int64_t ns;
    memcpy(padded + at, text, n);
    *fraction = false;
    return tt_parse_us(padded + at, padded + at + n, &ns, fraction) ? ns : -1;
}

static void test_times(void)
{
    bool fraction;
    CHECK_INT(us("1712195495519689.047", &fraction), INT64_C(1712195495519689047));
    CHECK(fraction);
    CHECK_INT(us("1712195495519689.0474999", &fraction), INT64_C(1712195495519689047));
    CHECK_INT(us("1712195495519689.0475", &fraction), INT64_C(1712195495519689048)); /* the 20th digit rounds up */
    CHECK_INT(us("25", &fraction), 25000);
    CHECK(!fraction);
    CHECK_INT(us("25.000", &fraction), 25000);
    CHECK(!fraction);
    CHECK_INT(us("4426.5", &fraction), 4426500);
    CHECK_INT(us("7.25", &fraction), 7250);
    CHECK_INT(us("0.0005", &fraction), 1);
    CHECK_INT(us(".5", &fraction), 500);
    CHECK_INT(us("1e3", &fraction), 1000000);
    CHECK_INT(us("12345678", &fraction), INT64_C(12345678000));
    CHECK_INT(us("123456789", &fraction), INT64_C(123456789000));
    CHECK_INT(us("", &fraction), -1);
    CHECK_INT(us(".", &fraction), -1);
    CHECK_INT(us("12a", &fraction), -1);
    CHECK_INT(us("1.2.3", &fraction), -1);
}

/* Read a decimal from a text of its exact size, so that a sanitizer notices a read behind it. */
static double exact(const char *text)
{
    size_t n = strlen(text);
    char *copy = malloc(n);
    memcpy(copy, text, n);
    double v = tt_parse_double(copy, copy + n);
    free(copy);
    return v;
}

static void test_doubles(void)
{
    CHECK(exact("0.25") == 0.25);
    CHECK(exact("1063.7") == 1063.7);
    CHECK(exact("12345678.5") == 12345678.5);
    static const char text[] = "   0.1 123456789.123456 9007199254740993 1e400 nan          ";
    const char *p = text;
    CHECK(tt_parse_double(p + 3, p + 6) == 0.1);
    CHECK(tt_parse_double(p + 7, p + 23) == 123456789.123456);
    CHECK(tt_parse_double(p + 24, p + 40) == 9007199254740992.0);
    CHECK(isnan(tt_parse_double(p + 41, p + 46)));
    CHECK(isnan(tt_parse_double(p + 47, p + 50)));
}

int main(void)
{
    test_times();
    test_doubles();
    test_against_slow();
    return check_done();
}
