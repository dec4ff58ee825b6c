/* parser/number.h - numbers from their digits, exactly.
 *
 * A token is [p, e) without quotes and blanks. Sixteen bytes behind e must be readable.                                 */
#ifndef TT_PARSER_NUMBER_H
#define TT_PARSER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Microseconds as text -> nanoseconds, clamped to +-2^61. Digits beyond the third decimal are rounded half up. *fraction is set (never
 * cleared) when the value is no whole microsecond. False when the token is no finite number. */
bool tt_parse_us_slow(const char *p, const char *e, int64_t *ns, bool *fraction);
/* Any decimal integer, or a number whose value is one; saturates at the ends of int64. False when it is no number. */
bool tt_parse_int_slow(const char *p, const char *e, int64_t *out);
/* A finite number; NaN for nan, inf and everything else. */
double tt_parse_double(const char *p, const char *e);

static inline bool tt_is_digit(char c) { return (unsigned char)(c - '0') < 10; }

/* Value of eight ASCII digits; UINT64_MAX when they are not all digits. */
static inline uint64_t tt_eight_digits(const char *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    uint64_t d = v - UINT64_C(0x3030303030303030);
    if (((v + UINT64_C(0x4646464646464646)) | d) & UINT64_C(0x8080808080808080)) return UINT64_MAX;
    d = d * 10 + (d >> 8);
    return ((d & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
            (d >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* Digits at *p, at most 18 of them; advances *p. */
static inline uint64_t tt_digits(const char **p)
{
    const char *q = *p;
    uint64_t v = 0, eight;
    for (int i = 0; i < 2 && (eight = tt_eight_digits(q)) != UINT64_MAX; i++, q += 8) v = v * 100000000 + eight;
    for (int i = 0; i < 10 && tt_is_digit(*q) && q - *p < 18; i++, q++) v = v * 10 + (uint64_t)(*q - '0');
    *p = q;
    return v;
}

/* The common forms: 1712195495519689.047, 25, 4426.114 */
static inline bool tt_parse_us(const char *p, const char *e, int64_t *ns, bool *fraction)
{
    const char *q = p;
    uint64_t us = tt_digits(&q);
    if (q == p || us > UINT64_C(2000000000000000)) return tt_parse_us_slow(p, e, ns, fraction);
    if (q == e) {
        *ns = (int64_t)us * 1000;
        return true;
    }
    if (*q != '.' || e - q > 4 || e - q < 2) return tt_parse_us_slow(p, e, ns, fraction);
    uint64_t sub = 0;
    static const uint32_t scale[] = {0, 100, 10, 1};
    long n = e - q - 1;
    for (long i = 1; i <= n; i++) {
        if (!tt_is_digit(q[i])) return tt_parse_us_slow(p, e, ns, fraction);
        sub = sub * 10 + (uint64_t)(q[i] - '0');
    }
    sub *= scale[n];
    *fraction |= sub != 0;
    *ns = (int64_t)(us * 1000 + sub);
    return true;
}

static inline bool tt_parse_int(const char *p, const char *e, int64_t *out)
{
    const char *q = p;
    uint64_t v = tt_digits(&q);
    if (q == p || q != e) return tt_parse_int_slow(p, e, out);
    *out = (int64_t)v;
    return true;
}

#endif
