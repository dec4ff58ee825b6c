/* model/tables/operators/roofline_replays.c - see roofline_replays.h. */
#include "model/tables/operators/roofline_replays.h"

#include <stdlib.h>

#include "model/tables/analysis/graphs/eager_operators.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/analysis/graphs/replay_steps.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/step_attention.h"
#include "model/tables/table_util.h"

/* A captured call of an operator with a formula. */
typedef struct captured {
    const tt_trace *trace;
    tt_row row;
    tt_op_work one;       /* what a call computes; attention: in the last replay */
    bool attention;       /* attention of an engine step */
    bool known;           /* what the last replay computes is known */
    int64_t flops, bytes; /* sums over replays */
    int64_t calls, device_ns;
    tt_op_kind kind;
    tt_data_type type;
    bool matrix;    /* some of its kernels run on matrix units */
    int64_t device; /* its device; TT_UNKNOWN before the first work */
    bool several;   /* its replays ran on several devices */
    size_t replay;  /* the last replay with work of it, and ... */
    int64_t until;  /* ... the end of that work so far */
} captured;

typedef struct formulas { /* operators of a trace */
    const tt_trace *trace;
    tt_flops *flops;
} formulas;

typedef struct making {
    const tt_query *q;
    const tt_graphs *g;
    TT_VEC(formulas) formulas;
    tt_groups calls; /* (trace, row) -> captured call */
    TT_VEC(captured) list;
    tt_replay_step step; /* step of the last replay */
    uint32_t *of_owner;  /* by owner: index into the list; TT_NONE */
} making;

static tt_flops *formulas_of(making *m, const tt_trace *s)
{
    for (size_t i = 0; i < m->formulas.n; i++)
        if (m->formulas.at[i].trace == s) return m->formulas.at[i].flops;
    *tt_vec_push(&m->formulas) = (formulas){s, tt_flops_new(s, TT_FLOPS_ROOFLINE)};
    return m->formulas.at[m->formulas.n - 1].flops;
}

/* The innermost operator with a formula from this one outwards; an inner operator gives way to the operator that it
 * works for. */
static tt_row explains(const tt_trace *s, tt_flops *flops, tt_row op)
{
    tt_row inner = TT_NONE;
    tt_op_kind kind = TT_OP_NONE;
    for (; op != TT_NONE; op = tt_row_ancestor(s, op, TT_OPERATOR_KINDS)) {
        if (tt_is_step_attention(s, op)) return op;
        tt_op_work w = tt_op_work_of(flops, op);
        if (!w.kind || (inner != TT_NONE && w.kind != kind)) continue;
        if (!w.inner) return op;
        if (inner == TT_NONE) inner = op;
        kind = w.kind;
    }
    return inner;
}

static uint32_t call_of(making *m, const tt_graph_owner *owner)
{
    if (owner->source != TT_GRAPH_CAPTURE) return TT_NONE;
    const tt_trace *s = tt_graph_owner_trace(m->g, owner);
    tt_flops *flops = formulas_of(m, s);
    tt_row row = explains(s, flops, owner->op);
    if (row == TT_NONE) return TT_NONE;
    uint32_t at = tt_groups_put(&m->calls, (tt_group_key){(uintptr_t)s, row, 0});
    if (at == m->list.n)
        *tt_vec_push(&m->list) = (captured){.trace = s,
                                            .row = row,
                                            .one = tt_op_work_of(flops, row),
                                            .attention = tt_is_step_attention(s, row),
                                            .device = TT_UNKNOWN,
                                            .replay = SIZE_MAX};
    return at;
}

/* Begin another replay of the call, in a step. */
static void begin_replay(captured *c, const tt_replay_step *step)
{
    if (c->attention)
        c->one = step->engine ? tt_step_attention_of(c->trace, c->row, &step->said) : (tt_op_work){.kind = TT_OP_NONE};
    c->until = INT64_MIN;
    c->known = c->one.kind != TT_OP_NONE;
    if (!c->known) return;
    c->kind = c->one.kind;
    c->type = c->one.type;
    c->calls++;
    c->flops = tt_flops_plus(c->flops, c->one.flops);
    c->bytes = tt_flops_plus(c->bytes, c->one.bytes);
}

/* Add the work of a replay, which comes in order of time. */
static void add_replay(making *m, const tt_name_classes *names, size_t i)
{
    const tt_trace *s = m->g->trace;
    const tt_replay *p = &m->g->replays.at.at[i];
    tt_row_range rows = tt_query_rows(m->q);
    tt_replay_step_at(s, p->launch, &m->step);
    for (uint32_t k = p->first; k < p->first + p->n; k++) {
        uint32_t dev = m->g->replays.work.at[k], at = m->of_owner[m->g->owner[dev]];
        const tt_activity *d = &s->dev[dev];
        if (at == TT_NONE || !tt_query_has_dev(m->q, s, d, rows)) continue;
        captured *c = &m->list.at[at];
        int64_t t0 = s->start[d->row], t1 = tt_row_end(s, d->row);
        if (c->replay != i) begin_replay(c, &m->step);
        c->replay = i;
        if (!c->known) continue;
        if (t1 > c->until) {
            c->device_ns += t1 - (t0 > c->until ? t0 : c->until);
            c->until = t1;
        }
        c->matrix |= (tt_name_class(names, s, d->row) & TT_NAME_TENSOR) != 0;
        c->several |= c->device != TT_UNKNOWN && c->device != d->device;
        c->device = d->device;
    }
}

static tt_roofline_replay work_of(const making *m, const captured *c)
{
    const tt_peaks *peaks = c->several ? NULL : tt_peaks_of_device(m->g->trace, c->device);
    return (tt_roofline_replay){.name = tt_row_name(c->trace, c->row),
                                .shapes = tt_list_text(c->trace, c->trace->op_args[c->trace->detail[c->row]].shapes),
                                .work = {.peaks = peaks,
                                         .calls = c->calls,
                                         .device_ns = c->device_ns,
                                         .flops = c->flops,
                                         .bytes = c->bytes,
                                         .kind = c->kind,
                                         .type = tt_peaks_type(peaks, c->type, c->matrix)}};
}

tt_roofline_replays tt_roofline_replays_make(const tt_query *q)
{
    making m = {.q = q, .g = tt_graphs_get(q->session, q->trace), .step = TT_REPLAY_NO_STEP};
    tt_roofline_replays out = {0};
    if (!m.g->owner) return out;
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_groups_init(&m.calls);
    m.of_owner = tt_malloc(m.g->owners.n * sizeof *m.of_owner);
    for (size_t i = 0; i < m.g->owners.n; i++) m.of_owner[i] = call_of(&m, &m.g->owners.at[i]);
    for (size_t i = 0; i < m.g->replays.at.n; i++) add_replay(&m, names, i);
    for (size_t i = 0; i < m.list.n; i++)
        if (m.list.at[i].device_ns > 0) *tt_vec_push(&out) = work_of(&m, &m.list.at[i]);
    for (size_t i = 0; i < m.formulas.n; i++) tt_flops_free(m.formulas.at[i].flops);
    tt_groups_free(&m.calls);
    tt_vec_free(&m.formulas);
    tt_vec_free(&m.list);
    free(m.of_owner);
    return out;
}
