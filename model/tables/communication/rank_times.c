/* model/tables/communication/rank_times.c - table rank_times: the parts of each rank's step, and whether it is late
 * to collectives, since when and how often. Lateness covers the whole recording, whatever the scope: lateness.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "model/tables/communication/lateness.h"
#include "model/tables/communication/tables.h"
#include "model/tables/steps/step_breakdown.h"

static const tt_column columns[] = {
    [TT_RANK_TIMES_RANK] = COL("rank", "Rank", COUNT, 0, "rank, where recorded"),
    [TT_RANK_TIMES_HOST] = COL("host", "Host", STRING, 1, "machine that it was recorded on, where recorded"),
    [TT_RANK_TIMES_STEPS] = COL("steps", "Steps", COUNT, 3, "steps in scope"),
    [TT_RANK_TIMES_STEP] = COL("step_ns", "Step", DURATION, 0, "mean of its steps"),
    [TT_RANK_TIMES_COMPUTATION] =
        COL("computation_ns", "Compute", DURATION, 1, "mean: kernels that are no collectives, overlapped or not"),
    [TT_RANK_TIMES_COMMUNICATION] =
        COL("communication_ns", "Exposed comm.", DURATION, 1, "mean: communication that no computation overlaps"),
    [TT_RANK_TIMES_WAITED] =
        COL("waited_ns", "Wait (self)", DURATION, 0, "mean: how long it waited for others in collectives"),
    [TT_RANK_TIMES_CALLS] = COL("calls", "Calls", COUNT, 3, "conclusive collectives that it shares with other ranks"),
    [TT_RANK_TIMES_LATE_CALLS] =
        COL("late_calls", "Late", COUNT, 0,
            "of them: it came clearly later than the median rank, by what it did since its collective before"),
    [TT_RANK_TIMES_LATE_PCT] = COL("late_pct", "Late %", PERCENT, 1, "the same as a share"),
    [TT_RANK_TIMES_LATE] = COL("late_ns", "Late by", DURATION, 0, "median of how much later it came then"),
    [TT_RANK_TIMES_LATE_SINCE] = COL("late_since", "Since step", STRING, 1, "step of the first of these calls"),
    [TT_RANK_TIMES_LATE_UNTIL] = COL("late_until", "Until step", STRING, 2, "step of the last of these calls"),
    [TT_RANK_TIMES_PASSED_CALLS] =
        COL("passed_calls", "Handed on", COUNT, 3,
            "calls that it came late to because of what happened before that: it had waited, or was late already"),
};

static void put_step_parts(const tt_query *q, tt_table *t, uint32_t row)
{
    tt_scope scope = *q->scope;
    tt_options none = {0};
    int64_t compute = 0, exposed = 0;
    tt_scope_to_trace(q->session, q->trace, &scope);
    tt_table *steps = tt_table_compute(q->session, &tt_table_comm_steps, &scope, &none);
    for (uint32_t r = 0; r < steps->n_rows; r++) {
        compute += tt_cell_i(steps, r, TT_COMM_STEPS_COMPUTATION) + tt_cell_i(steps, r, TT_COMM_STEPS_OVERLAP);
        exposed += tt_cell_i(steps, r, TT_COMM_STEPS_COMMUNICATION);
    }
    if (steps->n_rows) {
        tt_set_i(t, row, TT_RANK_TIMES_COMPUTATION, compute / steps->n_rows);
        tt_set_i(t, row, TT_RANK_TIMES_COMMUNICATION, exposed / steps->n_rows);
    }
    tt_table_free(steps);
}

/* Wait of the rank in calls that start in scope, ns. */
static int64_t waited_of(const tt_query *q)
{
    const tt_comm_pairs *p = tt_comm_pairs_get(q->session, tt_query_trace(q)->span);
    int64_t sum = 0;
    for (uint32_t i = p->first[q->trace]; i < p->first[q->trace + 1]; i++) {
        const tt_comm_visit *v = &p->visits[i];
        const tt_comm_call *c = &p->calls[v->call];
        if (c->workers > 1 && c->conclusive && v->c->ns != TT_UNKNOWN && tt_query_has(q, v->c->start))
            sum += v->c->ns - c->shortest;
    }
    return sum;
}

static void put_late(const tt_late *x, tt_table *t, uint32_t row)
{
    tt_set_i(t, row, TT_RANK_TIMES_CALLS, x->calls);
    tt_set_i(t, row, TT_RANK_TIMES_LATE_CALLS, x->late);
    tt_set_i(t, row, TT_RANK_TIMES_PASSED_CALLS, x->passed);
    if (x->calls) tt_set_d(t, row, TT_RANK_TIMES_LATE_PCT, 100.0 * x->late / x->calls);
    if (x->late) tt_set_i(t, row, TT_RANK_TIMES_LATE, x->ns);
    if (x->first != TT_UNKNOWN)
        tt_set_ref(t, row, TT_RANK_TIMES_LATE_SINCE, tt_arena_printf(&t->arena, "%" PRId64, x->first));
    if (x->last != TT_UNKNOWN)
        tt_set_ref(t, row, TT_RANK_TIMES_LATE_UNTIL, tt_arena_printf(&t->arena, "%" PRId64, x->last));
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    int64_t n = 0, sum = 0, t0 = 0, t1 = 0;
    if (q->session->n_traces < 2) return;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const tt_step *p = &s->steps[i];
        if (!tt_step_shown(q, p)) continue;
        if (!n++) t0 = p->start;
        t1 = p->end;
        sum += p->end - p->start;
    }
    uint32_t row = tt_table_add(t);
    const char *host = tt_host_of(s, &t->arena);
    if (s->rank >= 0) tt_set_i(t, row, TT_RANK_TIMES_RANK, s->rank);
    if (*host) tt_set_ref(t, row, TT_RANK_TIMES_HOST, host);
    tt_set_i(t, row, TT_RANK_TIMES_STEPS, n);
    if (n) {
        tt_set_i(t, row, TT_RANK_TIMES_STEP, sum / n);
        tt_set_i(t, row, TT_RANK_TIMES_WAITED, waited_of(q) / n);
        put_step_parts(q, t, row);
        tt_set_range(q, t, row, t0, t1);
    }
    put_late(&tt_lateness_get(q->session, s->span)->all[q->trace], t, row);
}

const tt_table_desc tt_table_rank_times = {
    .id = "rank_times",
    .title = "Ranks",
    .meaning =
        "what each rank does with a step, and whether it is late to collectives: since when, how often, by how much",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_CALLS | TT_TABLE_ALL_READ,
    .note = "Open the traces of several ranks together, or their summary (.tts)",
    .compute = compute,
};
