/* model/tables/compare/diff_lists.c - tables diff_T: lists of names with calls and times, in the base and in the new
 * run.
 *
 * The columns of diff_T are the keys of T, which match rows of both runs, then the calls, three columns per value
 * (base, new, difference), and the change of the main time per step. These columns define the comparison; lists[]
 * adds which columns of T have the calls and the main time, and how names are shortened. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/analysis/device/tables.h"
#include "model/tables/communication/tables.h"
#include "model/tables/compare/calls.h"
#include "model/tables/compare/change.h"
#include "model/tables/compare/list_rows.h"
#include "model/tables/devices/tables.h"
#include "model/tables/operators/tables.h"
#include "model/tables/table_util.h"

/* ---- columns ---- */

#define CALLS                                                                                                          \
    COL("base_calls", "Base calls", COUNT, 5, "calls in the base"),                                                    \
        COL("new_calls", "New calls", COUNT, 5, "calls in the new run")
/* A value of T in three columns: in the base, in the new run, and the difference. */
#define VALUE(key, title, type, prio, groups, help)                                                                    \
    COL_G("base_" key, "Base " title, type, (prio) + 1, groups, "of the base: " help),                                 \
        COL_G("new_" key, "New " title, type, (prio) + 1, groups, "of the new run: " help),                            \
        COL_G("delta_" key, title " diff", type, prio, groups, "new - base: " help)
/* The same for a value that only some traces have. */
#define VALUE_OPT(key, title, type, prio, help)                                                                        \
    COL_OPT("base_" key, "Base " title, type, (prio) + 1, "of the base: " help),                                       \
        COL_OPT("new_" key, "New " title, type, (prio) + 1, "of the new run: " help),                                  \
        COL_OPT("delta_" key, title " diff", type, prio, "new - base: " help)
/* Change of the main time per step, and the verdict: empty without steps on both sides. */
#define BY_STEP                                                                                                        \
    COL("base_step_ns", "Base per step", DURATION, 2, "main time of the row per step of the base, median"),            \
        COL("new_step_ns", "New per step", DURATION, 2, "main time of the row per step of the new run, median"),       \
        COL("delta_step_ns", "Diff per step", DURATION, 1, "shift per step: median of all differences, new - base"),   \
        COL("low_ns", "Low", DURATION, 5, "lower end of the confidence interval of the shift"),                        \
        COL("high_ns", "High", DURATION, 5, "upper end of the confidence interval of the shift"),                      \
        COL("p_value", "p", NUMBER, 5,                                                                                 \
            "Mann-Whitney, two-sided; not corrected for the number of rows, and optimistic: steps of a run are "       \
            "not independent"),                                                                                        \
        COL("verdict", "Verdict", STRING, 1,                                                                           \
            "slower, faster, same, unclear (record more steps); same unless it moves the step by 0.1%"),               \
        COL("change", "Change", STRING, 0, "of the calls (per step): added, deleted, increased, decreased, unchanged")
enum { BASE_STEP, NEW_STEP, DELTA_STEP, LOW, HIGH, P_VALUE, VERDICT, CHANGE, N_BY_STEP };
enum { BASE_CALLS, NEW_CALLS, FIRST_VALUE };

static const tt_column operators_columns[] = {
    COL("name", "Operator", STRING, 0, "name of the operator"),
    COL_G("input_shapes", "Input shapes", STRING, 0, 1 << 1 | 1 << 3,
          "shapes of the inputs as recorded; [] when they were not"),
    COL_G("stack", "Call stack", STRING, 0, 1 << 2 | 1 << 3, "Python call stack, innermost frame first, joined by ;"),
    CALLS,
    VALUE_OPT("replayed_calls", "Replayed", COUNT, 6, "captured calls, times the replays of their graph"),
    VALUE("host_self_ns", "CPU self", DURATION, 5, 0,
          "CPU time without the operators, ranges, runtime and driver calls directly inside"),
    VALUE("host_total_ns", "CPU total", DURATION, 3, 0, "CPU time, summed over calls"),
    VALUE("host_mean_ns", "CPU mean", DURATION, 6, 0, "CPU total / calls"),
    VALUE("host_max_ns", "CPU max", DURATION, 8, 0, "longest call"),
    VALUE("host_min_ns", "CPU min", DURATION, 9, 0, "shortest call"),
    VALUE("device_self_ns", "GPU self", DURATION, 5, 0, "GPU work launched by the operator itself"),
    VALUE("device_total_ns", "GPU total", DURATION, 5, 0, "the same with everything called inside"),
    VALUE("device_mean_ns", "GPU mean", DURATION, 7, 0, "GPU total / calls"),
    VALUE("device_max_ns", "GPU max", DURATION, 8, 0, "largest GPU total of one call"),
    VALUE("device_min_ns", "GPU min", DURATION, 9, 0, "smallest GPU total of one call"),
    VALUE("flops", "FLOPs", COUNT, 7, 1 << 1 | 1 << 3, "floating point operations of all calls, from the input shapes"),
    BY_STEP,
};

static const tt_column key_averages_columns[] = {
    COL("side", "Side", STRING, 2, "host: called there; device: ran there"),
    COL("name", "Name", STRING, 0, "operator, annotation, runtime call, kernel or copy"),
    COL_G("input_shapes", "Input shapes", STRING, 0, 1 << 1 | 1 << 3,
          "shapes of the inputs as recorded; [] when they were not"),
    COL_G("stack", "Source Location", STRING, 0, 1 << 2 | 1 << 3, "first frames of the Python call stack"),
    CALLS,
    VALUE("cpu_self_ns", "Self CPU", DURATION, 5, 0,
          "CPU time without the operators, ranges, runtime and driver calls directly inside"),
    VALUE("cpu_total_ns", "CPU total", DURATION, 3, 0, "CPU time, summed over calls"),
    VALUE("cpu_mean_ns", "CPU avg", DURATION, 7, 0, "CPU total / calls"),
    VALUE("cuda_self_ns", "Self CUDA", DURATION, 5, 0, "GPU work launched by the row; of device rows their duration"),
    VALUE("cuda_total_ns", "CUDA total", DURATION, 3, 0, "the same with everything called inside"),
    VALUE("cuda_mean_ns", "CUDA avg", DURATION, 7, 0, "CUDA total / calls"),
    VALUE("cpu_memory_bytes", "CPU mem", BYTES, 8, 0, "CPU memory allocated minus freed while it ran"),
    VALUE("cpu_memory_self_bytes", "Self CPU mem", BYTES, 8, 0, "the same without called operators"),
    VALUE("cuda_memory_bytes", "CUDA mem", BYTES, 8, 0, "GPU memory allocated minus freed while it ran"),
    VALUE("cuda_memory_self_bytes", "Self CUDA mem", BYTES, 8, 0, "the same without called operators"),
    VALUE("flops", "FLOPs", COUNT, 9, 0, "floating point operations of all calls, from the input shapes"),
    BY_STEP,
};

static const tt_column kernels_columns[] = {
    COL("name", "Kernel", STRING, 0, "name of the kernel"),
    COL_G("operator", "Operator", STRING, 1, 1 << 1 | 1 << 2, "operator (failing that, annotation) around the launch"),
    COL_G("grid", "Grid", STRING, 2, 1 << 1, "blocks of the launch"),
    COL_G("block", "Block", STRING, 2, 1 << 1, "threads of a block"),
    COL_G("registers", "Registers", COUNT, 4, 1 << 1, "registers per thread"),
    COL_G("shared_memory_bytes", "Shared memory", BYTES, 4, 1 << 1, "shared memory of a block"),
    CALLS,
    VALUE("total_ns", "Total", DURATION, 3, 0, "sum of durations"),
    VALUE("mean_ns", "Mean", DURATION, 5, 0, "total / calls"),
    VALUE("max_ns", "Max", DURATION, 7, 0, "longest"),
    VALUE("min_ns", "Min", DURATION, 8, 0, "shortest"),
    BY_STEP,
};

static const tt_column runtime_api_columns[] = {
    COL_OPT("level", "Level", STRING, 1, "layer of the runtime that was called (Ascend)"),
    COL("name", "Call", STRING, 0, "runtime or driver function"),
    CALLS,
    VALUE("total_ns", "Total", DURATION, 3, 0, "CPU time, summed over calls"),
    VALUE("mean_ns", "Mean", DURATION, 5, 0, "total / calls"),
    VALUE("max_ns", "Max", DURATION, 7, 0, "longest call"),
    VALUE("min_ns", "Min", DURATION, 8, 0, "shortest call"),
    BY_STEP,
};

static const tt_column memcpy_columns[] = {
    COL("kind", "Kind", STRING, 1, "device copy, device set; host range: a named range that copies or sets memory"),
    COL("name", "Name", STRING, 0, "name of the copy: direction and memory kinds"),
    CALLS,
    VALUE("bytes", "Bytes", BYTES, 5, 0, "bytes moved, where the trace says"),
    VALUE("host_total_ns", "CPU total", DURATION, 6, 0, "CPU time of the named ranges"),
    VALUE("host_mean_ns", "CPU mean", DURATION, 8, 0, "CPU total / calls"),
    VALUE("host_max_ns", "CPU max", DURATION, 9, 0, "longest range"),
    VALUE("host_min_ns", "CPU min", DURATION, 10, 0, "shortest range"),
    VALUE("device_total_ns", "GPU total", DURATION, 3, 0, "time on the device"),
    VALUE("device_mean_ns", "GPU mean", DURATION, 5, 0, "GPU total / calls"),
    VALUE("device_max_ns", "GPU max", DURATION, 7, 0, "longest"),
    VALUE("device_min_ns", "GPU min", DURATION, 8, 0, "shortest"),
    BY_STEP,
};

static const tt_column user_ranges_columns[] = {
    COL("name", "Range", STRING, 0, "name given to record_function, NVTX or RecordEvent"),
    CALLS,
    VALUE("host_total_ns", "CPU total", DURATION, 3, 0, "time from start to end, summed"),
    VALUE("host_mean_ns", "CPU mean", DURATION, 5, 0, "CPU total / calls"),
    VALUE("host_max_ns", "CPU max", DURATION, 7, 0, "longest"),
    VALUE("host_min_ns", "CPU min", DURATION, 8, 0, "shortest"),
    VALUE("device_total_ns", "GPU total", DURATION, 5, 0, "GPU work launched inside: sum of durations"),
    VALUE("device_mean_ns", "GPU mean", DURATION, 6, 0, "GPU total / calls"),
    VALUE("device_max_ns", "GPU max", DURATION, 8, 0, "largest of one call"),
    VALUE("device_min_ns", "GPU min", DURATION, 9, 0, "smallest of one call"),
    BY_STEP,
};

static const tt_column modules_columns[] = {
    COL("path", "Path", STRING, 3, "names of the modules from the outermost to this one"),
    COL("depth", "Depth", COUNT, 5, "modules around it"),
    COL("name", "Module", STRING, 0, "class and number of the module"),
    CALLS,
    VALUE_OPT("replayed_calls", "Replayed", COUNT, 6, "captured calls, times the replays of their graph"),
    VALUE("operators", "Operators", COUNT, 5, 0, "operators that the module calls directly, over all its calls"),
    VALUE("host_total_ns", "CPU total", DURATION, 3, 0, "CPU time, summed over calls"),
    VALUE("host_self_ns", "CPU self", DURATION, 6, 0,
          "the same without the modules, operators, ranges, runtime and driver calls directly inside"),
    VALUE("device_total_ns", "GPU total", DURATION, 5, 0, "GPU work launched inside: sum of durations"),
    VALUE("device_self_ns", "GPU self", DURATION, 7, 0, "launched by itself or by operators it calls directly"),
    BY_STEP,
};

static const tt_column comm_sizes_columns[] = {
    COL("operation", "Operation", STRING, 0, "as the trace writes it"),
    COL("dtype", "Type", STRING, 1, "type of the elements, where recorded"),
    COL("group", "Group", STRING, 3, "process group, where recorded"),
    COL("group_size", "Ranks", COUNT, 2, "ranks of the group, where recorded"),
    COL("in_bytes", "Input", BYTES, 0, "bytes of the inputs of a call, where recorded"),
    COL("out_bytes", "Output", BYTES, 1, "bytes of its result, where recorded"),
    CALLS,
    VALUE("total_ns", "Total", DURATION, 3, 0, "time in their kernels, on the worker that waits least"),
    VALUE("mean_ns", "Mean", DURATION, 5, 0, "total / calls"),
    VALUE("min_ns", "Min", DURATION, 7, 0, "shortest"),
    BY_STEP,
};

static const tt_column stages_columns[] = {
    COL("stage", "Stage", STRING, 0, "ProfileStep: the steps themselves; Others: what is left of them"),
    CALLS,
    VALUE("host_total_ns", "CPU total", DURATION, 3, 0, "CPU time from start to end, summed"),
    VALUE("host_mean_ns", "CPU mean", DURATION, 5, 0, "CPU total / calls"),
    VALUE("host_max_ns", "CPU max", DURATION, 7, 0, "longest"),
    VALUE("host_min_ns", "CPU min", DURATION, 8, 0, "shortest"),
    VALUE("device_total_ns", "GPU total", DURATION, 5, 0, "kernels launched inside: sum of durations"),
    VALUE("device_mean_ns", "GPU mean", DURATION, 6, 0, "GPU total / calls"),
    VALUE("device_max_ns", "GPU max", DURATION, 8, 0, "largest of one call"),
    VALUE("device_min_ns", "GPU min", DURATION, 9, 0, "smallest of one call"),
    BY_STEP,
};

/* ---- what is compared ---- */

static const struct list {
    const tt_table_desc *of;                /* table T */
    const char *calls, *main, *device_main; /* keys of T's columns; device_main: main time of device rows, NULL */
    tt_list_name names;                     /* how column `name` is shortened; for `operator` as an operator */
} lists[] = {
    {&tt_table_operators, "calls", "host_total_ns", NULL, TT_NAME_OPERATOR},
    {&tt_table_key_averages, "calls", "cpu_total_ns", "cuda_total_ns", TT_NAME_BY_SIDE},
    {&tt_table_kernels, "calls", "total_ns", NULL, TT_NAME_KERNEL},
    {&tt_table_runtime_api, "calls", "total_ns", NULL, TT_NAME_AS_IS},
    {&tt_table_memcpy, "calls", "device_total_ns", "device_total_ns", TT_NAME_AS_IS},
    {&tt_table_user_ranges, "calls", "host_total_ns", NULL, TT_NAME_OPERATOR},
    {&tt_table_modules, "occurrences", "host_total_ns", NULL, TT_NAME_AS_IS},
    {&tt_table_comm_sizes, "calls", "total_ns", NULL, TT_NAME_AS_IS},
    {&tt_table_stages, "calls", "host_total_ns", NULL, TT_NAME_AS_IS},
};

/* How several rows of a side become one: times per call by their mean, extremes as extremes, all else as the sum. */
static tt_list_fold fold_of(const char *key)
{
    if (strstr(key, "mean_ns")) return TT_LIST_MEAN;
    if (strstr(key, "max_ns")) return TT_LIST_MAX;
    return strstr(key, "min_ns") ? TT_LIST_MIN : TT_LIST_SUM;
}

/* The list that table diff_T compares, read from its columns. */
static tt_list list_of(const tt_table_desc *diff)
{
    const struct list *l = lists;
    while (strcmp(l->of->id, diff->id + strlen("diff_")) != 0) l++;
    tt_list list = {.desc = diff, .of = l->of, .calls = l->calls, .main = l->main, .device_main = l->device_main};
    const tt_column *cols = diff->cols;
    uint32_t c = 0;
    for (; strcmp(cols[c].key, "base_calls") != 0; c++) {
        tt_list_name names = !strcmp(cols[c].key, "name")       ? l->names
                             : !strcmp(cols[c].key, "operator") ? TT_NAME_OPERATOR
                                                                : TT_NAME_AS_IS;
        list.keys[list.n_keys++] = (tt_list_key){cols[c].key, names};
    }
    for (c += FIRST_VALUE; c < diff->n_cols - N_BY_STEP; c += TT_SIDES + 1) {
        const char *key = cols[c].key + strlen("base_");
        list.values[list.n_values++] = (tt_list_value){key, fold_of(key)};
    }
    return list;
}

/* ---- rows ---- */

typedef struct judged { /* row of the comparison */
    const tt_list_row *row;
    const char *change;
    int64_t calls[TT_SIDES], main[TT_SIDES];
    tt_change by_step;
    uint64_t weight; /* sort weight, largest first; 0 also for unknown */
} judged;

typedef struct order { /* tie order of rows with equal weight */
    const tt_list *list;
    const tt_type *types; /* types by key */
    uint32_t name;        /* key compared first */
} order;

static int64_t minus(int64_t a, int64_t b) { return a == TT_UNKNOWN || b == TT_UNKNOWN ? TT_UNKNOWN : a - b; }

static uint64_t size_of(int64_t delta)
{
    if (delta == TT_UNKNOWN) return 0;
    return delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;
}

/* Text of the change in n calls per number of steps. Calls outside of steps count if no step has any. */
static const char *change_of(const int64_t *calls, const int64_t *in_steps, const uint32_t *steps, bool per_step)
{
    if (calls[TT_BASE] == TT_UNKNOWN || calls[TT_NEW] == TT_UNKNOWN) return NULL;
    if (per_step && (in_steps[TT_BASE] || in_steps[TT_NEW]))
        return tt_change_of_calls(in_steps[TT_BASE], steps[TT_BASE], in_steps[TT_NEW], steps[TT_NEW]);
    return tt_change_of_calls(calls[TT_BASE], 1, calls[TT_NEW], 1);
}

static judged judge(tt_list_rows *l, const tt_list_row *r, const tt_change_test *test, int64_t step, double min_effect)
{
    const tt_matching *m = &l->matching;
    judged j = {.row = r, .by_step = {TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, TT_UNKNOWN, (double)NAN, 0}};
    int64_t in_steps[TT_SIDES];
    uint32_t n[TT_SIDES];
    for (int side = 0; side < TT_SIDES; side++) {
        j.calls[side] = tt_list_calls(l, r, side);
        j.main[side] = tt_list_main(l, r, side);
        n[side] = tt_list_samples(l, r, side, &in_steps[side]);
    }
    int64_t *base = l->side[TT_BASE].ns, *now = l->side[TT_NEW].ns;
    if (n[TT_BASE] && n[TT_NEW]) {
        tt_change_judge(test, base, now, min_effect, &j.by_step);
        tt_change_of_row(&j.by_step, step);
    } else if (m->per_step) { /* use the median of the side that has one */
        tt_change_of(base, n[TT_BASE], now, n[TT_NEW], 0, 0, &j.by_step);
    }
    j.change = change_of(j.calls, in_steps, m->n_samples, m->per_step);
    j.weight = size_of(m->per_step ? j.by_step.delta : minus(j.main[TT_NEW], j.main[TT_BASE]));
    return j;
}

static int compare_keys(const order *o, const tt_list_row *a, const tt_list_row *b, uint32_t k)
{
    tt_cell x = a->key[k], y = b->key[k];
    if (o->types[k] != TT_T_STRING) return (x.i > y.i) - (x.i < y.i);
    return !x.s || !y.s ? (x.s != NULL) - (y.s != NULL) : strcmp(x.s, y.s);
}

static int by_weight(const void *a, const void *b, void *arg)
{
    const judged *x = a, *y = b;
    const order *o = arg;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    int by_name = compare_keys(o, x->row, y->row, o->name);
    for (uint32_t k = 0; !by_name && k < o->list->n_keys; k++) by_name = compare_keys(o, x->row, y->row, k);
    return by_name;
}

static void put_values(const tt_list_rows *l, const judged *j, uint32_t row, tt_table *t)
{
    uint32_t first = l->list->n_keys + FIRST_VALUE;
    for (uint32_t v = 0; v < l->list->n_values; v++) {
        int64_t x[TT_SIDES];
        for (int side = 0; side < TT_SIDES; side++) x[side] = tt_list_value_of(l, j->row, side, v);
        for (int side = 0; side < TT_SIDES; side++) /* a value the other side lacks stays unknown here, not 0 */
            if (j->row->first[side] == TT_NONE && x[!side] == TT_UNKNOWN) x[side] = TT_UNKNOWN;
        tt_set_i(t, row, first + 3 * v, x[TT_BASE]);
        tt_set_i(t, row, first + 3 * v + 1, x[TT_NEW]);
        tt_set_i(t, row, first + 3 * v + 2, minus(x[TT_NEW], x[TT_BASE]));
    }
}

static void put_change(const judged *j, uint32_t first, uint32_t row, tt_table *t)
{
    tt_set_i(t, row, first + BASE_STEP, j->by_step.base);
    tt_set_i(t, row, first + NEW_STEP, j->by_step.now);
    tt_set_i(t, row, first + DELTA_STEP, j->by_step.delta);
    tt_set_i(t, row, first + LOW, j->by_step.low);
    tt_set_i(t, row, first + HIGH, j->by_step.high);
    tt_set_d(t, row, first + P_VALUE, j->by_step.p);
    tt_set_ref(t, row, first + VERDICT, tt_verdict_name[j->by_step.verdict]);
    tt_set_ref(t, row, first + CHANGE, j->change);
}

/* Drill-down of a row on one side: the drill-down of its first row, extended to all workers if there are several. */
static void put_drilldown(const tt_list_rows *l, const tt_list_row *r, int which, tt_drilldown *drilldown)
{
    const tt_list_side *side = &l->side[which];
    uint32_t at = r->first[which];
    if (at == TT_NONE || !side->table->drilldowns) return;
    *drilldown = side->table->drilldowns[at];
    for (uint32_t row = side->next[at]; row != TT_NONE && drilldown->what == TT_DRILL_SLICES; row = side->next[row])
        if (side->table->drilldowns[row].trace != drilldown->trace) drilldown->trace = TT_NONE;
}

static void put_row(const tt_list_rows *l, const judged *j, tt_table *t)
{
    const tt_list *list = l->list;
    uint32_t row = tt_table_add(t);
    for (uint32_t k = 0; k < list->n_keys; k++) {
        if (t->desc->cols[k].type == TT_T_STRING)
            tt_set_s(t, row, k, j->row->key[k].s);
        else
            tt_set_i(t, row, k, j->row->key[k].i);
    }
    tt_set_i(t, row, list->n_keys + BASE_CALLS, j->calls[TT_BASE]);
    tt_set_i(t, row, list->n_keys + NEW_CALLS, j->calls[TT_NEW]);
    put_values(l, j, row, t);
    put_change(j, t->desc->n_cols - N_BY_STEP, row, t);
    put_drilldown(l, j->row, TT_BASE, tt_set_base_drilldown(t, row));
    put_drilldown(l, j->row, TT_NEW, tt_set_drilldown(t, row));
}

static void put_rows(tt_list_rows *l, double confidence, double min_effect, tt_table *t)
{
    const tt_matching *m = &l->matching;
    TT_VEC(judged) rows = {0};
    tt_type types[TT_LIST_MOST];
    order o = {.list = l->list, .types = types};
    for (uint32_t k = 0; k < l->list->n_keys; k++) {
        types[k] = t->desc->cols[k].type;
        if (!strcmp(l->list->keys[k].key, "name")) o.name = k;
    }
    uint32_t n_base = m->per_step ? m->n_samples[TT_BASE] : 0, n_now = m->per_step ? m->n_samples[TT_NEW] : 0;
    tt_change_test test = tt_change_test_make(n_base, n_now, confidence);
    int64_t step = tt_matching_median_step(m, TT_BASE);
    for (size_t i = 0; i < l->rows.n; i++) *tt_vec_push(&rows) = judge(l, &l->rows.at[i], &test, step, min_effect);
    tt_change_test_free(&test);
    if (rows.n) qsort_r(rows.at, rows.n, sizeof *rows.at, by_weight, &o);
    for (size_t i = 0; i < rows.n; i++) put_row(l, &rows.at[i], t);
    tt_vec_free(&rows);
}

static void compute(const tt_query *q, tt_table *t)
{
    tt_list list = list_of(t->desc);
    tt_list_rows l;
    if (!q->options.compare) return;
    tt_list_rows_make(&l, &list, q->session, q->scope, &q->options);
    put_rows(&l, q->options.compare->confidence, q->options.compare->min_effect, t);
    const char *note = l.side[TT_NEW].table->note;
    if (!t->n_rows && note) t->note = tt_arena_strndup(&t->arena, note, strlen(note));
    tt_list_rows_free(&l);
}

/* ---- descriptors ---- */

#define GROUPS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define DIFF(T, title_, groups_)                                                                                       \
    const tt_table_desc tt_table_diff_##T = {                                                                          \
        .id = "diff_" #T,                                                                                              \
        .title = title_,                                                                                               \
        .meaning = "table " #T " of two runs, row by row, and how much each adds to a step",                           \
        .cols = T##_columns,                                                                                           \
        .n_cols = COUNT_OF(T##_columns),                                                                               \
        .groups = groups_,                                                                                             \
        .flags = TT_TABLE_COMPARE | TT_TABLE_ALL_TRACES,                                                               \
        .note = TT_NOTHING_TO_COMPARE,                                                                                 \
        .compute = compute,                                                                                            \
    }
DIFF(operators, "Operators compared", GROUPS("name", "shape", "stack", "shape,stack"));
DIFF(key_averages, "Key averages compared", GROUPS("name", "shape", "stack", "shape,stack"));
DIFF(kernels, "Kernels compared", GROUPS("name", "launch", "operator", "class"));
DIFF(runtime_api, "Runtime API compared", NULL);
DIFF(memcpy, "Memory copies compared", NULL);
DIFF(user_ranges, "Annotations compared", NULL);
DIFF(modules, "Modules compared", NULL);
DIFF(comm_sizes, "Bandwidth of collectives compared", NULL);
DIFF(stages, "Phases compared", NULL);
