/* model/tables/memory/memory.c - tables memory_devices, memory_curve, memory_operators and memory_events. */
#include "model/tables/memory/memory.h"
#include "model/tables/memory/columns.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/table_util.h"
#include "model/trace/analysis_cache.h"

/* Note of a table without rows: the reason, or what to record. */
static void note(const tt_query *q, tt_table *t, const char *reason)
{
    const tt_trace *s = tt_query_trace(q);
    if (t->n_rows) return;
    if (s->n_memory && reason)
        t->note = reason;
    else
        tt_note_advice(t, "No memory events", tt_advice_of(s->rules)->record_memory);
}

/* ---- links ---- */

static uint64_t device_key(int16_t type, int16_t id)
{
    return (uint64_t)(uint16_t)type << 16 | (type == 0 ? 0 : (uint16_t)id); /* the CPU's id is -1 or 0 */
}

uint64_t tt_memory_device(const tt_memory_record *m) { return device_key(m->device_type, m->device_id); }

static const char *device_text(const tt_query *q, tt_table *t, uint64_t key)
{
    return tt_device_text(t, tt_query_trace(q)->rules, (int16_t)(key >> 16), (int16_t)key);
}

/* Texts of devices, each made once for many rows. */
typedef struct device_names {
    tt_groups devices;
    TT_VEC(const char *) text;
} device_names;

static const char *device_name(device_names *d, const tt_query *q, tt_table *t, uint64_t key)
{
    uint32_t at = tt_groups_put(&d->devices, (tt_group_key){.a = key});
    if (at == d->text.n) *tt_vec_push(&d->text) = device_text(q, t, key);
    return d->text.at[at];
}

static void free_device_names(device_names *d)
{
    tt_groups_free(&d->devices);
    tt_vec_free(&d->text);
}

/* Pair each free with the latest open allocation of its address on its device; segments of the allocator itself are
 * separate. */
static void pair_up(const tt_trace *s, tt_memory_links *l)
{
    tt_groups addresses;
    TT_VEC(uint32_t) open = {0}; /* by address: the allocation, TT_NONE */
    tt_groups_init(&addresses);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        l->mate[i] = TT_NONE;
        if (!m->addr) continue;
        l->has_addresses = true;
        tt_group_key k = {m->addr, tt_memory_device(m), m->pool};
        uint32_t at = tt_groups_put(&addresses, k);
        if (at == open.n) *tt_vec_push(&open) = TT_NONE;
        if (m->bytes > 0) {
            open.at[at] = i;
        } else if (m->bytes < 0 && open.at[at] != TT_NONE) {
            l->mate[i] = open.at[at];
            l->mate[open.at[at]] = i;
            open.at[at] = TT_NONE;
        }
    }
    tt_groups_free(&addresses);
    tt_vec_free(&open);
}

/* The operator that each node acts for: a part acts for its operator, a merged node for its owner. The caller frees. */
static uint32_t *acting_for(const tt_trace *s, const tt_call_tree *tree)
{
    uint32_t *who = tt_malloc((tree->n + (size_t)1) * sizeof *who);
    for (uint32_t i = 0; i < tree->n; i++) {
        bool part = tt_row_kind(s, tree->row[i]) == TT_KIND_OP_INNER, merged = (tree->flags[i] & TT_CALL_DUP) != 0;
        who[i] = !part && !merged ? i : tree->up[i] == TT_NONE ? TT_NONE : who[tree->up[i]];
    }
    return who;
}

typedef struct on_track { /* nodes of a track: from its first to the next track's first */
    uint32_t first;
    uint32_t near; /* number of nodes begun at the last lookup, counted from the first */
    tt_call_tree_cursor cursor;
} on_track;

/* The innermost node on track t around the time; times must ascend. */
static uint32_t running(const tt_trace *s, const tt_call_tree *tree, on_track *on, uint32_t t, int64_t at)
{
    uint32_t first = on[t].first, lo, hi;
    if (first == on[t + 1].first) return TT_NONE;
    TT_BISECT_NEAR(lo, hi, on[t + 1].first - first, on[t].near, n, s->start[tree->row[first + n]] <= at);
    on[t].near = lo;
    return tt_call_tree_running(s, tree, &on[t].cursor, first, first + lo, at);
}

/* The node of the operator named by the record, on any track; *hint = track of the last answer. */
static uint32_t node_of_maker(const tt_trace *s, const tt_call_tree *tree, on_track *on, const tt_memory_record *m,
                              uint32_t *hint)
{
    for (uint32_t k = 0; k <= s->n_tracks; k++) {
        uint32_t t = k ? k - 1 : *hint;
        if (t >= s->n_tracks || (k && t == *hint)) continue;
        uint32_t node = running(s, tree, on, t, m->ts);
        while (node != TT_NONE && s->name[tree->row[node]] != m->maker) node = tree->up[node];
        if (node == TT_NONE) continue;
        *hint = t;
        return node;
    }
    return TT_NONE;
}

typedef struct link_build {
    const tt_session *session;
    uint32_t trace;
    tt_memory_links *links;
} link_build;

static void find_nodes(const link_build *b)
{
    const tt_trace *s = b->session->traces[b->trace];
    const tt_call_tree *tree = tt_call_tree_get(b->session, b->trace, TT_TREE_OPS);
    on_track *on = tt_calloc(s->n_tracks + (size_t)1, sizeof *on);
    for (uint32_t t = 0; t <= s->n_tracks; t++) {
        on[t].first = t < s->n_tracks ? tt_call_tree_lower(tree, s->tracks[t].first) : tree->n;
        on[t].cursor = tt_call_tree_cursor_start;
    }
    uint32_t *who = s->n_memory ? acting_for(s, tree) : NULL, hint = 0;
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        uint32_t node = m->maker ? node_of_maker(s, tree, on, m, &hint) : running(s, tree, on, m->track, m->ts);
        b->links->node[i] = node == TT_NONE ? TT_NONE : who[node];
    }
    free(who);
    free(on);
}

static void link_part(void *arg, size_t part)
{
    const link_build *b = arg;
    if (part)
        pair_up(b->session->traces[b->trace], b->links);
    else
        find_nodes(b);
}

static void *build(const tt_session *session, uint32_t trace)
{
    uint32_t n = session->traces[trace]->n_memory;
    tt_memory_links *l = tt_calloc(1, sizeof *l);
    l->node = tt_calloc(n, sizeof *l->node);
    l->mate = tt_calloc(n, sizeof *l->mate);
    tt_parallel(tt_threads(), 2, link_part, &(link_build){session, trace, l});
    return l;
}

static void release(void *value)
{
    tt_memory_links *l = value;
    free(l->node);
    free(l->mate);
    free(l);
}

const tt_memory_links *tt_memory_links_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"memory links", build, release};
    return tt_analysis_get(s, trace, &kind);
}

/* ---- memory_devices ---- */

static const tt_column device_columns[] = {
    [TT_MEMORY_DEVICES_DEVICE] = COL("device", "Device", STRING, 0, "device, or CPU"),
    [TT_MEMORY_DEVICES_PEAK_ALLOCATED_BYTES] = COL("peak_allocated_bytes", "Peak allocated", BYTES, 0,
                                                   "largest total allocated that a record in scope reports"),
    [TT_MEMORY_DEVICES_PEAK_ALLOCATED_AT] =
        COL("peak_allocated_at_ns", "Peak at", TIME, 2, "when it was reached first"),
    [TT_MEMORY_DEVICES_PEAK_RESERVED_BYTES] =
        COL("peak_reserved_bytes", "Peak reserved", BYTES, 0, "largest total that the caching allocator held"),
    [TT_MEMORY_DEVICES_END_ALLOCATED_BYTES] =
        COL("end_allocated_bytes", "At end", BYTES, 1, "total allocated after the last record in scope"),
};

typedef struct device_state {
    int64_t peak, peak_at, reserved, end;
} device_state;

static void raise(device_state *d, const tt_memory_peak *p)
{
    if (p->reserved > d->reserved) d->reserved = p->reserved;
    if (p->allocated < d->peak || (p->allocated == d->peak && p->allocated_at >= d->peak_at)) return;
    d->peak = p->allocated;
    d->peak_at = p->allocated_at;
}

static void compute_devices(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_groups groups;
    TT_VEC(device_state) list = {0};
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        if (!tt_query_has(q, m->ts)) continue;
        uint32_t at = tt_groups_put(&groups, (tt_group_key){.a = tt_memory_device(m)});
        if (at == list.n) *tt_vec_push(&list) = (device_state){TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN};
        device_state *d = &list.at[at];
        if (m->reserved != TT_UNKNOWN && m->reserved > d->reserved) d->reserved = m->reserved;
        if (m->allocated == TT_UNKNOWN) continue;
        d->end = m->allocated;
        if (m->allocated <= d->peak) continue;
        d->peak = m->allocated;
        d->peak_at = m->ts;
    }
    /* The trace's own peaks count from its start. */
    for (uint32_t i = 0; q->windows->everything && i < s->n_peaks; i++) {
        const tt_memory_peak *p = &s->peaks[i];
        uint32_t at = tt_groups_put(&groups, (tt_group_key){.a = device_key(p->device_type, p->device_id)});
        if (at < list.n) raise(&list.at[at], p);
    }
    for (size_t i = 0; i < list.n; i++) {
        const device_state *d = &list.at[i];
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_MEMORY_DEVICES_DEVICE, device_text(q, t, groups.key.at[i].a));
        tt_set_i(t, row, TT_MEMORY_DEVICES_PEAK_ALLOCATED_BYTES, d->peak);
        if (d->peak_at != TT_UNKNOWN) tt_set_i(t, row, TT_MEMORY_DEVICES_PEAK_ALLOCATED_AT, tt_at(q, d->peak_at));
        tt_set_i(t, row, TT_MEMORY_DEVICES_PEAK_RESERVED_BYTES, d->reserved);
        tt_set_i(t, row, TT_MEMORY_DEVICES_END_ALLOCATED_BYTES, d->end);
        if (d->peak_at != TT_UNKNOWN) tt_set_range(q, t, row, d->peak_at, d->peak_at + 1);
    }
    note(q, t, NULL);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_memory_devices = {
    .id = "memory_devices",
    .title = "Memory by device",
    .meaning = "peak and final memory of each device",
    .cols = device_columns,
    .n_cols = COUNT_OF(device_columns),
    .default_sort = "device",
    .compute = compute_devices,
};

/* ---- memory_curve ---- */

static const tt_column curve_columns[] = {
    COL("device", "Device", STRING, 0, "device, or CPU"),
    COL("at_ns", "Time", TIME, 0, "time of the allocation or free; the values hold from then on"),
    COL("allocated_bytes", "Allocated", BYTES, 0, "total allocated after it"),
    COL("reserved_bytes", "Reserved", BYTES, 0, "total that the caching allocator holds after it"),
};

static void compute_curve(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    device_names names = {0};
    tt_groups_init(&names.devices);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        if ((m->allocated == TT_UNKNOWN && m->reserved == TT_UNKNOWN) || !tt_query_has(q, m->ts)) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, 0, device_name(&names, q, t, tt_memory_device(m)));
        tt_set_i(t, row, 1, tt_at(q, m->ts));
        tt_set_i(t, row, 2, m->allocated);
        tt_set_i(t, row, 3, m->reserved);
        tt_set_range(q, t, row, m->ts, m->ts + 1);
    }
    note(q, t, "the memory records give no totals (PyTorch before 1.10)");
    free_device_names(&names);
}

const tt_table_desc tt_table_memory_curve = {
    .id = "memory_curve",
    .title = "Memory over time",
    .meaning = "allocated and reserved memory after every allocation and free",
    .cols = curve_columns,
    .n_cols = COUNT_OF(curve_columns),
    .compute = compute_curve,
};

/* ---- memory_operators ---- */

enum { O_DEVICE, O_NAME, O_CALLS, O_INCREASE, O_SELF_INCREASE, O_COUNT, O_SELF_COUNT, O_BYTES, O_SELF_BYTES };

static const tt_column operator_columns[] = {
    COL("device", "Device", STRING, 1, "device of the memory"),
    COL("name", "Operator", STRING, 0, "operator that allocated or freed, or called one that did"),
    COL("calls", "Calls", COUNT, 2, "all calls of the operator in scope, also those without memory records"),
    COL("size_increase_bytes", "Net", BYTES, 1, "bytes allocated minus freed, with called operators"),
    COL("self_size_increase_bytes", "Self net", BYTES, 0, "the same by the operator itself"),
    COL("allocation_count", "Allocations", COUNT, 3, "allocations, with called operators"),
    COL("self_allocation_count", "Self allocations", COUNT, 2, "allocations by the operator itself"),
    COL("allocation_bytes", "Allocated", BYTES, 1,
        "bytes allocated, with called operators; calls nested in the same name count again"),
    COL("self_allocation_bytes", "Self allocated", BYTES, 0, "bytes allocated by the operator itself"),
};

typedef struct usage {
    int64_t increase, self_increase, count, self_count, bytes, self_bytes;
} usage;

static void add_record(usage *u, int64_t bytes)
{
    u->self_increase += bytes;
    if (bytes <= 0) return;
    u->self_count++;
    u->self_bytes += bytes;
}

static void add_usage(usage *to, const usage *u)
{
    to->increase += u->increase;
    to->self_increase += u->self_increase;
    to->count += u->count;
    to->self_count += u->self_count;
    to->bytes += u->bytes;
    to->self_bytes += u->self_bytes;
}

/* Calls of each operator in scope, by name. Caller frees. */
static uint32_t *count_calls(const tt_query *q, const tt_call_tree *tree)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t *calls = tt_calloc(s->strings.text.n + 1, sizeof *calls);
    for (uint32_t i = 0; i < tree->n; i++) {
        tt_row r = tree->row[i];
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) == TT_CALL_COUNTED && tt_query_has(q, s->start[r]))
            calls[s->name[r]]++;
    }
    return calls;
}

/* Sums of a node. Records are added at the nodes that made them, then each node's sum is added to its parent once;
 * per device only touched nodes are visited. */
typedef struct node_usage {
    usage sum;
    uint32_t first; /* first record in or below the node */
} node_usage;

typedef struct touched {
    TT_VEC(uint32_t) nodes;
    TT_VEC(node_usage) usage;
    uint32_t *of;   /* by node: its usage + 1, 0 = the node is not touched */
    uint32_t *like; /* by tt_sid: of tt_groups_put_like(), for names */
} touched;

typedef struct operator_usage { /* row of the table */
    tt_sid name;
    uint64_t device;
    usage sum;
    uint32_t first, node; /* first record, and its innermost node of the operator */
} operator_usage;
typedef TT_VEC(operator_usage) usage_list;

static void add_node(usage_list *out, tt_groups *names, uint32_t *like, tt_sid name, uint32_t node, uint64_t device,
                     const node_usage *u)
{
    uint32_t at = tt_groups_put_like(names, (tt_group_key){.a = name, .b = device}, &like[name]);
    if (at == out->n) *tt_vec_push(out) = (operator_usage){name, device, {0}, u->first, node};
    operator_usage *o = &out->at[at];
    add_usage(&o->sum, &u->sum);
    if (u->first < o->first || (u->first == o->first && node > o->node)) {
        o->first = u->first;
        o->node = node;
    }
}

/* Sort touched nodes, inner nodes first; if there are many, a walk over all nodes is cheaper than sorting. */
static void order_nodes(touched *x, uint32_t all)
{
    if (x->nodes.n < all / 16) {
        TT_SORT_DOWN(x->nodes.at, x->nodes.n);
        return;
    }
    size_t k = 0;
    for (uint32_t i = all; i-- > 0;)
        if (x->of[i]) x->nodes.at[k++] = i;
}

/* Add the memory of one device from n records. No node is touched before and after the call. */
static void add_device(const tt_query *q, const tt_call_tree *tree, const uint32_t *records, size_t n, touched *x,
                       tt_groups *names, usage_list *out)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    for (size_t i = 0; i < n; i++) {
        uint32_t maker = links->node[records[i]];
        for (uint32_t node = maker; node != TT_NONE && !x->of[node]; node = tree->up[node]) {
            *tt_vec_push(&x->usage) = (node_usage){.first = records[i]};
            *tt_vec_push(&x->nodes) = node;
            x->of[node] = (uint32_t)x->usage.n;
        }
        add_record(&x->usage.at[x->of[maker] - 1].sum, s->memory[records[i]].bytes);
    }
    order_nodes(x, tree->n);
    for (size_t i = 0; i < x->nodes.n; i++) {
        uint32_t node = x->nodes.at[i], up = tree->up[node];
        node_usage *u = &x->usage.at[x->of[node] - 1];
        u->sum.increase += u->sum.self_increase;
        u->sum.count += u->sum.self_count;
        u->sum.bytes += u->sum.self_bytes;
        if (up != TT_NONE)
            add_usage(&x->usage.at[x->of[up] - 1].sum, &(usage){u->sum.increase, 0, u->sum.count, 0, u->sum.bytes, 0});
        if ((tree->flags[node] & (TT_CALL_COUNTED | TT_CALL_DUP)) == TT_CALL_COUNTED)
            add_node(out, names, x->like, s->name[tree->row[node]], node, tt_memory_device(&s->memory[*records]), u);
        x->of[node] = 0;
    }
    x->nodes.n = x->usage.n = 0;
}

/* Add records whose named operator has no slice: only the name is known. */
static void add_unplaced(const tt_query *q, tt_groups *names, usage_list *out)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        if (m->pool || !m->maker || links->node[i] != TT_NONE || !tt_query_has(q, m->ts)) continue;
        uint32_t at = tt_groups_put(names, (tt_group_key){.a = m->maker, .b = tt_memory_device(m)});
        if (at == out->n) *tt_vec_push(out) = (operator_usage){m->maker, tt_memory_device(m), {0}, i, TT_NONE};
        usage one = {0};
        add_record(&one, m->bytes);
        one.increase = one.self_increase;
        one.count = one.self_count;
        one.bytes = one.self_bytes;
        add_usage(&out->at[at].sum, &one);
    }
}

/* The records in scope by device: places [first[d], first[d + 1]) of the list, ascending. The caller frees both. */
static uint32_t *records_by_device(const tt_query *q, uint32_t **first, uint32_t *n_devices)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    uint32_t *of = tt_malloc(s->n_memory * sizeof *of), *list = tt_malloc(s->n_memory * sizeof *list), last = TT_NONE;
    uint64_t last_key = 0;
    tt_groups devices;
    tt_groups_init(&devices);
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        of[i] = TT_NONE;
        if (m->pool || links->node[i] == TT_NONE || !tt_query_has(q, m->ts)) continue;
        if (last == TT_NONE || last_key != tt_memory_device(m)) {
            last_key = tt_memory_device(m);
            last = tt_groups_put(&devices, (tt_group_key){.a = last_key});
        }
        of[i] = last;
    }
    *n_devices = (uint32_t)devices.key.n;
    uint32_t *at = *first = tt_calloc(*n_devices + (size_t)2, sizeof *at);
    for (uint32_t i = 0; i < s->n_memory; i++)
        if (of[i] != TT_NONE) at[of[i] + 2]++;
    for (uint32_t d = 2; d < *n_devices + 2; d++) at[d] += at[d - 1];
    for (uint32_t i = 0; i < s->n_memory; i++)
        if (of[i] != TT_NONE) list[at[of[i] + 1]++] = i;
    tt_groups_free(&devices);
    free(of);
    return list;
}

static void gather_usage(const tt_query *q, const tt_call_tree *tree, usage_list *out)
{
    tt_groups names;
    uint32_t *first, devices, *records = records_by_device(q, &first, &devices);
    tt_groups_init(&names);
    touched x = {.of = tt_calloc(tree->n + (size_t)1, sizeof *x.of),
                 .like = tt_calloc(tt_query_trace(q)->strings.text.n + 1, sizeof *x.like)};
    for (uint32_t d = 0; d < devices; d++)
        add_device(q, tree, records + first[d], first[d + 1] - first[d], &x, &names, out);
    add_unplaced(q, &names, out);
    TT_SORT_BY(out->at, out->n, TT_ASC(operator_usage, first), TT_DESC(operator_usage, node));
    tt_vec_free(&x.nodes);
    tt_vec_free(&x.usage);
    free(x.of);
    free(x.like);
    tt_groups_free(&names);
    free(records);
    free(first);
}

typedef struct operators_build {
    const tt_query *q;
    const tt_call_tree *tree;
    usage_list list;
    uint32_t *calls; /* by name */
} operators_build;

static void operators_part(void *arg, size_t part)
{
    operators_build *b = arg;
    if (part)
        b->calls = count_calls(b->q, b->tree);
    else
        gather_usage(b->q, b->tree, &b->list);
}

static void compute_operators(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    operators_build b = {.q = q, .tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS)};
    (void)tt_memory_links_get(q->session, q->trace); /* computed on all threads, before one of them would wait for it */
    tt_parallel(tt_threads(), 2, operators_part, &b);
    usage_list list = b.list;
    for (size_t i = 0; i < list.n; i++) {
        const usage *u = &list.at[i].sum;
        const char *name = tt_str(&s->strings, list.at[i].name);
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, O_DEVICE, device_text(q, t, list.at[i].device));
        tt_set_ref(t, row, O_NAME, name);
        if (list.at[i].node != TT_NONE) tt_set_i(t, row, O_CALLS, b.calls[list.at[i].name]);
        tt_set_i(t, row, O_INCREASE, u->increase);
        tt_set_i(t, row, O_SELF_INCREASE, u->self_increase);
        tt_set_i(t, row, O_COUNT, u->count);
        tt_set_i(t, row, O_SELF_COUNT, u->self_count);
        tt_set_i(t, row, O_BYTES, u->bytes);
        tt_set_i(t, row, O_SELF_BYTES, u->self_bytes);
        tt_set_slices(q, t, row, 1u << TT_KIND_CPU_OP, name);
    }
    note(q, t, "no memory record lies inside an operator");
    free(b.calls);
    tt_vec_free(&list);
}

const tt_table_desc tt_table_memory_operators = {
    .id = "memory_operators",
    .title = "Memory by operator",
    .meaning = "what operators allocate and free",
    .cols = operator_columns,
    .n_cols = COUNT_OF(operator_columns),
    .default_sort = "self_size_increase_bytes",
    .default_desc = true,
    .compute = compute_operators,
};

/* ---- memory_events ---- */

enum { E_DEVICE, E_KIND, E_OPERATOR, E_SIZE, E_ALLOCATED, E_FREED, E_DURATION };

static const tt_column event_columns[] = {
    COL("device", "Device", STRING, 1, "device of the memory"),
    COL("kind", "Kind", STRING, 3,
        "allocated: by the program from the caching allocator; reserved: by the allocator from the device"),
    COL("operator", "Operator", STRING, 0,
        "operator that allocated it; for aten::empty* the caller, with the operator in brackets"),
    COL("size_bytes", "Size", BYTES, 0, "size"),
    COL("allocated_at_ns", "Allocated", TIME, 1, "when it was allocated; unknown: before the recording"),
    COL("freed_at_ns", "Freed", TIME, 2, "when it was freed; unknown: not during the recording"),
    COL("duration_ns", "Lifetime", DURATION, 0, "time between"),
};

void tt_memory_makers_init(tt_memory_makers *m, const tt_query *q)
{
    *m = (tt_memory_makers){.s = tt_query_trace(q),
                            .tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS),
                            .links = tt_memory_links_get(q->session, q->trace)};
    tt_groups_init(&m->pairs);
}

void tt_memory_makers_free(tt_memory_makers *m)
{
    tt_groups_free(&m->pairs);
    tt_vec_free(&m->text);
}

const char *tt_memory_maker(tt_memory_makers *m, uint32_t record, tt_table *t)
{
    const tt_trace *s = m->s;
    const tt_call_tree *tree = m->tree;
    uint32_t node = m->links->node[record];
    if (s->memory[record].maker) return tt_str(&s->strings, s->memory[record].maker);
    if (node == TT_NONE || !(tree->flags[node] & TT_CALL_COUNTED)) return NULL;
    const char *name = tt_row_name(s, tree->row[node]);
    if (strncmp(name, "aten::empty", 11) != 0 || tree->up[node] == TT_NONE) return name;
    tt_row up = tree->row[tt_call_tree_owner(tree, tree->up[node])];
    uint32_t pair = tt_groups_put(&m->pairs, (tt_group_key){s->name[up], s->name[tree->row[node]], 0});
    if (pair == m->text.n) *tt_vec_push(&m->text) = tt_arena_printf(&t->arena, "%s (%s)", tt_row_name(s, up), name);
    return m->text.at[pair];
}

static void compute_events(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_memory_links *links = tt_memory_links_get(q->session, q->trace);
    tt_memory_makers makers;
    device_names names = {0};
    tt_memory_makers_init(&makers, q);
    tt_groups_init(&names.devices);
    for (uint32_t i = 0; links->has_addresses && i < s->n_memory; i++) {
        const tt_memory_record *m = &s->memory[i];
        uint32_t mate = links->mate[i];
        bool is_free = m->bytes < 0;
        if (!m->bytes || (is_free && mate != TT_NONE) || !tt_query_has(q, m->ts)) continue;
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, E_DEVICE, device_name(&names, q, t, tt_memory_device(m)));
        tt_set_ref(t, row, E_KIND, m->pool ? "reserved" : "allocated");
        tt_set_ref(t, row, E_OPERATOR, tt_memory_maker(&makers, i, t));
        tt_set_i(t, row, E_SIZE, is_free ? -m->bytes : m->bytes);
        tt_set_i(t, row, is_free ? E_FREED : E_ALLOCATED, tt_at(q, m->ts));
        int64_t end = m->ts + 1;
        if (mate != TT_NONE) {
            end = s->memory[mate].ts;
            tt_set_i(t, row, E_FREED, tt_at(q, end));
            tt_set_i(t, row, E_DURATION, end - m->ts);
        }
        tt_set_range(q, t, row, m->ts, end > m->ts ? end : m->ts + 1);
    }
    note(q, t, "the memory records give no addresses (PyTorch before 1.10)");
    tt_memory_makers_free(&makers);
    free_device_names(&names);
}

const tt_table_desc tt_table_memory_events = {
    .id = "memory_events",
    .title = "Memory events",
    .meaning = "every allocation with its operator, size and lifetime",
    .cols = event_columns,
    .n_cols = COUNT_OF(event_columns),
    .default_sort = "size_bytes",
    .default_desc = true,
    .compute = compute_events,
};
