/* model/summary/comm_calls.c - tables comm_calls, comm_waits and comm_ranks: who kept the others waiting, by call and worker and in all.
 *
 * The n-th collective of a name and group is the same one on every worker. All of them leave it together, so the worker that is in it
 * for the shortest time came last, and what the others are in it longer they waited for it. Durations are compared, not
 * times, so that clocks that differ between machines do no harm. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/summary/cells.h"
#include "model/summary/comm.h"
#include "model/summary/stages.h"

static const char one_worker[] = "waiting shows only when the traces of several workers are opened together";
static const char nothing_common[] = "the workers have no collectives in common";

typedef struct visit { /* of one worker to one collective */
    uint32_t call, store;
    const tt_collective *c;
    int64_t ns;     /* in its longest range */
    int64_t kernel; /* start of its first kernel, TT_UNKNOWN = none is recorded */
} visit;

typedef struct call {
    uint32_t visits;
    int64_t shortest, longest, total;
    uint32_t last; /* visit of the shortest */
} call;

typedef struct calls {
    TT_VEC(visit) visits;
    TT_VEC(call) at;
} calls;

static int64_t time_in(const tt_collectives *list, const tt_collective *c)
{
    int64_t most = 0;
    for (uint32_t k = c->first; k < c->first + c->n; k++) {
        int64_t ns = list->ranges.at[k].t1 - list->ranges.at[k].t0;
        if (ns > most) most = ns;
    }
    return most;
}

/* Its ranges are those of kernels, and that of the host where it takes part itself. */
static int64_t kernel_start(const tt_store *s, const tt_collectives *list, const tt_collective *c)
{
    bool device = tt_kind_is_device(tt_row_kind(s, c->row));
    for (uint32_t k = c->first; k < c->first + c->n; k++) {
        const tt_iv *r = &list->ranges.at[k];
        if (device || r->t0 != s->start[c->row] || r->t1 != tt_row_end(s, c->row)) return r->t0;
    }
    return TT_UNKNOWN;
}

static void add_visit(calls *out, uint32_t at, visit v)
{
    while (out->at.n <= at) *tt_vec_push(&out->at) = (call){.shortest = INT64_MAX};
    call *c = &out->at.at[at];
    c->visits++;
    if (v.ns < c->shortest) {
        c->shortest = v.ns;
        c->last = (uint32_t)out->visits.n;
    }
    if (v.ns > c->longest) c->longest = v.ns;
    c->total += v.ns;
    v.call = at;
    *tt_vec_push(&out->visits) = v;
}

/* Calls of the stores of a span, matched; those that only one worker made have one visit. */
static void gather(const tt_query *q, const char *span, calls *out)
{
    tt_strings names;
    tt_groups calls_of, seen;
    tt_arena arena = {0};
    tt_strings_init(&names);
    tt_groups_init(&calls_of);
    for (uint32_t i = 0; i < q->session->n_stores; i++) {
        if (!tt_scope_has_store(q->session, q->scope, i) || strcmp(q->session->stores[i]->span, span) != 0) continue;
        const tt_collectives *list = tt_collectives_get(q->session, i);
        TT_VEC(uint32_t) count = {0}; /* how many of the name so far */
        tt_groups_init(&seen);
        for (size_t k = 0; k < list->at.n; k++) {
            const tt_collective *c = &list->at.at[k];
            const char *key = tt_arena_printf(&arena, "%s\n%s", c->name, c->group);
            uint64_t id = tt_strings_put(&names, key, strlen(key));
            uint32_t of = tt_groups_put(&seen, (tt_group_key){.a = id});
            if (of == count.n) *tt_vec_push(&count) = 0;
            uint32_t at = tt_groups_put(&calls_of, (tt_group_key){.a = id, .b = count.at[of]++});
            add_visit(out, at,
                      (visit){.store = i,
                              .c = c,
                              .ns = time_in(list, c),
                              .kernel = kernel_start(q->session->stores[i], list, c)});
        }
        tt_groups_free(&seen);
        tt_vec_free(&count);
    }
    tt_arena_free(&arena);
    tt_groups_free(&calls_of);
    tt_strings_free(&names);
}

static void calls_free(calls *c)
{
    tt_vec_free(&c->visits);
    tt_vec_free(&c->at);
}

/* The windows of every store in scope, as queries ask for them. */
typedef struct scopes {
    tt_windows *of;
    uint32_t n;
} scopes;

static scopes scopes_new(const tt_query *q)
{
    scopes s = {tt_calloc(q->session->n_stores + 1u, sizeof *s.of), q->session->n_stores};
    for (uint32_t i = 0; i < s.n; i++) s.of[i] = tt_scope_windows(q->session, q->scope, i);
    return s;
}

static void scopes_free(scopes *s)
{
    for (uint32_t i = 0; i < s->n; i++) tt_windows_free(&s->of[i]);
    free(s->of);
}

static bool in_scope(const scopes *s, const visit *v) { return tt_windows_have(&s->of[v->store], v->c->start); }

/* ---- comm_calls ---- */

enum { C_NAME, C_STEP, C_LAST, C_WAIT, C_ALL, C_TOGETHER, C_SIZE, C_WORKERS, C_GROUP, C_START, C_KERNEL };

static const tt_column call_columns[] = {
    COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    COL("step", "Step", STRING, 1, "number of the profiler step that it starts in"),
    COL("last_worker", "Last", STRING, 0, "the worker that came last: it is in the collective for the shortest time"),
    COL("wait_ns", "Longest Wait", DURATION, 0, "how much longer another worker was in it: it waited for the last one"),
    COL("waits_ns", "All Waits", DURATION, 1, "sum of what the workers waited"),
    COL("together_ns", "Together", DURATION, 2, "time in it of the worker that came last: all of them were in it"),
    COL("size_bytes", "Size", BYTES, 2, "bytes of the inputs, where recorded"),
    COL("workers", "Workers", COUNT, 4, "workers that took part"),
    COL("group", "Group", STRING, 5, "process group, where recorded"),
    COL("start_at_ns", "Start", TIME, 3,
        "start on the last worker: of the host's range or the launch, where recorded; of the kernel else"),
    COL("kernel_at_ns", "Kernel Start", TIME, 4,
        "start of its kernel on the last worker; unknown when only the host is recorded"),
};

static void put_call(const tt_query *q, const call *c, const visit *last, tt_table *t)
{
    const tt_store *s = q->session->stores[last->store];
    uint32_t row = tt_table_add(t), step = tt_step_at(s, last->c->start);
    tt_set_ref(t, row, C_NAME, last->c->name);
    if (step != TT_NONE && s->steps[step].row != TT_NONE)
        tt_set_ref(t, row, C_STEP, tt_arena_printf(&t->arena, "%" PRId64, s->steps[step].number));
    tt_set_ref(t, row, C_LAST, s->worker);
    tt_set_i(t, row, C_WAIT, c->longest - c->shortest);
    tt_set_i(t, row, C_ALL, c->total - (int64_t)c->visits * c->shortest);
    tt_set_i(t, row, C_TOGETHER, c->shortest);
    tt_set_i(t, row, C_SIZE, last->c->bytes);
    tt_set_i(t, row, C_WORKERS, c->visits);
    if (*last->c->group) tt_set_ref(t, row, C_GROUP, last->c->group);
    tt_set_i(t, row, C_START, last->c->start + q->session->offset_ns[last->store]);
    if (last->kernel != TT_UNKNOWN) tt_set_i(t, row, C_KERNEL, last->kernel + q->session->offset_ns[last->store]);
    tt_origin *o = tt_set_origin(t, row);
    o->what = TT_ORIGIN_ROW;
    o->store = last->store;
    o->row = last->c->row;
}

static void compute_calls(const tt_query *q, tt_table *t)
{
    scopes in = scopes_new(q);
    bool any = false;
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        calls all = {0};
        gather(q, q->session->spans[k], &all);
        for (size_t i = 0; i < all.at.n; i++) {
            const visit *last = &all.visits.at[all.at.at[i].last];
            any = true;
            if (all.at.at[i].visits > 1 && in_scope(&in, last)) put_call(q, &all.at.at[i], last, t);
        }
        calls_free(&all);
    }
    scopes_free(&in);
    if (!t->n_rows)
        t->note = !any                        ? "no collectives in this trace or scope"
                  : q->session->n_workers > 1 ? nothing_common
                                              : one_worker;
}

const tt_table_desc tt_table_comm_calls = {
    .id = "comm_calls",
    .title = "Collective Calls",
    .meaning = "each collective with the worker that came last and how long the others waited for it",
    .cols = call_columns,
    .n_cols = COUNT_OF(call_columns),
    .default_sort = "wait_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_STORES,
    .compute = compute_calls,
};

/* ---- comm_waits ---- */

enum { W_WORKER, W_CALL, W_NAME, W_STEP, W_WAITED, W_LAST, W_START, W_KERNEL };

static const tt_column wait_columns[] = {
    COL("worker", "Worker", STRING, 0, "worker"),
    COL("call", "Call", COUNT, 1, "the collectives that several workers share, counted by start from 0"),
    COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    COL("step", "Step", STRING, 1, "number of the profiler step that it starts in on the worker that came last"),
    COL("waited_ns", "Waited", DURATION, 0, "how long the worker waited in it for the one that came last"),
    COL("came_last", "Came Last", BOOL, 1, "it is the one that came last"),
    COL("start_at_ns", "Start", TIME, 2,
        "start on the worker: of the host's range or the launch, where recorded; of the kernel else"),
    COL("kernel_at_ns", "Kernel Start", TIME, 3,
        "start of its kernel on the worker; unknown when only the host is recorded"),
};

typedef struct order { /* of a call */
    int64_t start;
    uint32_t call;
} order;

static int by_start(const void *a, const void *b)
{
    const order *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

static void put_wait(const tt_query *q, const calls *all, const visit *v, uint32_t number, tt_table *t)
{
    const call *c = &all->at.at[v->call];
    const visit *last = &all->visits.at[c->last];
    const tt_store *s = q->session->stores[last->store];
    uint32_t row = tt_table_add(t), step = tt_step_at(s, last->c->start);
    tt_set_ref(t, row, W_WORKER, q->session->stores[v->store]->worker);
    tt_set_i(t, row, W_CALL, number);
    tt_set_ref(t, row, W_NAME, v->c->name);
    if (step != TT_NONE && s->steps[step].row != TT_NONE)
        tt_set_ref(t, row, W_STEP, tt_arena_printf(&t->arena, "%" PRId64, s->steps[step].number));
    tt_set_i(t, row, W_WAITED, v->ns - c->shortest);
    tt_set_i(t, row, W_LAST, v == last);
    tt_set_i(t, row, W_START, v->c->start + q->session->offset_ns[v->store]);
    if (v->kernel != TT_UNKNOWN) tt_set_i(t, row, W_KERNEL, v->kernel + q->session->offset_ns[v->store]);
    tt_origin *o = tt_set_origin(t, row);
    o->what = TT_ORIGIN_ROW;
    o->store = v->store;
    o->row = v->c->row;
}

static void compute_waits(const tt_query *q, tt_table *t)
{
    scopes in = scopes_new(q);
    uint32_t before = 0;
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        calls all = {0};
        gather(q, q->session->spans[k], &all);
        order *o = tt_calloc(all.at.n + 1, sizeof *o);
        uint32_t *number = tt_calloc(all.at.n + 1, sizeof *number), n = 0;
        for (size_t i = 0; i < all.at.n; i++) {
            const visit *last = &all.visits.at[all.at.at[i].last];
            number[i] = TT_NONE;
            if (all.at.at[i].visits > 1 && in_scope(&in, last))
                o[n++] = (order){last->c->start + q->session->offset_ns[last->store], (uint32_t)i};
        }
        if (n) qsort(o, n, sizeof *o, by_start);
        for (uint32_t i = 0; i < n; i++) number[o[i].call] = before + i;
        for (size_t i = 0; i < all.visits.n; i++) {
            const visit *v = &all.visits.at[i];
            if (number[v->call] != TT_NONE) put_wait(q, &all, v, number[v->call], t);
        }
        before += n;
        free(o);
        free(number);
        calls_free(&all);
    }
    scopes_free(&in);
    if (!t->n_rows) t->note = q->session->n_workers > 1 ? nothing_common : one_worker;
}

const tt_table_desc tt_table_comm_waits = {
    .id = "comm_waits",
    .title = "Waits by Worker",
    .meaning = "how long each worker waited in each collective that it shares with others",
    .cols = wait_columns,
    .n_cols = COUNT_OF(wait_columns),
    .default_sort = "waited_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_STORES,
    .compute = compute_waits,
};

/* ---- comm_ranks ---- */

enum { R_WORKER, R_CALLS, R_LAST, R_SHARE, R_WAITED, R_CAUSED, R_TOGETHER };

static const tt_column rank_columns[] = {
    COL("worker", "Worker", STRING, 0, "worker"),
    COL("calls", "Calls", COUNT, 1, "collectives that it shares with other workers"),
    COL("last_calls", "Came Last", COUNT, 0, "of them: it came last"),
    COL("last_pct", "Last %", PERCENT, 0, "the same as a share"),
    COL("waited_ns", "Waited", DURATION, 0, "how long it waited for others, all calls together"),
    COL("caused_ns", "Kept Waiting", DURATION, 0, "how long others waited in the calls that it came last to"),
    COL("together_ns", "Together", DURATION, 2, "the rest of its time in them: all workers were in them"),
};

typedef struct rank {
    int64_t calls, last, waited, caused, together;
} rank;

static void put_ranks(const tt_query *q, const rank *of, tt_table *t)
{
    for (uint32_t i = 0; i < q->session->n_stores; i++) {
        if (!of[i].calls) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, R_WORKER, q->session->stores[i]->worker);
        tt_set_i(t, row, R_CALLS, of[i].calls);
        tt_set_i(t, row, R_LAST, of[i].last);
        tt_set_d(t, row, R_SHARE, 100.0 * (double)of[i].last / (double)of[i].calls);
        tt_set_i(t, row, R_WAITED, of[i].waited);
        tt_set_i(t, row, R_CAUSED, of[i].caused);
        tt_set_i(t, row, R_TOGETHER, of[i].together);
    }
}

static void compute_ranks(const tt_query *q, tt_table *t)
{
    scopes in = scopes_new(q);
    rank *of = tt_calloc(q->session->n_stores + 1u, sizeof *of);
    for (uint32_t k = 0; k < q->session->n_spans; k++) {
        calls all = {0};
        gather(q, q->session->spans[k], &all);
        for (size_t i = 0; i < all.visits.n; i++) {
            const visit *v = &all.visits.at[i];
            const call *c = &all.at.at[v->call];
            if (c->visits < 2 || !in_scope(&in, &all.visits.at[c->last])) continue;
            rank *r = &of[v->store];
            r->calls++;
            r->waited += v->ns - c->shortest;
            r->together += c->shortest;
            if (c->last != i) continue;
            r->last++;
            r->caused += c->total - (int64_t)c->visits * c->shortest;
        }
        calls_free(&all);
    }
    put_ranks(q, of, t);
    free(of);
    scopes_free(&in);
    if (!t->n_rows) t->note = q->session->n_workers > 1 ? nothing_common : one_worker;
}

const tt_table_desc tt_table_comm_ranks = {
    .id = "comm_ranks",
    .title = "Stragglers",
    .meaning = "which worker the others wait for",
    .cols = rank_columns,
    .n_cols = COUNT_OF(rank_columns),
    .default_sort = "caused_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_STORES,
    .compute = compute_ranks,
};
