/* tui/timeline/rows/path_row.c - the row above the tracks that shows the critical path by category. */
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/timeline/rows/sources.h"
#include "tui/widgets/cause_style.h"
#include "tui/widgets/short_names.h"

static const char *category_text(unsigned category)
{
    return category < TT_WAIT_COUNT_ ? tt_wait_text[category] : tt_path_name(category);
}

/* The segment that a person put the cursor in, else the longest one in its cell; NULL = the path is elsewhere. */
static const tt_path_segment *segment_of(const tt_timeline *t, const tt_timeline_node *n)
{
    const tt_path_overlay *o = tt_path_overlay_shown(t, n->trace);
    int64_t at, a, b;
    if (!o || !tt_timeline_cell_here(t, n, &at, &a, &b)) return NULL;
    const tt_path *p = tt_path_overlay_path(o);
    uint32_t i = tt_path_at(p, at);
    if (t->at == t->placed && i < p->at.n && p->at.at[i].t0 <= at) return &p->at.at[i];
    const tt_path_segment *longest = NULL;
    for (i = tt_path_at(p, a); i < p->at.n && p->at.at[i].t0 < b; i++) {
        const tt_path_segment *x = &p->at.at[i];
        longest = !longest || x->t1 - x->t0 > longest->t1 - longest->t0 ? x : longest;
    }
    return longest;
}

/* ---- the picture ---- */

/* Label columns [from, to) of one segment with its name and duration. */
static void put_run(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_trace *s, const tt_path_segment *x,
                    int from, int to)
{
    char text[256], dur[TT_TEXT_CAP];
    int w = to - from - 1, used = 0;
    tt_style st = tt_cause_style(x->category) | TT_REVERSE;
    if (w < 1) return;
    if (!tt_cause_needs_letter(c)) tt_put_char(c, y, f->x + from, st, tt_glyph_of(c, TT_G_TRI_RIGHT));
    if (w < 4) return;
    if (x->row != TT_NONE)
        tt_slice_short_name(text, sizeof text, tt_row_kind(s, x->row), tt_row_name(s, x->row), w, c->ascii);
    else
        tt_text_cut(text, sizeof text, category_text(x->category), w, TT_CUT_END, c->ascii);
    used = tt_put(c, y, f->x + from + 1, st, text, w);
    tt_format_duration(dur, x->t1 - x->t0, f->unit);
    int dw = (int)strlen(dur);
    if (w - used < dw + 2) return;
    tt_put_char(c, y, f->x + from + 1 + used, st, ' ');
    tt_put(c, y, f->x + from + 2 + used, st, dur, dw);
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline *t = f->t;
    const tt_timeline_node *n = &t->nodes.at[l->node];
    const tt_path_overlay *o = tt_path_overlay_shown(t, n->trace);
    if (!o) return;
    const tt_path *p = tt_path_overlay_path(o);
    const tt_trace *s = t->session->traces[n->trace];
    int64_t offset = t->session->offset_ns[n->trace], before[TT_PATH_COUNT_], sums[TT_PATH_COUNT_];
    const tt_path_segment *own = &t->lines.at[t->line] == l ? segment_of(t, n) : NULL;
    const tt_path_segment *run = NULL; /* the segment that filled the cell to the left */
    int from = 0;
    tt_path_overlay_sums(o, f->edge[0] - offset, before);
    for (int col = 0; col < f->w; col++) {
        int64_t b = f->edge[col + 1] - offset, sum = 0;
        unsigned most = 0;
        tt_path_overlay_sums(o, b, sums);
        for (unsigned k = 0; k < TT_PATH_COUNT_; k++) {
            int64_t here = sums[k] - before[k];
            sum += here;
            most = here > sums[most] - before[most] ? k : most;
        }
        memcpy(before, sums, sizeof sums);
        uint32_t i = tt_path_at(p, b - 1);
        const tt_path_segment *x = i < p->at.n && p->at.at[i].t0 <= b - 1 ? &p->at.at[i] : NULL;
        bool alone = x && x->category == most; /* the segment fills the cell to its end */
        if (run && x != run) put_run(c, y, f, s, run, from, col);
        if (!alone || x != run) from = col;
        run = alone ? x : NULL;
        if (sum <= 0) {
            tt_timeline_put_gap(c, y, f, col);
            continue;
        }
        tt_cause_put(c, y, f->x + col, most);
        if (tt_cause_needs_letter(c) && run && from != col)
            tt_put_char(c, y, f->x + col, tt_cause_style(most) | TT_REVERSE, (uint32_t)tt_cause_letter(most));
    }
    if (run) put_run(c, y, f, s, run, from, f->w);
    for (int col = 0; own && col < f->w; col++) {
        if (tt_timeline_marks_span(f, own->t0 + offset, own->t1 + offset, col))
            tt_restyle(c, y, f->x + col, 1, 1, tt_style_fill(TT_PAINT_CONTRAST, TT_PAINT_ACCENT));
    }
}

/* ---- the segment at the cursor ---- */

static bool segment_time(const tt_timeline *t, const tt_timeline_node *n, int64_t *a, int64_t *b)
{
    const tt_path_segment *x = segment_of(t, n);
    if (!x) return false;
    *a = x->t0 + t->session->offset_ns[n->trace];
    *b = x->t1 + t->session->offset_ns[n->trace];
    return true;
}

static tt_row slice_of(const tt_timeline *t, const tt_timeline_node *n)
{
    const tt_path_segment *x = segment_of(t, n);
    return x ? x->row : TT_NONE;
}

static bool move_segment(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const tt_path_overlay *o = tt_path_overlay_shown(t, n->trace);
    if (!o) return false;
    const tt_path *p = tt_path_overlay_path(o);
    const tt_path_segment *own = segment_of(t, n);
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = own ? (uint32_t)(own - p->at.at) : tt_path_at(p, t->at - offset);
    if (dir < 0 ? i == 0 : own ? i + 1 >= p->at.n : i >= p->at.n) return false;
    i = dir < 0 ? i - 1 : own ? i + 1 : i;
    const tt_path_segment *x = &p->at.at[i];
    tt_timeline_place(t, x->t0 + (x->t1 - x->t0) / 2 + offset);
    return true;
}

static unsigned categories_on_screen(const tt_timeline *t, const tt_timeline_node *n)
{
    const tt_path_overlay *o = tt_path_overlay_shown(t, n->trace);
    int64_t offset = t->session->offset_ns[n->trace], a[TT_PATH_COUNT_], b[TT_PATH_COUNT_];
    unsigned which = 0;
    if (!o) return 0;
    tt_path_overlay_sums(o, t->t0 - offset, a);
    tt_path_overlay_sums(o, t->t1 - offset, b);
    for (unsigned k = 0; k < TT_PATH_COUNT_; k++) which |= (unsigned)(b[k] > a[k]) << k;
    return which;
}

/* ---- words ---- */

/* "computation 40.1%, between operators 22.0%, ..." of [t0, t1), the largest first, without shares below 0.5%. */
static void shares_text(const tt_path_overlay *o, int64_t t0, int64_t t1, char *out, size_t cap)
{
    int64_t a[TT_PATH_COUNT_], b[TT_PATH_COUNT_], sum = 0;
    tt_buf line = tt_buf_on(out, cap);
    tt_path_overlay_sums(o, t0, a);
    tt_path_overlay_sums(o, t1, b);
    for (int k = 0; k < TT_PATH_COUNT_; k++) sum += b[k] -= a[k];
    for (int i = 0; i < TT_PATH_COUNT_; i++) {
        int most = 0;
        for (int k = 1; k < TT_PATH_COUNT_; k++) most = b[k] > b[most] ? k : most;
        if (b[most] <= 0 || (i && b[most] < sum / 200)) break;
        tt_buf_list(&line, ", ", "%s %.1f%%", category_text((unsigned)most), (double)b[most] * 100 / (double)sum);
        b[most] = 0;
    }
}

static void make_facts(tt_detail *d, const tt_timeline *t, const tt_timeline_node *n, tt_unit unit)
{
    const tt_path_overlay *o = tt_path_overlay_shown(t, n->trace);
    const tt_path_segment *x = segment_of(t, n);
    const tt_trace *s = t->session->traces[n->trace];
    char text[512], label[256], a[TT_TEXT_CAP], b[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    tt_detail_free(d);
    d->unit = unit;
    d->name = "the critical path is not known yet";
    d->place = "";
    if (!o) return;
    const tt_path *p = tt_path_overlay_path(o);
    d->name = x ? tt_arena_printf(&d->arena, "critical path: %s", category_text(x->category))
                : "the critical path does not go through here";
    if (x) {
        d->place = tt_arena_printf(&d->arena, "segment %s of %s", tt_format_count(a, x - p->at.at + 1),
                                   tt_format_count(b, (int64_t)p->at.n));
        tt_detail_fact(d, "duration", "%s", tt_format_duration(a, x->t1 - x->t0, unit));
        tt_detail_fact(d, "start", "%s", tt_format_time(a, x->t0 + offset, unit));
        if (x->row != TT_NONE)
            tt_detail_fact(d, x->category == TT_WAIT_LAUNCH || x->category == TT_WAIT_QUEUE ? "then" : "slice", "%s",
                           tt_row_name(s, x->row));
        if (x->track != TT_NONE && t->track_node[n->trace][x->track] != TT_NONE) {
            tt_timeline_label(t, &t->nodes.at[t->track_node[n->trace][x->track]], label, sizeof label);
            tt_detail_fact(d, "on", "%s", label);
        }
        if (x->inferred) tt_detail_fact(d, "inferred", "from times: no record says what it waited for");
        if (x->category < TT_WAIT_COUNT_) tt_detail_line(d, "means", TT_CUT_END, "%s", tt_wait_help[x->category]);
    }
    shares_text(o, t->t0 - offset, t->t1 - offset, text, sizeof text);
    if (*text && (t->t0 - offset > p->t0 || t->t1 - offset < p->t1)) tt_detail_fact(d, "on screen", "%s", text);
    shares_text(o, p->t0, p->t1, text, sizeof text);
    tt_detail_fact(d, "whole path", "%s: %s", tt_format_duration(a, p->ns, unit), text);
    d->n_own = d->facts.n;
}

/* ---- the source ---- */

static void add_lines(tt_timeline *t, uint32_t node)
{
    if (tt_path_overlay_shown(t, t->nodes.at[node].trace)) tt_lines_add(t, node, TT_NONE);
}

const tt_row_source tt_source_path = {
    .lines = add_lines,
    .filter = TT_FILTER_ALWAYS,
    .name = "critical path",
    .cells = draw_cells,
    .causes = categories_on_screen,
    .hit = segment_time,
    .slice = slice_of,
    .move = move_segment,
    .noun = "segment",
    .links_move = true,
    .never_busy = true,
    .detail = make_facts,
};
