/* model/tables/operators/modules.c - tables modules and operator_tree: calls merged by place into a tree. */
#include "model/tables/analysis/call_order.h"
#include "model/tables/analysis/call_tree.h"
#include "model/tables/analysis/path_tree.h"
#include "model/tables/table_util.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 }; /* endless recursion must not make endless paths: deeper ones lose their head */

/* Path of every place: names joined by '/'. By place; strings live in the table's arena. Caller frees the array. */
static const char **paths(const tt_path_tree *p, const uint32_t *depth,
                          const char *(*name_of)(const tt_trace *, uint32_t), const tt_trace *s, tt_table *t)
{
    uint32_t n = tt_path_tree_count(p);
    const char **path = tt_calloc(n + 1u, sizeof *path);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = tt_place_parent(p, i);
        const char *name = name_of(s, tt_place_name(p, i));
        if (parent == TT_PLACE_ROOT)
            path[i] = name;
        else if (depth[i] <= MAX_DEPTH)
            path[i] = tt_arena_printf(&t->arena, "%s/%s", path[parent], name);
        else
            path[i] = tt_arena_printf(&t->arena, ".../%s/%s", name_of(s, tt_place_name(p, parent)), name);
    }
    return path;
}

/* ---- modules ---- */

enum { M_PATH, M_DEPTH, M_NAME, M_CALLS, M_OPERATORS, M_HOST_TOTAL, M_HOST_SELF, M_DEVICE_TOTAL, M_DEVICE_SELF };

static const tt_column module_columns[] = {
    COL("path", "Path", STRING, 3, "names of the modules from the outermost to this one"),
    COL("depth", "Depth", COUNT, 5, "modules around it"),
    COL("name", "Module", STRING, 0, "class and number of the module"),
    COL("occurrences", "Calls", COUNT, 1,
        "calls of the module; one that is called from several places has the same numbers at each"),
    COL("operators", "Operators", COUNT, 2, "operators that the module calls directly, over all its calls"),
    COL("host_total_ns", "Host Total", DURATION, 0, "time on the host from start to end, summed over calls"),
    COL("host_self_ns", "Host Self", DURATION, 1, "outside of called modules, operators and of runtime calls"),
    COL("device_total_ns", "Device Total", DURATION, 0,
        "kernels, copies and sets launched inside: sum of durations; the backward pass runs elsewhere and is not in "
        "it"),
    COL("device_self_ns", "Device Self", DURATION, 1,
        "the same, launched by the module itself or by operators it calls directly"),
};

typedef struct module_stat {
    int64_t calls, operators, host_total, host_self, dev_total, dev_self;
} module_stat;

typedef struct module_build {
    tt_path_tree offsets;
    tt_groups modules;         /* (name, module id) */
    TT_VEC(module_stat) list;  /* by module */
    TT_VEC(uint32_t) of_place; /* by place: the module */
    TT_VEC(bool) seen;         /* by place: called there in scope */
    uint32_t *place_of;        /* by node: place of the innermost module */
} module_build;

static const char *module_name(const tt_trace *s, uint32_t name)
{
    const char *text = tt_str(&s->strings, name);
    return strncmp(text, "nn.Module: ", 11) == 0 ? text + 11 : text;
}

static void add_module_call(const tt_query *q, const tt_call_tree *tree, uint32_t i, uint32_t around, module_build *b)
{
    const tt_trace *s = tt_query_store(q);
    tt_row r = tree->row[i];
    uint32_t at = b->place_of[i] = tt_path_tree_put(&b->offsets, around, s->name[r], s->detail[r]);
    uint32_t module = tt_groups_put(&b->modules, (tt_group_key){s->name[r], s->detail[r], 0});
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
    m->host_self += tree->host_self[i];
    m->dev_total += tree->dev_total[tt_call_tree_dev(tree, i)];
    m->dev_self += tree->dev_self[tt_call_tree_dev(tree, i)];
}

static void collect_modules(const tt_query *q, const tt_call_tree *tree, module_build *b)
{
    const tt_trace *s = tt_query_store(q);
    tt_row_range rows = tt_query_rows(q);
    for (uint32_t i = 0; i < tree->n; i++) {
        tt_row r = tree->row[i];
        uint32_t up = tree->up[i], around = up == TT_NONE ? TT_PLACE_ROOT : b->place_of[up];
        b->place_of[i] = around;
        if (tt_row_kind(s, r) == TT_KIND_MODULE) add_module_call(q, tree, i, around, b);
        if (up == TT_NONE || tt_row_kind(s, tree->row[up]) != TT_KIND_MODULE) continue;
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED) continue;
        if (!tt_query_has(q, s->start[tree->row[up]]) || !tt_row_range_has(rows, r)) continue;
        module_stat *m = &b->list.at[b->of_place.at[around]];
        m->operators++;
        m->dev_self += tree->dev_total[tt_call_tree_dev(tree, i)];
    }
}

static void put_module(const tt_query *q, const tt_call_tree *tree, const module_build *b, uint32_t at, uint32_t depth,
                       const char *path, tt_table *t)
{
    const tt_trace *s = tt_query_store(q);
    const module_stat *m = &b->list.at[b->of_place.at[at]];
    uint32_t row = tt_table_add(t), name = tt_place_name(&b->offsets, at);
    tt_set_ref(t, row, M_PATH, path);
    tt_set_i(t, row, M_DEPTH, depth);
    tt_set_ref(t, row, M_NAME, module_name(s, name));
    tt_set_i(t, row, M_CALLS, m->calls);
    tt_set_i(t, row, M_OPERATORS, m->operators);
    tt_set_i(t, row, M_HOST_TOTAL, m->host_total);
    tt_set_i(t, row, M_HOST_SELF, m->host_self);
    if (tree->has_device) {
        tt_set_i(t, row, M_DEVICE_TOTAL, m->dev_total);
        tt_set_i(t, row, M_DEVICE_SELF, m->dev_self);
    }
    tt_set_slices(q, t, row, 1u << TT_KIND_MODULE, tt_str(&s->strings, name));
}

static void compute_modules(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_store(q);
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    module_build b = {.place_of = tt_calloc(tree->n + 1u, sizeof *b.place_of)};
    tt_path_tree_init(&b.offsets);
    tt_groups_init(&b.modules);
    collect_modules(q, tree, &b);
    uint32_t *order, *depth;
    tt_path_tree_order(&b.offsets, NULL, &order, &depth);
    const char **path = paths(&b.offsets, depth, module_name, s, t);
    for (uint32_t k = 0; k < tt_path_tree_count(&b.offsets); k++)
        if (b.seen.at[order[k]]) put_module(q, tree, &b, order[k], depth[order[k]], path[order[k]], t);
    if (!t->n_rows) t->note = "no modules in this trace or scope: profile with with_stack=True and with_modules=True";
    free(order);
    free(depth);
    free(path);
    free(b.place_of);
    tt_vec_free(&b.list);
    tt_vec_free(&b.of_place);
    tt_vec_free(&b.seen);
    tt_groups_free(&b.modules);
    tt_path_tree_free(&b.offsets);
}

const tt_table_desc tt_table_modules = {
    .id = "modules",
    .title = "Modules",
    .meaning = "nn.Modules in the order of the call tree; numbers of all calls of the module",
    .cols = module_columns,
    .n_cols = COUNT_OF(module_columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute_modules,
};

/* ---- operator_tree ---- */

enum { T_PATH, T_DEPTH, T_NAME, T_CALLS, T_HOST, T_DEVICE = T_HOST + 4, T_IS_DEVICE = T_DEVICE + 4 };

static const tt_column tree_columns[] = {
    COL("path", "Path", STRING, 3,
        "names from the outermost operator to this one, then the device work. Paddle: every operator is a root, also "
        "one that another called"),
    COL("depth", "Depth", COUNT, 4, "operators around it"),
    COL("name", "Name", STRING, 0, "operator, part of an operator, or kernel, copy or set"),
    COL("calls", "Calls", COUNT, 1, "calls at this place; for device work how often it ran"),
    COL("host_total_ns", "Host Total", DURATION, 0, "time on the host from start to end, summed over calls"),
    COL("host_mean_ns", "Host Mean", DURATION, 4, "host total / calls"),
    COL("host_max_ns", "Host Max", DURATION, 6, "longest call"),
    COL("host_min_ns", "Host Min", DURATION, 7, "shortest call"),
    COL("device_total_ns", "Device Total", DURATION, 0, "kernels, copies and sets launched inside: sum of durations"),
    COL("device_mean_ns", "Device Mean", DURATION, 5, "device total / calls"),
    COL("device_max_ns", "Device Max", DURATION, 6, "largest of one call"),
    COL("device_min_ns", "Device Min", DURATION, 7, "smallest of one call"),
    COL("is_device", "Device Work", BOOL, 7, "the row is a kernel, copy or set, not a call on the host"),
};

typedef struct place_stat {
    tt_stat host, dev;
    bool is_device;
} place_stat;

static const char *plain_name(const tt_trace *s, uint32_t name) { return tt_str(&s->strings, name); }

static bool shown_in_tree(const tt_trace *s, tt_kind k, bool in_operator)
{
    if (s->rules->operators_are_roots) return k == TT_KIND_CPU_OP || in_operator;
    return k == TT_KIND_CPU_OP || k == TT_KIND_OP_INNER || k == TT_KIND_PYTHON_OP || k == TT_KIND_COMMUNICATION;
}

typedef struct tree_build {
    tt_path_tree offsets;
    TT_VEC(place_stat) list;
    uint32_t *place_of; /* by node */
} tree_build;

static place_stat *stat_at(tree_build *b, uint32_t at)
{
    while (at >= b->list.n) *tt_vec_push(&b->list) = (place_stat){0};
    return &b->list.at[at];
}

/* What place_as_met() goes through, by node: its parts, and the device work that it launched itself, in order of the
 * launches. */
typedef struct by_node {
    uint32_t *first_part, *part; /* parts of node i: part[first_part[i]] to part[first_part[i + 1]] */
    uint32_t *first_work, *work; /* likewise, indices of trace->dev */
} by_node;

/* Is link i device work that its node launched inside itself? */
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

/* Counts become first places. */
static void add_up(uint32_t *first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) first[i + 1] += first[i];
}

static by_node by_node_new(const tt_trace *s, const tt_call_tree *tree)
{
    by_node b = {tt_calloc(tree->n + (size_t)2, sizeof(uint32_t)), NULL,
                 tt_calloc(tree->n + (size_t)2, sizeof(uint32_t)), NULL};
    uint32_t *parts = b.first_part + 1,
             *work = b.first_work + 1; /* first of node i, which filling moves to the first of node i + 1 */
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

/* The parts of an operator in the order in which the calls meet them: the places are made in that order. */
static void place_as_met(const tt_query *q, const tt_call_tree *tree, tt_path_tree *offsets)
{
    const tt_trace *s = tt_query_store(q);
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
    const tt_trace *s = tt_query_store(q);
    tt_row_range rows = tt_query_rows(q);
    if (s->rules->tie == TT_TIE_FIRST_CALL) place_as_met(q, tree, &b->offsets);
    for (uint32_t i = 0; i < tree->n; i++) {
        tt_row r = tree->row[i];
        uint32_t around = tree->up[i] == TT_NONE ? TT_PLACE_ROOT : b->place_of[tree->up[i]];
        tt_kind kind = tt_row_kind(s, r);
        if (s->rules->operators_are_roots && kind == TT_KIND_CPU_OP) around = TT_PLACE_ROOT;
        b->place_of[i] = around;
        if (!shown_in_tree(s, kind, around != TT_PLACE_ROOT) || tree->flags[i] & TT_CALL_DUP) continue;
        if (!tt_query_has(q, s->start[r]) || !tt_row_range_has(rows, r)) continue;
        uint32_t at = b->place_of[i] = tt_path_tree_put(&b->offsets, around, s->name[r], 0);
        place_stat *p = stat_at(b, at);
        tt_stat_add(&p->host, s->dur[r]);
        tt_stat_add(&p->dev, tree->dev_total[tt_call_tree_dev(tree, i)]);
    }
    for (uint32_t i = 0; i < s->n_dev; i++) {
        uint32_t node = tree->of_dev[i];
        if (node == TT_NONE || b->place_of[node] == TT_PLACE_ROOT) continue;
        tt_row r = s->dev[i].row;
        uint32_t at = tt_path_tree_put(&b->offsets, b->place_of[node], s->name[r], 1);
        place_stat *p = stat_at(b, at);
        tt_stat_add(&p->dev, s->dur[r]);
        p->is_device = true;
    }
}

static void compute_tree(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_store(q);
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    tree_build b = {.place_of = tt_calloc(tree->n + 1u, sizeof *b.place_of)};
    tt_path_tree_init(&b.offsets);
    collect_tree(q, tree, &b);
    uint32_t n = tt_path_tree_count(&b.offsets), *order, *depth;
    if (n) (void)stat_at(&b, n - 1);
    int64_t *weight = tt_calloc(n + 1u, sizeof *weight);
    for (uint32_t i = 0; i < n; i++) {
        bool by_time = s->rules->tie == TT_TIE_TIME || tt_place_parent(&b.offsets, i) == TT_PLACE_ROOT;
        int64_t total = tree->has_device ? b.list.at[i].dev.total : b.list.at[i].host.total;
        weight[i] = by_time ? total : 0; /* else the parts of an operator stay in their order */
    }
    tt_path_tree_order(&b.offsets, weight, &order, &depth);
    const char **path = paths(&b.offsets, depth, plain_name, s, t);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = order[k], row = tt_table_add(t);
        const place_stat *p = &b.list.at[at];
        const char *name = tt_str(&s->strings, tt_place_name(&b.offsets, at));
        tt_set_ref(t, row, T_PATH, path[at]);
        tt_set_i(t, row, T_DEPTH, depth[at]);
        tt_set_ref(t, row, T_NAME, name);
        tt_set_i(t, row, T_CALLS, p->dev.n);
        tt_set_stat(t, row, T_HOST, &p->host);
        if (tree->has_device) tt_set_stat(t, row, T_DEVICE, &p->dev);
        tt_set_i(t, row, T_IS_DEVICE, p->is_device);
        uint32_t device = 1u << TT_KIND_KERNEL | 1u << TT_KIND_MEMCPY | 1u << TT_KIND_MEMSET | 1u << TT_KIND_COLLECTIVE;
        uint32_t host =
            1u << TT_KIND_CPU_OP | 1u << TT_KIND_OP_INNER | 1u << TT_KIND_PYTHON_OP | 1u << TT_KIND_COMMUNICATION;
        tt_set_slices(q, t, row, p->is_device ? device : host, name);
    }
    if (!n)
        tt_note_advice(t, "no operators in this trace or scope", tt_advice_of(tt_query_store(q)->rules)->record_host);
    free(order);
    free(depth);
    free(path);
    free(weight);
    free(b.place_of);
    tt_vec_free(&b.list);
    tt_path_tree_free(&b.offsets);
}

const tt_table_desc tt_table_operator_tree = {
    .id = "operator_tree",
    .title = "Operator Tree",
    .meaning = "operators with what they call: inner operators, then device work, merged by place",
    .cols = tree_columns,
    .n_cols = COUNT_OF(tree_columns),
    .flags = TT_TABLE_THREADS,
    .compute = compute_tree,
};
