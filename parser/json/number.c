/* parser/json/number.c - the rarer spellings of numbers: signs, exponents, many digits, words. See number.h.
 * The digits are scaled as an integer by powers of ten, so that no value passes through a double. */
#include "parser/json/number.h"

#include <math.h>
#include <stdlib.h>

#define TIME_MAX ((int64_t)1 << 61)

struct decimal {
    uint64_t digits;  /* the first up to 19 significant digits */
    int64_t exponent; /* value = digits * 10^exponent */
    int next;         /* first digit that did not fit, for rounding; 0 = none */
    bool negative;
};

static bool exponent_of(const char *p, const char *e, int64_t *out)
{
    bool negative = p < e && *p == '-';
    if (p < e && (*p == '-' || *p == '+')) p++;
    if (p == e) return false;
    int64_t v = 0;
    for (; p < e; p++) {
        if (!tt_is_digit(*p)) return false;
        if (v < 100000) v = v * 10 + (*p - '0');
    }
    *out = negative ? -v : v;
    return true;
}

static bool decimal_of(const char *p, const char *e, struct decimal *d)
{
    *d = (struct decimal){0};
    while (p < e && *p == ' ') p++; /* skip padding of a number in a string */
    while (p < e && e[-1] == ' ') e--;
    if (p < e && (*p == '-' || *p == '+')) d->negative = *p++ == '-';
    bool any = false, dot = false;
    int kept = 0;
    for (; p < e && (tt_is_digit(*p) || (*p == '.' && !dot)); p++) {
        if (*p == '.') {
            dot = true;
            continue;
        }
        any = true;
        if (kept < 19) {
            d->digits = d->digits * 10 + (uint64_t)(*p - '0');
            kept += d->digits != 0;
            d->exponent -= dot;
        } else {
            if (kept == 19) d->next = *p - '0';
            kept = 20;
            d->exponent += !dot;
        }
    }
    if (!any) return false;
    if (p < e && (*p == 'e' || *p == 'E')) {
        int64_t x;
        if (!exponent_of(p + 1, e, &x)) return false;
        d->exponent += x;
        p = e;
    }
    return p == e;
}

/* digits * 10^exponent as an integer, rounded half up, saturated at max. Clears *exact on rounding. */
static uint64_t scaled(const struct decimal *d, int64_t exponent, uint64_t max, bool *exact)
{
    uint64_t v = d->digits;
    int half = d->next >= 5;
    if (d->next) *exact = false;
    for (; exponent > 0 && v; exponent--) {
        if (v > max / 10) return max;
        v *= 10;
    }
    for (; exponent < 0 && (v || half); exponent++) {
        if (v % 10 || half) *exact = false;
        half = v % 10 >= 5;
        v /= 10;
    }
    v += (uint64_t)half;
    return v > max ? max : v;
}

bool tt_parse_us_slow(const char *p, const char *e, int64_t *ns, bool *fraction)
{
    struct decimal d;
    if (!decimal_of(p, e, &d)) return false;
    bool exact = true, whole = true;
    int64_t v = (int64_t)scaled(&d, d.exponent + 3, (uint64_t)TIME_MAX, &exact);
    (void)scaled(&d, d.exponent, UINT64_MAX, &whole);
    if (!whole) *fraction = true;
    *ns = d.negative ? -v : v;
    return true;
}

bool tt_parse_int_slow(const char *p, const char *e, int64_t *out)
{
    struct decimal d;
    bool exact = true;
    if (!decimal_of(p, e, &d)) return false;
    uint64_t v = scaled(&d, d.exponent, INT64_MAX, &exact);
    if (!exact) return false;
    *out = d.negative ? -(int64_t)v : (int64_t)v;
    return true;
}

static double power_of_ten(int64_t n)
{
    static const double ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    return ten[n];
}

/* A decimal of up to 15 digits in all with one dot, as 0.25 or 1063.7: both operands of the division are exact, so the
 * result is rounded once. */
static bool short_decimal(const char *p, const char *e, double *out)
{
    char copy[32]; /* followed by the bytes that tt_digits() reads */
    uint64_t whole, part;
    size_t n = (size_t)(e - p);
    if (n < 3 || n > 16) return false;
    memset(copy + 16, 0, 16);
    memcpy(copy, p, n);
    const char *dot = memchr(copy, '.', n);
    if (!dot || !tt_digits(copy, dot, &whole) || !tt_digits(dot + 1, copy + n, &part)) return false;
    double scale = power_of_ten(copy + n - dot - 1);
    *out = ((double)whole * scale + (double)part) / scale;
    return true;
}

double tt_parse_double(const char *p, const char *e)
{
    char text[64];
    size_t n = (size_t)(e - p);
    struct decimal d;
    double quick;
    if (short_decimal(p, e, &quick)) return quick;
    if (n >= sizeof text || !decimal_of(p, e, &d)) return NAN;
    if (d.digits < UINT64_C(1) << 53 && d.exponent <= 0 && d.exponent > -16 &&
        !d.next) { /* exact operands: one rounding */
        double v = (double)d.digits / power_of_ten(-d.exponent);
        return d.negative ? -v : v;
    }
    memcpy(text, p, n);
    text[n] = 0;
    double v = strtod(text, NULL); /* in the C locale, which the program never leaves for numbers */
    return isfinite(v) ? v : NAN;
}
