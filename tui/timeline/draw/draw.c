/* tui/timeline/draw/draw.c - the frame of a timeline: where its parts lie, and the rows with their labels. */
#include "tui/timeline/draw/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/flows.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/timeline/rows/slice_row.h"

tt_timeline_plan tt_timeline_arrange(tt_timeline *t, int h, int w, int pane_h)
{
    tt_timeline_plan p = {.overview_y = -1, .bracket_y = -1};
    p.label_w = w < 50 ? 13 : w < 70 ? 13 : w < 110 ? 20 : w < 160 ? 24 : 30;
    int y = 0;
    if (h >= 9) {
        p.overview_y = y++;
    }
    if (h >= 15) {
        p.bracket_y = y++;
    }
    p.ruler_y = y++;
    p.pane_h = h - y - pane_h >= 5 ? pane_h : 0;
    p.rows_y = y;
    p.rows = h - y - p.pane_h;
    p.rows = p.rows < 1 ? 1 : p.rows;
    p.pane_y = y + p.rows;
    t->cols = w - p.label_w > 1 ? w - p.label_w : 1;
    t->rows = p.rows;
    tt_timeline_window(t, t->t0, t->t1);
    if (t->layers.later) tt_timeline_layout(t);
    tt_view_fit_lanes(t, h);
    if (t->choice.by) t->choice.by->fit(t);
    tt_timeline_scroll(t);
    return p;
}

/* ---- what the whole frame needs ---- */

static void set_under(tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    const tt_session *s = t->session;
    memset(f->under, 0, (size_t)f->w);
    int64_t a, b;
    bool marked = tt_timeline_marked(t, &a, &b);
    int cursor = f->column ? tt_timeline_col(t, t->at) : -1;
    for (int c = 0; c < f->w; c++) {
        f->under[c] |= marked && f->edge[c + 1] > a && f->edge[c] < b ? TT_UNDER_MARK : 0;
        f->under[c] |= c == cursor ? TT_UNDER_CURSOR : 0;
    }
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *x = s->traces[i];
        int last = -8; /* steps closer than 8 columns get no line */
        for (uint32_t k = 0; k < x->n_steps && i == f->steps_of; k++) {
            int c = x->steps[k].row == TT_NONE ? -1 : tt_timeline_col(t, x->steps[k].host_start + s->offset_ns[i]);
            if (c >= 0 && c < f->w && c - last >= 8) {
                f->under[c] |= TT_UNDER_GRID;
                last = c;
            }
        }
    }
}

static void set_linked(tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    f->links.n = 0;
    if (!tt_timeline_has_sel(t)) {
        return;
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    const tt_activity *d = tt_row_dev(s, t->sel.row);
    if (d && d->launch != TT_NONE) {
        f->links.at[f->links.n++] = (tt_slice_ref){t->sel.trace, d->launch};
    } else if (!d && tt_kind_is_launch(tt_row_kind(s, t->sel.row))) {
        uint32_t n = 0;
        const uint32_t *work = tt_row_launched(s, t->sel.row, &n);
        for (uint32_t i = 0; i < n && f->links.n < sizeof f->links.at / sizeof *f->links.at; i++) {
            f->links.at[f->links.n++] = (tt_slice_ref){t->sel.trace, s->dev[work[i]].row};
        }
    } else {
        if (f->links.from.trace != t->sel.trace || f->links.from.row != t->sel.row || !f->links.known) {
            f->links.to = tt_timeline_flow_partner(s, t->sel.row);
            f->links.from = t->sel;
            f->links.known = true;
        }
        if (f->links.to != TT_NONE) f->links.at[f->links.n++] = (tt_slice_ref){t->sel.trace, f->links.to};
    }
    uint32_t shown = 0;
    for (uint32_t i = 0; i < f->links.n; i++) {
        if (tt_timeline_passes(t, f->links.at[i])) f->links.at[shown++] = f->links.at[i];
    }
    f->links.n = shown;
}

/* ---- rows ---- */

enum { NARROW = 13 }; /* label columns in which only names are shown */

/* Show beside a label how many lanes are cut. Returns the columns used. */
static int put_missing(tt_canvas *c, int y, int w, uint32_t missing)
{
    char sign[16];
    int n = missing > 0 && w > NARROW ? snprintf(sign, sizeof sign, "+%u", missing) : 0;
    if (n > 0) tt_put(c, y, w - 3 - n, TT_ROLE_DIM, sign, n);
    return n > 0 ? n + 1 : 0;
}

/* The label of a line that is not the first of its node. */
static void draw_lane_label(tt_canvas *c, int y, int x, int w, const tt_timeline *t, const tt_line *l)
{
    const tt_timeline_node *n = &t->nodes.at[l->node];
    char label[256] = "";
    if (!tt_row_source_of(t, n)->lane_label) return;
    tt_row_source_of(t, n)->lane_label(t, n, l->depth, label, sizeof label);
    bool counts = label[0] && tt_timeline_is_track(n) && !n->device;
    int sign = counts ? put_missing(c, y, w, tt_layers_missing(t, n, l->depth)) : 0;
    tt_put_cut(c, y, x + 2, TT_ROLE_DIM, label, w - x - 4 - sign, TT_CUT_END);
}

static void put_sign(tt_canvas *c, int y, int x, tt_style st, tt_timeline *t, const tt_timeline_node *n)
{
    const tt_row_source *of = tt_row_source_of(t, n);
    tt_fold_sign sign = of->sign ? of->sign(t, n) : TT_FOLD_NONE;
    if (sign != TT_FOLD_NONE)
        tt_put_char(c, y, x, st, tt_glyph_of(c, sign == TT_FOLD_OPEN ? TT_G_TRI_DOWN : TT_G_TRI_RIGHT));
}

/* The label of a node. A pinned node has no parents above it, so the label names them. */
static void label_text(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    tt_timeline_label(t, n, out, cap);
    for (uint32_t p = n->parent; n->pinned && p != TT_NONE; p = t->nodes.at[p].parent) {
        size_t used = strlen(out);
        snprintf(out + used, cap - used, " ");
        tt_timeline_label(t, &t->nodes.at[p], out + used + 1, cap > used + 1 ? cap - used - 1 : 0);
    }
}

static void draw_label(tt_canvas *c, int y, const tt_timeline_frame *f, uint32_t line, bool first)
{
    const tt_timeline *t = f->t;
    const tt_line *l = &t->lines.at[line];
    const int w = f->x;
    const tt_timeline_node *n = &t->nodes.at[l->node];
    const tt_row_source *of = tt_row_source_of(t, n);
    bool on = line == t->line && !f->behind;
    char label[256] = "";
    int x = n->level < 3 ? n->level : 3;
    if (w <= NARROW) x = x > 1 ? 1 : 0; /* the numbers of streams and threads need the room */
    tt_style st = on ? TT_ROLE_LABEL_ON : of->heads ? TT_ROLE_TITLE : TT_ROLE_LABEL;
    if (line < t->n_pinned) {
        tt_put_char(c, y, 0, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BULLET));
        x += x == 0;
    }
    if (on) tt_put_char(c, y, w - 2, st, tt_glyph_of(c, TT_G_TRI_LEFT)); /* both ends of the column show the cursor */
    if (!first) {
        draw_lane_label(c, y, x, w, t, l);
        return;
    }
    put_sign(c, y, x, st, (tt_timeline *)t, n);
    if (of->draw_label && of->draw_label(c, y, x + 2, w - x - 4, st, t, n)) return;
    label_text(t, n, label, sizeof label);
    uint32_t missing = tt_timeline_is_track(n) ? tt_layers_missing(t, n, l->depth) : 0;
    int room = w - x - 4 - put_missing(c, y, w, missing);
    int used = tt_put_cut(c, y, x + 2, st, label, room, of->cut_middle && !n->pinned ? TT_CUT_MIDDLE : TT_CUT_END);
    if (!of->side) return;
    of->side(t, n, label, sizeof label); /* it is left out if there is no room */
    tt_put_right(c, y, x + 3 + used, w - x - used - 5, TT_ROLE_DIM, label);
}

bool tt_timeline_settled(const tt_timeline *t, tt_timeline_frame *f, bool cheap, int64_t acted_at, int64_t now)
{
    enum { IDLE_MS = 150 };
    bool marking = t->mark_a != TT_UNKNOWN && t->mark_b == TT_UNKNOWN;
    bool idle = now > 0 && now - acted_at >= IDLE_MS;
    /* a column of the cursor stays if nothing moved */
    bool stays = now > 0 && f->column && f->column_at == t->at && f->column_t0 == t->t0 && f->column_t1 == t->t1;
    f->column = marking || ((idle || stays) && !cheap);
    f->dashed = !marking;
    f->arrows = (idle || now == 0) && !cheap;
    f->column_at = t->at;
    f->column_t0 = t->t0;
    f->column_t1 = t->t1;
    return idle || now == 0 || cheap;
}

/* If a row on screen waits for its index, show the progress in the middle of the screen. */
static void draw_waiting(tt_canvas *c, const tt_timeline_plan *p, const tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    bool waits = t->layers.later;
    for (int i = 0; i < p->rows && !waits; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        if (line == TT_NONE) break;
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[line].node];
        waits = tt_timeline_is_track(n) && !tt_timeline_indexed(t, n->trace, n->index);
    }
    if (!waits) return;
    uint64_t all = 0, done = 0;
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        const tt_trace *s = t->session->traces[i];
        for (uint32_t k = 0; k < s->n_tracks; k++) {
            all += s->tracks[k].n;
            done += tt_lod_ready(t->lods[i], k) ? s->tracks[k].n : 0;
        }
    }
    char text[40];
    int w = snprintf(text, sizeof text, " indexing %.0f%% ", all ? 100 * (double)done / (double)all : 0);
    tt_put(c, p->rows_y + p->rows / 2, f->x + (f->w - w) / 2, TT_ROLE_POPUP, text, w);
}

/* Rows of slices are collected, then drawn last, maybe by several threads. */
static void draw_rows(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    uint32_t before = TT_NONE;
    f->n_lanes = f->new_lanes = 0;
    f->number++;
    if (f->cap_lanes < p->rows) {
        f->cap_lanes = p->rows;
        f->lanes = tt_realloc(f->lanes, (size_t)p->rows, sizeof *f->lanes);
    }
    for (int i = 0; i < p->rows; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        if (line == TT_NONE) break;
        const tt_line *l = &t->lines.at[line];
        const tt_row_source *of = tt_row_source_of(t, &t->nodes.at[l->node]);
        draw_label(c, p->rows_y + i, f, line, l->node != before);
        if (of->cells) of->cells(c, p->rows_y + i, f, l);
        before = l->node;
    }
    tt_slice_rows_draw(c, f);
}

void tt_timeline_draw(tt_timeline *t, tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    f->t = t;
    f->x = p->label_w;
    f->w = t->cols;
    tt_timeline_frame_reserve(f, f->w);
    if (f->serial != t->serial) { /* the cells are of another index */
        for (unsigned i = 0; i < TT_ROWS_KEPT; i++) f->kept[i].w = 0;
        f->strip.w = 0;
        f->serial = t->serial;
    }
    for (; f->n_paints < t->session->n_traces; f->n_paints++) {
        f->paints = tt_realloc(f->paints, f->n_paints + 1, sizeof *f->paints);
        f->paints[f->n_paints] = tt_calloc(t->session->traces[f->n_paints]->strings.text.n + 1, sizeof **f->paints);
    }
    for (int i = 0; i <= f->w; i++) {
        f->edge[i] = tt_timeline_edge(t, i);
    }
    atomic_store(&f->hues, 0);
    tt_path_overlay_follow(t);
    set_under(f);
    set_linked(f);
    if (p->overview_y >= 0) {
        tt_timeline_draw_strip(c, p, f);
    }
    int top = p->overview_y >= 0 ? p->overview_y : p->ruler_y >= 0 ? p->ruler_y : p->rows_y;
    if (p->ruler_y >= 0) tt_timeline_draw_ruler(c, p->ruler_y, f);
    for (int y = top; y < p->rows_y + p->rows; y++) {
        tt_put_char(c, y, p->label_w - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    }
    draw_rows(c, p, f);
    draw_waiting(c, p, f);
    tt_timeline_draw_arrows(c, p->rows_y, f);
    if (t->lines.n == 0) {
        tt_put(c, p->rows_y, p->label_w + 1, TT_ROLE_DIM, "No slices in this trace", -1);
    }
}
