/* tui/timeline/rows/curve_row.c - rows of a device that show a value over time: how busy it is, its memory, its SM
 * efficiency, how much launched work waits on each stream, the rate of each kind of copies.
 *
 * A share of time is the mean over each cell, drawn against 100%. Every other value is the largest of each cell, drawn
 * against the largest of the trace. Drawing is O(cells log samples). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/index/curve.h"
#include "model/index/memory_curve.h"
#include "model/tables/devices/copy_rate.h"
#include "model/tables/devices/sm_curve.h"
#include "model/tables/launches/queue_length.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/frame.h"

/* ---- where the values are ---- */

static const tt_curve *queue_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    const tt_device_work *w = tt_device_work_get(t->session, n->trace);
    const tt_queue_lengths *q = tt_queue_lengths_get(t->session, n->trace);
    uint32_t place = 0;
    for (uint32_t i = w->devices[device].first_stream, end = i + w->devices[device].n_streams; i < end; i++) {
        if (q->of[i].at.n == 0 || place++ != n->index) continue;
        *of = w->streams[i].name;
        return &q->of[i];
    }
    return NULL;
}

static const tt_curve *rate_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    const tt_copy_rates *r = tt_copy_rates_get(t->session, n->trace);
    uint32_t place = 0;
    for (size_t i = 0; i < r->at.n; i++) {
        if (r->at.at[i].device != device || r->at.at[i].gb_per_s.at.n == 0 || place++ != n->index) continue;
        *of = r->at.at[i].kind;
        return &r->at.at[i].gb_per_s;
    }
    return NULL;
}

/* The values are shares of time, in percent. */
static bool is_share(const tt_timeline_node *n) { return n->kind == TT_TIMELINE_BUSY || n->kind == TT_TIMELINE_SM; }

/* The curve of a row; NULL = not known yet, none at its place, or the row has none. *of: the stream or the kind of
 * copies. */
static const tt_curve *curve_of(const tt_timeline *t, const tt_timeline_node *n, const char **of)
{
    *of = "";
    if (n->kind == TT_TIMELINE_MEMORY || !tt_derived_known(t, n)) return NULL;
    uint32_t device = tt_derived_device(t, n);
    if (device == TT_NONE) return NULL;
    if (n->kind == TT_TIMELINE_QUEUE) return queue_at(t, n, device, of);
    if (n->kind == TT_TIMELINE_RATE) return rate_at(t, n, device, of);
    bool busy = n->kind == TT_TIMELINE_BUSY;
    const tt_curve *c = &(busy ? tt_busy_curves_get : tt_sm_curves_get)(t->session, n->trace)->of[device];
    return c->at.n ? c : NULL;
}

/* The memory of the row's device; NULL = not known yet, or no records. */
static const tt_memory_series *memory_of(const tt_timeline *t, const tt_timeline_node *n)
{
    if (n->kind != TT_TIMELINE_MEMORY || !tt_derived_known(t, n)) return NULL;
    const tt_memory_curves *c = tt_memory_curves_get(t->session, n->trace);
    int64_t id = tt_derived_device_id(t, n);
    for (uint32_t i = 0; i < c->n; i++) {
        const tt_memory_series *s = &c->at[i];
        if (s->type > 0 && s->type != TT_DEVICE_PINNED && s->id == id && s->peak != TT_UNKNOWN) return s;
    }
    return NULL;
}

/* The row has values, or it is not known yet whether it has. */
static bool has_values(const tt_timeline *t, const tt_timeline_node *n)
{
    const char *of;
    bool always = n->kind == TT_TIMELINE_BUSY || (n->kind == TT_TIMELINE_MEMORY && !tt_derived_known(t, n));
    return always || curve_of(t, n, &of) || memory_of(t, n);
}

/* ---- lines and labels ---- */

/* On few rows what the host does says more than the curves of a device: those show with the rest of them, when that is
 * opened. */
static bool gives_way(const tt_timeline *t, uint32_t node)
{
    enum { FEW = 14 };
    const tt_timeline_node *n = &t->nodes.at[node];
    if (tt_row_source_of(t, n)->place_index || n->kind == TT_TIMELINE_SM || n->pinned) return false; /* in CURVES */
    while (node < t->nodes.n && t->nodes.at[node].kind != TT_TIMELINE_CURVES) node++;
    return t->rows > 0 && t->rows < FEW && node < t->nodes.n && t->nodes.at[node].parent == n->parent &&
           t->nodes.at[node].collapsed;
}

static void add_lines(tt_timeline *t, uint32_t node)
{
    if (has_values(t, &t->nodes.at[node]) && !gives_way(t, node)) tt_lines_add(t, node, TT_NONE);
}

static void label_of(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const char *of;
    curve_of(t, n, &of);
    switch (n->kind) {
    case TT_TIMELINE_BUSY: snprintf(out, cap, "busy"); break;
    case TT_TIMELINE_MEMORY: snprintf(out, cap, "memory"); break;
    case TT_TIMELINE_SM: snprintf(out, cap, "SM efficiency"); break;
    case TT_TIMELINE_QUEUE: snprintf(out, cap, "queue %s", *of ? of : "?"); break;
    default: snprintf(out, cap, "%s GB/s", *of ? of : "copies"); break;
    }
}

static void percent(char *out, size_t cap, double pct) { snprintf(out, cap, "%.1f%%", pct > 100 ? 100 : pct); }

static void side_text(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const char *of;
    char text[TT_TEXT_CAP];
    int64_t off = t->session->offset_ns[n->trace];
    const tt_memory_series *m = memory_of(t, n);
    const tt_curve *c = curve_of(t, n, &of);
    out[0] = '\0';
    if (m) {
        tt_memory_point p = tt_memory_series_highest(m, t->t0, t->t1);
        if (p.allocated != TT_UNKNOWN) snprintf(out, cap, "%s", tt_format_bytes(text, p.allocated));
    } else if (c && is_share(n)) {
        percent(out, cap, tt_curve_mean(c, t->t0 - off, t->t1 - off));
    } else if (c) {
        double v = tt_curve_largest(c, t->t0 - off, t->t1 - off);
        snprintf(out, cap, n->kind == TT_TIMELINE_QUEUE ? "%.0f" : "%.3g", v);
    }
}

/* ---- pictures ---- */

/* How high each cell is, of 1; less than 0: nothing there. */
static void heights(const tt_timeline *t, const tt_timeline_node *n, const tt_timeline_frame *f, double *out)
{
    const char *of;
    int64_t off = t->session->offset_ns[n->trace];
    const tt_memory_series *m = memory_of(t, n);
    const tt_curve *c = curve_of(t, n, &of);
    for (int col = 0; col < f->w; col++) {
        int64_t a = f->edge[col], b = f->edge[col + 1] > a ? f->edge[col + 1] : a + 1;
        out[col] = -1;
        if (m && m->peak > 0) {
            int64_t highest = tt_memory_series_highest(m, a, b).allocated; /* TT_UNKNOWN is below 0 and draws nothing */
            if (highest > 0) out[col] = (double)highest / (double)m->peak;
        } else if (c && is_share(n)) {
            out[col] = tt_curve_mean(c, a - off, b - off) / 100;
        } else if (c && c->top > 0) {
            out[col] = tt_curve_largest(c, a - off, b - off) / c->top;
        }
    }
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    double *of = tt_malloc((size_t)f->w * sizeof *of);
    heights(f->t, n, f, of);
    for (int col = 0; col < f->w; col++) {
        if (of[col] > 0)
            tt_put_char(c, y, f->x + col, TT_ROLE_PLOT,
                        tt_height(c, of[col] >= 1 ? 8 : (int)fmax(1, of[col] * 8 + 0.5)));
        else
            tt_timeline_put_gap(c, y, f, col);
    }
    free(of);
}

/* ---- words ---- */

static void memory_text(const tt_timeline *t, const tt_memory_series *m, tt_unit unit, char *out, size_t cap)
{
    char now[TT_TEXT_CAP] = "-", window[TT_TEXT_CAP] = "-", peak[TT_TEXT_CAP], at[TT_TEXT_CAP], when[TT_TEXT_CAP];
    uint32_t i = tt_memory_series_point(m, t->at);
    tt_memory_point most = tt_memory_series_highest(m, t->t0, t->t1);
    if (i != TT_NONE && m->at[i].allocated != TT_UNKNOWN) tt_format_bytes(now, m->at[i].allocated);
    if (most.allocated != TT_UNKNOWN) tt_format_bytes(window, most.allocated);
    snprintf(out, cap, "%s allocated at %s   at most %s on screen   peak %s at %s   5 Memory", now,
             tt_format_time(at, t->at, unit), window, tt_format_bytes(peak, m->peak),
             tt_format_time(when, m->peak_at, unit));
}

static void share_text(const tt_timeline *t, const tt_timeline_node *n, const tt_curve *c, char *out, size_t cap)
{
    int64_t off = t->session->offset_ns[n->trace], at, a, b;
    const char *what = n->kind == TT_TIMELINE_BUSY ? "busy" : "SM efficiency";
    double window = tt_curve_mean(c, t->t0 - off, t->t1 - off);
    if (tt_derived_cell(t, n, &at, &a, &b))
        snprintf(out, cap, "%s %.1f%% in this column, %.1f%% on screen", what, tt_curve_mean(c, a, b), window);
    else
        snprintf(out, cap, "%s %.1f%% on screen", what, window);
}

static void curve_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const char *of, *what = n->kind == TT_TIMELINE_QUEUE ? " launched and waiting" : " GB/s";
    const tt_curve *curve = curve_of(t, n, &of);
    const tt_memory_series *m = memory_of(t, n);
    char now[TT_TEXT_CAP], window[TT_TEXT_CAP], top[TT_TEXT_CAP], at[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    if (m) {
        memory_text(t, m, unit, out, cap);
    } else if (curve && is_share(n)) {
        share_text(t, n, curve, out, cap);
    } else if (!curve) {
        snprintf(out, cap, "not known yet");
    } else {
        snprintf(out, cap, "%s%s at %s   at most %s on screen, %s in all",
                 tt_format_number(now, tt_curve_value(curve, t->at - offset)), what, tt_format_time(at, t->at, unit),
                 tt_format_number(window, tt_curve_largest(curve, t->t0 - offset, t->t1 - offset)),
                 tt_format_number(top, curve->top));
    }
}

/* ---- moving ---- */

/* The sample after a time of the trace, or the last before it. */
static bool memory_move(tt_timeline *t, const tt_memory_series *m, int dir)
{
    uint32_t i = tt_memory_series_point(m, dir > 0 ? t->at : t->at - 1);
    if (dir > 0) i = i == TT_NONE ? 0 : i + 1;
    if (i >= m->n) return false; /* TT_NONE, too */
    tt_derived_place(t, m->at[i].at);
    return true;
}

static bool move(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const char *of;
    const tt_memory_series *m = memory_of(t, n);
    const tt_curve *curve = curve_of(t, n, &of);
    if (m) return memory_move(t, m, dir);
    if (!curve) return false;
    int64_t offset = t->session->offset_ns[n->trace], at = t->at - offset;
    size_t i = tt_curve_from(curve, dir > 0 ? at + 1 : at);
    if (dir < 0 ? i == 0 : i == curve->at.n) return false;
    tt_derived_place(t, curve->at.at[dir < 0 ? i - 1 : i].ts + offset);
    return true;
}

/* ---- the sources ---- */

/* A row beside the idle row, or one that lies in the header of curves and has places for its index. */
#define SOURCE(value, with, where)                                                                                     \
    {                                                                                                                  \
        .lines = add_lines, .filter = with, .needs = 1u << (value), .place_index = where, .label = label_of,           \
        .side = side_text, .cells = draw_cells, .move = move, .never_busy = true, .text = curve_text                   \
    }

const tt_row_source tt_source_busy = SOURCE(TT_DERIVED_BUSY, TT_FILTER_PARENT, false);
const tt_row_source tt_source_memory = SOURCE(TT_DERIVED_MEMORY, TT_FILTER_PARENT, false);
const tt_row_source tt_source_sm = SOURCE(TT_DERIVED_SM, TT_FILTER_ALWAYS, false);
const tt_row_source tt_source_queue = SOURCE(TT_DERIVED_QUEUES, TT_FILTER_ALWAYS, true);
const tt_row_source tt_source_rate = SOURCE(TT_DERIVED_RATES, TT_FILTER_ALWAYS, true);
