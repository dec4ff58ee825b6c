/* model/tables/communication/comm_calls.c - tables comm_calls, comm_waits and comm_ranks: who kept the others
 * waiting, by call and worker and in total.
 *
 * The worker with the shortest time in a collective came last; the extra time of the others is waiting for it
 * (model/tables/communication/comm_pairs.h). A scope chooses the workers shown; they are compared with all. An
 * inconclusive call has no last worker and no waits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/communication/columns.h"
#include "model/tables/communication/comm_pairs.h"
#include "model/tables/table_util.h"

static const char one_worker[] = "Open the traces of several ranks together to see who waits";
static const char nothing_common[] = "No collective is shared by two ranks";
static const char inconclusive[] = "Inconclusive: collectives end at different times on different ranks";

/* calls of a span, and the windows of all its traces */
typedef struct looked_at {
    const tt_query *q;
    const tt_comm_pairs *p;
    tt_windows *windows; /* windows by trace */
} looked_at;

/* Set up the calls of a span. False when the scope has another span. */
static bool look_at(looked_at *l, const tt_query *q, uint32_t span)
{
    tt_scope all = *q->scope;
    if (q->scope->span != TT_ALL && q->scope->span != (int32_t)span) return false;
    all.worker = TT_ALL;
    *l = (looked_at){q, tt_comm_pairs_get(q->session, q->session->spans[span]),
                     tt_calloc(q->session->n_traces + 1u, sizeof *l->windows)};
    for (uint32_t i = 0; i < q->session->n_traces; i++) l->windows[i] = tt_scope_windows(q->session, &all, i);
    return true;
}

static void look_away(looked_at *l)
{
    for (uint32_t i = 0; i < l->q->session->n_traces; i++) tt_windows_free(&l->windows[i]);
    free(l->windows);
}

/* The visit that represents a call of several workers: the last worker's; for an inconclusive call the first to
 * start. */
static const tt_comm_visit *speaker(const looked_at *l, const tt_comm_call *c)
{
    return &l->p->visits[c->conclusive ? c->last : c->early];
}

/* Whether a call shared by several workers is in the steps or time in scope. */
static bool in_scope(const looked_at *l, const tt_comm_call *c)
{
    if (c->workers < 2) return false;
    const tt_comm_visit *v = speaker(l, c);
    return tt_windows_have(&l->windows[v->trace], v->c->start);
}

static bool worker_chosen(const looked_at *l, uint32_t trace)
{
    return tt_scope_has_trace(l->q->session, l->q->scope, trace);
}

static void set_step(const looked_at *l, const tt_comm_visit *v, tt_table *t, uint32_t row, uint32_t col)
{
    if (v->step == TT_NONE) return;
    int64_t number = l->q->session->traces[v->trace]->steps[v->step].number;
    tt_set_ref(t, row, col, tt_arena_printf(&t->arena, "%" PRId64, number));
}

static void set_slice(const tt_comm_visit *v, tt_table *t, uint32_t row)
{
    tt_drilldown *o = tt_set_drilldown(t, row);
    o->what = TT_DRILL_ROW;
    o->trace = v->trace;
    o->row = v->c->row;
}

/* ---- comm_calls ---- */

enum { C_NAME, C_STEP, C_LAST, C_WAIT, C_ALL, C_TOGETHER, C_SIZE, C_WORKERS, C_GROUP, C_START, C_KERNEL, C_CONCLUSIVE };

static const tt_column call_columns[] = {
    COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    COL("step", "Step", STRING, 1, "number of the profiler step that it starts in"),
    COL("last_worker", "Straggler", STRING, 0,
        "the worker that arrived last: it is in the collective for the shortest time; unknown when inconclusive"),
    COL("wait_ns", "Max wait", DURATION, 0,
        "how much longer another worker was in it: it waited for the last one; unknown when inconclusive"),
    COL("waits_ns", "Total wait", DURATION, 1, "sum of what the workers waited; unknown when inconclusive"),
    COL("together_ns", "Transfer", DURATION, 2,
        "the shortest time of a worker in it, which arrived last: all of them were in it"),
    COL("size_bytes", "Size", BYTES, 2, "bytes of the inputs, where recorded"),
    COL("workers", "Workers", COUNT, 4, "workers that took part"),
    COL("group", "Group", STRING, 5, "process group, where recorded"),
    COL("start_at_ns", "Start", TIME, 3,
        "start on the last worker: of the CPU's range or the launch, where recorded; of the kernel else. "
        "Inconclusive: on the "
        "worker that starts first"),
    COL("kernel_at_ns", "Kernel start", TIME, 4,
        "start of its kernel on the same worker; unknown when only the CPU is recorded"),
    COL("conclusive", "Conclusive", BOOL, 4,
        "its ends, clocks aligned, differ by no more than the longest time in it; else it may be several calls"),
};

static void put_call(const looked_at *l, const tt_comm_call *c, tt_table *t)
{
    const tt_session *s = l->q->session;
    const tt_comm_visit *v = speaker(l, c);
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, C_NAME, v->c->name);
    set_step(l, v, t, row, C_STEP);
    if (c->conclusive) {
        tt_set_ref(t, row, C_LAST, s->traces[v->trace]->worker);
        tt_set_i(t, row, C_WAIT, c->longest - c->shortest);
        tt_set_i(t, row, C_ALL, c->total - (int64_t)c->workers * c->shortest);
    }
    tt_set_i(t, row, C_TOGETHER, c->shortest);
    tt_set_i(t, row, C_SIZE, v->c->bytes);
    tt_set_i(t, row, C_WORKERS, c->workers);
    if (*v->c->group) tt_set_ref(t, row, C_GROUP, v->c->group);
    tt_set_i(t, row, C_START, v->c->start + s->offset_ns[v->trace]);
    if (v->c->kernel != TT_UNKNOWN) tt_set_i(t, row, C_KERNEL, v->c->kernel + s->offset_ns[v->trace]);
    tt_set_i(t, row, C_CONCLUSIVE, c->conclusive);
    set_slice(v, t, row);
}

static void compute_calls(const tt_query *q, tt_table *t)
{
    looked_at l;
    bool any = false;
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        if (!look_at(&l, q, k)) continue;
        bool *chosen = tt_calloc(l.p->n_calls + (size_t)1, sizeof *chosen); /* a worker in scope takes part */
        for (uint32_t i = 0; i < q->session->n_traces; i++) {
            for (uint32_t v = l.p->first[i]; v < l.p->first[i + 1] && worker_chosen(&l, i); v++)
                chosen[l.p->visits[v].call] = any = true;
        }
        for (uint32_t i = 0; i < l.p->n_calls; i++)
            if (chosen[i] && in_scope(&l, &l.p->calls[i])) put_call(&l, &l.p->calls[i], t);
        free(chosen);
        look_away(&l);
    }
    if (!t->n_rows) t->note = !any ? "No collectives found" : q->session->n_workers > 1 ? nothing_common : one_worker;
}

const tt_table_desc tt_table_comm_calls = {
    .id = "comm_calls",
    .title = "Collective calls",
    .meaning = "each collective with its straggler and how long the others waited for it",
    .cols = call_columns,
    .n_cols = COUNT_OF(call_columns),
    .default_sort = "wait_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute_calls,
};

/* ---- comm_waits ---- */

static const tt_column wait_columns[] = {
    [TT_COMM_WAITS_WORKER] = COL("worker", "Worker", STRING, 0, "worker"),
    [TT_COMM_WAITS_CALL] =
        COL("call", "Call", COUNT, 1, "the collectives that several workers share, counted by start from 0"),
    [TT_COMM_WAITS_NAME] =
        COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    [TT_COMM_WAITS_STEP] =
        COL("step", "Step", STRING, 1, "number of the profiler step that the call starts in, as in comm_calls"),
    [TT_COMM_WAITS_WAITED] =
        COL("waited_ns", "Wait (self)", DURATION, 0,
            "how long the worker waited in it for the last to arrive; unknown when the call is inconclusive"),
    [TT_COMM_WAITS_CAME_LAST] =
        COL("came_last", "Last to arrive", BOOL, 1, "it is the last to arrive; unknown when inconclusive"),
    [TT_COMM_WAITS_START_AT] =
        COL("start_at_ns", "Start", TIME, 2,
            "start on the worker: of the CPU's range or the launch, where recorded; of the kernel else"),
    [TT_COMM_WAITS_KERNEL_AT] = COL("kernel_at_ns", "Kernel start", TIME, 3,
                                    "start of its kernel on the worker; unknown when only the CPU is recorded"),
};

typedef struct order { /* order of a call */
    int64_t start;
    uint32_t call;
} order;

/* Number the calls in scope by start, from *next on; TT_NONE for others. The caller frees. */
static uint32_t *number_calls(const looked_at *l, uint32_t *next)
{
    uint32_t n = 0, *number = tt_malloc((l->p->n_calls + (size_t)1) * sizeof *number);
    order *o = tt_malloc((l->p->n_calls + (size_t)1) * sizeof *o);
    for (uint32_t i = 0; i < l->p->n_calls; i++) {
        const tt_comm_call *c = &l->p->calls[i];
        number[i] = TT_NONE;
        if (!in_scope(l, c)) continue;
        const tt_comm_visit *v = speaker(l, c);
        o[n++] = (order){v->c->start + l->q->session->offset_ns[v->trace], i};
    }
    TT_SORT_BY(o, n, TT_ASC(order, start), TT_ASC(order, call));
    for (uint32_t i = 0; i < n; i++) number[o[i].call] = (*next)++;
    free(o);
    return number;
}

static void put_wait(const looked_at *l, const tt_comm_visit *v, uint32_t number, tt_table *t)
{
    const tt_session *s = l->q->session;
    const tt_comm_call *c = &l->p->calls[v->call];
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_COMM_WAITS_WORKER, s->traces[v->trace]->worker);
    tt_set_i(t, row, TT_COMM_WAITS_CALL, number);
    tt_set_ref(t, row, TT_COMM_WAITS_NAME, v->c->name);
    set_step(l, speaker(l, c), t, row, TT_COMM_WAITS_STEP);
    if (c->conclusive) {
        tt_set_i(t, row, TT_COMM_WAITS_WAITED, v->c->ns - c->shortest);
        tt_set_i(t, row, TT_COMM_WAITS_CAME_LAST, v == &l->p->visits[c->last]);
    }
    tt_set_i(t, row, TT_COMM_WAITS_START_AT, v->c->start + s->offset_ns[v->trace]);
    if (v->c->kernel != TT_UNKNOWN) tt_set_i(t, row, TT_COMM_WAITS_KERNEL_AT, v->c->kernel + s->offset_ns[v->trace]);
    set_slice(v, t, row);
}

static void compute_waits(const tt_query *q, tt_table *t)
{
    looked_at l;
    uint32_t next = 0;
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        if (!look_at(&l, q, k)) continue;
        uint32_t *number = number_calls(&l, &next);
        for (uint32_t i = 0; i < q->session->n_traces; i++) {
            for (uint32_t j = l.p->first[i]; j < l.p->first[i + 1] && worker_chosen(&l, i); j++) {
                const tt_comm_visit *v = &l.p->visits[j];
                if (number[v->call] != TT_NONE && v->c->ns != TT_UNKNOWN) put_wait(&l, v, number[v->call], t);
            }
        }
        free(number);
        look_away(&l);
    }
    if (!t->n_rows) t->note = q->session->n_workers > 1 ? nothing_common : one_worker;
}

const tt_table_desc tt_table_comm_waits = {
    .id = "comm_waits",
    .title = "Wait by rank",
    .meaning = "how long each worker waited in each collective that it shares with others",
    .cols = wait_columns,
    .n_cols = COUNT_OF(wait_columns),
    .default_sort = "waited_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute_waits,
};

/* ---- comm_ranks ---- */

static const tt_column rank_columns[] = {
    [TT_COMM_RANKS_WORKER] = COL("worker", "Worker", STRING, 0, "worker"),
    [TT_COMM_RANKS_CALLS] = COL("calls", "Calls", COUNT, 1, "conclusive collectives that it shares with other workers"),
    [TT_COMM_RANKS_LAST_CALLS] = COL("last_calls", "Last to arrive", COUNT, 0, "of them: it was the last to arrive"),
    [TT_COMM_RANKS_LAST_PCT] = COL("last_pct", "Last %", PERCENT, 0, "the same as a share"),
    [TT_COMM_RANKS_WAITED] =
        COL("waited_ns", "Wait (self)", DURATION, 0, "how long it waited for others, all calls together"),
    [TT_COMM_RANKS_CAUSED] = COL("caused_ns", "Wait caused", DURATION, 0,
                                 "how long others waited in the calls that it was the last to arrive at"),
    [TT_COMM_RANKS_TOGETHER] =
        COL("together_ns", "Transfer", DURATION, 2, "the rest of its time in them: all workers were in them"),
    [TT_COMM_RANKS_INCONCLUSIVE_CALLS] =
        COL("inconclusive_calls", "Inconclusive", COUNT, 4,
            "further collectives that it shares, whose ends differ by more than they last: they count for no worker"),
};

typedef struct rank {
    int64_t calls, last, waited, caused, together, doubtful;
} rank;

static void count_visit(const looked_at *l, uint32_t i, rank *of)
{
    const tt_comm_visit *v = &l->p->visits[i];
    const tt_comm_call *c = &l->p->calls[v->call];
    rank *r = &of[v->trace];
    if (v->c->ns == TT_UNKNOWN || !in_scope(l, c)) return;
    if (!c->conclusive) {
        r->doubtful++;
        return;
    }
    r->calls++;
    r->waited += v->c->ns - c->shortest;
    r->together += c->shortest;
    if (c->last != i) return;
    r->last++;
    r->caused += c->total - (int64_t)c->workers * c->shortest;
}

static void put_rank(const tt_query *q, uint32_t trace, const rank *r, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_COMM_RANKS_WORKER, q->session->traces[trace]->worker);
    tt_set_i(t, row, TT_COMM_RANKS_CALLS, r->calls);
    tt_set_i(t, row, TT_COMM_RANKS_LAST_CALLS, r->last);
    tt_set_d(t, row, TT_COMM_RANKS_LAST_PCT, 100.0 * (double)r->last / (double)r->calls);
    tt_set_i(t, row, TT_COMM_RANKS_WAITED, r->waited);
    tt_set_i(t, row, TT_COMM_RANKS_CAUSED, r->caused);
    tt_set_i(t, row, TT_COMM_RANKS_TOGETHER, r->together);
    tt_set_i(t, row, TT_COMM_RANKS_INCONCLUSIVE_CALLS, r->doubtful);
}

static void compute_ranks(const tt_query *q, tt_table *t)
{
    looked_at l;
    bool doubtful = false;
    rank *of = tt_calloc(q->session->n_traces + 1u, sizeof *of);
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        if (!look_at(&l, q, k)) continue;
        for (uint32_t i = 0; i < l.p->n_visits; i++) count_visit(&l, i, of);
        look_away(&l);
    }
    for (uint32_t i = 0; i < q->session->n_traces; i++) {
        doubtful |= of[i].doubtful > 0;
        if (of[i].calls && tt_scope_has_trace(q->session, q->scope, i)) put_rank(q, i, &of[i], t);
    }
    free(of);
    if (!t->n_rows) t->note = doubtful ? inconclusive : q->session->n_workers > 1 ? nothing_common : one_worker;
}

const tt_table_desc tt_table_comm_ranks = {
    .id = "comm_ranks",
    .title = "Stragglers",
    .meaning = "which worker the others wait for",
    .cols = rank_columns,
    .n_cols = COUNT_OF(rank_columns),
    .default_sort = "caused_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_TRACES,
    .compute = compute_ranks,
};
