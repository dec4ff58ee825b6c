/* parser/json/number.h - exact numbers from their digits.
 *
 * A token is [p, e) without quotes and blanks. tt_parse_us() and tt_parse_int() also read four bytes in front of it and
 * eight behind it, of any value; the other functions read the token only. */
#ifndef TT_PARSER_JSON_NUMBER_H
#define TT_PARSER_JSON_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Microseconds as text -> nanoseconds, clamped to +-2^61. Digits beyond the third decimal are rounded half up. Sets
 * *fraction (never clears it) when the value is no whole microsecond. False when the token is no finite number. */
bool tt_parse_us_slow(const char *p, const char *e, int64_t *ns, bool *fraction);
/* A decimal integer, or another number of integral value; saturates at the ends of int64. False for other text. */
bool tt_parse_int_slow(const char *p, const char *e, int64_t *out);
/* A finite number; NaN for nan, inf and any other text. */
double tt_parse_double(const char *p, const char *e);

static inline bool tt_is_digit(char c) { return (unsigned char)(c - '0') < 10; }

/* Value of 1 to 8 ASCII digits, [p, p + len); UINT64_MAX when another byte is among them. No branch depends on the
 * length: lengths change from number to number, and the end of a loop over digits would be mispredicted nearly every
 * time. */
static inline uint64_t tt_few_digits_(const char *p, size_t len)
{
    uint64_t v, zeros = UINT64_C(0x3030303030303030);
    memcpy(&v, p, 8);
    v = v << (64 - 8 * len) | (zeros >> 1 >> (8 * len - 1));
    uint64_t d = v - zeros;
    if (((v + UINT64_C(0x4646464646464646)) | d) & UINT64_C(0x8080808080808080)) return UINT64_MAX;
    d = d * 10 + (d >> 8);
    return ((d & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
            (d >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
           32;
}

/* Value of 1 to 16 ASCII digits; false for more, or when another byte is among them. */
static inline bool tt_digits(const char *p, const char *e, uint64_t *out)
{
    static const uint32_t ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    size_t len = (size_t)(e - p);
    if (len - 1 < 8) {
        *out = tt_few_digits_(p, len);
        return *out != UINT64_MAX;
    }
    if (len - 1 >= 16) return false;
    uint64_t high = tt_few_digits_(p, 8), low = tt_few_digits_(p + 8, len - 8);
    *out = high * ten[len - 8] + low;
    return high != UINT64_MAX && low != UINT64_MAX;
}

/* Nanoseconds of up to three decimals behind the dot, which is at e[-1 - n]; UINT32_MAX when another byte is among
 * them. */
static inline uint32_t tt_decimals_(const char *e, uint32_t n)
{
    uint32_t v;
    memcpy(&v, e - 4, 4);
    v = v >> 8 * (3 - n) | (uint32_t)(UINT64_C(0x30303030) << 8 * (n + 1));
    v -= UINT32_C(0x3030302E); /* the dot is the lowest byte */
    if (((v + UINT32_C(0x76767600)) | v) & UINT32_C(0x80808080)) return UINT32_MAX;
    return (v >> 8 & 0xFF) * 100 + (v >> 16 & 0xFF) * 10 + (v >> 24);
}

/* Parse the common forms: 1712195495519689.047, 4426.1, 25. */
static inline bool tt_parse_us(const char *p, const char *e, int64_t *ns, bool *fraction)
{
    uint32_t decimals = e[-4] == '.' ? 3 : e[-3] == '.' ? 2 : e[-2] == '.' ? 1 : 0;
    uint32_t sub = decimals ? tt_decimals_(e, decimals) : 0;
    const char *dot = decimals ? e - 1 - decimals : e;
    uint64_t us;
    if (dot <= p || sub == UINT32_MAX || !tt_digits(p, dot, &us) || us > UINT64_C(2000000000000000))
        return tt_parse_us_slow(p, e, ns, fraction);
    *fraction |= sub != 0;
    *ns = (int64_t)(us * 1000 + sub);
    return true;
}

static inline bool tt_parse_int(const char *p, const char *e, int64_t *out)
{
    uint64_t v;
    if (!tt_digits(p, e, &v)) return tt_parse_int_slow(p, e, out);
    *out = (int64_t)v;
    return true;
}

#endif
