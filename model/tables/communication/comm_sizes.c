/* model/tables/communication/comm_sizes.c - table comm_sizes: bandwidth of collectives by operation and size.
 *
 * The time of a collective is its kernel time. If several workers recorded the call, the shortest time counts: the
 * others waited. An inconclusive call keeps its own time, which can include a wait, so it is excluded from the
 * bandwidth. Bandwidth as in NCCL's tests: algbw is size / time, busbw what the links carry. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/communication/comm_pairs.h"
#include "model/tables/table_util.h"

enum { OPERATION, DTYPE, GROUP, MEMBERS, IN, OUT, CALLS, TOTAL, MEAN, MIN, ALGBW, BUSBW };

static const tt_column columns[] = {
    COL("operation", "Operation", STRING, 0,
        "as the trace writes it; where it says nothing: the collective as its library marks it"),
    COL("dtype", "Type", STRING, 1, "type of the elements, where recorded"),
    COL("group", "Group", STRING, 3, "process group, where recorded"),
    COL("group_size", "Ranks", COUNT, 2, "ranks of the group, where recorded"),
    COL("in_bytes", "Input", BYTES, 0, "bytes of the inputs of a call, where recorded"),
    COL("out_bytes", "Output", BYTES, 1, "bytes of its result, where recorded"),
    COL("calls", "Calls", COUNT, 1, "calls of this operation and size"),
    COL("total_ns", "Total", DURATION, 0,
        "time in their kernels; with several workers of each call the shortest on any of them, as the others wait"),
    COL("mean_ns", "Mean", DURATION, 1, "total / calls"),
    COL("min_ns", "Min", DURATION, 2, "shortest"),
    COL("algbw_gb_per_s", "algbw GB/s", NUMBER, 1,
        "10^9 bytes a second: size x calls / total; size is the output of a gather, else the input; inconclusive calls "
        "are left out"),
    COL("busbw_gb_per_s", "busbw GB/s", NUMBER, 0,
        "algbw x 2(n-1)/n for all-reduce, x (n-1)/n for gather, scatter and all-to-all: comparable to the links"),
};

/* Whether several workers recorded the call, but their waits cannot be told. */
static bool is_inconclusive(const tt_comm_call *call) { return call->workers > 1 && !call->conclusive; }

/* Time of a collective: its kernels, or the host range for a library that works on the host; in a conclusive call
 * the shortest on any worker; TT_UNKNOWN. */
static int64_t time_of(const tt_collective *c, const tt_comm_call *call)
{
    return call->workers > 1 && call->conclusive && call->least < c->total ? call->least : c->total;
}

/* Reduce "reduce_scatter_tensor", "ReduceScatter" ... to letters in lower case. */
static void plain_name(const char *name, char *out, size_t cap)
{
    size_t n = 0;
    for (; *name && n + 1 < cap; name++)
        if (isalnum((unsigned char)*name)) out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
}

/* Bus factor busbw / algbw among n ranks; NaN when it depends on an unknown n. */
static double bus_factor(const char *plain, int64_t n)
{
    bool reduces = strstr(plain, "allreduce") != NULL;
    if (!reduces && !strstr(plain, "gather") && !strstr(plain, "scatter") && !strstr(plain, "alltoall") &&
        !strstr(plain, "all2all"))
        return 1;
    if (n == TT_UNKNOWN || n < 1) return (double)NAN;
    return (double)(reduces ? 2 * (n - 1) : n - 1) / (double)n;
}

double tt_comm_bus_factor(const char *operation, int64_t n, bool *gathers)
{
    char plain[128];
    plain_name(operation, plain, sizeof plain);
    *gathers = strstr(plain, "gather") != NULL;
    return bus_factor(plain, n);
}

typedef struct kind { /* kind of collective */
    const tt_collective *first;
    tt_stat ns;
    int64_t sure_calls, sure_ns; /* calls and time without inconclusive calls: the base of the bandwidth */
    int64_t in, out, members;    /* TT_UNKNOWN */
} kind;

typedef struct kinds {
    const tt_trace *s;
    tt_strings operations;
    tt_groups sizes, groups; /* sizes: part of the key of groups */
    TT_VEC(kind) list;
} kinds;

static void add_call(kinds *k, const tt_collective *c, int64_t ns, bool sure, tt_step_sums *sums)
{
    const tt_collective_args *a = &k->s->colls[c->coll];
    const char *operation = a->name ? tt_str(&k->s->strings, a->name) : c->name;
    int64_t in = tt_collective_bytes(k->s, c->coll, false), out = tt_collective_bytes(k->s, c->coll, true);
    int64_t members = c->coll ? a->group_size : TT_UNKNOWN;
    if (in == TT_UNKNOWN) in = c->bytes;
    uint32_t size = tt_groups_put(&k->sizes, (tt_group_key){(uint64_t)in, (uint64_t)out, (uint64_t)members});
    tt_sid op = tt_strings_put(&k->operations, operation, strlen(operation));
    uint32_t at = tt_groups_put(&k->groups, (tt_group_key){(uint64_t)op << 32 | a->dtype, a->group, size});
    if (at == k->list.n) *tt_vec_push(&k->list) = (kind){.first = c, .in = in, .out = out, .members = members};
    kind *x = &k->list.at[at];
    tt_stat_add(&x->ns, ns);
    x->sure_calls += sure;
    x->sure_ns += sure ? ns : 0;
    tt_step_sums_host(sums, k->s, at, c->start, ns);
}

static void put_kind(const tt_query *q, const kinds *k, const kind *x, tt_table *t)
{
    const tt_trace *s = k->s;
    const tt_collective_args *a = &s->colls[x->first->coll];
    const char *operation = a->name ? tt_str(&s->strings, a->name) : x->first->name;
    uint32_t row = tt_table_add(t);
    bool gathers;
    double factor = tt_comm_bus_factor(operation, x->members, &gathers);
    int64_t size = gathers ? x->out : x->in;
    double moved = size == TT_UNKNOWN || !x->sure_calls ? (double)NAN : (double)size * (double)x->sure_calls;
    tt_set_ref(t, row, OPERATION, operation);
    if (a->dtype) tt_set_ref(t, row, DTYPE, tt_str(&s->strings, a->dtype));
    if (a->group) tt_set_ref(t, row, GROUP, tt_str(&s->strings, a->group));
    tt_set_i(t, row, MEMBERS, x->members);
    tt_set_i(t, row, IN, x->in);
    tt_set_i(t, row, OUT, x->out);
    tt_set_i(t, row, CALLS, x->ns.n);
    tt_set_i(t, row, TOTAL, x->ns.total);
    tt_set_i(t, row, MEAN, tt_stat_mean(&x->ns));
    tt_set_i(t, row, MIN, x->ns.min);
    tt_set_d(t, row, ALGBW, tt_gb_per_s(moved, x->sure_ns));
    tt_set_d(t, row, BUSBW, tt_gb_per_s(moved * factor, x->sure_ns));
    tt_set_slices(q, t, row, 1u << tt_row_kind(s, x->first->row), tt_row_name(s, x->first->row));
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_session *s = q->session;
    const tt_comm_pairs *p = tt_comm_pairs_get(s, s->traces[q->trace]->span);
    const tt_collectives *l = tt_collectives_get(s, q->trace);
    kinds k = {.s = tt_query_trace(q)};
    tt_strings_init(&k.operations);
    tt_groups_init(&k.sizes);
    tt_groups_init(&k.groups);
    for (size_t i = 0; i < l->at.n; i++) {
        const tt_collective *c = &l->at.at[i];
        if (!c->coll && c->bytes == TT_UNKNOWN) continue; /* unknown size */
        const tt_comm_call *call = &p->calls[p->visits[p->first[q->trace] + i].call];
        int64_t ns = time_of(c, call);
        if (ns != TT_UNKNOWN && tt_query_has(q, c->start)) add_call(&k, c, ns, !is_inconclusive(call), q->sums);
    }
    for (size_t i = 0; i < k.list.n; i++) put_kind(q, &k, &k.list.at[i], t);
    if (!t->n_rows && l->at.n) t->note = "No collective records its size";
    if (!l->at.n)
        t->note = tt_arena_printf(&t->arena, "No collectives found (%s)", tt_advice_of(k.s->rules)->collectives);
    tt_vec_free(&k.list);
    tt_groups_free(&k.groups);
    tt_groups_free(&k.sizes);
    tt_strings_free(&k.operations);
}

const tt_table_desc tt_table_comm_sizes = {
    .id = "comm_sizes",
    .title = "Collective bandwidth",
    .meaning = "collectives by operation and size, and how fast they move data",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_STEP_SUMS | TT_TABLE_CALLS | TT_TABLE_ALL_READ,
    .compute = compute,
};
