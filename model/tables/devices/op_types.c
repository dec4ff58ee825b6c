/* model/tables/devices/op_types.c - tables op_types and op_details: operators of an accelerator by the core they ran
 * on. Without the profiler's own table, types come from kernels. */
#include "model/tables/devices/columns.h"
#include "model/tables/imported_rows.h"

#include <stdlib.h>

/* ---- op_types ---- */

static const tt_column type_columns[] = {
    [TT_OP_TYPES_CORE] = COL("core", "Core", STRING, 0,
                             "unit that ran it, as the profiler spells it: AI_CORE, AI_VECTOR_CORE, AICPU, ..."),
    [TT_OP_TYPES_TYPE] = COL("type", "Type", STRING, 0, "type of the operator"),
    [TT_OP_TYPES_CALLS] = COL("calls", "Calls", COUNT, 0, "executions"),
    [TT_OP_TYPES_TOTAL] = COL("total_ns", "Total", DURATION, 0, "sum of durations"),
    [TT_OP_TYPES_MEAN] = COL("mean_ns", "Mean", DURATION, 1, "total / calls"),
    [TT_OP_TYPES_MAX] = COL("max_ns", "Max", DURATION, 2, "longest"),
    [TT_OP_TYPES_MIN] = COL("min_ns", "Min", DURATION, 3, "shortest"),
    [TT_OP_TYPES_RATIO_PCT] =
        COL("ratio_pct", "%", PERCENT, 0,
            "share of the total of all types without collectives; where the profiler has a table a core, of that core"),
};

typedef struct op_type {
    tt_sid core, type; /* 0 = not known */
    tt_stat time;
    tt_row longest;
} op_type;
typedef TT_VEC(op_type) type_list;

/* Find the types of kernels in scope with a known type or core; collectives are no kernels. */
static void find_types(const tt_query *q, type_list *list)
{
    const tt_trace *s = tt_query_trace(q);
    tt_row_range rows = tt_query_rows(q);
    tt_groups groups;
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        const tt_launch_shape *l = &s->shapes[d->shape];
        if (!l->core && !l->type) continue;
        if (tt_row_kind(s, d->row) != TT_KIND_KERNEL || !tt_query_has_dev(q, s, d, rows)) continue;
        uint32_t at = tt_groups_put(&groups, (tt_group_key){.a = l->core, .b = l->type});
        if (at == list->n) *tt_vec_push(list) = (op_type){.core = l->core, .type = l->type, .longest = d->row};
        op_type *x = &list->at[at];
        tt_stat_add(&x->time, s->dur[d->row]);
        if (s->dur[d->row] > s->dur[x->longest]) x->longest = d->row;
    }
    tt_groups_free(&groups);
}

static bool types_of_kernels(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    type_list list = {0};
    int64_t all = 0;
    find_types(q, &list);
    for (size_t i = 0; i < list.n; i++) all += list.at[i].time.total;
    for (size_t i = 0; i < list.n; i++) {
        const op_type *x = &list.at[i];
        uint32_t row = tt_table_add(t);
        if (x->core) tt_set_ref(t, row, TT_OP_TYPES_CORE, tt_str(&s->strings, x->core));
        if (x->type) tt_set_ref(t, row, TT_OP_TYPES_TYPE, tt_str(&s->strings, x->type));
        tt_set_i(t, row, TT_OP_TYPES_CALLS, x->time.n);
        tt_set_stat(t, row, TT_OP_TYPES_TOTAL, &x->time);
        tt_set_d(t, row, TT_OP_TYPES_RATIO_PCT, tt_pct((double)x->time.total, (double)all));
        tt_set_row(q, t, row, x->longest);
    }
    bool any = list.n > 0;
    tt_vec_free(&list);
    return any;
}

/* Explain how to record operator types, if the profiler can. */
static void note_nothing(const tt_query *q, tt_table *t, const char *missing)
{
    const char *how = tt_advice_of(tt_query_trace(q)->rules)->record_op_types;
    if (t->n_rows) return;
    if (how)
        tt_note_advice(t, missing, how);
    else
        t->note = missing;
}

/* Use the profiler's sums; for a part of the time, the kernels. */
static void compute_types(const tt_query *q, tt_table *t)
{
    bool all = q->windows->everything;
    if (!(all && tt_imported_take(q, t)) && !types_of_kernels(q, t) && !all) tt_imported_take(q, t);
    note_nothing(q, t, "No operator types");
}

const tt_table_desc tt_table_op_types = {
    .id = "op_types",
    .title = "Operator types",
    .meaning = "device time by type of operator and core",
    .cols = type_columns,
    .n_cols = COUNT_OF(type_columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_BROUGHT,
    .compute = compute_types,
};

/* ---- op_details ---- */

static const tt_column detail_columns[] = {
    COL("core", "Core", STRING, 0, "unit that ran it: AICORE, AICPU, GPU, HOST"),
    COL("name", "Operator", STRING, 0, "full name, with the scopes around it"),
    COL("type", "Type", STRING, 1, "type of the operator"),
    COL("calls", "Calls", COUNT, 0, "executions"),
    COL("mean_ns", "Mean", DURATION, 0, "one execution: mean"),
    COL("total_ns", "Total", DURATION, 0, "sum of durations"),
    COL("stream", "Stream", STRING, 3, "stream that it ran on"),
    COL("block_dim", "Blocks", COUNT, 3, "cores that one execution used"),
    COL("input_shapes", "Input shapes", STRING, 2, "shapes of its inputs"),
    COL("flops", "MFLOP", NUMBER, 3, "10^6 floating-point operations of one execution"),
    COL("tflops", "TFLOP/s", NUMBER, 3, "10^12 floating-point operations in a second"),
};

static void compute_details(const tt_query *q, tt_table *t)
{
    tt_imported_rows(q, t);
    note_nothing(q, t, "No operator details");
}

const tt_table_desc tt_table_op_details = {
    .id = "op_details",
    .title = "Operator details",
    .meaning = "operators of the device by name, with shapes and operations",
    .cols = detail_columns,
    .n_cols = COUNT_OF(detail_columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_BROUGHT,
    .compute = compute_details,
};
