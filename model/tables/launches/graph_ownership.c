/* model/tables/launches/graph_ownership.c - table graph_ownership: what says whose the work of each graph is. */
#include <stdlib.h>

#include "model/base/sort_by.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/table_util.h"

enum { GRAPH, SOURCE, CAPTURE, BATCH, REPLAYS, KERNELS, DEVICE, OWNED_PCT };

static const tt_column columns[] = {
    [GRAPH] = COL("graph", "Graph", STRING, 0,
                  "number of the graph in the trace; where none is given, #2 for the second sequence of work that is "
                  "launched as a graph"),
    [SOURCE] = COL("source", "Source", STRING, 0,
                   "what says which operator the work belongs to: annotation, an argument of the work; capture, a "
                   "capture that fits; launch, the operator around the graph launch, which covers the whole graph; "
                   "eager, the operator that launches all other work of the kernel; none, nothing"),
    [CAPTURE] = COL("capture", "Capture", STRING, 1, "the range around the first capture that fits"),
    [BATCH] = COL("batch", "Batch", COUNT, 1, "requests or tokens that it was captured for"),
    [REPLAYS] = COL("replays", "Replays", COUNT, 1, "launches of the graph with work that this source owns"),
    [KERNELS] = COL("kernels", "Kernels", COUNT, 1, "most works of one replay that this source owns"),
    [DEVICE] = COL("device_ns", "GPU time", DURATION, 0, "sum of durations of the work that this source owns"),
    [OWNED_PCT] = COL("owned_pct", "Owned %", PERCENT, 0, "share of the device time of the graph"),
};

/* Work of one graph with one source. */
typedef struct group {
    const tt_replay *first, *last; /* the first and the last replay with such work */
    tt_graph_source source;
    uint32_t graph; /* number of the graph in order of first replays */
    uint32_t capture;
    int64_t replays, works, most, ns;
} group;

typedef struct ownership {
    const tt_query *q;
    const tt_graphs *g;
    tt_groups graphs, groups;
    TT_VEC(int64_t) graph_ns;
    TT_VEC(group) list;
} ownership;

static void add_work(ownership *o, const tt_replay *p, uint32_t graph, const tt_activity *d)
{
    const tt_graph_owner *owner = tt_graph_owner_of(o->g, d);
    uint32_t at = tt_groups_put(&o->groups, (tt_group_key){graph, owner->source, 0});
    if (at == o->list.n)
        *tt_vec_push(&o->list) =
            (group){.first = p, .source = owner->source, .graph = graph, .capture = owner->capture};
    group *to = &o->list.at[at];
    if (to->last != p) {
        to->last = p;
        to->replays++;
        to->works = 0;
    }
    to->works++;
    if (to->works > to->most) to->most = to->works;
    to->ns += o->g->trace->dur[d->row];
    o->graph_ns.at[graph] += o->g->trace->dur[d->row];
}

static void collect(ownership *o)
{
    const tt_trace *s = o->g->trace;
    const tt_replays *r = &o->g->replays;
    tt_row_range rows = tt_query_rows(o->q);
    for (size_t i = 0; i < r->at.n; i++) {
        const tt_replay *p = &r->at.at[i];
        tt_group_key key = {.a = (uint64_t)p->graph, .b = p->graph ? 0 : p->sequence};
        uint32_t graph = tt_groups_put(&o->graphs, key);
        if (graph == o->graph_ns.n) *tt_vec_push(&o->graph_ns) = 0;
        for (uint32_t k = p->first; k < p->first + p->n; k++) {
            const tt_activity *d = &s->dev[r->work.at[k]];
            if (tt_query_has_dev(o->q, s, d, rows)) add_work(o, p, graph, d);
        }
    }
}

static void put_group(const ownership *o, const group *g, tt_table *t)
{
    char word[32];
    uint32_t row = tt_table_add(t);
    tt_set_s(t, row, GRAPH, tt_graph_word_of(g->first, word));
    tt_set_ref(t, row, SOURCE, tt_graph_source_name[g->source]);
    if (g->capture != TT_NONE) {
        const tt_capture *c = &o->g->captures->at.at[g->capture];
        tt_set_ref(t, row, CAPTURE, c->name);
        if (c->batch != TT_UNKNOWN) tt_set_i(t, row, BATCH, c->batch);
    }
    tt_set_i(t, row, REPLAYS, g->replays);
    tt_set_i(t, row, KERNELS, g->most);
    tt_set_i(t, row, DEVICE, g->ns);
    tt_set_d(t, row, OWNED_PCT, tt_pct((double)g->ns, (double)o->graph_ns.at[g->graph]));
    tt_set_row(o->q, t, row, g->first->launch);
}

static void compute(const tt_query *q, tt_table *t)
{
    ownership o = {.q = q, .g = tt_graphs_get(q->session, q->trace)};
    tt_groups_init(&o.graphs);
    tt_groups_init(&o.groups);
    collect(&o);
    TT_SORT_BY(o.list.at, o.list.n, TT_ASC(group, graph), TT_ASC(group, source));
    for (size_t i = 0; i < o.list.n; i++) put_group(&o, &o.list.at[i], t);
    if (!t->n_rows) t->note = "no graph is launched in this trace or scope";
    tt_groups_free(&o.graphs);
    tt_groups_free(&o.groups);
    tt_vec_free(&o.graph_ns);
    tt_vec_free(&o.list);
}

const tt_table_desc tt_table_graph_ownership = {
    .id = "graph_ownership",
    .title = "Graph ownership",
    .meaning = "which operators the work of replayed graphs belongs to, and what says so",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute,
};
