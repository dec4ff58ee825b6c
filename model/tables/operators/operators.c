/* model/tables/operators/operators.c - host time and launched device time of operators, by name, input shapes or
 * call stack. */
#include "model/tables/analysis/call_tree.h"
#include "model/tables/analysis/flops.h"
#include "model/tables/table_util.h"

#include <stdlib.h>
#include <string.h>

enum {
    NAME,
    SHAPES,
    STACK,
    CALLS,
    HOST_SELF,
    HOST_TOTAL, /* total, mean, max, min */
    HOST_MEAN,
    HOST_MAX,
    HOST_MIN,
    DEVICE_SELF,
    DEVICE_TOTAL,
    DEVICE_MEAN,
    DEVICE_MAX,
    DEVICE_MIN,
    ELIGIBLE,
    TENSOR_SELF,
    TENSOR_TOTAL,
    FLOPS,
    TFLOPS_PER_S,
    GB_PER_S,
};

static const tt_column columns[] = {
    COL("name", "Operator", STRING, 0,
        "name of the operator; DataLoader items, Optimizer.* and DistributedDataParallel.forward are no operators"),
    COL_G("input_shapes", "Input Shapes", STRING, 0, 1 << 1, "shapes of the inputs as recorded; [] when they were not"),
    COL_G("stack", "Call Stack", STRING, 0, 1 << 2, "Python call stack, innermost frame first, joined by ;"),
    COL("calls", "Calls", COUNT, 1, "calls; an operator that does nothing but call itself again is one call"),
    COL("host_self_ns", "Host Self", DURATION, 1,
        "time on the host outside of called operators and of runtime and driver calls"),
    COL("host_total_ns", "Host Total", DURATION, 1,
        "time on the host from start to end, summed over calls; nested calls of the same name count again"),
    COL("host_mean_ns", "Host Mean", DURATION, 4, "host total / calls"),
    COL("host_max_ns", "Host Max", DURATION, 6, "longest call"),
    COL("host_min_ns", "Host Min", DURATION, 7, "shortest call"),
    COL("device_self_ns", "Device Self", DURATION, 0,
        "kernels, copies and sets launched by the operator itself: sum of durations"),
    COL("device_total_ns", "Device Total", DURATION, 0,
        "the same with everything called inside; sum, not union: concurrent kernels both count"),
    COL("device_mean_ns", "Device Mean", DURATION, 5, "device total / calls"),
    COL("device_max_ns", "Device Max", DURATION, 6, "largest device total of one call"),
    COL("device_min_ns", "Device Min", DURATION, 7, "smallest device total of one call"),
    COL("tensor_core_eligible", "TC Eligible", BOOL, 3,
        "can run on tensor cores: by its name, through an operator it calls, or because a kernel did"),
    COL("tensor_core_self_pct", "TC Self %", PERCENT, 3, "share of device self spent in tensor-core kernels"),
    COL("tensor_core_total_pct", "TC Total %", PERCENT, 5, "share of device total spent in tensor-core kernels"),
    COL_G("flops", "FLOPs", COUNT, 5, 1 << 1,
          "of matrix products, convolutions, attention, norms and element-wise operators, all calls, from the input "
          "shapes"),
    COL_G("tflops_per_s", "TFLOP/s", NUMBER, 4, 1 << 1, "FLOPs / device total"),
    COL_G("gb_per_s", "GB/s", NUMBER, 4, 1 << 1,
          "bytes of the inputs and the result, each once, / device total; from shapes and types"),
};

typedef struct group {
    tt_stat host, dev;
    int64_t host_self, dev_self, tensor_self, tensor_total;
    int64_t flops, bytes; /* TT_UNKNOWN: of a call at least */
    bool eligible;
} group;

static int64_t plus(int64_t sum, int64_t v) { return sum == TT_UNKNOWN || v == TT_UNKNOWN ? TT_UNKNOWN : sum + v; }

typedef TT_VEC(group) group_list;

static tt_group_key key_of(const tt_query *q, const tt_trace *s, tt_row r, tt_sid empty_list)
{
    const tt_op_args *a = &s->op_args[s->detail[r]];
    tt_group_key k = {.a = s->name[r]};
    if (q->options.group == 1) k.b = a->shapes == empty_list ? 0 : a->shapes;
    if (q->options.group == 2) k.b = a->stack;
    return k;
}

static void collect(const tt_query *q, const tt_call_tree *tree, tt_groups *groups, group_list *list)
{
    const tt_trace *s = tt_query_store(q);
    tt_sid empty_list = tt_strings_find(&s->strings, "[]", 2);
    tt_row_range rows = tt_query_rows(q);
    tt_flops *flops = q->options.group == 1 ? tt_flops_new(s, false) : NULL;
    for (uint32_t i = tt_call_tree_lower(tree, rows.first); i < tree->n && tree->row[i] < rows.end; i++) {
        tt_row r = tree->row[i];
        if ((tree->flags[i] & (TT_CALL_COUNTED | TT_CALL_DUP)) != TT_CALL_COUNTED || !tt_query_has(q, s->start[r]))
            continue;
        uint32_t at = tt_groups_put(groups, key_of(q, s, r, empty_list));
        if (at == list->n) *tt_vec_push(list) = (group){0};
        group *g = &list->at[at];
        uint32_t dev = tt_call_tree_dev(tree, i);
        tt_stat_add(&g->host, s->dur[r]);
        tt_stat_add(&g->dev, tree->dev_total[dev]);
        g->host_self += tree->host_self[i];
        g->dev_self += tree->dev_self[dev];
        g->tensor_self += tree->tensor_self[dev];
        g->tensor_total += tree->tensor_total[dev];
        g->eligible |= (tree->flags[i] & TT_CALL_ELIGIBLE) != 0;
        if (!flops) continue;
        g->flops = plus(g->flops, tt_flops_of(flops, r));
        g->bytes = plus(g->bytes, tt_bytes_of(flops, r));
    }
    if (flops) tt_flops_free(flops);
}

static void put_row(const tt_query *q, const tt_call_tree *tree, const tt_group_key *k, const group *g, tt_table *t)
{
    const tt_trace *s = tt_query_store(q);
    uint32_t row = tt_table_add(t);
    const char *name = tt_str(&s->strings, (tt_sid)k->a);
    tt_drilldown *o = tt_set_slices(q, t, row, tree->of_ranges ? TT_TREE_RANGES : 1u << TT_KIND_CPU_OP, name);
    tt_set_ref(t, row, NAME, name);
    if (q->options.group == 1) {
        tt_set_ref(t, row, SHAPES, tt_list_text(s, (tt_sid)k->b));
        o->shapes = k->b ? tt_str(&s->strings, (tt_sid)k->b) : "[]";
    }
    if (q->options.group == 2) {
        tt_set_ref(t, row, STACK, tt_str(&s->strings, (tt_sid)k->b));
        o->stack = tt_str(&s->strings, (tt_sid)k->b);
    }
    tt_set_i(t, row, CALLS, g->host.n);
    tt_set_i(t, row, HOST_SELF, g->host_self);
    tt_set_stat(t, row, HOST_TOTAL, &g->host);
    if (q->options.group == 1) { /* per nanosecond: giga per second */
        double ns = (double)g->dev.total;
        if (g->flops > 0) tt_set_i(t, row, FLOPS, g->flops);
        if (g->flops > 0 && ns > 0) tt_set_d(t, row, TFLOPS_PER_S, (double)g->flops / ns / 1e3);
        if (g->bytes > 0 && ns > 0) tt_set_d(t, row, GB_PER_S, (double)g->bytes / ns);
    }
    if (!tree->has_device) return;
    tt_set_i(t, row, DEVICE_SELF, g->dev_self);
    tt_set_stat(t, row, DEVICE_TOTAL, &g->dev);
    tt_set_i(t, row, ELIGIBLE, g->eligible);
    tt_set_d(t, row, TENSOR_SELF, tt_pct((double)g->tensor_self, (double)g->dev_self));
    tt_set_d(t, row, TENSOR_TOTAL, tt_pct((double)g->tensor_total, (double)g->dev.total));
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_call_tree *tree = tt_call_tree_get(q->session, q->trace, TT_TREE_OPS);
    tt_groups groups;
    group_list list = {0};
    tt_groups_init(&groups);
    collect(q, tree, &groups, &list);
    for (size_t i = 0; i < list.n; i++) put_row(q, tree, &groups.key.at[i], &list.at[i], t);
    if (!t->n_rows)
        tt_note_advice(t, "no operators in this trace or scope", tt_advice_of(tt_query_store(q)->rules)->record_host);
    if (t->n_rows && tree->of_ranges) t->note = "ranges of the program: no operators were recorded";
    tt_groups_free(&groups);
    tt_vec_free(&list);
}

static const char *const group_keys[] = {"name", "shape", "stack", NULL};

const tt_table_desc tt_table_operators = {
    .id = "operators",
    .title = "Operators",
    .meaning = "time of each operator on the host and of the device work it launched",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "device_self_ns",
    .default_desc = true,
    .flags = TT_TABLE_DEFAULT | TT_TABLE_THREADS,
    .compute = compute,
};
