/* model/tables/communication/worker_clocks.c - table comm_clock: clock offsets between workers.
 *
 * All workers leave a collective together, so their ends differ by their clocks, and a little noise. comm_pairs.c
 * judges calls with the same clocks. */
#include <stdlib.h>

#include "model/base/median.h"
#include "model/tables/communication/comm_clock.h"
#include "model/tables/communication/comm_pairs.h"
#include "model/tables/table_util.h"

enum { WORKER, CALLS, OFFSET, SPREAD, TRUSTED };

static const tt_column columns[] = {
    COL("worker", "Worker", STRING, 0, "worker"),
    COL("calls", "Calls", COUNT, 1, "collectives that it shares with other workers"),
    COL("offset_ns", "Offset", DURATION, 0,
        "how far its clock is ahead: median over its calls of its end minus the median end of all workers"),
    COL("spread_ns", "Spread", DURATION, 0, "largest minus smallest of these differences"),
    COL("trusted", "Trusted", BOOL, 0,
        "the spread is at most 10% of the median wait (the longest of each call that is conclusive), so waits are no "
        "matter of clocks"),
};

/* Median over the conclusive calls of the longest wait; TT_UNKNOWN without such calls. */
static int64_t median_wait(const tt_comm_pairs *p)
{
    int64_t *wait = tt_malloc((p->n_calls + (size_t)1) * sizeof *wait);
    size_t n = 0;
    for (uint32_t i = 0; i < p->n_calls; i++) {
        const tt_comm_call *c = &p->calls[i];
        if (c->workers > 1 && c->conclusive) wait[n++] = c->longest - c->shortest;
    }
    int64_t median = n ? tt_median(wait, n) : TT_UNKNOWN;
    free(wait);
    return median;
}

static void put_clock(const tt_trace *s, const tt_comm_clock *c, int64_t wait, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, WORKER, s->worker);
    tt_set_i(t, row, CALLS, c->calls);
    tt_set_i(t, row, OFFSET, c->offset);
    tt_set_i(t, row, SPREAD, c->spread);
    tt_set_i(t, row, TRUSTED, wait != TT_UNKNOWN && c->spread <= wait / 10);
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_session *s = q->session;
    for (uint32_t k = 0; k < s->n_spans; k++) {
        if (q->scope->span != TT_ALL && q->scope->span != (int32_t)k) continue;
        const tt_comm_pairs *p = tt_comm_pairs_get(s, s->spans[k]);
        int64_t wait = median_wait(p);
        for (uint32_t i = 0; i < s->n_traces; i++)
            if (p->first[i + 1] > p->first[i] && p->clocks[i].calls && tt_scope_has_trace(s, q->scope, i))
                put_clock(s->traces[i], &p->clocks[i], wait, t);
    }
    if (!t->n_rows)
        t->note = s->n_workers > 1 ? "No collective is shared by two ranks"
                                   : "clocks can be compared when the traces of several workers are opened together";
}

const tt_table_desc tt_table_comm_clock = {
    .id = "comm_clock",
    .title = "Clock drift",
    .meaning = "how far the clocks of the workers are apart, by the ends of the collectives that they share",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute,
};
