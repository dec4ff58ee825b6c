/* tui/timeline/model/derived.c - what derived rows need, and the cursor on them. */
#include "tui/timeline/model/derived.h"

#include "model/index/memory_curve.h"
#include "model/tables/devices/copy_rate.h"
#include "model/tables/devices/sm_curve.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/launches/queue_length.h"
#include "tui/timeline/rows/idle_row.h"
#include "tui/timeline/rows/path_overlay.h"

tt_derived tt_derived_of(const tt_timeline_node *n)
{
    switch (n->kind) {
    case TT_TIMELINE_IDLE: return TT_DERIVED_IDLE;
    case TT_TIMELINE_BUSY: return TT_DERIVED_BUSY;
    case TT_TIMELINE_MEMORY: return TT_DERIVED_MEMORY;
    case TT_TIMELINE_SM: return TT_DERIVED_SM;
    case TT_TIMELINE_QUEUE: return TT_DERIVED_QUEUES;
    case TT_TIMELINE_RATE: return TT_DERIVED_RATES;
    default: return TT_DERIVED_COUNT_;
    }
}

static void want(const tt_timeline *t, tt_derived_wants *out, uint32_t trace, tt_derived what)
{
    if (tt_derived_ready(t, trace, what)) return;
    for (size_t i = 0; i < out->at.n; i++)
        if (out->at.at[i].trace == trace && out->at.at[i].what == what) return;
    *tt_vec_push(&out->at) = (tt_derived_want){trace, what};
}

void tt_derived_wanted(const tt_timeline *t, tt_derived_wants *out)
{
    for (int row = 0; row < t->rows; row++) {
        uint32_t line = tt_timeline_line_at(t, row);
        if (line == TT_NONE) break;
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[line].node];
        tt_derived what = tt_derived_of(n);
        if (what != TT_DERIVED_COUNT_) {
            want(t, out, n->trace, what);
        } else if (n->kind == TT_TIMELINE_CURVES && !n->collapsed) { /* how many there are inside */
            want(t, out, n->trace, TT_DERIVED_SM);
            want(t, out, n->trace, TT_DERIVED_QUEUES);
            want(t, out, n->trace, TT_DERIVED_RATES);
        }
    }
}

void tt_derived_build(const tt_session *s, tt_derived_want w)
{
    switch (w.what) {
    case TT_DERIVED_IDLE: tt_idle_gaps_get(s, w.trace); break;
    case TT_DERIVED_QUEUES: tt_queue_lengths_get(s, w.trace); break;
    case TT_DERIVED_RATES: tt_copy_rates_get(s, w.trace); break;
    case TT_DERIVED_BUSY: tt_busy_curves_get(s, w.trace); break;
    case TT_DERIVED_SM: tt_sm_curves_get(s, w.trace); break;
    case TT_DERIVED_MEMORY: tt_memory_curves_get(s, w.trace); break;
    case TT_DERIVED_COUNT_: break;
    }
}

void tt_derived_done(tt_timeline *t, tt_derived_want w)
{
    t->derived[w.trace] |= (uint8_t)(1u << w.what);
    if (w.what != TT_DERIVED_IDLE) tt_timeline_layout(t);
}

int64_t tt_derived_device_id(const tt_timeline *t, const tt_timeline_node *n)
{
    bool inner = n->kind == TT_TIMELINE_QUEUE || n->kind == TT_TIMELINE_RATE;
    return t->session->traces[n->trace]->processes[inner ? t->nodes.at[n->parent].index : n->index].device;
}

uint32_t tt_derived_device(const tt_timeline *t, const tt_timeline_node *n)
{
    int64_t id = tt_derived_device_id(t, n);
    const tt_device_work *w = tt_device_work_get(t->session, n->trace);
    for (uint32_t i = 0; i < w->n_devices; i++)
        if (w->devices[i].id == id) return i;
    return TT_NONE;
}

bool tt_derived_cell(const tt_timeline *t, const tt_timeline_node *n, int64_t *at, int64_t *a, int64_t *b)
{
    int64_t offset = t->session->offset_ns[n->trace];
    int col = tt_timeline_col(t, t->at);
    *at = t->at - offset;
    if (col < 0 || col >= t->cols) return false;
    *a = tt_timeline_edge(t, col) - offset;
    *b = tt_timeline_edge(t, col + 1) - offset;
    *b = *b > *a ? *b : *a + 1;
    return true;
}

void tt_derived_place(tt_timeline *t, int64_t at)
{
    if (at < t->t0 || at >= t->t1) {
        int64_t span = t->t1 - t->t0;
        tt_timeline_window(t, at - span / 2, at + span - span / 2);
    }
    t->at = t->placed = at;
}

bool tt_derived_span(const tt_timeline *t, int64_t *a, int64_t *b)
{
    if (t->line >= t->lines.n) return false;
    const tt_timeline_node *n = &t->nodes.at[t->lines.at[t->line].node];
    const tt_idle_gap *gap = n->kind == TT_TIMELINE_IDLE ? tt_idle_row_gap(t, n) : NULL;
    const tt_path_segment *part = n->kind == TT_TIMELINE_PATH ? tt_path_row_segment(t, n) : NULL;
    int64_t offset = t->session->offset_ns[n->trace];
    if (!gap && !part) return false;
    *a = (gap ? gap->t0 : part->t0) + offset;
    *b = (gap ? gap->t1 : part->t1) + offset;
    return true;
}
