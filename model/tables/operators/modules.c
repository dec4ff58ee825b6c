/* model/tables/operators/modules.c - tables modules and operator_tree: calls merged by place into a tree. */
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/calls/operator_tree.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/operators/columns.h"
#include "model/tables/operators/replayed_ops.h"
#include "model/tables/table_util.h"

#include <stdlib.h>
#include <string.h>

/* Path of every place: names joined by '/'. By place; strings live in the table's arena. Caller frees the array. */
static const char **paths(const tt_path_tree *p, const uint32_t *depth,
                          const char *(*name_of)(const tt_op_texts *, uint32_t), const tt_op_texts *s, tt_table *t)
{
    uint32_t n = tt_path_tree_count(p);
    const char **path = tt_calloc(n + 1u, sizeof *path);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = tt_place_parent(p, i);
        const char *name = name_of(s, tt_place_name(p, i));
        path[i] = parent == TT_PLACE_ROOT
                      ? name
                      : tt_path_text(&t->arena, path[parent], name_of(s, tt_place_name(p, parent)), name, depth[i]);
    }
    return path;
}

/* ---- modules ---- */

static const tt_column module_columns[] = {
    [TT_MODULES_PATH] = COL("path", "Path", STRING, 3, "names of the modules from the outermost to this one"),
    [TT_MODULES_DEPTH] = COL("depth", "Depth", COUNT, 5, "modules around it"),
    [TT_MODULES_NAME] = COL("name", "Module", STRING, 0, "class and number of the module"),
    [TT_MODULES_OCCURRENCES] =
        COL("occurrences", "Calls", COUNT, 1,
            "calls of the module; one that is called from several places has the same numbers at each"),
    [TT_MODULES_REPLAYED_CALLS] =
        COL_OPT("replayed_calls", "Replayed", COUNT, 2,
                "calls that were captured into a graph, times its replays: their work is in the GPU columns"),
    [TT_MODULES_OPERATORS] =
        COL("operators", "Operators", COUNT, 2, "operators that the module calls directly, over all its calls"),
    [TT_MODULES_HOST_TOTAL] =
        COL("host_total_ns", "CPU total", DURATION, 0, "CPU time from start to end, summed over calls"),
    [TT_MODULES_HOST_SELF] =
        COL("host_self_ns", "CPU self", DURATION, 1,
            "the same without the modules, operators, ranges, runtime and driver calls directly inside"),
    [TT_MODULES_DEVICE_TOTAL] = COL(
        "device_total_ns", "GPU total", DURATION, 0,
        "kernels, copies and sets launched inside: sum of durations; the backward pass runs elsewhere and is not in "
        "it"),
    [TT_MODULES_DEVICE_SELF] = COL("device_self_ns", "GPU self", DURATION, 1,
                                   "the same, launched by the module itself or by operators it calls directly"),
};

typedef struct module_stat {
    int64_t calls, replayed, operators, host_total, host_self, dev_total, dev_self;
} module_stat;

/* Number of all captured modules, in place of those that traces give. */
#define CAPTURED (UINT32_MAX - 1)

typedef struct module_build {
    tt_path_tree offsets;
    tt_groups modules;         /* (name, module id) */
    TT_VEC(module_stat) list;  /* by module */
    TT_VEC(uint32_t) of_place; /* by place: its module */
    TT_VEC(bool) seen;         /* by place: called in scope */
    uint32_t *place_of;        /* by node: place of the innermost module */
    uint32_t *within; /* by node: the node itself, or for a range without module information the node around it */
    const tt_name_classes *names;
    tt_op_texts texts;
    bool replays;   /* the trace launches graphs */
    bool lightning; /* ranges of PyTorch Lightning define the modules, Python's do not count */
} module_build;

/* "nn.Module: Linear_3" -> "Linear_3"; "[pl][module]torch.nn.modules.linear.Linear: net.fc" -> "Linear: net.fc". */
static const char *module_name(const tt_op_texts *s, uint32_t name)
{
    const char *text = tt_op_text(s, name), *colon = strchr(text, ':');
    if (!strncmp(text, "[pl][module]", 12)) {
        text += 12;
        for (const char *p = text; colon && p < colon; p++)
            if (*p == '.') text = p + 1;
        return text;
    }
    return strncmp(text, "nn.Module: ", 11) == 0 ? text + 11 : text;
}

static bool is_module(const module_build *b, const tt_trace *s, tt_row r)
{
    if (b->lightning) return (tt_name_class(b->names, s, r) & TT_NAME_PL_MODULE) != 0;
    return (TT_TREE_MODULES >> tt_row_kind(s, r) & 1) != 0;
}

static void add_module_call(const tt_query *q, const tt_call_tree *tree, uint32_t i, uint32_t around, module_build *b)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row r = tree->row[i];
    uint32_t id = b->lightning ? 0 : s->detail[r];
    uint32_t at = b->place_of[i] = tt_path_tree_put(&b->offsets, around, s->name[r], id);
    uint32_t module = tt_groups_put(&b->modules, (tt_group_key){s->name[r], id, 0});
    if (module == b->list.n) *tt_vec_push(&b->list) = (module_stat){0};
    if (at == b->of_place.n) {
        *tt_vec_push(&b->of_place) = module;
        *tt_vec_push(&b->seen) = false;
    }
    if (!tt_query_has(q, s->start[r]) || !tt_row_range_has(tt_query_rows(q), r)) return;
    b->seen.at[at] = true;
    module_stat *m = &b->list.at[module];
    m->calls++;
    m->host_total += s->dur[r];
    tt_step_sums_host(q->sums, s, module, s->start[r], s->dur[r]);
    m->host_self += tree->host_self[i];
    m->dev_total += tree->dev_total[tt_call_tree_dev(tree, i)];
    m->dev_self += tree->dev_self[tt_call_tree_dev(tree, i)];
}

static void collect_modules(const tt_query *q, const tt_call_tree *tree, module_build *b)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    for (uint32_t i = 0; i < tree->n; i++) {
        tt_row r = tree->row[i];
        uint32_t up = tree->up[i], around = up == TT_NONE ? TT_PLACE_ROOT : b->place_of[up];
        b->place_of[i] = around;
        if (is_module(b, s, r)) add_module_call(q, tree, i, around, b);
        bool passes =
            tt_row_kind(s, r) == TT_KIND_ANNOTATION && !is_module(b, s, r); /* Paddle's annotations are transparent */
        up = up == TT_NONE ? TT_NONE : b->within[up];
        b->within[i] = passes ? up : i;
        if (up == TT_NONE || !is_module(b, s, tree->row[up])) continue;
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED) continue;
        if (!tt_query_has(q, s->start[tree->row[up]]) || !tt_row_range_has(rows, r)) continue;
        module_stat *m = &b->list.at[b->of_place.at[around]];
        m->operators++;
        m->dev_self += tree->dev_total[tt_call_tree_dev(tree, i)];
    }
}

/* ---- modules whose calls were captured ---- */

enum { MOST_MODULES = 64 };

typedef struct moving { /* work of replays on its way from the modules around launches to those that were captured */
    const tt_query *q;
    const tt_call_tree *tree;
    const tt_graphs *g;
    module_build *b;
    tt_groups inside; /* (place, name) -> place inside it */
    TT_VEC(uint32_t) place_inside;
    tt_groups calls; /* (trace, row) of captured calls of modules */
    TT_VEC(int64_t) replays;
} moving;

/* Rows of the modules around the captured call of an owner, innermost first. */
static uint32_t modules_around(const moving *m, const tt_graph_owner *o, tt_row out[MOST_MODULES])
{
    const tt_trace *s = tt_graph_owner_trace(m->g, o);
    uint32_t n = 0, track = tt_row_track(s, o->op);
    tt_row r = tt_track_slice_at(s, track, s->start[o->op], 1u << TT_KIND_MODULE);
    for (; r != TT_NONE && n < MOST_MODULES; r = tt_row_ancestor(s, r, 1u << TT_KIND_MODULE)) out[n++] = r;
    return n;
}

/* The place of a captured module inside another place: where the trace has the module itself, its place. */
static uint32_t place_inside(moving *m, uint32_t around, const tt_trace *s, tt_row module)
{
    tt_sid name = tt_op_texts_put(&m->b->texts, tt_row_name(s, module));
    uint32_t at = tt_groups_put(&m->inside, (tt_group_key){around, name, 0});
    if (at < m->place_inside.n) return m->place_inside.at[at];
    uint32_t place = tt_path_tree_put(&m->b->offsets, around, name, CAPTURED);
    *tt_vec_push(&m->place_inside) = place;
    uint32_t stat = tt_groups_put(&m->b->modules, (tt_group_key){name, CAPTURED, place});
    *tt_vec_push(&m->b->list) = (module_stat){0};
    *tt_vec_push(&m->b->of_place) = stat;
    *tt_vec_push(&m->b->seen) = true;
    return place;
}

static void add_captured(moving *m, const tt_graph_owner *o, const tt_owned_work *work)
{
    tt_row rows[MOST_MODULES];
    const tt_trace *s = tt_graph_owner_trace(m->g, o);
    uint32_t n = modules_around(m, o, rows), place = TT_PLACE_ROOT;
    while (n-- > 0) {
        place = place_inside(m, place, s, rows[n]);
        m->b->seen.at[place] = true;
        module_stat *to = &m->b->list.at[m->b->of_place.at[place]];
        to->dev_total += work->ns;
        if (!n) to->dev_self += work->ns;
        uint32_t call = tt_groups_put(&m->calls, (tt_group_key){(uintptr_t)s, rows[n], 0});
        if (call == m->replays.n) *tt_vec_push(&m->replays) = 0;
        if (work->works <= m->replays.at[call]) continue;
        to->replayed += work->works - m->replays.at[call];
        m->replays.at[call] = work->works;
    }
}

/* Take the work from the modules around the graph launch. */
static void take_back(const moving *m, uint32_t dev, int64_t ns)
{
    const tt_trace *s = tt_query_trace(m->q);
    const tt_call_tree *tree = m->tree;
    tt_row_range rows = tt_query_rows(m->q);
    bool innermost = true;
    for (uint32_t node = tree->of_dev[dev]; node != TT_NONE; node = tree->up[node]) {
        tt_row r = tree->row[node];
        if (!is_module(m->b, s, r) || !tt_query_has(m->q, s->start[r]) || !tt_row_range_has(rows, r)) continue;
        module_stat *from = &m->b->list.at[m->b->of_place.at[m->b->place_of[node]]];
        from->dev_total -= ns;
        if (innermost) from->dev_self -= ns;
        innermost = false;
    }
}

static void move_replayed(const tt_query *q, const tt_call_tree *tree, module_build *b)
{
    moving m = {.q = q, .tree = tree, .g = tt_graphs_get(q->session, q->trace), .b = b};
    tt_owned_work *work = tt_owned_work_in(q);
    if (!work) return;
    bool *moves = tt_calloc(m.g->owners.n, sizeof *moves);
    tt_groups_init(&m.inside);
    tt_groups_init(&m.calls);
    b->replays = true;
    for (uint32_t i = 0; i < tt_path_tree_count(&b->offsets); i++) {
        tt_group_key key = {tt_place_parent(&b->offsets, i), tt_place_name(&b->offsets, i), 0};
        if (tt_groups_put(&m.inside, key) == m.place_inside.n) *tt_vec_push(&m.place_inside) = i;
    }
    for (size_t i = 0; i < m.g->owners.n; i++) {
        tt_row rows[MOST_MODULES];
        const tt_graph_owner *o = &m.g->owners.at[i];
        if (o->source != TT_GRAPH_CAPTURE || !work[i].works) continue;
        moves[i] = modules_around(&m, o, rows) > 0;
        if (moves[i]) add_captured(&m, o, &work[i]);
    }
    const tt_trace *s = tt_query_trace(q);
    for (size_t i = 0; i < m.g->replays.work.n; i++) {
        uint32_t dev = m.g->replays.work.at[i];
        if (moves[m.g->owner[dev]]) take_back(&m, dev, s->dur[s->dev[dev].row]);
    }
    free(work);
    free(moves);
    tt_groups_free(&m.inside);
    tt_groups_free(&m.calls);
    tt_vec_free(&m.place_inside);
    tt_vec_free(&m.replays);
}

static void put_module(const tt_query *q, const tt_call_tree *tree, const module_build *b, uint32_t at, uint32_t depth,
                       const char *path, tt_table *t)
{
    const module_stat *m = &b->list.at[b->of_place.at[at]];
    uint32_t row = tt_table_add(t), name = tt_place_name(&b->offsets, at);
    tt_set_ref(t, row, TT_MODULES_PATH, path);
    tt_set_i(t, row, TT_MODULES_DEPTH, depth);
    tt_set_ref(t, row, TT_MODULES_NAME, module_name(&b->texts, name));
    tt_step_sums_row(q->sums, row, b->of_place.at[at]);
    tt_set_i(t, row, TT_MODULES_OCCURRENCES, m->calls);
    if (b->replays) tt_set_i(t, row, TT_MODULES_REPLAYED_CALLS, m->replayed);
    tt_set_i(t, row, TT_MODULES_OPERATORS, m->operators);
    tt_set_i(t, row, TT_MODULES_HOST_TOTAL, m->host_total);
    tt_set_i(t, row, TT_MODULES_HOST_SELF, m->host_self);
    if (tree->has_device) {
        tt_set_i(t, row, TT_MODULES_DEVICE_TOTAL, m->dev_total);
        tt_set_i(t, row, TT_MODULES_DEVICE_SELF, m->dev_self);
    }
    const uint32_t kinds = b->lightning ? 1u << TT_KIND_ANNOTATION | 1u << TT_KIND_CPU_OP : TT_TREE_MODULES;
    tt_set_slices(q, t, row, kinds, tt_op_text(&b->texts, name));
}

static void compute_modules(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    module_build b = {.place_of = tt_calloc(tree->n + 1u, sizeof *b.place_of),
                      .within = tt_calloc(tree->n + 1u, sizeof *b.within),
                      .names = tt_name_classes_get(q->session, q->trace)};
    for (uint32_t i = 0; i < tree->n && !b.lightning; i++)
        b.lightning = (tt_name_class(b.names, s, tree->row[i]) & TT_NAME_PL_MODULE) != 0;
    tt_path_tree_init(&b.offsets);
    tt_groups_init(&b.modules);
    tt_op_texts_init(&b.texts, s);
    collect_modules(q, tree, &b);
    move_replayed(q, tree, &b);
    uint32_t *order, *depth;
    tt_path_tree_order(&b.offsets, NULL, &order, &depth);
    const char **path = paths(&b.offsets, depth, module_name, &b.texts, t);
    for (uint32_t k = 0; k < tt_path_tree_count(&b.offsets); k++)
        if (b.seen.at[order[k]]) put_module(q, tree, &b, order[k], depth[order[k]], path[order[k]], t);
    if (!t->n_rows) tt_note_advice(t, "No nn.Module data", tt_advice_of(tt_query_trace(q)->rules)->record_modules);
    free(order);
    free(depth);
    free(path);
    free(b.place_of);
    free(b.within);
    tt_vec_free(&b.list);
    tt_vec_free(&b.of_place);
    tt_vec_free(&b.seen);
    tt_groups_free(&b.modules);
    tt_op_texts_free(&b.texts);
    tt_path_tree_free(&b.offsets);
}

const tt_table_desc tt_table_modules = {
    .id = "modules",
    .title = "Modules",
    .meaning = "nn.Modules in the order of the call tree; numbers of all calls of the module",
    .cols = module_columns,
    .n_cols = COUNT_OF(module_columns),
    .flags = TT_TABLE_THREADS | TT_TABLE_STEP_SUMS | TT_TABLE_TREE,
    .compute = compute_modules,
};

/* ---- operator_tree ---- */

static const tt_column tree_columns[] = {
    [TT_OPERATOR_TREE_PATH] =
        COL("path", "Path", STRING, 3,
            "names from the outermost operator to this one, then the GPU work. Paddle: every operator is a root, also "
            "one that another called"),
    [TT_OPERATOR_TREE_DEPTH] = COL("depth", "Depth", COUNT, 4, "operators around it"),
    [TT_OPERATOR_TREE_NAME] = COL("name", "Name", STRING, 0, "operator, part of an operator, or kernel, copy or set"),
    [TT_OPERATOR_TREE_CALLS] = COL("calls", "Calls", COUNT, 1, "calls at this place; for GPU work how often it ran"),
    [TT_OPERATOR_TREE_HOST_SELF] =
        COL("host_self_ns", "CPU self", DURATION, 1,
            "CPU time without the operators, ranges, runtime and driver calls directly inside"),
    [TT_OPERATOR_TREE_HOST_TOTAL] =
        COL("host_total_ns", "CPU total", DURATION, 0, "CPU time from start to end, summed over calls"),
    [TT_OPERATOR_TREE_HOST_MEAN] = COL("host_mean_ns", "CPU mean", DURATION, 4, "CPU total / calls"),
    [TT_OPERATOR_TREE_HOST_MAX] = COL("host_max_ns", "CPU max", DURATION, 6, "longest call"),
    [TT_OPERATOR_TREE_HOST_MIN] = COL("host_min_ns", "CPU min", DURATION, 7, "shortest call"),
    [TT_OPERATOR_TREE_DEVICE_TOTAL] =
        COL("device_total_ns", "GPU total", DURATION, 0, "kernels, copies and sets launched inside: sum of durations"),
    [TT_OPERATOR_TREE_DEVICE_MEAN] = COL("device_mean_ns", "GPU mean", DURATION, 5, "GPU total / calls"),
    [TT_OPERATOR_TREE_DEVICE_MAX] = COL("device_max_ns", "GPU max", DURATION, 6, "largest of one call"),
    [TT_OPERATOR_TREE_DEVICE_MIN] = COL("device_min_ns", "GPU min", DURATION, 7, "smallest of one call"),
    [TT_OPERATOR_TREE_IS_DEVICE] =
        COL("is_device", "GPU work", BOOL, 7, "the row is a kernel, copy or set, not a call on the CPU"),
};

static const char *plain_name(const tt_op_texts *s, uint32_t name) { return tt_op_text(s, name); }

static void put_place(const tt_query *q, const tt_operator_tree *o, uint32_t at, uint32_t depth, const char *path,
                      tt_table *t)
{
    uint32_t row = tt_table_add(t);
    const tt_tree_place *p = &o->at.at[at];
    const char *name = tt_str(&tt_query_trace(q)->strings, tt_place_name(&o->places, at));
    tt_set_ref(t, row, TT_OPERATOR_TREE_PATH, path);
    tt_set_i(t, row, TT_OPERATOR_TREE_DEPTH, depth);
    tt_set_ref(t, row, TT_OPERATOR_TREE_NAME, name);
    tt_set_i(t, row, TT_OPERATOR_TREE_CALLS, p->dev.n);
    if (p->host.n) tt_set_i(t, row, TT_OPERATOR_TREE_HOST_SELF, p->host_self);
    tt_set_stat(t, row, TT_OPERATOR_TREE_HOST_TOTAL, &p->host);
    if (o->has_device) tt_set_stat(t, row, TT_OPERATOR_TREE_DEVICE_TOTAL, &p->dev);
    tt_set_i(t, row, TT_OPERATOR_TREE_IS_DEVICE, p->is_device);
    tt_set_slices(q, t, row, p->is_device ? TT_TREE_DEVICE_KINDS : TT_TREE_HOST_KINDS, name);
}

static void compute_tree(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    tt_operator_tree o = tt_operator_tree_make(q);
    uint32_t n = tt_path_tree_count(&o.places), *order, *depth;
    int64_t *weight = tt_calloc(n + 1u, sizeof *weight);
    for (uint32_t i = 0; i < n; i++) {
        bool by_time = s->rules->tie == TT_TIE_TIME || tt_place_parent(&o.places, i) == TT_PLACE_ROOT;
        int64_t total = o.has_device ? o.at.at[i].dev.total : o.at.at[i].host.total;
        weight[i] = by_time ? total : 0; /* otherwise the parts of an operator keep their order */
    }
    tt_path_tree_order(&o.places, weight, &order, &depth);
    const char **path = paths(&o.places, depth, plain_name, &(tt_op_texts){.s = s}, t);
    for (uint32_t k = 0; k < n; k++) put_place(q, &o, order[k], depth[order[k]], path[order[k]], t);
    if (!n) tt_note_advice(t, "No operators", tt_advice_of(s->rules)->record_host);
    free(order);
    free(depth);
    free(path);
    free(weight);
    tt_operator_tree_free(&o);
}

const tt_table_desc tt_table_operator_tree = {
    .id = "operator_tree",
    .title = "Operator tree",
    .meaning = "operators with what they call: inner operators, then device work, merged by place",
    .cols = tree_columns,
    .n_cols = COUNT_OF(tree_columns),
    .flags = TT_TABLE_THREADS | TT_TABLE_TREE,
    .compute = compute_tree,
};
