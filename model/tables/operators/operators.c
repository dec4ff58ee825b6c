/* model/tables/operators/operators.c - host time and launched device time of operators, by name, input shapes,
 * call stack, or both. */
#include "model/tables/analysis/calls/call_tree.h"
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/analysis/calls/python_stack.h"
#include "model/tables/analysis/names/flops.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/operators/columns.h"
#include "model/tables/operators/replayed_ops.h"
#include "model/tables/table_util.h"

#include <stdlib.h>
#include <string.h>

enum { BY_NAME, BY_SHAPE, BY_STACK, BY_BOTH };
enum { SHAPED = 1 << BY_SHAPE | 1 << BY_BOTH, STACKED = 1 << BY_STACK | 1 << BY_BOTH }; /* bits of the groupings */

static const tt_column columns[] = {
    [TT_OPERATORS_NAME] =
        COL("name", "Operator", STRING, 0,
            "name of the operator; DataLoader items, Optimizer.* and DistributedDataParallel.forward are no operators"),
    [TT_OPERATORS_INPUT_SHAPES] = COL_G("input_shapes", "Input shapes", STRING, 0, SHAPED,
                                        "shapes of the inputs as recorded; [] when they were not"),
    [TT_OPERATORS_STACK] =
        COL_G("stack", "Call stack", STRING, 0, STACKED, "Python call stack, innermost frame first, joined by ;"),
    [TT_OPERATORS_CALLS] =
        COL("calls", "Calls", COUNT, 1, "calls; an operator that does nothing but call itself again is one call"),
    [TT_OPERATORS_REPLAYED_CALLS] =
        COL_OPT("replayed_calls", "Replayed", COUNT, 2,
                "calls that were captured into a graph, times its replays: their work is in the GPU columns"),
    [TT_OPERATORS_HOST_SELF] = COL("host_self_ns", "CPU self", DURATION, 1,
                                   "CPU time without the operators, ranges, runtime and driver calls directly inside"),
    [TT_OPERATORS_HOST_SELF_SHARE_PCT] =
        COL_SCREEN("host_self_share_pct", "CPU %", PERCENT, 3, "share of CPU self of all operators"),
    [TT_OPERATORS_HOST_TOTAL] =
        COL("host_total_ns", "CPU total", DURATION, 1,
            "CPU time from start to end, summed over calls; nested calls of the same name count again"),
    [TT_OPERATORS_HOST_MEAN] = COL("host_mean_ns", "CPU mean", DURATION, 4, "CPU total / calls"),
    [TT_OPERATORS_HOST_MAX] = COL("host_max_ns", "CPU max", DURATION, 6, "longest call"),
    [TT_OPERATORS_HOST_MIN] = COL("host_min_ns", "CPU min", DURATION, 7, "shortest call"),
    [TT_OPERATORS_DEVICE_SELF] = COL("device_self_ns", "GPU self", DURATION, 0,
                                     "kernels, copies and sets launched by the operator itself: sum of durations"),
    [TT_OPERATORS_DEVICE_SELF_SHARE_PCT] =
        COL_SCREEN("device_self_share_pct", "GPU %", PERCENT, 3, "share of GPU self of all operators"),
    [TT_OPERATORS_DEVICE_TOTAL] =
        COL("device_total_ns", "GPU total", DURATION, 0,
            "the same with everything called inside; sum, not union: concurrent kernels both count"),
    [TT_OPERATORS_DEVICE_MEAN] = COL("device_mean_ns", "GPU mean", DURATION, 5, "GPU total / calls, replayed ones too"),
    [TT_OPERATORS_DEVICE_MAX] = COL("device_max_ns", "GPU max", DURATION, 6, "largest GPU total of one call"),
    [TT_OPERATORS_DEVICE_MIN] = COL("device_min_ns", "GPU min", DURATION, 7, "smallest GPU total of one call"),
    [TT_OPERATORS_TENSOR_CORE_ELIGIBLE] =
        COL("tensor_core_eligible", "Tensor-core op", BOOL, 3,
            "can run on tensor cores: by its name, through an operator it calls, or because a kernel did"),
    [TT_OPERATORS_TENSOR_CORE_SELF_PCT] = COL("tensor_core_self_pct", "Tensor-core % (self)", PERCENT, 3,
                                              "share of GPU self spent in tensor-core kernels"),
    [TT_OPERATORS_TENSOR_CORE_TOTAL_PCT] = COL("tensor_core_total_pct", "Tensor-core % (total)", PERCENT, 5,
                                               "share of GPU total spent in tensor-core kernels"),
    [TT_OPERATORS_FLOPS] = COL_G(
        "flops", "FLOP", COUNT, 5, SHAPED,
        "of matrix products, convolutions, attention, norms and element-wise operators, all calls, from the input "
        "shapes"),
    [TT_OPERATORS_TFLOPS_PER_S] = COL_G("tflops_per_s", "TFLOP/s", NUMBER, 4, SHAPED, "FLOPs / GPU total"),
    [TT_OPERATORS_GB_PER_S] =
        COL_G("gb_per_s", "GB/s", NUMBER, 4, SHAPED,
              "bytes of the inputs and the result, each once, / GPU total; from shapes and types"),
    [TT_OPERATORS_LINE] =
        COL_PLACE("line", "Python line", 2, "the line of the program that calls it for most of its time"),
    [TT_OPERATORS_MODULE] =
        COL_PLACE("module", "Module", 4, "class of the innermost nn.Module around most of its time"),
};

typedef struct group {
    tt_stat host, dev;
    int64_t host_self, dev_self, tensor_self, tensor_total;
    int64_t replayed, replayed_ns; /* calls by replays of graphs, and GPU total of work that replays did */
    int64_t flops, bytes;          /* TT_UNKNOWN if unknown for any call */
    bool eligible;
} group;

typedef TT_VEC(group) group_list;

static bool by_shape(const tt_query *q) { return SHAPED >> q->options.group & 1; }
static bool by_stack(const tt_query *q) { return STACKED >> q->options.group & 1; }

static tt_group_key key_of(const tt_query *q, tt_python_frames *frames, tt_row r, tt_sid empty_list)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_op_args *a = &s->op_args[s->detail[r]];
    tt_group_key k = {.a = s->name[r]};
    if (by_shape(q)) k.b = a->shapes == empty_list ? 0 : a->shapes;
    if (by_stack(q)) k.c = tt_call_stack_id(frames, r);
    return k;
}

static void collect(const tt_query *q, const tt_call_tree *tree, tt_python_frames *frames, tt_groups *groups,
                    group_list *list)
{
    const tt_trace *s = tt_query_trace(q);
    tt_sid empty_list = tt_strings_find(&s->strings, "[]", 2);
    tt_row_range rows = tt_query_rows(q);
    tt_flops *flops = by_shape(q) ? tt_flops_new(s, TT_FLOPS_TABLES) : NULL;
    for (uint32_t i = tt_call_tree_lower(tree, rows.first); i < tree->n && tree->row[i] < rows.end; i++) {
        tt_row r = tree->row[i];
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED || !tt_query_has(q, s->start[r]))
            continue;
        uint32_t at = tt_groups_put(groups, key_of(q, frames, r, empty_list));
        if (at == list->n) *tt_vec_push(list) = (group){0};
        group *g = &list->at[at];
        uint32_t dev = tt_call_tree_dev(tree, i);
        tt_stat_add(&g->host, s->dur[r]);
        tt_step_sums_host(q->sums, s, at, s->start[r], s->dur[r]);
        tt_stat_add(&g->dev, tree->dev_total[dev]);
        g->host_self += tree->host_self[i];
        g->dev_self += tree->dev_self[dev];
        g->tensor_self += tree->tensor_self[dev];
        g->tensor_total += tree->tensor_total[dev];
        g->eligible |= (tree->flags[i] & TT_CALL_ELIGIBLE) != 0;
        if (!flops) continue;
        g->flops = tt_flops_plus(g->flops, tt_flops_of(flops, r));
        g->bytes = tt_flops_plus(g->bytes, tt_bytes_of(flops, r));
    }
    if (flops) tt_flops_free(flops);
}

/* Take back from operators around graph launches the work that belongs to others. */
static void take_back(const tt_query *q, const tt_call_tree *tree, tt_python_frames *frames, tt_groups *groups,
                      group_list *list)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_graphs *g = tt_graphs_get(q->session, q->trace);
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_sid empty_list = tt_strings_find(&s->strings, "[]", 2);
    tt_row_range rows = tt_query_rows(q);
    for (size_t i = 0; i < g->replays.work.n; i++) {
        const tt_activity *d = &s->dev[g->replays.work.at[i]];
        uint32_t launcher = tree->of_dev[g->replays.work.at[i]];
        if (launcher == TT_NONE || !tt_owned_elsewhere(tt_graph_owner_of(g, d))) continue;
        bool tensor = tt_row_kind(s, d->row) == TT_KIND_KERNEL && names->of[s->name[d->row]] & TT_NAME_TENSOR;
        int64_t ns = s->dur[d->row], tensor_ns = tensor ? ns : 0;
        launcher = tt_call_tree_owner(tree, launcher);
        for (uint32_t node = launcher; node != TT_NONE; node = tree->up[node]) {
            tt_row r = tree->row[node];
            if ((tree->flags[node] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED) continue;
            if (!tt_query_has(q, s->start[r]) || !tt_row_range_has(rows, r)) continue;
            group *to = &list->at[tt_groups_put(groups, key_of(q, frames, r, empty_list))];
            to->replayed_ns -= ns;
            to->tensor_total -= tensor_ns;
            to->dev_self -= node == launcher ? ns : 0;
            to->tensor_self -= node == launcher ? tensor_ns : 0;
        }
    }
}

/* Add what replays of graphs did to the operators that were captured. */
static void add_replayed(const tt_query *q, tt_op_texts *texts, tt_groups *groups, group_list *list)
{
    tt_replayed_ops ops = tt_replayed_ops_in(q);
    tt_flops *flops = NULL;
    const tt_trace *of = NULL;
    for (size_t i = 0; i < ops.at.n; i++) {
        const tt_replayed_op *op = &ops.at.at[i];
        tt_group_key k = {.a = tt_op_texts_put(texts, op->name)};
        if (by_shape(q) && op->trace) {
            tt_sid shapes = op->trace->op_args[op->trace->detail[op->row]].shapes;
            const char *text = tt_list_text(op->trace, shapes);
            if (strcmp(text, "[]") != 0) k.b = tt_op_texts_put(texts, text);
        }
        uint32_t at = tt_groups_put(groups, k);
        if (at == list->n) *tt_vec_push(list) = (group){0};
        group *g = &list->at[at];
        g->replayed += op->calls;
        g->replayed_ns += op->total_ns;
        g->dev_self += op->self_ns;
        g->tensor_self += op->tensor_self_ns;
        g->tensor_total += op->tensor_total_ns;
        g->eligible |= op->tensor_self_ns > 0;
        if (!by_shape(q) || !op->trace) continue;
        if (op->trace != of) {
            if (flops) tt_flops_free(flops);
            flops = tt_flops_new(of = op->trace, TT_FLOPS_TABLES);
        }
        g->flops = tt_flops_plus(g->flops, tt_flops_times(tt_flops_of(flops, op->row), op->calls));
        g->bytes = tt_flops_plus(g->bytes, tt_flops_times(tt_bytes_of(flops, op->row), op->calls));
    }
    if (flops) tt_flops_free(flops);
    tt_replayed_ops_free(&ops);
}

/* graphs: the trace launches graphs. */
static void put_device(const group *g, bool graphs, tt_table *t, uint32_t row)
{
    tt_set_i(t, row, TT_OPERATORS_DEVICE_SELF, g->dev_self);
    tt_set_stat(t, row, TT_OPERATORS_DEVICE_TOTAL, &g->dev);
    if (graphs) {
        tt_stat all = {.n = g->dev.n + g->replayed, .total = g->dev.total + g->replayed_ns};
        tt_set_i(t, row, TT_OPERATORS_DEVICE_TOTAL, all.total);
        if (all.n) tt_set_i(t, row, TT_OPERATORS_DEVICE_MEAN, tt_stat_mean(&all));
        tt_set_i(t, row, TT_OPERATORS_REPLAYED_CALLS, g->replayed);
    }
    double total = (double)(g->dev.total + g->replayed_ns);
    tt_set_i(t, row, TT_OPERATORS_TENSOR_CORE_ELIGIBLE, g->eligible);
    tt_set_d(t, row, TT_OPERATORS_TENSOR_CORE_SELF_PCT, tt_pct((double)g->tensor_self, (double)g->dev_self));
    tt_set_d(t, row, TT_OPERATORS_TENSOR_CORE_TOTAL_PCT, tt_pct((double)g->tensor_total, total));
}

static void put_row(const tt_query *q, const tt_call_tree *tree, const tt_python_frames *frames,
                    const tt_op_texts *texts, const tt_group_key *k, const group *g, tt_table *t)
{
    uint32_t row = tt_table_add(t);
    const char *name = tt_op_text(texts, (tt_sid)k->a);
    tt_drilldown *o = tt_set_slices(q, t, row, tree->of_ranges ? TT_TREE_RANGES : 1u << TT_KIND_CPU_OP, name);
    tt_set_ref(t, row, TT_OPERATORS_NAME, name);
    if (by_shape(q)) {
        o->shapes = k->b ? tt_op_text(texts, (tt_sid)k->b) : "[]";
        tt_set_ref(t, row, TT_OPERATORS_INPUT_SHAPES, o->shapes);
    }
    if (q->options.places && q->options.group == BY_NAME && k->a < texts->s->strings.text.n)
        tt_set_code_place(q, t, row, TT_OPERATORS_LINE, (tt_sid)k->a, false);
    if (by_stack(q)) {
        char line[512];
        o->stack = tt_call_stack_text(frames, (uint32_t)k->c, 0, &t->arena);
        tt_set_ref(t, row, TT_OPERATORS_STACK, o->stack);
        if (tt_python_line_of_stack(o->stack, line, sizeof line)) tt_set_s(t, row, TT_OPERATORS_LINE, line);
    }
    tt_set_i(t, row, TT_OPERATORS_CALLS, g->host.n);
    tt_set_i(t, row, TT_OPERATORS_HOST_SELF, g->host_self);
    tt_set_stat(t, row, TT_OPERATORS_HOST_TOTAL, &g->host);
    if (!g->host.n) tt_set_i(t, row, TT_OPERATORS_HOST_TOTAL, 0);
    if (by_shape(q)) { /* per nanosecond = 10^9 per second */
        double ns = (double)(g->dev.total + g->replayed_ns);
        if (g->flops > 0) tt_set_i(t, row, TT_OPERATORS_FLOPS, g->flops);
        if (g->flops > 0 && ns > 0) tt_set_d(t, row, TT_OPERATORS_TFLOPS_PER_S, (double)g->flops / ns / 1e3);
        if (g->bytes > 0 && ns > 0) tt_set_d(t, row, TT_OPERATORS_GB_PER_S, (double)g->bytes / ns);
    }
    if (!tree->has_device) return;
    put_device(g, tt_graphs_get(q->session, q->trace)->owner != NULL, t, row);
}

/* Set each operator's share of the self time of all operators; shares add up to 100 %. */
static void put_shares(const group_list *list, uint32_t first, bool device, tt_table *t)
{
    int64_t host = 0, dev = 0;
    for (size_t i = 0; i < list->n; i++) {
        host += list->at[i].host_self;
        dev += list->at[i].dev_self;
    }
    for (size_t i = 0; i < list->n; i++) {
        uint32_t row = first + (uint32_t)i;
        tt_set_d(t, row, TT_OPERATORS_HOST_SELF_SHARE_PCT, tt_pct((double)list->at[i].host_self, (double)host));
        if (device)
            tt_set_d(t, row, TT_OPERATORS_DEVICE_SELF_SHARE_PCT, tt_pct((double)list->at[i].dev_self, (double)dev));
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    uint32_t first = t->n_rows;
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    tt_groups groups;
    group_list list = {0};
    tt_op_texts texts;
    tt_python_frames frames;
    tt_groups_init(&groups);
    tt_op_texts_init(&texts, tt_query_trace(q));
    tt_python_frames_init(&frames, tt_query_trace(q));
    collect(q, tree, &frames, &groups, &list);
    take_back(q, tree, &frames, &groups, &list);
    add_replayed(q, &texts, &groups, &list);
    for (size_t i = 0; i < list.n; i++) put_row(q, tree, &frames, &texts, &groups.key.at[i], &list.at[i], t);
    if (q->options.places) put_shares(&list, first, tree->has_device, t);
    if (!t->n_rows) tt_note_advice(t, "No operators", tt_advice_of(tt_query_trace(q)->rules)->record_host);
    if (t->n_rows && tree->of_ranges) t->note = "annotations only: no operators were recorded";
    tt_python_frames_free(&frames);
    tt_op_texts_free(&texts);
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

static const char *const group_keys[] = {"name", "shape", "stack", "shape,stack", NULL};

const tt_table_desc tt_table_operators = {
    .id = "operators",
    .title = "Operators",
    .meaning = "CPU time of each operator and device time of the work it launched",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "device_self_ns",
    .default_desc = true,
    .flags = TT_TABLE_DEFAULT | TT_TABLE_THREADS | TT_TABLE_STEP_SUMS,
    .compute = compute,
};
