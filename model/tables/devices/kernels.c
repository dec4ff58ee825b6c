/* model/tables/devices/kernels.c - kernels by name, by operator, by operator and launch shape, or by what they do. */
#include "model/tables/analysis/calls/code_places.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/tables/analysis/names/tensor_core.h"
#include "model/tables/devices/brought_sums.h"
#include "model/tables/devices/columns.h"
#include "model/tables/table_util.h"

#include <math.h>
#include <stdlib.h>

enum { BY_NAME, BY_LAUNCH, BY_OPERATOR, BY_CLASS };

static const tt_column columns[] = {
    [TT_KERNELS_NAME] = COL("name", "Kernel", STRING, 0, "name of the kernel; by class: what its kernels do"),
    [TT_KERNELS_CORE] =
        COL_OPT("core", "Core", STRING, 2, "cores that it ran on (Ascend): AI_CORE, AI_VECTOR_CORE, AI_CPU ..."),
    [TT_KERNELS_TYPE] = COL_OPT("type", "Type", STRING, 2, "type of the operator that it computes (Ascend)"),
    [TT_KERNELS_CLASS] = COL_OPT(
        "class", "Class", STRING, 3,
        "by name and by launch: what it does, judged by its name: gemm, attention, norm/reduce, elementwise, copy, "
        "communication, other"),
    [TT_KERNELS_OPERATOR] =
        {.key = "operator",
         .title = "Operator",
         .type = TT_T_STRING,
         .prio = 1,
         .in_groups = 1 << BY_LAUNCH | 1 << BY_OPERATOR,
         .unknown = "none recorded",
         .help =
             "operator (failing that, annotation) around the launch; of a graph's work the operator that it belongs to "
             "(table graph_ownership), or (graph); unknown when the launch or the operator was not recorded"},
    [TT_KERNELS_PROGRAM] = COL_OPT("program", "Program", STRING, 2,
                                   "compiled program that all its calls are part of (XLA: the HLO module)"),
    [TT_KERNELS_GRID] = COL_G("grid", "Grid", STRING, 2, 1 << BY_LAUNCH, "blocks of the launch"),
    [TT_KERNELS_BLOCK] = COL_G("block", "Block", STRING, 2, 1 << BY_LAUNCH, "threads of a block"),
    [TT_KERNELS_REGISTERS] = COL_G("registers", "Registers", COUNT, 4, 1 << BY_LAUNCH, "registers per thread"),
    [TT_KERNELS_SHARED_MEMORY_BYTES] = COL_G("shared_memory_bytes", "Shared memory", BYTES, 4, 1 << BY_LAUNCH,
                                             "static and dynamic shared memory of a block"),
    [TT_KERNELS_TENSOR_CORE] = COL("tensor_core", "Tensor core", BOOL, 3,
                                   "runs on tensor cores (NVIDIA) or matrix cores (AMD), judged by its name"),
    [TT_KERNELS_CALLS] = COL("calls", "Calls", COUNT, 1, "launches that ran"),
    [TT_KERNELS_TOTAL] =
        COL("total_ns", "Total", DURATION, 0, "sum of durations; kernels that run at the same time both count"),
    [TT_KERNELS_MEAN] = COL("mean_ns", "Mean", DURATION, 1, "total / calls"),
    [TT_KERNELS_MAX] = COL("max_ns", "Max", DURATION, 2, "longest"),
    [TT_KERNELS_MIN] = COL("min_ns", "Min", DURATION, 3, "shortest"),
    [TT_KERNELS_RATIO_PCT] = COL("ratio_pct", "%", PERCENT, 1, "share of the total of all kernels in scope"),
    [TT_KERNELS_MEAN_BLOCKS_PER_SM] = COL("mean_blocks_per_sm", "Blocks/SM", NUMBER, 4,
                                          "blocks of the grid per multiprocessor, mean weighted by duration"),
    [TT_KERNELS_MEAN_OCCUPANCY_PCT] = COL("mean_occupancy_pct", "Occupancy %", PERCENT, 4,
                                          "achieved occupancy as the profiler estimates it, mean weighted by duration"),
    [TT_KERNELS_FLOPS] = COL_OPT("flops", "FLOP", COUNT, 5,
                                 "floating-point operations of all calls, where the compiler states them (XLA)"),
    [TT_KERNELS_TFLOPS_PER_S] =
        COL_OPT("tflops_per_s", "TFLOP/s", NUMBER, 3, "FLOP / total time of the calls that state them"),
    [TT_KERNELS_ACCESSED_BYTES] = COL_OPT("accessed_bytes", "Bytes", BYTES, 5,
                                          "read and written by all calls, where the compiler states it (XLA)"),
    [TT_KERNELS_GB_PER_S] =
        COL_OPT("gb_per_s", "GB/s", NUMBER, 4, "bytes / total time of the calls that state them; GB = 10^9 bytes"),
    [TT_KERNELS_LINE] = COL_PLACE("line", "Python line", 2, "the line of the program that launches most of it"),
    [TT_KERNELS_MODULE] =
        COL_PLACE("module", "Module", 3, "class of the innermost nn.Module around most of its launches"),
};

typedef struct weighted { /* mean of a value over calls, weighted by duration; plain mean when all durations are 0 */
    double sum, weight, plain;
    int64_t n;
} weighted;

static void weigh(weighted *w, double value, int64_t dur)
{
    if (!isfinite(value)) return;
    w->sum += value * (double)dur;
    w->weight += (double)dur;
    w->plain += value;
    w->n++;
}

static double weighted_mean(const weighted *w)
{
    if (!w->n) return (double)NAN;
    return w->weight > 0 ? w->sum / w->weight : w->plain / (double)w->n;
}

typedef struct stated { /* a value that the compiler states for some calls: its sum, and the time of these calls */
    int64_t sum, ns;
} stated;

static void add_stated(stated *x, int64_t v, int64_t ns)
{
    if (v <= 0 || __builtin_add_overflow(x->sum, v, &x->sum)) return;
    x->ns += ns;
}

/* Rate in 10^9 per second. */
static double per_second(const stated *x) { return x->sum && x->ns ? (double)x->sum / (double)x->ns : (double)NAN; }

typedef struct group {
    tt_stat time;
    weighted blocks, occupancy;
    tt_sid core, type, program; /* common to all calls; SEVERAL */
    stated flops, bytes;
    tt_row longest; /* on ties the first in the trace */
} group;

#define SEVERAL UINT32_MAX

/* Merge a call's value: keeps it only if all calls agree; unknown if a call lacks it. */
static void agree(tt_sid *of, tt_sid one)
{
    if (!*of) *of = one;
    if (one && *of != one) *of = SEVERAL;
}

static const char *agreed(const tt_trace *s, tt_sid of) { return of && of != SEVERAL ? tt_str(&s->strings, of) : NULL; }

/* The operator to show: stated by the profiler, else the owner of the work; UINT32_MAX = none. */
static uint64_t operator_name(const tt_graphs *g, const tt_activity *d)
{
    tt_sid name = g->trace->shapes[d->shape].op;
    return name ? name : tt_work_operator(g, d);
}

static bool has_class(const tt_query *q) { return q->options.group == BY_NAME || q->options.group == BY_LAUNCH; }

static bool has_operator(const tt_query *q) { return q->options.group == BY_LAUNCH || q->options.group == BY_OPERATOR; }

static void put_row(const tt_query *q, const tt_name_classes *names, const tt_graphs *graphs, const tt_group_key *k,
                    const group *g, int64_t all, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t row = tt_table_add(t);
    bool by_class = q->options.group == BY_CLASS;
    const char *class =
        tt_kernel_class_name(by_class ? (tt_kernel_class)k->a : tt_name_kernel_class(names, (tt_sid)k->a));
    const char *name = by_class ? class : tt_str(&s->strings, (tt_sid)k->a);
    if (by_class) tt_set_row(q, t, row, g->longest);
    if (!by_class) tt_set_slices(q, t, row, 1u << TT_KIND_KERNEL, name);
    tt_set_ref(t, row, TT_KERNELS_NAME, name);
    if (has_class(q)) tt_set_ref(t, row, TT_KERNELS_CLASS, class);
    tt_set_ref(t, row, TT_KERNELS_CORE, agreed(s, g->core));
    tt_set_ref(t, row, TT_KERNELS_TYPE, agreed(s, g->type));
    tt_set_ref(t, row, TT_KERNELS_PROGRAM, agreed(s, g->program));
    if (graphs && k->b != UINT32_MAX) tt_set_ref(t, row, TT_KERNELS_OPERATOR, tt_graph_text(graphs, (tt_sid)k->b));
    if (q->options.group == BY_LAUNCH) {
        const tt_launch_shape *l = &s->shapes[k->c];
        tt_set_ref(t, row, TT_KERNELS_GRID, tt_list_text(s, l->grid));
        tt_set_ref(t, row, TT_KERNELS_BLOCK, tt_list_text(s, l->block));
        tt_set_i(t, row, TT_KERNELS_REGISTERS, l->registers);
        tt_set_i(t, row, TT_KERNELS_SHARED_MEMORY_BYTES, l->shared_bytes);
    }
    if (!by_class) tt_set_i(t, row, TT_KERNELS_TENSOR_CORE, (names->of[k->a] & TT_NAME_TENSOR) != 0);
    tt_set_i(t, row, TT_KERNELS_CALLS, g->time.n);
    tt_set_stat(t, row, TT_KERNELS_TOTAL, &g->time);
    tt_set_d(t, row, TT_KERNELS_RATIO_PCT, tt_pct((double)g->time.total, (double)all));
    tt_set_d(t, row, TT_KERNELS_MEAN_BLOCKS_PER_SM, weighted_mean(&g->blocks));
    tt_set_d(t, row, TT_KERNELS_MEAN_OCCUPANCY_PCT, weighted_mean(&g->occupancy));
    if (g->flops.sum) tt_set_i(t, row, TT_KERNELS_FLOPS, g->flops.sum);
    tt_set_d(t, row, TT_KERNELS_TFLOPS_PER_S, per_second(&g->flops) / 1e3);
    if (g->bytes.sum) tt_set_i(t, row, TT_KERNELS_ACCESSED_BYTES, g->bytes.sum);
    tt_set_d(t, row, TT_KERNELS_GB_PER_S, per_second(&g->bytes));
    if (q->options.places && q->options.group == BY_NAME)
        tt_set_code_place(q, t, row, TT_KERNELS_LINE, (tt_sid)k->a, true);
}

static bool same_launch(const tt_launch_shape *a, const tt_launch_shape *b)
{
    return a->grid == b->grid && a->block == b->block && a->registers == b->registers &&
           a->shared_bytes == b->shared_bytes;
}

/* By shape index: the first shape that differs only in derived numbers (blocks per SM, occupancy), so is one launch
 * shape with it. */
static uint32_t *launch_classes(const tt_trace *s)
{
    uint32_t *class = tt_calloc(s->n_shapes + 1u, sizeof *class);
    tt_groups g;
    tt_groups_init(&g);
    TT_VEC(uint32_t) first = {0};
    for (uint32_t i = 0; i < s->n_shapes; i++) {
        const tt_launch_shape *l = &s->shapes[i];
        tt_group_key k = {(uint64_t)l->grid << 32 | l->block, (uint64_t)l->registers, (uint64_t)l->shared_bytes};
        uint32_t at = tt_groups_put(&g, k);
        if (at == first.n) *tt_vec_push(&first) = i;
        class[i] = same_launch(l, &s->shapes[first.at[at]]) ? first.at[at] : i;
    }
    tt_vec_free(&first);
    tt_groups_free(&g);
    return class;
}

static const char *class_text(const char *name) { return tt_kernel_class_name(tt_kernel_class_of(name)); }

/* Fill the table from brought sums if the trace has no slices. */
static void put_brought(const tt_query *q, tt_table *t)
{
    static const uint32_t keys[] = {TT_KERNELS_NAME, TT_KERNELS_OPERATOR, TT_KERNELS_GRID,
                                    TT_KERNELS_BLOCK}; /* number of keys in this grouping */
    static const uint32_t used[] = {[BY_NAME] = 1, [BY_LAUNCH] = 4, [BY_OPERATOR] = 2, [BY_CLASS] = 1};
    uint32_t from = t->n_rows;
    tt_brought_sums(q, t, keys, used[q->options.group], q->options.group == BY_CLASS ? class_text : NULL,
                    TT_KERNELS_CALLS);
    if (q->options.group == BY_CLASS) return;
    for (uint32_t r = from; r < t->n_rows; r++) {
        const char *name = tt_table_cell(t, r, TT_KERNELS_NAME).s;
        tt_set_i(t, r, TT_KERNELS_TENSOR_CORE, name && tt_tensor_kernel(name));
        if (name && has_class(q)) tt_set_ref(t, r, TT_KERNELS_CLASS, class_text(name));
    }
}

static void compute(const tt_query *q, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    const tt_name_classes *names = tt_name_classes_get(q->session, q->trace);
    tt_row_range rows = tt_query_rows(q);
    const tt_graphs *graphs = has_operator(q) ? tt_graphs_get(q->session, q->trace) : NULL;
    uint32_t *class = q->options.group == BY_LAUNCH ? launch_classes(s) : NULL;
    tt_groups groups;
    TT_VEC(group) list = {0};
    int64_t all = 0;
    tt_groups_init(&groups);
    for (uint32_t i = 0; i < s->n_dev; i++) {
        const tt_activity *d = &s->dev[i];
        if (tt_row_kind(s, d->row) != TT_KIND_KERNEL || !tt_query_has_dev(q, s, d, rows)) continue;
        tt_group_key k = {.a = s->name[d->row]};
        if (q->options.group == BY_CLASS) k.a = tt_name_kernel_class(names, s->name[d->row]);
        if (graphs) k.b = operator_name(graphs, d);
        if (class) k.c = class[d->shape];
        uint32_t at = tt_groups_put(&groups, k);
        if (at == list.n) *tt_vec_push(&list) = (group){0};
        group *g = &list.at[at];
        int64_t dur = s->dur[d->row];
        if (!g->time.n || dur > g->time.max || (dur == g->time.max && d->row < g->longest)) g->longest = d->row;
        tt_stat_add(&g->time, dur);
        tt_step_sums_dev(q->sums, s, at, d);
        agree(&g->core, s->shapes[d->shape].core);
        agree(&g->type, s->shapes[d->shape].type);
        agree(&g->program, s->shapes[d->shape].program);
        add_stated(&g->flops, s->shapes[d->shape].flops, dur);
        add_stated(&g->bytes, s->shapes[d->shape].bytes, dur);
        weigh(&g->blocks, s->shapes[d->shape].blocks_per_sm, dur);
        weigh(&g->occupancy, s->shapes[d->shape].occupancy_pct, dur);
        all += dur;
    }
    for (size_t i = 0; i < list.n; i++) put_row(q, names, graphs, &groups.key.at[i], &list.at[i], all, t);
    if (!list.n) put_brought(q, t);
    if (!t->n_rows && !t->note)
        tt_note_advice(t, "No GPU kernels", tt_advice_of(tt_query_trace(q)->rules)->record_device);
    tt_groups_free(&groups);
    tt_vec_free(&list);
    free(class);
}

static const char *const group_keys[] = {"name", "launch", "operator", "class", NULL};

const tt_table_desc tt_table_kernels = {
    .id = "kernels",
    .title = "Kernels",
    .meaning = "time of each kernel on its device",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .groups = group_keys,
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_DEFAULT | TT_TABLE_THREADS | TT_TABLE_STEP_SUMS | TT_TABLE_BROUGHT,
    .compute = compute,
};
