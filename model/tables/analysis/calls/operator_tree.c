/* model/tables/analysis/calls/operator_tree.c - operators and their device work, merged by place. */
#include "model/tables/analysis/calls/operator_tree.h"

#include <stdlib.h>

#include "model/tables/analysis/calls/call_order.h"
#include "model/tables/analysis/calls/call_tree.h"

static bool shown_in_tree(const tt_trace *s, tt_kind k, bool in_operator)
{
    if (s->rules->operators_are_roots) return k == TT_KIND_CPU_OP || in_operator;
    return k == TT_KIND_CPU_OP || k == TT_KIND_OP_INNER || k == TT_KIND_PYTHON_OP || k == TT_KIND_COMMUNICATION;
}

typedef struct tree_build {
    tt_operator_tree *out;
    uint32_t *place_of; /* place of each node */
} tree_build;

static tt_tree_place *stat_at(tt_operator_tree *o, uint32_t at)
{
    while (at >= o->at.n) *tt_vec_push(&o->at) = (tt_tree_place){0};
    return &o->at.at[at];
}

/* Parts of each node, and the device work that it launched itself in the order of the launches, for place_as_met(). */
typedef struct by_node {
    uint32_t *first_part, *part; /* parts of node i: part[first_part[i]] to part[first_part[i + 1]] */
    uint32_t *first_work, *work; /* device work of node i likewise, as indices of trace->dev */
} by_node;

/* Whether link i is device work that its node launched itself. */
static bool is_own_work(const tt_trace *s, const tt_call_tree *tree, uint32_t i)
{
    uint32_t node = tree->of_dev[s->launched_activity[i]];
    tt_row launch = s->launch_row[i];
    if (node == TT_NONE || !tt_kind_is_launch(tt_row_kind(s, launch)) || launch <= tree->row[node]) return false;
    const tt_track *t = &s->tracks[tt_row_track(s, tree->row[node])];
    return launch < t->first + t->n && s->start[launch] < tt_row_end(s, tree->row[node]);
}

static bool is_part(const tt_trace *s, const tt_call_tree *tree, uint32_t node)
{
    return tree->up[node] != TT_NONE && tt_row_kind(s, tree->row[node]) != TT_KIND_CPU_OP;
}

/* Turn counts into first indices. */
static void add_up(uint32_t *first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
}

static by_node by_node_new(const tt_trace *s, const tt_call_tree *tree)
{
    by_node b = {tt_calloc(tree->n + (size_t)2, sizeof(uint32_t)), NULL,
                 tt_calloc(tree->n + (size_t)2, sizeof(uint32_t)), NULL};
    uint32_t *parts = b.first_part + 1,
             /* next free entry of node i; filling moves it to the first entry of node i + 1 */
        *work = b.first_work + 1;
    for (uint32_t i = 0; i < tree->n; i++)
        if (is_part(s, tree, i)) parts[tree->up[i] + 1]++;
    for (uint32_t i = 0; i < s->n_links; i++)
        if (is_own_work(s, tree, i)) work[tree->of_dev[s->launched_activity[i]] + 1]++;
    add_up(parts, tree->n);
    add_up(work, tree->n);
    b.part = tt_malloc((parts[tree->n] + (size_t)1) * sizeof *b.part);
    b.work = tt_malloc((work[tree->n] + (size_t)1) * sizeof *b.work);
    for (uint32_t i = 0; i < tree->n; i++)
        if (is_part(s, tree, i)) b.part[parts[tree->up[i]]++] = i;
    for (uint32_t i = 0; i < s->n_links; i++)
        if (is_own_work(s, tree, i)) b.work[work[tree->of_dev[s->launched_activity[i]]]++] = s->launched_activity[i];
    return b;
}

static void by_node_free(by_node *b)
{
    free(b->first_part);
    free(b->part);
    free(b->first_work);
    free(b->work);
}

/* Make places of an operator's parts in the order in which the calls meet them. */
static void place_as_met(const tt_query *q, const tt_call_tree *tree, tt_path_tree *offsets)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_call_order *calls = tt_call_order_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    by_node b = by_node_new(s, tree);
    for (uint32_t i = 0; i < calls->n; i++) {
        tt_row r = calls->row[i];
        if (tt_row_kind(s, r) != TT_KIND_CPU_OP || !tt_query_has(q, s->start[r]) || !tt_row_range_has(rows, r))
            continue;
        uint32_t node = tt_call_tree_lower(tree, r), root = tt_path_tree_put(offsets, TT_PLACE_ROOT, s->name[r], 0);
        if (node == tree->n || tree->row[node] != r) continue;
        for (uint32_t k = b.first_part[node]; k < b.first_part[node + 1]; k++) {
            uint32_t part = b.part[k], offset = tt_path_tree_put(offsets, root, s->name[tree->row[part]], 0);
            for (uint32_t w = b.first_work[part]; w < b.first_work[part + 1]; w++)
                tt_path_tree_put(offsets, offset, s->name[s->dev[b.work[w]].row], 1);
        }
        for (uint32_t w = b.first_work[node]; w < b.first_work[node + 1]; w++)
            tt_path_tree_put(offsets, root, s->name[s->dev[b.work[w]].row], 1);
    }
    by_node_free(&b);
}

static void collect_tree(const tt_query *q, const tt_call_tree *tree, tree_build *b)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    if (s->rules->tie == TT_TIE_FIRST_CALL) place_as_met(q, tree, &b->out->places);
    for (uint32_t i = 0; i < tree->n; i++) {
        tt_row r = tree->row[i];
        uint32_t around = tree->up[i] == TT_NONE ? TT_PLACE_ROOT : b->place_of[tree->up[i]];
        tt_kind kind = tt_row_kind(s, r);
        if (s->rules->operators_are_roots && kind == TT_KIND_CPU_OP) around = TT_PLACE_ROOT;
        b->place_of[i] = around;
        if (!shown_in_tree(s, kind, around != TT_PLACE_ROOT) || tree->flags[i] & TT_CALL_DUP) continue;
        if (!tt_query_has(q, s->start[r]) || !tt_row_range_has(rows, r)) continue;
        uint32_t at = b->place_of[i] = tt_path_tree_put(&b->out->places, around, s->name[r], 0);
        tt_tree_place *p = stat_at(b->out, at);
        tt_stat_add(&p->host, s->dur[r]);
        tt_stat_add(&p->dev, tree->dev_total[tt_call_tree_dev(tree, i)]);
        p->host_self += tree->host_self[i];
    }
    for (uint32_t i = 0; i < s->n_dev; i++) {
        uint32_t node = tree->of_dev[i];
        if (node == TT_NONE || b->place_of[node] == TT_PLACE_ROOT) continue;
        tt_row r = s->dev[i].row;
        uint32_t at = tt_path_tree_put(&b->out->places, b->place_of[node], s->name[r], 1);
        tt_tree_place *p = stat_at(b->out, at);
        tt_stat_add(&p->dev, s->dur[r]);
        p->is_device = true;
    }
}

tt_operator_tree tt_operator_tree_make(const tt_query *q)
{
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    tt_operator_tree o = {.has_device = tree->has_device};
    tree_build b = {&o, tt_calloc(tree->n + 1u, sizeof *b.place_of)};
    tt_path_tree_init(&o.places);
    collect_tree(q, tree, &b);
    uint32_t n = tt_path_tree_count(&o.places);
    if (n) (void)stat_at(&o, n - 1);
    free(b.place_of);
    return o;
}

void tt_operator_tree_free(tt_operator_tree *o)
{
    tt_vec_free(&o->at);
    tt_path_tree_free(&o->places);
}
