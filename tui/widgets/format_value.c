/* tui/widgets/format_value.c - numbers as people read them. Digits come from integers wherever the value is one: no
 * rounding through a double, and no locale (a comma as decimal point would be taken for a separator). */
#include "tui/widgets/format_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    const char *name;
    int64_t ns;
    int digits; /* decimals that say a nanosecond */
} units[] = {
    [TT_UNIT_NS] = {"ns", 1, 0},
    [TT_UNIT_US] = {"us", 1000, 3},
    [TT_UNIT_MS] = {"ms", 1000000, 6},
    [TT_UNIT_S] = {"s", 1000000000, 9},
};

static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

static tt_unit unit_for(int64_t ns)
{
    uint64_t m = magnitude(ns);
    return m < 1000 ? TT_UNIT_NS : m < 1000000 ? TT_UNIT_US : m < 1000000000 ? TT_UNIT_MS : TT_UNIT_S;
}

char *tt_format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    const struct unit *u = &units[unit == TT_UNIT_AUTO ? unit_for(ns) : unit];
    uint64_t m = magnitude(ns);
    const char *sign = ns < 0 ? "-" : "";
    if (u->ns == 1) {
        snprintf(out, TT_TEXT_CAP, "%s%" PRIu64 " ns", sign, m);
        return out;
    }
    uint64_t per = (uint64_t)u->ns / 1000; /* of one thousandth of the unit */
    uint64_t thousandths = m / per + (m % per * 2 >= per && per > 1);
    if (unit == TT_UNIT_AUTO && thousandths >= 1000000 &&
        u < &units[TT_UNIT_S]) { /* 999.9996 us rounds up to 1.000 ms */
        u++;
        thousandths = 1000;
    }
    snprintf(out, TT_TEXT_CAP, "%s%" PRIu64 ".%03" PRIu64 " %s", sign, thousandths / 1000, thousandths % 1000, u->name);
    return out;
}

char *tt_format_time(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    const struct unit *u = &units[unit == TT_UNIT_AUTO ? unit_for(ns) : unit];
    uint64_t m = magnitude(ns);
    int n = snprintf(out, TT_TEXT_CAP, "%s%" PRIu64, ns < 0 ? "-" : "", m / (uint64_t)u->ns);
    uint64_t rest = m % (uint64_t)u->ns;
    if (rest) {
        n += snprintf(out + n, (size_t)(TT_TEXT_CAP - n), ".%0*" PRIu64, u->digits, rest);
        while (out[n - 1] == '0') n--;
    }
    snprintf(out + n, (size_t)(TT_TEXT_CAP - n), " %s", u->name);
    return out;
}

char *tt_format_count(char out[TT_TEXT_CAP], int64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, magnitude(v));
    char *p = out;
    if (v < 0) *p++ = '-';
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0) *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return out;
}

char *tt_format_counted(char out[TT_TEXT_CAP], int64_t n, const char *what)
{
    char count[TT_TEXT_CAP];
    snprintf(out, TT_TEXT_CAP, "%.30s %.16s%s", tt_format_count(count, n), what, n == 1 ? "" : "s");
    return out;
}

char *tt_format_bytes(char out[TT_TEXT_CAP], int64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double v = (double)magnitude(bytes);
    size_t i = 0;
    for (; v >= 1023.995 && i + 1 < sizeof names / sizeof *names; i++) v /= 1024;
    snprintf(out, TT_TEXT_CAP, "%s%.*f %s", bytes < 0 ? "-" : "", i ? 2 : 0, v, names[i]);
    return out;
}

char *tt_format_percent(char out[TT_TEXT_CAP], double pct)
{
    if (!isfinite(pct)) {
        snprintf(out, TT_TEXT_CAP, "-");
    } else if (pct > 0 && pct < 0.005) {
        snprintf(out, TT_TEXT_CAP, "<0.01%%");
    } else {
        snprintf(out, TT_TEXT_CAP, "%.2f%%", fabs(pct) > 1e15 ? copysign(1e15, pct) : pct + 0.0);
    }
    return out;
}

char *tt_format_number(char out[TT_TEXT_CAP], double v)
{
    if (!isfinite(v)) {
        snprintf(out, TT_TEXT_CAP, "-");
        return out;
    }
    if (fabs(v) >= 1e15 || (v > -5e-5 && v < 5e-5 && (v > 0 || v < 0))) {
        snprintf(out, TT_TEXT_CAP, "%.4g", v);
        return out;
    }
    int n = snprintf(out, TT_TEXT_CAP, "%.4f", v + 0.0);
    while (out[n - 1] == '0') n--;
    if (out[n - 1] == '.') n--;
    out[n] = '\0';
    return out;
}

char *tt_format_cell(char out[TT_TEXT_CAP], const tt_column *c, tt_cell v, tt_unit unit)
{
    if (c->type == TT_T_STRING || tt_cell_unknown(c->type, v)) {
        snprintf(out, TT_TEXT_CAP, "-");
        return out;
    }
    switch (c->type) {
    case TT_T_COUNT: return tt_format_count(out, v.i);
    case TT_T_BOOL: snprintf(out, TT_TEXT_CAP, "%s", v.i ? "yes" : "no"); return out;
    case TT_T_DURATION: return tt_format_duration(out, v.i, unit);
    case TT_T_TIME: return tt_format_time(out, v.i, unit);
    case TT_T_BYTES: return tt_format_bytes(out, v.i);
    case TT_T_PERCENT: return tt_format_percent(out, v.d);
    default: return tt_format_number(out, v.d);
    }
}

const char *tt_cell_text(const tt_column *c, tt_cell v)
{
    if (v.s) return v.s;
    return !strcmp(c->key, "operator") ? "(unattributed)" : "-";
}
