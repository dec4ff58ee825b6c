/* tui/timeline/draw/strip.c - the lines above the rows: the strip of the axis, with the window and ticks at matches,
 * and the ruler. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/rows/frame.h"
#include "tui/widgets/ruler.h"

/* ---- the strip ---- */

static int64_t strip_edge(const tt_timeline_frame *f, int col)
{
    return f->strip.t0 + (int64_t)((__int128)(f->strip.t1 - f->strip.t0) * col / f->w);
}

static int strip_col(const tt_timeline_frame *f, int64_t at)
{
    __int128 c = (__int128)(at - f->strip.t0) * f->w / (f->strip.t1 - f->strip.t0);
    return at < f->strip.t0 ? -1 : c >= f->w ? f->w : (int)c;
}

/* Busy time of the axis: the mean over the devices, or the union of all tracks if there are no devices, or very many.
 * False = the index is not built yet. */
static bool query_whole(tt_timeline_frame *f)
{
    enum { MOST = 32 };
    const tt_timeline *t = f->t;
    int64_t devices = 0, a = f->strip.t0, b = f->strip.t1;
    memset(f->strip.busy, 0, (size_t)f->w * sizeof *f->strip.busy);
    for (size_t i = 0; i < t->nodes.n && devices <= MOST; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_PROCESS || !n->device) continue;
        if (!tt_timeline_may_query(t, n->group)) return false;
        tt_lod_union_query(n->group, a, b, (uint32_t)f->w, f->busy);
        for (int c = 0; c < f->w; c++) f->strip.busy[c] += f->busy[c];
        devices++;
    }
    if (devices > 0 && devices <= MOST) {
        for (int c = 0; c < f->w; c++) f->strip.busy[c] = (f->strip.busy[c] + devices - 1) / devices;
        return true;
    }
    if (!tt_timeline_may_query(t, t->overview)) return false;
    tt_lod_union_query(t->overview, a, b, (uint32_t)f->w, f->strip.busy);
    return true;
}

/* Choose the times that the strip shows, and find its busy time unless it is kept. */
static void choose_axis(tt_timeline_frame *f)
{
    int64_t a, b;
    tt_timeline_strip(f->t, &a, &b);
    if (a != f->strip.t0 || b != f->strip.t1) f->strip.w = 0, f->strip.ticks_w = 0;
    f->strip.t0 = a;
    f->strip.t1 = b;
    if (f->strip.w != f->w && query_whole(f)) f->strip.w = f->w;
}

/* Columns in which a match begins, found once for each search. */
static void find_ticks(tt_timeline_frame *f)
{
    tt_timeline *t = (tt_timeline *)f->t; /* lists of matches are made when first asked for */
    if (f->strip.ticks_w == f->w && f->strip.ticks_of == t->search.serial) return;
    f->strip.ticks_w = f->w;
    f->strip.ticks_of = t->search.serial;
    memset(f->strip.ticks, 0, (size_t)f->w);
    for (uint32_t i = 0; t->search.hits && i < t->session->n_traces; i++) {
        const tt_trace *s = t->session->traces[i];
        int64_t off = t->session->offset_ns[i];
        for (uint32_t k = 0; k < s->n_tracks && t->search.hits[i].n; k++) {
            tt_lane_hits h = tt_timeline_hits_of(t, i, k, TT_NONE);
            size_t next = 0;
            for (int c = 0; c < f->w && next < h.n; c++)
                f->strip.ticks[c] |=
                    tt_timeline_hit_in(s, &h, &next, strip_edge(f, c) - off, strip_edge(f, c + 1) - off);
        }
    }
    for (size_t i = 0; i < t->search.ranges.n; i++) {
        int c = strip_col(f, t->search.ranges.at[i].t0);
        if (c >= 0 && c < f->w) f->strip.ticks[c] = 1;
    }
}

static void draw_ticks(tt_canvas *c, int y, tt_timeline_frame *f)
{
    find_ticks(f);
    for (int i = 0; i < f->w; i++)
        if (f->strip.ticks[i]) tt_put_char(c, y, f->x + i, TT_ROLE_WARN, tt_glyph_of(c, TT_G_TICK));
}

/* What the strip leaves out: "1 slice 3.2 d earlier" on the left, "120 slices 7.8 min later" on the right. */
static void draw_beyond(tt_canvas *c, int y, const tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    const tt_beyond *b = &t->axis.beyond;
    char n[TT_TEXT_CAP], far[TT_TEXT_CAP], text[2 * TT_TEXT_CAP + 16];
    if (f->strip.t0 == t->axis.start && f->strip.t1 == t->axis.end) return;
    bool words = f->w >= 60;
    int64_t little =
        (f->strip.t1 - f->strip.t0) / 10; /* a shorter time would not be visible on the whole axis either */
    if (b->before > 0 && f->strip.t0 - t->axis.start > little) {
        snprintf(text, sizeof text, " %s %s earlier ", tt_format_counted(n, (int64_t)b->before, "slice"),
                 tt_format_long(far, b->before_ns));
        tt_put_char(c, y, f->x, TT_ROLE_WARN, tt_glyph_of(c, TT_G_TRI_LEFT));
        if (words) tt_put(c, y, f->x + 1, TT_ROLE_DIM, text, f->w / 2 - 2);
    }
    if (b->after > 0 && t->axis.end - f->strip.t1 > little) {
        snprintf(text, sizeof text, " %s %s later ", tt_format_counted(n, (int64_t)b->after, "slice"),
                 tt_format_long(far, b->after_ns));
        tt_put_char(c, y, f->x + f->w - 1, TT_ROLE_WARN, tt_glyph_of(c, TT_G_TRI_RIGHT));
        if (words) tt_put_right(c, y, f->x + f->w / 2, f->w - f->w / 2 - 1, TT_ROLE_DIM, text);
    }
}

static void draw_bracket(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f, int from, int to)
{
    const tt_timeline *t = f->t;
    char span[TT_TEXT_CAP];
    if (p->label_w >= 13)
        tt_putf(c, p->bracket_y, 0, TT_ROLE_DIM, p->label_w - 1, p->label_w >= 16 ? "window %s" : "%s",
                t->t1 - t->t0 >= TT_LONG_NS ? tt_format_long(span, t->t1 - t->t0)
                                            : tt_format_duration(span, t->t1 - t->t0, f->unit));
    for (int i = from; i < to; i++) tt_put_char(c, p->bracket_y, f->x + i, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_HLINE));
    if (to - from == 1) {
        tt_put_char(c, p->bracket_y, f->x + from, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_ARROW_UP));
    } else {
        tt_put_char(c, p->bracket_y, f->x + from, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BRACKET_L));
        tt_put_char(c, p->bracket_y, f->x + to - 1, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BRACKET_R));
    }
    draw_ticks(c, p->bracket_y, f);
}

void tt_timeline_draw_strip(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    choose_axis(f);
    int from = strip_col(f, t->t0), to = strip_col(f, t->t1 - 1) + 1;
    from = from < 0 ? 0 : from >= f->w ? f->w - 1 : from;
    to = to <= from ? from + 1 : to > f->w ? f->w : to;
    const tt_timeline_node *device = NULL;
    for (size_t i = 0; i < t->nodes.n && !device; i++) device = t->nodes.at[i].device ? &t->nodes.at[i] : NULL;
    const char *kind = device ? t->session->traces[device->trace]->rules->device : "";
    tt_putf(c, p->overview_y, 0, TT_ROLE_DIM, p->label_w - 1, "%s%sbusy", kind, device ? " " : "");
    for (int i = 0; i < f->w && f->strip.w == f->w; i++) {
        int64_t width = strip_edge(f, i + 1) - strip_edge(f, i);
        bool inside = i >= from && i < to;
        tt_style st = inside ? TT_ROLE_PLOT : TT_ROLE_DIM;
        tt_put_char(c, p->overview_y, f->x + i, p->bracket_y < 0 && inside && c->mono ? st | TT_UNDERLINE : st,
                    tt_height(c, tt_timeline_eighths(f->strip.busy[i], width > 0 ? width : 1)));
    }
    if (p->bracket_y >= 0) draw_bracket(c, p, f, from, to);
    draw_beyond(c, p->bracket_y >= 0 ? p->bracket_y : p->overview_y, f);
}

/* ---- the ruler ---- */

/* Ticks, bookmarks, marks A and B, the cursor; in the label column the filter, or that evidence limits the rows. */
void tt_timeline_draw_ruler(tt_canvas *c, int y, const tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    const int64_t zero = f->zero;
    const tt_ruler r = {.t0 = t->t0 - zero, .t1 = t->t1 - zero, .x = f->x, .w = f->w, .unit = f->unit};
    if (t->filter) {
        char what[80];
        snprintf(what, sizeof what, "F %s", tt_timeline_filter_text(t));
        tt_put_cut(c, y, 0, TT_ROLE_WARN, what, f->x - 1, TT_CUT_END);
    } else if (t->choice.on) {
        tt_put(c, y, 0, TT_ROLE_WARN, "evidence", f->x - 1);
    }
    tt_ruler_draw(c, y, &r);
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        size_t used;
        uint32_t ch = tt_utf8_next(b->name, strlen(b->name), &used);
        if (ch != TT_BAD_BYTE) tt_ruler_mark(c, y, &r, b->a - zero, TT_ROLE_LINK | TT_REVERSE, ch);
    }
    if (t->mark_a != TT_UNKNOWN) tt_ruler_mark(c, y, &r, t->mark_a - zero, TT_ROLE_STRONG | TT_REVERSE, 'A');
    if (t->mark_b != TT_UNKNOWN) tt_ruler_mark(c, y, &r, t->mark_b - zero, TT_ROLE_STRONG | TT_REVERSE, 'B');
    tt_ruler_cursor(c, y, &r, t->at - zero);
}
