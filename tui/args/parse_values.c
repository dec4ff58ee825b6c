/* tui/args/parse_values.c - see parse_values.h. Times are read digit by digit, never as doubles, so that a time
 * copied from a table is read exactly. */
#include "tui/args/parse_values.h"

#include <ctype.h>
#include <string.h>

static bool append_digit(int64_t *v, char c)
{
    return !__builtin_mul_overflow(*v, 10, v) && !__builtin_add_overflow(*v, c - '0', v);
}

bool tt_parse_count(const char *s, int64_t *out)
{
    int64_t v = 0;
    if (!*s) return false;
    for (; *s; s++) {
        if (!isdigit((unsigned char)*s) || !append_digit(&v, *s)) return false;
    }
    *out = v;
    return true;
}

bool tt_parse_size(const char *s, uint64_t *out)
{
    static const char units[] = "kmgt";
    int64_t n = 0;
    if (!isdigit((unsigned char)*s)) return false;
    for (; isdigit((unsigned char)*s); s++)
        if (!append_digit(&n, *s)) return false;
    const char *unit = *s ? strchr(units, *s | 32) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (unit && *++s == 'i') s++;
    if ((*s | 32) == 'b') s++;
    if (*s || n > INT64_MAX >> shift) return false;
    *out = (uint64_t)n << shift;
    return true;
}

static const struct {
    const char *name;
    int64_t ns;
} time_units[] = {{"ns", 1},           {"us", 1000},    {"\xc2\xb5s", 1000},
                  {"\xce\xbcs", 1000}, {"ms", 1000000}, {"s", 1000000000}};

/* Nanoseconds per unit for the unit at *s, which moves past it; 0 = no unit is there. */
static int64_t take_unit(const char **s)
{
    for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++) {
        size_t n = strlen(time_units[i].name);
        if (strncmp(*s, time_units[i].name, n) != 0) continue;
        *s += n;
        return time_units[i].ns;
    }
    return 0;
}

bool tt_parse_time(const char *s, const char **end, int64_t default_ns, int64_t *out)
{
    size_t whole = strspn(s, "0123456789"), part = s[whole] == '.' ? strspn(s + whole + 1, "0123456789") : 0;
    if (!whole && !part) return false;
    const char *p = s + whole + (s[whole] == '.' ? 1 + part : 0);
    while (*p == ' ') p++;
    int64_t per = take_unit(&p), v = 0;
    if (!per) per = default_ns;
    for (size_t i = 0; i < whole; i++) {
        if (!append_digit(&v, s[i])) return false;
    }
    if (__builtin_mul_overflow(v, per, &v)) return false;
    int64_t place = per;
    for (size_t i = 0; i < part && place >= 10; i++) {
        place /= 10;
        if (__builtin_add_overflow(v, place * (s[whole + 1 + i] - '0'), &v)) return false;
    }
    *end = p;
    *out = v;
    return true;
}

bool tt_parse_range(const char *s, int64_t *t0, int64_t *t1)
{
    enum { MS = 1000000 };
    *t0 = 0;
    *t1 = INT64_MAX;
    const char *p = s;
    if (*p != '-' && !tt_parse_time(s, &p, MS, t0)) return false;
    bool bare = p > s && isdigit((unsigned char)p[-1]);
    while (*p == ' ') p++;
    if (*p++ != '-') return false;
    while (*p == ' ') p++;
    if (!*p) return s[0] != '-';
    const char *digits = p;
    if (!tt_parse_time(digits, &p, MS, t1) || *p) return false;
    if (bare) { /* in "12-80us" the unit holds for both times */
        const char *unit = digits + strspn(digits, "0123456789. ");
        int64_t per = take_unit(&unit);
        const char *end;
        if (per && !tt_parse_time(s, &end, per, t0)) return false;
    }
    return *t0 < *t1;
}

/* Read a percentage, with as many decimals as tt_parse_time() reads of a second. */
static bool parse_share(const char *s, int64_t whole_ns, int64_t *out)
{
    const int64_t percent = 1000000000;
    const char *end;
    int64_t v;
    if (!tt_parse_time(s, &end, percent, &v) || end[-1] == 's' || strcmp(end, "%") != 0 || v > 100 * percent)
        return false;
    *out = (int64_t)((__int128)whole_ns * v / (100 * percent));
    return true;
}

bool tt_parse_point(const char *s, int64_t from_ns, int64_t whole_ns, int64_t *at)
{
    enum { MS = 1000000 };
    const int64_t most = INT64_MAX / 4;
    const bool by = *s == '+' || *s == '-';
    const char *end;
    int64_t v;
    if (!by && parse_share(s, whole_ns, at)) return true;
    if (!tt_parse_time(s + by, &end, MS, &v) || *end ||
        __builtin_add_overflow(by ? from_ns : 0, *s == '-' ? -v : v, &v))
        return false;
    *at = v;
    return v <= most && v >= -most;
}

bool tt_parse_steps(const char *s, int64_t *first, int64_t *last)
{
    char part[32];
    size_t n = strspn(s, "0123456789");
    if (!n || n >= sizeof part) return false;
    memcpy(part, s, n);
    part[n] = '\0';
    if (!tt_parse_count(part, first)) return false;
    *last = *first;
    if (!s[n]) return true;
    if (s[n] != '-') return false;
    *last = INT64_MAX;
    return !s[n + 1] || (tt_parse_count(s + n + 1, last) && *first <= *last);
}
