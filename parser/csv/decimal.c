/* Converts decimal text to whole units: see decimal.h. */
#include "parser/csv/decimal.h"

#define RESULT_MOST (UINT64_C(1) << 61)
#define EXPONENT_MOST 100000 /* larger exponents do not change the result */

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The digits of a number in the text, with at most one dot among them, and the place of the dot. */
struct digits {
    const char *p, *e; /* digits and the dot */
    const char *dot;   /* e = no dot */
    int64_t exponent;
    bool negative;
};

static bool exponent_of(const char *p, const char *e, int64_t *out)
{
    bool negative = p < e && *p == '-';
    int64_t v = 0;
    if (p < e && (*p == '-' || *p == '+')) p++;
    if (p == e) return false;
    for (; p < e; p++) {
        if (!is_digit(*p)) return false;
        if (v < EXPONENT_MOST) v = v * 10 + (*p - '0');
    }
    *out = negative ? -v : v;
    return true;
}

static bool digits_of(const char *p, const char *e, struct digits *d)
{
    while (p < e && is_blank(*p)) p++;
    while (p < e && is_blank(e[-1])) e--;
    *d = (struct digits){.negative = p < e && *p == '-'};
    if (p < e && (*p == '-' || *p == '+')) p++;
    d->p = p;
    bool any = false;
    for (; p < e && (is_digit(*p) || (*p == '.' && !d->dot)); p++) {
        if (*p == '.') {
            d->dot = p;
        } else {
            any = true;
        }
    }
    d->e = p;
    if (!d->dot) d->dot = p;
    if (!any) return false;
    return p == e || ((*p == 'e' || *p == 'E') && exponent_of(p + 1, e, &d->exponent));
}

/* Number of digits before the dot; all_digits(): number of digits without the dot. */
static int64_t before_dot(const struct digits *d) { return d->dot - d->p; }
static int64_t all_digits(const struct digits *d) { return d->e - d->p - (d->dot < d->e); }
/* Digit i of all_digits(), 0 after the last one. */
static unsigned digit(const struct digits *d, int64_t i)
{
    if (i >= all_digits(d)) return 0;
    return (unsigned)(d->p[i + (i >= before_dot(d))] - '0');
}

/* Compute the whole part times unit; false = too large. */
static bool whole_part(const struct digits *d, int64_t point, uint64_t unit, uint64_t *out)
{
    uint64_t v = 0;
    for (int64_t i = 0; i < point; i++) {
        if (i >= all_digits(d) && !v) break; /* stops early for 0e99999 */
        if (v > RESULT_MOST / 10) return false;
        v = v * 10 + digit(d, i);
    }
    return !__builtin_mul_overflow(v, unit, out);
}

/* Compute the part after the point times unit, rounded half up: a multiplication on paper from the last digit on,
 * which keeps only the carry and the product's first digit after the point. *exact: no fraction remains. */
static uint64_t fraction_part(const struct digits *d, int64_t point, uint64_t unit, bool *exact)
{
    uint64_t carry = 0, first = 0;
    for (int64_t i = all_digits(d) - 1; i >= point && i >= 0; i--) {
        uint64_t t = digit(d, i) * unit + carry;
        first = t % 10;
        carry = t / 10;
        if (first) *exact = false;
    }
    for (int64_t zeros = -point; zeros > 0 && (carry || first); zeros--) { /* 5e-05: zeros before its digits */
        first = carry % 10;
        carry /= 10;
        if (first) *exact = false;
    }
    return carry + (first >= 5);
}

static bool scaled(const char *text, size_t n, uint64_t unit, int64_t *out, bool *exact)
{
    struct digits d;
    uint64_t whole;
    if (!digits_of(text, text + n, &d)) return false;
    int64_t point = before_dot(&d) + d.exponent;
    if (!whole_part(&d, point, unit, &whole) || whole > RESULT_MOST) return false;
    uint64_t v = whole + fraction_part(&d, point, unit, exact);
    if (v > RESULT_MOST) return false;
    *out = d.negative ? -(int64_t)v : (int64_t)v;
    return true;
}

/* Convert usual numbers: 123, 1736408883657086.220, 8873.756000. */
static bool quick(const char *p, const char *e, uint64_t unit, int64_t *out)
{
    static const uint64_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    uint64_t whole = 0, part = 0;
    const char *from = p;
    for (; p < e && is_digit(*p); p++) whole = whole * 10 + (uint64_t)(*p - '0');
    size_t front = (size_t)(p - from), behind = 0;
    if (p < e && *p == '.') {
        from = ++p;
        if (e - p > 9) return false;
        for (; p < e && is_digit(*p); p++) part = part * 10 + (uint64_t)(*p - '0');
        behind = (size_t)(p - from);
    }
    if (p != e || !front || front > 18 || whole >= RESULT_MOST / unit) return false;
    part = unit == 1000 && behind == 3 ? part : (part * unit + ten[behind] / 2) / ten[behind];
    *out = (int64_t)(whole * unit + part);
    return true;
}

bool tt_decimal(const char *text, size_t n, uint64_t unit, int64_t *out)
{
    bool exact = true;
    return quick(text, text + n, unit, out) || scaled(text, n, unit, out, &exact);
}

bool tt_decimal_whole(const char *text, size_t n, int64_t *out)
{
    uint64_t v = 0;
    const char *p = text, *e = text + n;
    for (; p < e && is_digit(*p) && n <= 18; p++) v = v * 10 + (uint64_t)(*p - '0');
    if (p == e && n) {
        *out = (int64_t)v;
        return true;
    }
    struct digits d;
    if (!digits_of(text, e, &d)) return false;
    int64_t point = before_dot(&d) + d.exponent;
    for (int64_t i = point < 0 ? 0 : point; i < all_digits(&d); i++) {
        if (digit(&d, i)) return false;
    }
    v = 0;
    for (int64_t i = 0; i < point && (i < all_digits(&d) || v); i++) {
        if (__builtin_mul_overflow(v, UINT64_C(10), &v) || __builtin_add_overflow(v, (uint64_t)digit(&d, i), &v))
            return false;
    }
    if (v > (uint64_t)INT64_MAX + d.negative) return false;
    *out = d.negative ? (int64_t)(0 - v) : (int64_t)v;
    return true;
}
