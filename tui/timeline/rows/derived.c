/* tui/timeline/rows/derived.c - see derived.h. */
#include "tui/timeline/rows/derived.h"

#include "model/index/memory_curve.h"
#include "model/tables/devices/copy_rate.h"
#include "model/tables/devices/sm_curve.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/launches/queue_length.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"

static void add_want(const tt_timeline *t, tt_derived_wants *out, uint32_t trace, tt_derived what)
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
        const tt_row_source *of = tt_row_source_of(t, n);
        unsigned needs = of->needs | (n->collapsed ? 0 : of->needs_open);
        for (unsigned what = 0; what < TT_DERIVED_COUNT_; what++)
            if (needs >> what & 1) add_want(t, out, n->trace, (tt_derived)what);
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

bool tt_derived_known(const tt_timeline *t, const tt_timeline_node *n)
{
    unsigned needs = tt_row_source_of(t, n)->needs;
    return (t->derived[n->trace] & needs) == needs;
}

int64_t tt_derived_device_id(const tt_timeline *t, const tt_timeline_node *n)
{
    bool inner = tt_row_source_of(t, n)->place_index;
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

bool tt_derived_gives_way(const tt_timeline *t, uint32_t node)
{
    enum { FEW = 14 };
    const tt_timeline_node *n = &t->nodes.at[node];
    if (n->pinned) return false;
    while (node < t->nodes.n && t->nodes.at[node].kind != TT_TIMELINE_CURVES) node++;
    return t->rows > 0 && t->rows < FEW && node < t->nodes.n && t->nodes.at[node].parent == n->parent &&
           t->nodes.at[node].collapsed;
}
