/* tui/timeline/draw/draw.c - the frame of the timeline: overview strip, labels, rows, plots of counters, instants. */
#include "tui/timeline/draw/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/rows/curve_rows.h"
#include "tui/timeline/rows/evidence.h"
#include "tui/timeline/rows/idle_row.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/widgets/cause_style.h"

void tt_timeline_frame_free(tt_timeline_frame *f)
{
    for (uint32_t i = 0; i < f->n_paints; i++) {
        free(f->paints[i]);
    }
    free(f->paints);
    free(f->edge);
    for (unsigned i = 0; i < TT_ROWS_KEPT; i++) {
        free(f->kept[i].cells);
        free(f->kept[i].path);
    }
    free(f->lanes);
    free(f->busy);
    free(f->whole);
    free(f->ticks);
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
    f->ticks = tt_realloc(f->ticks, n, sizeof *f->ticks);
    f->cap = w;
}

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
    if (t->lanes_later) tt_timeline_layout(t);
    tt_layers_fit(t, h);
    tt_evidence_fit(t);
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
    f->n_linked = 0;
    if (!tt_timeline_has_sel(t)) {
        return;
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
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

enum { NARROW = 13 }; /* columns for labels at which only names are shown */

/* Beside a label: how many lanes are cut. Returns the columns that it takes. */
static int put_missing(tt_canvas *c, int y, int w, uint32_t missing)
{
    char sign[16];
    int n = missing > 0 && w > NARROW ? snprintf(sign, sizeof sign, "+%u", missing) : 0;
    if (n > 0) tt_put(c, y, w - 3 - n, TT_ROLE_DIM, sign, n);
    return n > 0 ? n + 1 : 0;
}

static void draw_label(tt_canvas *c, int y, const tt_timeline_frame *f, uint32_t line, bool first)
{
    const tt_timeline *t = f->t;
    const tt_line *l = &t->lines.at[line];
    const int w = f->x;
    bool on = line == t->line && !f->behind;
    const tt_timeline_node *n = &t->nodes.at[l->node];
    char label[256] = "";
    bool fold = n->kind <= TT_TIMELINE_CURVES;
    bool open = !n->collapsed && !(t->flat && n->kind == TT_TIMELINE_TRACK);
    bool leaf = n->kind == TT_TIMELINE_TRACK && tt_layers_lanes((tt_timeline *)t, n) < 2;
    int x = n->level < 3 ? n->level : 3;
    if (w <= NARROW) x = x > 1 ? 1 : 0; /* the numbers of streams and threads need the room */
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
    if (!first && n->kind == TT_TIMELINE_TRACK) {
        tt_layers_label(t, n, l->depth, label, sizeof label);
        int sign = label[0] && !n->device ? put_missing(c, y, w, tt_layers_missing(t, n, l->depth)) : 0;
        tt_put_cut(c, y, x + 2, TT_ROLE_DIM, label, w - x - 4 - sign, TT_CUT_END);
    }
    if (!first) {
        return;
    }
    if (fold && !leaf) {
        tt_put_char(c, y, x, st, tt_glyph_of(c, open ? TT_G_TRI_DOWN : TT_G_TRI_RIGHT));
    }
    tt_timeline_label(t, n, label, sizeof label);
    unsigned cause = 0;
    const char *why = n->kind == TT_TIMELINE_IDLE ? tt_idle_row_most(t, n, &cause) : "";
    if (*why) { /* the cause of most of it, in its colour */
        int at = x + 2 + tt_put(c, y, x + 2, st, "idle:", w - x - 4) + 1;
        if (at + (int)strlen(tt_wait_text[cause]) <= w - 2) why = tt_wait_text[cause];
        tt_put_cut(c, y, at, tt_cause_style(cause), why, w - at - 2, TT_CUT_END);
        return;
    }
    uint32_t missing = n->kind == TT_TIMELINE_TRACK ? tt_layers_missing(t, n, l->depth) : 0;
    int room = w - x - 4 - put_missing(c, y, w, missing);
    for (uint32_t p = n->parent; n->pinned && p != TT_NONE;
         p = t->nodes.at[p].parent) { /* what is around it is not there */
        size_t used = strlen(label);
        snprintf(label + used, sizeof label - used, " ");
        tt_timeline_label(t, &t->nodes.at[p], label + used + 1, sizeof label > used + 1 ? sizeof label - used - 1 : 0);
    }
    int used = tt_put_cut(c, y, x + 2, st, label, room,
                          n->kind <= TT_TIMELINE_PROCESS || n->kind == TT_TIMELINE_CURVES ||
                                  n->kind >= TT_TIMELINE_IDLE || n->pinned
                              ? TT_CUT_END
                              : TT_CUT_MIDDLE);
    if (!tt_timeline_is_curve(n->kind)) return;
    tt_curve_row_side(t, n, label, sizeof label); /* where there is room */
    tt_put_right(c, y, x + 3 + used, w - x - used - 5, TT_ROLE_DIM, label);
}

/* A device that is open has a row that says how busy it is, unless that is left out. */
static bool has_strip(const tt_timeline *t, const tt_timeline_node *n)
{
    return n->collapsed || n->kind == TT_TIMELINE_WORKER || (n->device && tt_evidence_limits(t));
}

static void draw_line(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline *t = f->t;
    tt_timeline_node *n = &t->nodes.at[l->node];
    switch (n->kind) {
    case TT_TIMELINE_WORKER:
    case TT_TIMELINE_PROCESS:
        if (n->group && tt_timeline_may_query(t, n->group) && has_strip(t, n)) {
            tt_lod_union_query(n->group, t->t0, t->t1, (uint32_t)f->w, f->busy);
            draw_heights(c, y, f, n->collapsed && !n->meta ? TT_ROLE_PLOT : TT_ROLE_DIM);
        }
        break;
    case TT_TIMELINE_GROUP: /* that threads run says nothing about a device */
        if (!n->meta) {
            char text[64];
            snprintf(text, sizeof text, "no %s work", t->session->traces[n->trace]->rules->device);
            tt_put(c, y, f->x + 1, TT_ROLE_DIM, text, f->w - 1);
        }
        break;
    case TT_TIMELINE_TRACK: break;  /* with all rows of slices */
    case TT_TIMELINE_CURVES: break; /* nothing but its label */
    case TT_TIMELINE_COUNTER: tt_timeline_draw_counter(c, y, f, l); break;
    case TT_TIMELINE_INSTANTS: tt_timeline_draw_instants(c, y, f, n); break;
    case TT_TIMELINE_IDLE: tt_idle_row_draw(c, y, f, l); break;
    case TT_TIMELINE_BUSY:
    case TT_TIMELINE_MEMORY:
    case TT_TIMELINE_SM:
    case TT_TIMELINE_QUEUE:
    case TT_TIMELINE_RATE: tt_curve_row_draw(c, y, f, l); break;
    case TT_TIMELINE_PATH: tt_path_row_draw(c, y, f, l); break;
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
    enum { MANY_ROWS = 4, MANY_SLICES = 1 << 25 };
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

bool tt_timeline_settled(const tt_timeline *t, tt_timeline_frame *f, bool cheap, int64_t acted_at, int64_t now)
{
    enum { IDLE_MS = 150 };
    bool marking = t->mark_a != TT_UNKNOWN && t->mark_b == TT_UNKNOWN;
    bool idle = now > 0 && now - acted_at >= IDLE_MS;
    /* a column that does not move stays */
    bool stays = now > 0 && f->column && f->column_at == t->at && f->column_t0 == t->t0 && f->column_t1 == t->t1;
    f->column = marking || ((idle || stays) && !cheap);
    f->dashed = !marking;
    f->arrows = (idle || now == 0) && !cheap;
    f->column_at = t->at;
    f->column_t0 = t->t0;
    f->column_t1 = t->t1;
    return idle || now == 0 || cheap;
}

/* Something on screen waits for its index: how far that is, once, in the middle. */
static void draw_waiting(tt_canvas *c, const tt_timeline_plan *p, const tt_timeline_frame *f)
{
    const tt_timeline *t = f->t;
    bool waits = t->lanes_later;
    for (int i = 0; i < p->rows && !waits; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        if (line == TT_NONE) break;
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[line].node];
        waits = n->kind == TT_TIMELINE_TRACK && !tt_timeline_indexed(t, n->trace, n->index);
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
    atomic_store(&f->hues, 0);
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
    uint32_t before = TT_NONE;
    for (int i = 0; i < p->rows; i++) {
        uint32_t line = tt_timeline_line_at(t, i);
        if (line == TT_NONE) break;
        const tt_line *l = &t->lines.at[line];
        draw_label(c, p->rows_y + i, f, line, l->node != before);
        draw_line(c, p->rows_y + i, f, l);
        before = l->node;
    }
    draw_lanes(c, p, f);
    draw_waiting(c, p, f);
    tt_timeline_draw_arrows(c, p->rows_y, f);
    if (t->lines.n == 0) {
        tt_put(c, p->rows_y, p->label_w + 1, TT_ROLE_DIM, "No slices in this trace", -1);
    }
}
