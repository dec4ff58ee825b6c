/* tui/timeline/ruler.c - the time ruler: ticks at 1, 2 or 5 times a power of ten, in the unit that says them
 * shortest. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/draw.h"

static const struct unit {
    const char *name;
    int64_t ns;
    int digits; /* decimal digits below it down to nanoseconds */
} units[] = {{"ns", 1, 0}, {"us", 1000, 3}, {"ms", 1000000, 6}, {"s", 1000000000, 9}};
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

/* The unit whose text for the largest label is shortest. */
static const struct unit *best_unit(int64_t at, int64_t step, tt_unit fixed)
{
    if (fixed != TT_UNIT_AUTO) {
        return &units[fixed - TT_UNIT_NS];
    }
    char text[64];
    const struct unit *best = &units[0];
    int length = 1000;
    for (int i = 0; i < N_UNITS; i++) {
        int n = tick_text(text, sizeof text, at, step, &units[i]);
        if (n < length) {
            length = n;
            best = &units[i];
        }
    }
    return best;
}

void tt_timeline_draw_ruler(tt_canvas *c, int y, tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    char text[64];
    int64_t span = t->t1 - t->t0, step = 1;
    int room = f->w < 40 ? 11 : f->w < 110 ? 14 : 18;
    const struct unit *u = NULL;
    for (int i = 0; !u; i++) { /* the smallest step whose labels have room */
        int64_t next = i % 3 == 1 ? step / 2 * 5 : step * 2;
        double px = (double)step * f->w / (double)span;
        const struct unit *best = best_unit(t->t1, step, f->unit);
        int need = tick_text(text, sizeof text, t->t1 / step * step, step, best) + 3;
        if (px >= (need > room ? need : room) || step > INT64_MAX / 8) {
            u = best;
        } else {
            step = next;
        }
    }
    if (t->filter) {
        char what[80];
        snprintf(what, sizeof what, "F %s", tt_timeline_filter_text(t));
        tt_put_cut(c, y, 0, TT_ROLE_WARN, what, f->x - 1, TT_CUT_END);
    } else {
        tt_put(c, y, 0, TT_ROLE_DIM, "time", f->x - 1);
    }
    int64_t first = t->t0 >= 0 ? (t->t0 + step - 1) / step * step : -(-t->t0 / step) * step;
    for (int64_t at = first; at < t->t1; at += step) {
        int col = tt_timeline_col(t, at);
        if (col < 0 || col >= f->w) {
            continue;
        }
        tt_put_char(c, y, f->x + col, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
        int n = tick_text(text, sizeof text, at, step, u);
        if (col + 1 + n <= f->w) {
            tt_put(c, y, f->x + col + 1, TT_ROLE_RULER, text, n);
        }
    }
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        int col = tt_timeline_col(t, b->a);
        size_t used;
        uint32_t ch = tt_utf8_next(b->name, strlen(b->name), &used);
        if (col >= 0 && col < f->w && ch != TT_BAD_BYTE) {
            tt_put_char(c, y, f->x + col, TT_ROLE_LINK | TT_REVERSE, ch);
        }
    }
    const int64_t marks[2] = {t->mark_a, t->mark_b};
    for (int i = 0; i < 2; i++) {
        int col = marks[i] == TT_UNKNOWN ? -1 : tt_timeline_col(t, marks[i]);
        if (col >= 0 && col < f->w) {
            tt_put_char(c, y, f->x + col, TT_ROLE_STRONG | TT_REVERSE, i == 0 ? 'A' : 'B');
        }
    }
    int cursor = tt_timeline_col(t, t->at);
    bool on_text =
        cursor >= 0 && cursor < f->w && c->cells[(size_t)y * (size_t)c->stride + (size_t)(f->x + cursor)].ch != ' ';
    if (on_text) { /* over a label: leave it readable */
        tt_restyle(c, y, f->x + cursor, 1, 1, TT_ROLE_LABEL_ON | TT_REVERSE);
    } else if (cursor >= 0 && cursor < f->w) {
        tt_put_char(c, y, f->x + cursor, TT_ROLE_LABEL_ON, tt_glyph_of(c, TT_G_TRI_DOWN));
    }
}
