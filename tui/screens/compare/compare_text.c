/* tui/screens/compare/compare_text.c - numbers that changed, and the names of the two sides. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/screens/compare/compare.h"

char *tt_compare_brief(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}};
    uint64_t m = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    if (unit != TT_UNIT_AUTO || m < 1000) return tt_format_duration(out, ns, unit);
    size_t k = 0;
    while (m < (uint64_t)units[k].ns && m < 999950 * (uint64_t)units[k].ns / 1000000) k++; /* not "1000.0 us" */
    double v = (double)m / (double)units[k].ns;
    snprintf(out, TT_TEXT_CAP, "%s%.*f %s", ns < 0 ? "-" : "", v < 9.995 ? 2 : 1, v, units[k].name);
    return out;
}

/* Put a sign before a positive value; a negative one has its minus. */
static char *with_sign(char out[TT_TEXT_CAP], const char *text, int64_t v)
{
    snprintf(out, TT_TEXT_CAP, "%s%.*s", v > 0 ? "+" : "", TT_TEXT_CAP - 2, text);
    return out;
}

char *tt_compare_signed(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    char text[TT_TEXT_CAP];
    return with_sign(out, tt_compare_brief(text, ns, unit), ns);
}

char *tt_compare_range(char out[2 * TT_TEXT_CAP], int64_t low, int64_t high, tt_unit unit)
{
    char from[TT_TEXT_CAP], to[TT_TEXT_CAP];
    tt_compare_signed(from, low, unit);
    tt_compare_signed(to, high, unit);
    char *a = strchr(from, ' '), *b = strchr(to, ' ');
    if (a && b && !strcmp(a, b)) *a = 0;
    snprintf(out, 2 * TT_TEXT_CAP, "%s to %s", from, to);
    return out;
}

char *tt_compare_signed_bytes(char out[TT_TEXT_CAP], int64_t bytes)
{
    char text[TT_TEXT_CAP];
    return with_sign(out, tt_format_bytes(text, bytes), bytes);
}

char *tt_compare_ratio(char out[TT_TEXT_CAP], int64_t base, int64_t delta)
{
    out[0] = 0;
    if (base == TT_UNKNOWN || delta == TT_UNKNOWN) return out;
    if (base == 0) {
        snprintf(out, TT_TEXT_CAP, "%s", delta > 0 ? "new" : "");
        return out;
    }
    double pct = 100 * (double)delta / (double)base;
    snprintf(out, TT_TEXT_CAP, fabs(pct) < 9.995 ? "%+.2f%%" : fabs(pct) < 1000 ? "%+.1f%%" : "%+.0f%%", pct);
    return out;
}

char *tt_compare_p(char out[TT_TEXT_CAP], double p)
{
    out[0] = 0;
    if (isnan(p)) return out;
    if (p < 0.001) {
        snprintf(out, TT_TEXT_CAP, "p < 0.001");
    } else {
        snprintf(out, TT_TEXT_CAP, "p %.*f", p < 0.1 ? 3 : 2, p);
    }
    return out;
}

/* ---- the sides ---- */

/* The last n parts of a path. */
static const char *last_parts(const char *path, int n)
{
    const char *p = path + strlen(path);
    while (p > path) {
        if (p[-1] == '/' && p[0] && --n == 0) return p;
        p--;
    }
    return p;
}

static void name_run(const char *path, const char *other, char *out, size_t cap)
{
    static const char *const endings[] = {".pt.trace.json", ".json"};
    int n = 1;
    while (n < 6 && strcmp(path, other) != 0 && !strcmp(last_parts(path, n), last_parts(other, n))) n++;
    const char *above = last_parts(path, n + 1), *other_above = last_parts(other, n + 1);
    size_t folder = strcspn(above, "/"); /* the folder is named if it differs, too */
    if (folder != strcspn(other_above, "/") || strncmp(above, other_above, folder) != 0) n++;
    snprintf(out, cap, "%s", last_parts(path, n));
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *end = strstr(out, endings[i]);
        if (end && end > out && !strchr(end, '/')) *end = 0;
    }
}

void tt_compare_sides(const tt_host *a, char *base, char *now, size_t cap)
{
    char was[1024], is[1024];
    tt_host_sides(a, was, is, sizeof was);
    name_run(was, is, base, cap);
    name_run(is, was, now, cap);
}
