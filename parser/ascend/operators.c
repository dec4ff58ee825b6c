/* parser/ascend/operators.c - tables op_types and op_details: kernels by the type of their operator, and by operator.
 *
 * The profiler makes op_statistic.csv, the source of op_types, from the same rows: calls and times by (OP Type, Core
 * Type) without collectives, and each share of their total. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "parser/ascend/kernels.h"
#include "parser/csv/fields.h"

enum { T_CORE, T_TYPE, T_CALLS, T_TOTAL, T_MEAN, T_MAX, T_MIN, T_RATIO, N_TYPE };
static const tt_imported_key type_columns[N_TYPE] = {
    {"core", TT_T_STRING},      {"type", TT_T_STRING},     {"calls", TT_T_COUNT},     {"total_ns", TT_T_DURATION},
    {"mean_ns", TT_T_DURATION}, {"max_ns", TT_T_DURATION}, {"min_ns", TT_T_DURATION}, {"ratio_pct", TT_T_PERCENT},
};

static void set_text(tt_imported *t, uint32_t row, uint32_t col, tt_csv_text text)
{
    if (text.n) tt_imported_set_s(t, row, col, text.at, text.n);
}

/* Table op_types from op_statistic.csv; false = the file has no rows. */
static bool types_of_file(tt_ascend *a)
{
    if (!tt_input_has(a->in, ROLE_OPERATORS)) return false;
    static const tt_csv_field fields[N_TYPE] = {
        [T_CORE] = {"Core Type", TT_CSV_NEEDED}, [T_TYPE] = {"OP Type", TT_CSV_NEEDED},
        [T_CALLS] = {"Count", TT_CSV_NEEDED},    [T_TOTAL] = {"Total Time(us)", TT_CSV_NEEDED},
        [T_MEAN] = {"Avg Time(us)", 0},          [T_MAX] = {"Max Time(us)", 0},
        [T_MIN] = {"Min Time(us)", 0},           [T_RATIO] = {"Ratio(%)", 0}};
    tt_csv *csv = tt_csv_open(a->in, ROLE_OPERATORS, NULL, &a->problems);
    tt_imported *t = NULL;
    int at[N_TYPE];
    tt_csv_find(csv, fields, N_TYPE, at);
    while (!tt_ascend_cancelled(a) && tt_csv_next(csv)) {
        if (!tt_csv_cell(csv, at[T_TYPE]).n) continue;
        if (!t) t = tt_ascend_table(a, "op_types", type_columns, N_TYPE);
        tt_csv_set_row(csv, fields, at, t, tt_imported_row(t));
    }
    tt_csv_close(csv);
    return t != NULL;
}

typedef struct by_type {
    tt_sid core, type;
    tt_stat ns;
} by_type;

static void add_stat(tt_stat *to, const tt_stat *s)
{
    if (!to->n || s->max > to->max) to->max = s->max;
    if (!to->n || s->min < to->min) to->min = s->min;
    to->n += s->n;
    to->total += s->total;
}

static tt_csv_text text_of(const struct tt_ascend_groups *g, tt_sid id)
{
    return id == TT_ASCEND_SEVERAL ? (tt_csv_text){"", 0} : (tt_csv_text){tt_str(&g->text, id), g->text.len.at[id]};
}

/* Table op_types from the kernels; kernels without a type (profiler level 0) are left out. */
static void types_of_kernels(tt_ascend *a, const struct tt_ascend_groups *g)
{
    tt_groups keys;
    TT_VEC(by_type) list = {0};
    int64_t all = 0;
    tt_groups_init(&keys);
    for (size_t i = 0; i < g->list.n; i++) {
        const tt_ascend_group *k = &g->list.at[i];
        if (!k->type) continue;
        uint32_t at = tt_groups_put(&keys, (tt_group_key){k->core, k->type, 0});
        if (at == list.n) *tt_vec_push(&list) = (by_type){k->core, k->type, {0}};
        add_stat(&list.at[at].ns, &k->ns);
        all += k->ns.total;
    }
    TT_SORT_BY(list.at, list.n, TT_DESC(by_type, ns.total));
    tt_imported *t = list.n ? tt_ascend_table(a, "op_types", type_columns, N_TYPE) : NULL;
    for (size_t i = 0; i < list.n; i++) {
        const by_type *k = &list.at[i];
        uint32_t row = tt_imported_row(t);
        set_text(t, row, T_CORE, text_of(g, k->core));
        set_text(t, row, T_TYPE, text_of(g, k->type));
        tt_imported_set_i(t, row, T_CALLS, k->ns.n);
        tt_imported_set_i(t, row, T_TOTAL, k->ns.total);
        tt_imported_set_i(t, row, T_MEAN, tt_stat_mean(&k->ns));
        tt_imported_set_i(t, row, T_MAX, k->ns.max);
        tt_imported_set_i(t, row, T_MIN, k->ns.min);
        if (all > 0) tt_imported_set_d(t, row, T_RATIO, tt_pct((double)k->ns.total, (double)all));
    }
    tt_groups_free(&keys);
    tt_vec_free(&list);
}

/* ---- op_details ---- */

enum { D_CORE, D_NAME, D_TYPE, D_CALLS, D_MEAN, D_TOTAL, D_STREAM, D_BLOCK, D_SHAPES, N_DETAIL };
static const tt_imported_key detail_columns[N_DETAIL] = {
    {"core", TT_T_STRING},   {"name", TT_T_STRING},      {"type", TT_T_STRING},
    {"calls", TT_T_COUNT},   {"mean_ns", TT_T_DURATION}, {"total_ns", TT_T_DURATION},
    {"stream", TT_T_STRING}, {"block_dim", TT_T_COUNT},  {"input_shapes", TT_T_STRING},
};

static void details(tt_ascend *a, const struct tt_ascend_groups *g)
{
    tt_imported *t = g->list.n ? tt_ascend_table(a, "op_details", detail_columns, N_DETAIL) : NULL;
    for (size_t i = 0; i < g->list.n; i++) {
        const tt_ascend_group *k = &g->list.at[i];
        tt_csv_text block = text_of(g, k->block_dim);
        int64_t v;
        uint32_t row = tt_imported_row(t);
        set_text(t, row, D_CORE, text_of(g, k->core));
        set_text(t, row, D_NAME, text_of(g, k->name));
        set_text(t, row, D_TYPE, text_of(g, k->type));
        tt_imported_set_i(t, row, D_CALLS, k->ns.n);
        tt_imported_set_i(t, row, D_MEAN, tt_stat_mean(&k->ns));
        tt_imported_set_i(t, row, D_TOTAL, k->ns.total);
        set_text(t, row, D_STREAM, text_of(g, k->stream));
        if (tt_decimal_whole(block.at, block.n, &v)) tt_imported_set_i(t, row, D_BLOCK, v);
        set_text(t, row, D_SHAPES, text_of(g, k->shapes));
    }
}

void tt_ascend_operators(tt_ascend *a, const tt_ascend_kernels *k)
{
    const struct tt_ascend_groups *g = tt_ascend_kernel_groups(k);
    if (!types_of_file(a)) types_of_kernels(a, g);
    details(a, g);
}
