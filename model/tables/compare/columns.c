/* model/tables/compare/columns.c - the common columns of tables of two runs. */
#include "model/tables/compare/columns.h"

#include <stdio.h>
#include <string.h>

tt_diff_columns tt_diff_columns_of(const tt_table *t)
{
    bool by_step = tt_table_known_column(t, "base_step_ns") >= 0;
    return (tt_diff_columns){
        .name = tt_table_column(t, "name"),
        .verdict = tt_table_column(t, "verdict"),
        .change = tt_table_column(t, "change"),
        .by_step = by_step,
        .base = tt_table_column(t, by_step ? "base_step_ns" : "base_ns"),
        .now = tt_table_column(t, by_step ? "new_step_ns" : "new_ns"),
        .delta = tt_table_column(t, by_step ? "delta_step_ns" : "delta_ns"),
        .low = tt_table_column(t, "low_ns"),
        .high = tt_table_column(t, "high_ns"),
        .p_value = tt_table_column(t, "p_value"),
        .by_step_delta = tt_table_known_column(t, "delta_step_ns"),
    };
}

int tt_diff_first_delta(const tt_table *t, bool any)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        tt_type type = t->cols[c]->type;
        bool fits = type == TT_T_DURATION || (any && (type == TT_T_BYTES || type == TT_T_COUNT));
        if (fits && !strncmp(t->cols[c]->key, "delta_", 6)) return (int)c;
    }
    return -1;
}

int tt_diff_new_of(const tt_table *t, uint32_t base)
{
    const char *key = t->cols[base]->key;
    char now[80];
    if (strncmp(key, "base_", 5) != 0 || !strncmp(key, "base_step", 9) || !strcmp(key, "base_ns")) return -1;
    snprintf(now, sizeof now, "new_%.60s", key + 5);
    return tt_table_column(t, now);
}
