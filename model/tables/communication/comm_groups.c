/* model/tables/communication/comm_groups.c - table comm_groups: the speed of each process group, and the waits of
 * its ranks. The length of a call is that on the rank with the shortest time: then all ranks were in the call. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/base/sort_by.h"
#include "model/tables/communication/comm_pairs.h"
#include "model/tables/table_util.h"

enum { GROUP, KIND, NAME, WORKERS, CALLS, SIZE, P50, P90, P99, WAIT50, WAIT99, RATE, DOUBTFUL };

static const tt_column columns[] = {
    COL("group", "Group", STRING, 0, "process group, where recorded"),
    COL("kind", "Kind", STRING, 2, "description of the group, as in tp, pp, dp, where recorded"),
    COL("name", "Collective", STRING, 0, "name as its library marks it, else library and operation of the kernel"),
    COL("workers", "Workers", COUNT, 1, "most workers that took part in one call"),
    COL("calls", "Calls", COUNT, 0, "conclusive calls that several workers share"),
    COL("size_bytes", "Size", BYTES, 1, "mean size of a call: the output of a gather, else the input; where recorded"),
    COL("transfer_median_ns", "Transfer", DURATION, 0, "median of the shortest time of a worker in a call"),
    COL("transfer_p90_ns", "p90", DURATION, 2, "nine of ten calls transfer in less"),
    COL("transfer_p99_ns", "p99", DURATION, 1, "99 of 100 calls transfer in less"),
    COL("wait_median_ns", "Max wait", DURATION, 1, "median of the longest wait in a call"),
    COL("wait_p99_ns", "Max wait p99", DURATION, 3, "99 of 100 calls keep nobody waiting longer"),
    COL("busbw_gb_per_s", "busbw GB/s", NUMBER, 0,
        "what the links carry at the median transfer: 10^9 bytes a second, as in the tests of NCCL"),
    COL("inconclusive_calls", "Inconclusive", COUNT, 4, "further calls, whose ends differ by more than they last"),
};

typedef struct group { /* calls of one name in one process group */
    const tt_comm_visit *first;
    uint32_t workers;
    int64_t doubtful, bytes, sized;
    TT_VEC(int64_t) transfer;
    TT_VEC(int64_t) wait;
} group;

typedef struct groups {
    const tt_query *q;
    const tt_comm_pairs *p;
    tt_strings texts;
    tt_groups keys;
    TT_VEC(group) at;
} groups;

static tt_sid text(groups *g, const char *s) { return tt_strings_put(&g->texts, s, strlen(s)); }

static int64_t size_of(const groups *g, const tt_comm_visit *v)
{
    bool gathers;
    const tt_trace *s = g->q->session->traces[v->trace];
    (void)tt_comm_bus_factor(v->c->name, 2, &gathers);
    int64_t out = gathers ? tt_collective_bytes(s, v->c->coll, true) : TT_UNKNOWN;
    return out != TT_UNKNOWN ? out : v->c->bytes;
}

static void add_call(groups *g, const tt_comm_call *c, const tt_comm_visit *v)
{
    uint32_t at =
        tt_groups_put(&g->keys, (tt_group_key){text(g, v->c->group), text(g, v->c->name), text(g, v->c->ranks)});
    if (at == g->at.n) *tt_vec_push(&g->at) = (group){.first = v};
    group *x = &g->at.at[at];
    if (c->workers > x->workers) x->workers = c->workers;
    if (!c->conclusive) {
        x->doubtful++;
        return;
    }
    int64_t size = size_of(g, v);
    if (size != TT_UNKNOWN) x->bytes += size, x->sized++;
    *tt_vec_push(&x->transfer) = c->shortest;
    *tt_vec_push(&x->wait) = c->longest - c->shortest;
}

/* Percentile of n > 0 ascending values: the smallest that `pct` percent of them do not exceed. */
static int64_t percentile(const int64_t *v, size_t n, unsigned pct)
{
    size_t rank = (n * pct + 99) / 100;
    return v[rank ? rank - 1 : 0];
}

static void put_group(const groups *g, group *x, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    const tt_trace *s = g->q->session->traces[x->first->trace];
    const tt_collective_args *a = &s->colls[x->first->c->coll];
    size_t n = x->transfer.n;
    if (*x->first->c->group) tt_set_ref(t, row, GROUP, x->first->c->group);
    if (x->first->c->coll && a->group_desc) tt_set_ref(t, row, KIND, tt_str(&s->strings, a->group_desc));
    tt_set_ref(t, row, NAME, x->first->c->name);
    tt_set_i(t, row, WORKERS, x->workers);
    tt_set_i(t, row, CALLS, (int64_t)n);
    tt_set_i(t, row, DOUBTFUL, x->doubtful);
    if (x->sized) tt_set_i(t, row, SIZE, x->bytes / x->sized);
    if (!n) return;
    TT_SORT_UP(x->transfer.at, n);
    TT_SORT_UP(x->wait.at, n);
    int64_t median = tt_median(x->transfer.at, n);
    bool gathers;
    tt_set_i(t, row, P50, median);
    tt_set_i(t, row, P90, percentile(x->transfer.at, n, 90));
    tt_set_i(t, row, P99, percentile(x->transfer.at, n, 99));
    tt_set_i(t, row, WAIT50, tt_median(x->wait.at, n));
    tt_set_i(t, row, WAIT99, percentile(x->wait.at, n, 99));
    double factor = tt_comm_bus_factor(x->first->c->name, x->workers, &gathers);
    if (x->sized) tt_set_d(t, row, RATE, tt_gb_per_s((double)x->bytes / (double)x->sized * factor, median));
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_session *s = q->session;
    for (uint32_t k = 0; k < s->n_spans; k++) {
        if (q->scope->span != TT_ALL && q->scope->span != (int32_t)k) continue;
        groups g = {.q = q, .p = tt_comm_pairs_get(s, s->spans[k])};
        tt_windows *windows = tt_calloc(s->n_traces + 1u, sizeof *windows);
        tt_scope all = *q->scope;
        all.worker = TT_ALL;
        for (uint32_t i = 0; i < s->n_traces; i++) windows[i] = tt_scope_windows(s, &all, i);
        tt_strings_init(&g.texts);
        tt_groups_init(&g.keys);
        for (uint32_t i = 0; i < g.p->n_calls; i++) {
            const tt_comm_call *c = &g.p->calls[i];
            const tt_comm_visit *v = c->workers > 1 ? &g.p->visits[c->early] : NULL;
            if (v && tt_windows_have(&windows[v->trace], v->c->start)) add_call(&g, c, v);
        }
        for (size_t i = 0; i < g.at.n; i++) {
            put_group(&g, &g.at.at[i], t);
            tt_vec_free(&g.at.at[i].transfer);
            tt_vec_free(&g.at.at[i].wait);
        }
        for (uint32_t i = 0; i < s->n_traces; i++) tt_windows_free(&windows[i]);
        free(windows);
        tt_vec_free(&g.at);
        tt_groups_free(&g.keys);
        tt_strings_free(&g.texts);
    }
}

const tt_table_desc tt_table_comm_groups = {
    .id = "comm_groups",
    .title = "Process groups",
    .meaning = "how fast each process group communicates, and how long its ranks wait",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "transfer_p99_ns",
    .default_desc = true,
    .flags = TT_TABLE_ALL_TRACES,
    .note = "No collective is shared by two ranks",
    .compute = compute,
};
