/* model/build/passes/flow_operators.c - operators linked to device work by flows that begin inside the operator and
 * end at the start of the work: torch_npu's async_npu. The result does not depend on event order or thread ids. */
#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/build/passes/finish_internal.h"

#define OPERATOR_KINDS                                                                                                 \
    ((1u << TT_KIND_CPU_OP) | (1u << TT_KIND_PYTHON_OP) | (1u << TT_KIND_COMMUNICATION) | (1u << TT_KIND_ANNOTATION))

typedef struct end {
    uint32_t id, flow; /* index into the trace's flows */
    int64_t ts;
} end;

/* Set the operator of all work that starts on the track at this time. */
static void give(tt_trace *s, uint32_t track, int64_t ts, tt_row op)
{
    const tt_track *t = &s->tracks[track];
    for (tt_row r = tt_track_lower_bound(s, track, ts); r < t->first + t->n && s->start[r] == ts; r++) {
        if (tt_kind_is_work(tt_row_kind(s, r)) && s->detail[r] != TT_NONE) s->dev[s->detail[r]].op = op;
    }
}

void tt_finish_flow_operators(tt_trace *s)
{
    TT_VEC(end) begins = {0};
    for (uint32_t i = 0; i < s->n_flows; i++) {
        const tt_flow *f = &s->flows[i];
        if (f->of_work && f->phase == 's') *tt_vec_push(&begins) = (end){f->id, i, f->ts};
    }
    if (!begins.n) return;
    TT_SORT_BY(begins.at, begins.n, TT_ASC(end, id), TT_ASC(end, ts), TT_ASC(end, flow));
    for (uint32_t i = 0; i < s->n_flows; i++) {
        const tt_flow *f = &s->flows[i];
        if (!f->of_work || f->phase != 'f') continue;
        size_t lo = 0, hi = begins.n; /* bisect for the first begin with this id */
        TT_BISECT(lo, hi, k, begins.at[k].id < f->id);
        if (lo == begins.n || begins.at[lo].id != f->id) continue;
        const tt_flow *from = &s->flows[begins.at[lo].flow];
        tt_row op = tt_track_slice_at(s, from->track, from->ts, OPERATOR_KINDS);
        if (op != TT_NONE) give(s, f->track, f->ts, op);
    }
    tt_vec_free(&begins);
}
