/* tui/widgets/ruler.c - the time ruler: ticks at 1, 2 or 5 times a power of ten, in the unit of the largest time. */
#include "tui/widgets/ruler.h"

#include <stdio.h>

#include "model/base/bisect.h"

static const struct unit {
    const char *name;
    int64_t ns;
    int digits; /* decimal digits from this unit down to nanoseconds */
} units[] = {{"ns", 1, 0}, {"\xc2\xb5s", 1000, 3}, {"ms", 1000000, 6}, {"s", 1000000000, 9}};
enum { N_UNITS = 4 };

/* A multiple of step in a unit, with just the decimals that the step needs. */
static int tick_text(char *out, size_t cap, int64_t at, int64_t step, const struct unit *u)
{
    int decimals = u->digits;
    int64_t small = 1; /* the last decimal shown, ns */
    while (decimals > 0 && step % (small * 10) == 0) {
        small *= 10;
        decimals--;
    }
    uint64_t abs = at < 0 ? (uint64_t)-at : (uint64_t)at;
    uint64_t whole = abs / (uint64_t)u->ns, rest = abs % (uint64_t)u->ns / (uint64_t)small;
    if (decimals == 0) {
        return snprintf(out, cap, "%s%llu %s", at < 0 ? "-" : "", (unsigned long long)whole, u->name);
    }
    return snprintf(out, cap, "%s%llu.%0*llu %s", at < 0 ? "-" : "", (unsigned long long)whole, decimals,
                    (unsigned long long)rest, u->name);
}

/* The unit in which the largest label is below 1000. */
static const struct unit *best_unit(int64_t at, tt_unit fixed)
{
    if (fixed != TT_UNIT_AUTO) {
        return &units[fixed - TT_UNIT_NS];
    }
    int i = N_UNITS - 1;
    while (i > 0 && units[i].ns > at) i--;
    return &units[i];
}

int tt_ruler_col(const tt_ruler *r, int64_t at)
{
    if (at < r->t0) return -1;
    if (at >= r->t1) return r->w;
    unsigned a = 1, b = r->w > 0 ? (unsigned)r->w : 0;
    TT_BISECT(a, b, i, tt_ruler_edge(r, (int)i) <= at);
    return (int)a - 1; /* the last column whose left edge is at this time or before */
}

/* Labels at whole hours and days. */
static void draw_long(tt_canvas *c, int y, const tt_ruler *r)
{
    static const int64_t hour = INT64_C(3600000000000);
    static const int hours[] = {1, 2, 6, 12, 24, 48, 120, 240, 480, 1200, 2400};
    enum { N = sizeof hours / sizeof *hours, ROOM = 14 };
    char text[48];
    size_t i = 0;
    while (i + 1 < N && (double)hours[i] * (double)hour * r->w / (double)(r->t1 - r->t0) < ROOM) i++;
    int64_t step = hours[i] * hour;
    while ((double)step * r->w / (double)(r->t1 - r->t0) < ROOM) step *= 10;
    int64_t first = r->t0 >= 0 ? (r->t0 + step - 1) / step : -(-r->t0 / step);
    for (int64_t k = first; k * step < r->t1; k++) {
        int col = tt_ruler_col(r, k * step);
        long long h = k * (step / hour), d = h / 24;
        if (col < 0 || col >= r->w) continue;
        tt_put_char(c, y, r->x + col, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
        int n = d == 0        ? snprintf(text, sizeof text, "%lld h", h)
                : h % 24 != 0 ? snprintf(text, sizeof text, "%lld d %lld h", d, h < 0 ? -(h % 24) : h % 24)
                              : snprintf(text, sizeof text, "%lld d", d);
        if (col + 1 + n <= r->w) tt_put(c, y, r->x + col + 1, TT_ROLE_RULER, text, n);
    }
}

void tt_ruler_draw(tt_canvas *c, int y, const tt_ruler *r)
{
    if (r->t1 - r->t0 >= TT_LONG_NS) { /* long axes ignore the unit: nobody reads days in ms */
        draw_long(c, y, r);
        return;
    }
    char text[64];
    int64_t span = r->t1 - r->t0, step = 1;
    int room = r->w < 40 ? 11 : r->w < 110 ? 14 : 18;
    const struct unit *u = NULL;
    for (int i = 0; !u; i++) { /* the smallest step whose labels have room */
        int64_t next = i % 3 == 1 ? step / 2 * 5 : step * 2;
        double px = (double)step * r->w / (double)span;
        const struct unit *best = best_unit(r->t1, r->unit);
        int need = tick_text(text, sizeof text, r->t1 / step * step, step, best) + 3;
        if (px >= (need > room ? need : room) || step > INT64_MAX / 8) {
            u = best;
        } else {
            step = next;
        }
    }
    int64_t first = r->t0 >= 0 ? (r->t0 + step - 1) / step * step : -(-r->t0 / step) * step;
    for (int64_t at = first; at < r->t1; at += step) {
        int col = tt_ruler_col(r, at);
        if (col < 0 || col >= r->w) continue;
        tt_put_char(c, y, r->x + col, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
        int n = tick_text(text, sizeof text, at, step, u);
        if (col + 1 + n <= r->w) tt_put(c, y, r->x + col + 1, TT_ROLE_RULER, text, n);
    }
}

void tt_ruler_mark(tt_canvas *c, int y, const tt_ruler *r, int64_t at, tt_style style, uint32_t ch)
{
    int col = tt_ruler_col(r, at);
    if (col >= 0 && col < r->w) tt_put_char(c, y, r->x + col, style, ch);
}

void tt_ruler_cursor(tt_canvas *c, int y, const tt_ruler *r, int64_t at)
{
    int col = tt_ruler_col(r, at);
    if (col < 0 || col >= r->w) return;
    if (c->cells[(size_t)y * (size_t)c->stride + (size_t)(r->x + col)].ch != ' ') { /* leave the label readable */
        tt_restyle(c, y, r->x + col, 1, 1, TT_ROLE_LABEL_ON | TT_REVERSE);
    } else {
        tt_put_char(c, y, r->x + col, TT_ROLE_LABEL_ON, tt_glyph_of(c, TT_G_TRI_DOWN));
    }
}
