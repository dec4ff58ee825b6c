/* tui/timeline/draw.c - the frame of the timeline: overview strip, labels, rows, plots of counters, instants. */
#include "tui/timeline/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/parallel.h"
#include "tui/widgets/ruler.h"

void tt_timeline_frame_free(tt_timeline_frame *f)
{
    for (uint32_t i = 0; i < f->n_paints; i++) {
        free(f->paints[i]);
    }
    free(f->paints);
    free(f->edge);
    for (unsigned i = 0; i < TT_ROWS_KEPT; i++) {
        free(f->kept[i].cells);
    }
    free(f->lanes);
    free(f->busy);
    free(f->whole);
    free(f->under);
    *f = (tt_timeline_frame){0};
}

static void frame_reserve(tt_timeline_frame *f, int w)
{
    if (w <= f->cap) {
        return;
    }
    size_t n = (size_t)w;
    f->edge = tt_realloc(f->edge, n + 1, sizeof *f->edge);
    f->busy = tt_realloc(f->busy, n, sizeof *f->busy);
    f->whole = tt_realloc(f->whole, n, sizeof *f->whole);
    f->under = tt_realloc(f->under, n, sizeof *f->under);
    f->cap = w;
}

tt_timeline_plan tt_timeline_arrange(tt_timeline *t, int h, int w, int pane_h)
{
    tt_timeline_plan p = {.overview_y = -1, .bracket_y = -1};
    p.label_w = w < 50 ? 10 : w < 70 ? 13 : w < 110 ? 16 : w < 160 ? 22 : 28;
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
        int last = -8; /* steps thinner than this would only be noise */
        for (uint32_t k = 0; k < x->n_steps && i == 0; k++) {
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
    f->n_linked = 0;
    if (!tt_timeline_has_sel(t)) {
        return;
    }
    const tt_trace *s = tt_timeline_store(t, t->sel);
    const tt_activity *d = tt_row_dev(s, t->sel.row);
    if (d && d->launch != TT_NONE) {
        f->linked[f->n_linked++] = (tt_slice_ref){t->sel.trace, d->launch};
    } else if (!d && tt_kind_is_launch(tt_row_kind(s, t->sel.row))) {
        uint32_t n = 0;
        const uint32_t *work = tt_row_launched(s, t->sel.row, &n);
        for (uint32_t i = 0; i < n && f->n_linked < sizeof f->linked / sizeof *f->linked; i++) {
            f->linked[f->n_linked++] = (tt_slice_ref){t->sel.trace, s->dev[work[i]].row};
        }
    } else {
        if (f->flow_from.trace != t->sel.trace || f->flow_from.row != t->sel.row || !f->flow_known) {
            f->flow_to = tt_timeline_flow_partner(s, t->sel.row);
            f->flow_from = t->sel;
            f->flow_known = true;
        }
        if (f->flow_to != TT_NONE) f->linked[f->n_linked++] = (tt_slice_ref){t->sel.trace, f->flow_to};
    }
    uint32_t shown = 0;
    for (uint32_t i = 0; i < f->n_linked; i++) {
        if (tt_timeline_passes(t, f->linked[i])) f->linked[shown++] = f->linked[i];
    }
    f->n_linked = shown;
}

/* ---- plots ---- */

bool tt_timeline_may_query(const tt_timeline *t, const tt_lod_union *g)
{
    return tt_lod_union_ready(g) || !atomic_load(&((tt_timeline *)t)->preparing);
}

static void draw_heights(tt_canvas *c, int y, const tt_timeline_frame *f, tt_style st)
{
    for (int i = 0; i < f->w; i++) {
        int64_t width = f->edge[i + 1] > f->edge[i] ? f->edge[i + 1] - f->edge[i] : 1;
        int n = tt_timeline_eighths(f->busy[i], width);
        if (n > 0) {
            tt_put_char(c, y, f->x + i, st, tt_height(c, n));
        } else if (f->under[i] & TT_UNDER_GRID) {
            tt_put_char(c, y, f->x + i, TT_ROLE_GRID, tt_glyph_of(c, TT_G_DASH_V));
        }
    }
}

/* ---- rows ---- */

static void draw_label(tt_canvas *c, int y, int w, const tt_timeline *t, uint32_t line, bool first)
{
    const tt_line *l = &t->lines.at[line];
    bool on = line == t->line;
    const tt_timeline_row *n = &t->nodes.at[l->node];
    char label[256] = "";
    bool fold = n->kind <= TT_TIMELINE_TRACK;
    const tt_trace *s = t->session->traces[n->trace];
    bool open = !n->collapsed && !(t->flat && n->kind == TT_TIMELINE_TRACK);
    bool leaf = n->kind == TT_TIMELINE_TRACK && s->tracks[n->index].depths < 2;
    int x = n->level < 3 ? n->level : 3;
    tt_style st = on ? TT_ROLE_LABEL_ON : n->kind <= TT_TIMELINE_PROCESS ? TT_ROLE_TITLE : TT_ROLE_LABEL;
    if (line < t->n_pinned) {
        tt_put_char(c, y, 0, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BULLET));
        x += x == 0;
    }
    if (on) { /* the whole label column says which row the cursor is on */
        tt_put_char(c, y, w - 2, st, tt_glyph_of(c, TT_G_TRI_LEFT));
    }
    if (!first && n->kind == TT_TIMELINE_COUNTER) {
        tt_timeline_counter_scale(n, label, sizeof label);
        tt_put_cut(c, y, x + 2, TT_ROLE_DIM, label, w - x - 4, TT_CUT_END);
    }
    if (!first) {
        return;
    }
    if (fold && !leaf) {
        tt_put_char(c, y, x, st, tt_glyph_of(c, open ? TT_G_TRI_DOWN : TT_G_TRI_RIGHT));
    }
    tt_timeline_label(t, n, label, sizeof label);
    for (uint32_t p = n->parent; n->pinned && p != TT_NONE;
         p = t->nodes.at[p].parent) { /* what is around it is not there */
        size_t used = strlen(label);
        snprintf(label + used, sizeof label - used, " ");
        tt_timeline_label(t, &t->nodes.at[p], label + used + 1, sizeof label > used + 1 ? sizeof label - used - 1 : 0);
    }
    tt_put_cut(c, y, x + 2, st, label, w - x - 4,
               n->kind <= TT_TIMELINE_PROCESS || n->pinned ? TT_CUT_END : TT_CUT_MIDDLE);
}

static void draw_line(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline *t = f->t;
    tt_timeline_row *n = &t->nodes.at[l->node];
    switch (n->kind) {
    case TT_TIMELINE_WORKER:
    case TT_TIMELINE_PROCESS:
        if (n->group && tt_timeline_may_query(t, n->group) &&
            (n->device || n->collapsed || n->kind == TT_TIMELINE_WORKER)) { /* an open host is always busy */
            tt_lod_union_query(n->group, t->t0, t->t1, (uint32_t)f->w, f->busy);
            draw_heights(c, y, f, n->collapsed && !n->meta ? TT_ROLE_PLOT : TT_ROLE_DIM);
        }
        break;
    case TT_TIMELINE_TRACK: break; /* with all rows of slices */
    case TT_TIMELINE_COUNTER: tt_timeline_draw_counter(c, y, f, l); break;
    case TT_TIMELINE_INSTANTS: tt_timeline_draw_instants(c, y, f, n); break;
    }
}

typedef struct lanes_job {
    tt_canvas *c;
    tt_timeline_frame *f;
} lanes_job;

static void draw_one_lane(void *arg, size_t i)
{
    lanes_job *j = arg;
    tt_timeline_draw_lane(j->c, j->f->lanes[i].y, j->f, &j->f->lanes[i]);
}

/* All rows of slices: on several threads where there are very many slices, which is a matter of waiting for memory.
 * For fewer one thread is fast enough, and does not depend on how busy the other processors are. */
static void draw_lanes(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    enum { MANY_ROWS = 4, MANY_SLICES = 1 << 23 };
    const tt_timeline *t = f->t;
    lanes_job job = {c, f};
    int missing = 0;
    uint64_t slices = 0;
    f->n_lanes = 0;
    f->number++;
    if (f->cap_lanes < p->rows) {
        f->cap_lanes = p->rows;
        f->lanes = tt_realloc(f->lanes, (size_t)p->rows, sizeof *f->lanes);
    }
    for (int i = 0; i < p->rows; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        const tt_line *l = line == TT_NONE ? NULL : &t->lines.at[line];
        if (!l || t->nodes.at[l->node].kind != TT_TIMELINE_TRACK) continue;
        tt_lane_row *row = &f->lanes[f->n_lanes++];
        missing += tt_timeline_claim_lane(f, &t->nodes.at[l->node], l->depth, row);
        row->y = p->rows_y + i;
        if (!row->kept) f->n_lanes--;
    }
    for (uint32_t i = 0; i < t->session->n_traces; i++) slices += t->session->traces[i]->n;
    bool many = missing >= MANY_ROWS && slices >= (f->many ? f->many : MANY_SLICES);
    tt_parallel(many ? tt_threads() : 1, (size_t)f->n_lanes, draw_one_lane, &job);
}

/* Busy time of the whole trace: the mean over the devices (the union of everything when there are none, or very many).
 * False = not built yet. */
static bool query_whole(tt_timeline_frame *f, int64_t end)
{
    enum { MOST = 32 };
    const tt_timeline *t = f->t;
    int64_t devices = 0;
    memset(f->whole, 0, (size_t)f->w * sizeof *f->whole);
    for (size_t i = 0; i < t->nodes.n && devices <= MOST; i++) {
        const tt_timeline_row *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_PROCESS || !n->device) continue;
        if (!tt_timeline_may_query(t, n->group)) return false;
        tt_lod_union_query(n->group, 0, end, (uint32_t)f->w, f->busy);
        for (int c = 0; c < f->w; c++) f->whole[c] += f->busy[c];
        devices++;
    }
    if (devices > 0 && devices <= MOST) {
        for (int c = 0; c < f->w; c++) f->whole[c] = (f->whole[c] + devices - 1) / devices;
        return true;
    }
    if (!tt_timeline_may_query(t, t->overview)) return false;
    tt_lod_union_query(t->overview, 0, end, (uint32_t)f->w, f->whole);
    return true;
}

/* The whole trace, and where in it the window is. */
static void draw_overview(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    int64_t end = t->session->end_ns > 0 ? t->session->end_ns : 1;
    int from = (int)((__int128)t->t0 * f->w / end), to = (int)(((__int128)t->t1 * f->w + end - 1) / end);
    from = from < 0 ? 0 : from >= f->w ? f->w - 1 : from;
    to = to <= from ? from + 1 : to > f->w ? f->w : to;
    tt_put(c, p->overview_y, 0, TT_ROLE_DIM, p->label_w >= 13 ? "overview" : "whole", p->label_w - 1);
    if (f->whole_w != f->w && query_whole(f, end)) {
        f->whole_w = f->w;
    }
    for (int i = 0; i < f->w && f->whole_w == f->w; i++) {
        int64_t width = (int64_t)((__int128)end * (i + 1) / f->w - (__int128)end * i / f->w);
        bool inside = i >= from && i < to;
        tt_style st = inside ? TT_ROLE_PLOT : TT_ROLE_DIM;
        tt_put_char(c, p->overview_y, f->x + i, p->bracket_y < 0 && inside && c->mono ? st | TT_UNDERLINE : st,
                    tt_height(c, tt_timeline_eighths(f->whole[i], width > 0 ? width : 1)));
    }
    if (p->bracket_y < 0) {
        return;
    }
    char span[TT_TEXT_CAP];
    tt_format_duration(span, t->t1 - t->t0, f->unit);
    if (p->label_w >= 13) {
        tt_putf(c, p->bracket_y, 0, TT_ROLE_DIM, p->label_w - 1, "view %s", span);
    }
    for (int i = from; i < to; i++) {
        tt_put_char(c, p->bracket_y, f->x + i, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_HLINE));
    }
    if (to - from == 1) {
        tt_put_char(c, p->bracket_y, f->x + from, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_ARROW_UP));
    } else {
        tt_put_char(c, p->bracket_y, f->x + from, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BRACKET_L));
        tt_put_char(c, p->bracket_y, f->x + to - 1, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_BRACKET_R));
    }
}

/* Ticks, the names of bookmarks, the marks A and B, the cursor; what is filtered for stands beside them. */
static void draw_ruler(tt_canvas *c, int y, const tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    const tt_ruler r = {.t0 = t->t0, .t1 = t->t1, .x = f->x, .w = f->w, .unit = f->unit};
    if (t->filter) {
        char what[80];
        snprintf(what, sizeof what, "F %s", tt_timeline_filter_text(t));
        tt_put_cut(c, y, 0, TT_ROLE_WARN, what, f->x - 1, TT_CUT_END);
    } else {
        tt_put(c, y, 0, TT_ROLE_DIM, "time", f->x - 1);
    }
    tt_ruler_draw(c, y, &r);
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        size_t used;
        uint32_t ch = tt_utf8_next(b->name, strlen(b->name), &used);
        if (ch != TT_BAD_BYTE) tt_ruler_mark(c, y, &r, b->a, TT_ROLE_LINK | TT_REVERSE, ch);
    }
    if (t->mark_a != TT_UNKNOWN) tt_ruler_mark(c, y, &r, t->mark_a, TT_ROLE_STRONG | TT_REVERSE, 'A');
    if (t->mark_b != TT_UNKNOWN) tt_ruler_mark(c, y, &r, t->mark_b, TT_ROLE_STRONG | TT_REVERSE, 'B');
    tt_ruler_cursor(c, y, &r, t->at);
}

void tt_timeline_draw(tt_timeline *t, tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f)
{
    f->t = t;
    f->x = p->label_w;
    f->w = t->cols;
    frame_reserve(f, f->w);
    if (f->serial != t->serial) { /* what was kept is of other slices */
        for (unsigned i = 0; i < TT_ROWS_KEPT; i++) f->kept[i].w = 0;
        f->whole_w = 0;
        f->serial = t->serial;
    }
    for (; f->n_paints < t->session->n_traces; f->n_paints++) {
        f->paints = tt_realloc(f->paints, f->n_paints + 1, sizeof *f->paints);
        f->paints[f->n_paints] = tt_calloc(t->session->traces[f->n_paints]->strings.text.n + 1, sizeof **f->paints);
    }
    for (int i = 0; i <= f->w; i++) {
        f->edge[i] = tt_timeline_edge(t, i);
    }
    set_under(f);
    set_linked(f);
    if (p->overview_y >= 0) {
        draw_overview(c, p, f);
    }
    draw_ruler(c, p->ruler_y, f);
    for (int y = p->overview_y >= 0 ? p->overview_y : p->ruler_y; y < p->rows_y + p->rows; y++) {
        tt_put_char(c, y, p->label_w - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    }
    uint32_t before = TT_NONE;
    for (int i = 0; i < p->rows; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        if (line == TT_NONE) break;
        const tt_line *l = &t->lines.at[line];
        draw_label(c, p->rows_y + i, p->label_w, t, line, l->node != before);
        draw_line(c, p->rows_y + i, f, l);
        before = l->node;
    }
    draw_lanes(c, p, f);
    tt_timeline_draw_arrows(c, p->rows_y, f);
    if (t->lines.n == 0) {
        tt_put(c, p->rows_y, p->label_w + 1, TT_ROLE_DIM, "no slices in this trace", -1);
    }
}
