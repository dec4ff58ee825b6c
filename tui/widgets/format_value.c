/* tui/widgets/format_value.c - numbers as text. Whole numbers are never rounded through a double. No locale is used: a
 * decimal comma would look like a separator. */
#include "tui/widgets/format_value.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct unit {
    const char *name;
    int64_t ns;
    int digits; /* decimals down to a nanosecond */
} units[] = {
    [TT_UNIT_NS] = {"ns", 1, 0},
    [TT_UNIT_US] = {"\xc2\xb5s", 1000, 3},
    [TT_UNIT_MS] = {"ms", 1000000, 6},
    [TT_UNIT_S] = {"s", 1000000000, 9},
};

static char *copy_text(char out[TT_TEXT_CAP], const char *text)
{
    snprintf(out, TT_TEXT_CAP, "%s", text);
    return out;
}

double tt_power_of_ten(int k)
{
    double p = 1;
    for (int i = 0; i < (k < 0 ? -k : k); i++) p *= 10;
    return k < 0 ? 1 / p : p;
}

static uint64_t magnitude(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }

static tt_unit unit_for(int64_t ns)
{
    uint64_t m = magnitude(ns);
    return m < 1000 ? TT_UNIT_NS : m < 1000000 ? TT_UNIT_US : m < 1000000000 ? TT_UNIT_MS : TT_UNIT_S;
}

/* A magnitude in its unit, rounded to decimals. */
static char *put_scaled(char out[TT_TEXT_CAP], const char *sign, uint64_t m, const struct unit *u, int decimals)
{
    uint64_t small = (uint64_t)u->ns; /* value of the last decimal, ns */
    char part[24] = "";
    for (int i = 0; i < decimals; i++) small /= 10;
    uint64_t n = m / small + (m % small * 2 >= small && small > 1), one = (uint64_t)u->ns / small;
    if (decimals > 0) snprintf(part, sizeof part, ".%0*" PRIu64, decimals, n % one);
    snprintf(out, TT_TEXT_CAP, "%s%" PRIu64 "%s %s", sign, n / one, part, u->name);
    return out;
}

/* Decimals with which m has four digits: 3 below 10, ... */
static int four_digits(uint64_t m, uint64_t per)
{
    int decimals = 3;
    for (uint64_t whole = m / per; whole >= 10 && decimals > 0; whole /= 10) decimals--;
    return decimals;
}

/* With these decimals m would show as 1000 of its unit, so the next unit is better. */
static bool rounds_up(uint64_t m, const struct unit *u, int decimals)
{
    uint64_t half = (uint64_t)u->ns / 2;
    for (int i = 0; i < decimals; i++) half /= 10;
    return u < &units[TT_UNIT_S] && m + half >= (uint64_t)u[1].ns;
}

static bool is_part(uint64_t m, const struct unit *u)
{
    return u->ns == 1000 ? m % 1000 != 0 : u->ns > 1000; /* larger units keep their decimals: "1.500 ms" */
}

static char *format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit, const tt_digits *d)
{
    const struct unit *u = &units[unit == TT_UNIT_AUTO ? unit_for(ns) : unit];
    uint64_t m = magnitude(ns);
    if (!ns) return copy_text(out, "0");
    int decimals = u->ns == 1 ? 0 : unit != TT_UNIT_AUTO ? 3 : four_digits(m, (uint64_t)u->ns);
    if (unit == TT_UNIT_AUTO) {
        if (!(d ? d->parts >> (u - units) & 1 : is_part(m, u)))
            decimals = 0;
        else if (d && d->decimals[u - units])
            decimals = d->decimals[u - units] - 1;
        if (rounds_up(m, u, decimals)) {
            u++;
            decimals = d && d->decimals[u - units] ? d->decimals[u - units] - 1 : 3;
        }
    }
    return put_scaled(out, ns < 0 ? "-" : "", m, u, decimals);
}

char *tt_format_duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    return format_duration(out, ns, unit, NULL);
}

/* Times of a column have one unit, and as many decimals as the finest of them needs. */
static char *format_place(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit, const tt_digits *d)
{
    const struct unit *u = &units[unit == TT_UNIT_AUTO ? (tt_unit)(d->top ? d->top : TT_UNIT_NS) : unit];
    int decimals = u->digits - (d->grain ? d->grain - 1 : 0);
    if (!ns) return copy_text(out, "0");
    return put_scaled(out, ns < 0 ? "-" : "", magnitude(ns), u, decimals > 0 ? decimals : 0);
}

char *tt_format_long(char out[TT_TEXT_CAP], int64_t ns)
{
    static const struct {
        const char *name;
        double ns;
    } longer[] = {{"d", 86400e9}, {"h", 3600e9}, {"min", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"\u00b5s", 1e3}, {"ns", 1}};
    double v = (double)ns;
    size_t i = 0;
    while (i + 1 < sizeof longer / sizeof *longer && (v < 0 ? -v : v) < longer[i].ns) i++;
    v /= longer[i].ns;
    double size = v < 0 ? -v : v;
    int decimals = longer[i].ns <= 1 || size >= 100 ? 0 : size >= 10 ? 1 : 2;
    snprintf(out, TT_TEXT_CAP, "%.*f %s", decimals, v, longer[i].name);
    return out;
}

char *tt_format_time(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    const struct unit *u = &units[unit == TT_UNIT_AUTO ? unit_for(ns) : unit];
    uint64_t m = magnitude(ns);
    if (!ns) return copy_text(out, "0");
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

enum { BYTE_UNITS = 7 };

static size_t byte_unit(double *v)
{
    size_t i = 0;
    for (; *v >= 1023.995 && i + 1 < BYTE_UNITS; i++) *v /= 1024;
    return i;
}

/* Decimals for four digits, at most two. */
static int byte_decimals(double v) { return v >= 999.95 ? 0 : v >= 99.995 ? 1 : 2; }

static char *format_bytes(char out[TT_TEXT_CAP], int64_t bytes, const tt_digits *d)
{
    static const char *const names[BYTE_UNITS] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double v = (double)magnitude(bytes);
    size_t i = byte_unit(&v);
    if (!bytes) return copy_text(out, "0");
    bool part = i && (d ? d->parts >> i & 1 : v > floor(v));
    int decimals = !part ? 0 : d && d->decimals[i] ? d->decimals[i] - 1 : byte_decimals(v);
    snprintf(out, TT_TEXT_CAP, "%s%.*f %s", bytes < 0 ? "-" : "", decimals, v, names[i]);
    return out;
}

char *tt_format_bytes(char out[TT_TEXT_CAP], int64_t bytes) { return format_bytes(out, bytes, NULL); }

static int percent_decimals(double size) { return size < 0.995 ? 2 : 1; }

static char *format_percent(char out[TT_TEXT_CAP], double pct, const tt_digits *d)
{
    double size = fabs(pct);
    if (!isfinite(pct)) return copy_text(out, "-");
    if (!(size > 0)) return copy_text(out, "0");
    int decimals = d && d->decimals[0] ? d->decimals[0] - 1 : percent_decimals(size);
    if (size < tt_power_of_ten(-decimals) / 2)
        snprintf(out, TT_TEXT_CAP, "%s%.*f%%", pct < 0 ? ">-" : "<", decimals, tt_power_of_ten(-decimals));
    else
        snprintf(out, TT_TEXT_CAP, "%.*f%%", decimals, size > 1e15 ? copysign(1e15, pct) : pct);
    return out;
}

char *tt_format_percent(char out[TT_TEXT_CAP], double pct) { return format_percent(out, pct, NULL); }

/* A change in percent; above +400% as a factor, which is easier to picture. */
static char *format_change(char out[TT_TEXT_CAP], double pct, const tt_digits *d)
{
    char text[TT_TEXT_CAP];
    double times = 1 + pct / 100;
    if (isfinite(pct) && pct > 400)
        snprintf(out, TT_TEXT_CAP, "x%.*f", times < 9.95 ? 1 : 0, times < 1e15 ? times : 1e15);
    else
        snprintf(out, TT_TEXT_CAP, "%s%.*s", pct > 0 ? "+" : "", TT_TEXT_CAP - 2, format_percent(text, pct, d));
    return out;
}

static bool whole(double v) { return !(v > floor(v)) && fabs(v) < 1e15; }

static int three_digits(double size) { return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2; }

/* Decimals that show the first digit of a value below 1, up to 6. */
static int first_digit(double size)
{
    int n = 0;
    for (; size < 0.95 && n < 6; size *= 10) n++;
    return n;
}

static char *format_number(char out[TT_TEXT_CAP], double v, const tt_digits *d)
{
    enum { COLUMN_DECIMALS = 2 };
    double size = fabs(v);
    if (!isfinite(v)) return copy_text(out, "-");
    if (whole(v) && !(d && d->parts)) return tt_format_count(out, (int64_t)v);
    if (size < 1e-300) return copy_text(out, "0");
    if (size >= 1e15 || (!d && size < 5e-5)) {
        snprintf(out, TT_TEXT_CAP, "%.3g", v);
        return out;
    }
    int decimals = size < 0.95 ? first_digit(size) + 2 : three_digits(size);
    if (d) {
        decimals = d->decimals[0] ? d->decimals[0] - 1 : 0;
        if (decimals < d->need) decimals = d->need < COLUMN_DECIMALS ? d->need : COLUMN_DECIMALS;
        if (size < tt_power_of_ten(-decimals) / 2) {
            snprintf(out, TT_TEXT_CAP, "%s%.*f", v < 0 ? ">-" : "<", decimals, tt_power_of_ten(-decimals));
            return out;
        }
    }
    if (!decimals) return tt_format_count(out, llround(v));
    int n = snprintf(out, TT_TEXT_CAP, "%.*f", decimals, v);
    for (; !d && out[n - 1] == '0'; n--) out[n - 1] = '\0';
    if (out[n - 1] == '.') out[n - 1] = '\0';
    return out;
}

char *tt_format_number(char out[TT_TEXT_CAP], double v) { return format_number(out, v, NULL); }

/* Operations: "2.48 TFLOP", "850 FLOP" */
static char *format_flops(char out[TT_TEXT_CAP], int64_t flops)
{
    static const char *const names[] = {"", "K", "M", "G", "T", "P", "E"};
    double v = (double)magnitude(flops);
    size_t i = 0;
    if (!flops) return copy_text(out, "0");
    for (; v >= 999.5; i++) v /= 1000; /* at most 9.2 E */
    snprintf(out, TT_TEXT_CAP, "%s%.*f %sFLOP", flops < 0 ? "-" : "", i ? three_digits(v) : 0, v, names[i]);
    return out;
}

static void learn_scaled(tt_digits *d, size_t unit, int decimals, bool part)
{
    uint8_t n = (uint8_t)(decimals + 1);
    if (part) d->parts |= (uint8_t)(1u << unit);
    if (!d->decimals[unit] || n < d->decimals[unit]) d->decimals[unit] = n;
}

static void learn_place(tt_digits *d, int64_t ns)
{
    uint8_t unit = (uint8_t)unit_for(ns), zeros = 0;
    if (unit > d->top) d->top = unit;
    for (; ns % 10 == 0 && zeros < 9; ns /= 10) zeros++;
    if (!d->grain || zeros + 1 < d->grain) d->grain = (uint8_t)(zeros + 1);
}

void tt_digits_learn(tt_digits *d, tt_type type, tt_cell v)
{
    if (type == TT_T_STRING || tt_cell_unknown(type, v) || !v.i) return;
    if (type == TT_T_DURATION) {
        tt_unit unit = unit_for(v.i);
        uint64_t m = magnitude(v.i);
        learn_scaled(d, unit, four_digits(m, (uint64_t)units[unit].ns), is_part(m, &units[unit]));
    } else if (type == TT_T_BYTES) {
        double size = (double)magnitude(v.i);
        size_t unit = byte_unit(&size);
        learn_scaled(d, unit, byte_decimals(size), size > floor(size));
    } else if (type == TT_T_TIME) {
        learn_place(d, v.i);
    } else if (type == TT_T_PERCENT && isfinite(v.d)) {
        learn_scaled(d, 0, percent_decimals(fabs(v.d)), false);
    } else if (type == TT_T_NUMBER && isfinite(v.d)) {
        double size = fabs(v.d);
        int first = size < 9.95 && first_digit(size) < 1 ? 1 : first_digit(size); /* "1.4" below "641.0" */
        learn_scaled(d, 0, three_digits(size), !whole(v.d));
        if (size > 0 && first > d->need) d->need = (uint8_t)first;
    }
}

char *tt_format_ascii(char *text)
{
    for (char *p = text; (p = strstr(p, "\xc2\xb5s")); p++) {
        *p = 'u';
        memmove(p + 1, p + 2, strlen(p + 2) + 1);
    }
    return text;
}

char *tt_format_micro(const char *text, char *out, size_t cap)
{
    size_t n = 0;
    for (const char *p = text; *p && n + 3 < cap; p++) {
        bool micro = *p == 'u' && p - text >= 2 && p[-1] == ' ' && isdigit((unsigned char)p[-2]) && p[1] == 's' &&
                     !isalnum((unsigned char)p[2]);
        if (micro) out[n++] = '\xc2';
        out[n++] = micro ? '\xb5' : *p;
    }
    out[n] = 0;
    return out;
}

static char *format_plain(char out[TT_TEXT_CAP], tt_type type, tt_cell v, tt_unit unit, const tt_digits *d)
{
    switch (type) {
    case TT_T_COUNT: return tt_format_count(out, v.i);
    case TT_T_BOOL: return copy_text(out, v.i ? "yes" : "no");
    case TT_T_DURATION: return format_duration(out, v.i, unit, d);
    case TT_T_TIME: return d ? format_place(out, v.i, unit, d) : tt_format_time(out, v.i, unit);
    case TT_T_BYTES: return format_bytes(out, v.i, d);
    case TT_T_PERCENT: return format_percent(out, v.d, d);
    default: return format_number(out, v.d, d);
    }
}

static char *format_typed(char out[TT_TEXT_CAP], tt_type type, tt_cell v, tt_unit unit, bool sign, const tt_digits *d)
{
    char text[TT_TEXT_CAP];
    if (type == TT_T_STRING || tt_cell_unknown(type, v)) return copy_text(out, "-");
    if (sign && type == TT_T_PERCENT) return format_change(out, v.d, d);
    bool more = type == TT_T_NUMBER ? v.d > 0 : v.i > 0;
    if (!sign || !more) return format_plain(out, type, v, unit, d);
    snprintf(out, TT_TEXT_CAP, "+%.*s", TT_TEXT_CAP - 2, format_plain(text, type, v, unit, d));
    return out;
}

char *tt_format_typed(char out[TT_TEXT_CAP], tt_type type, tt_cell v, tt_unit unit, bool sign)
{
    return format_typed(out, type, v, unit, sign, NULL);
}

/* The column is a difference of two runs or an end of its confidence interval. */
static bool is_difference(const tt_column *c)
{
    return !strncmp(c->key, "delta_", 6) || !strncmp(c->key, "low_", 4) || !strncmp(c->key, "high_", 5);
}

char *tt_format_cell(char out[TT_TEXT_CAP], const tt_column *c, tt_cell v, tt_unit unit, const tt_digits *digits)
{
    if (c->type == TT_T_COUNT && !strcmp(c->key, "flops") && !tt_cell_unknown(c->type, v))
        return format_flops(out, v.i);
    if (c->type == TT_T_COUNT && c->is_id && !tt_cell_unknown(c->type, v)) {
        snprintf(out, TT_TEXT_CAP, "%" PRId64, v.i);
        return out;
    }
    bool difference = is_difference(c);
    if (c->type == TT_T_PERCENT && !difference && !c->above_all && v.d > 100.05) return copy_text(out, ">100%");
    return format_typed(out, c->type, v, unit, difference, c->own_digits ? NULL : digits);
}

const char *tt_cell_text(const tt_column *c, tt_cell v) { return v.s ? v.s : c->unknown ? c->unknown : "-"; }

const char *tt_cell_output(const tt_column *c, tt_cell v)
{
    return !v.s && !strcmp(c->key, "operator") ? "(unattributed)" : v.s ? v.s : "-";
}
