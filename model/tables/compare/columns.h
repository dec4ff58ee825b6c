/* model/tables/compare/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions; and the common columns of the tables diff_T, which compare two runs. */
#ifndef TT_MODEL_TABLES_COMPARE_COLUMNS_H
#define TT_MODEL_TABLES_COMPARE_COLUMNS_H

#include "model/tables/table.h"

enum { /* table diff_summary */
       TT_DIFF_SUMMARY_METRIC,
       TT_DIFF_SUMMARY_BASE_STEPS,
       TT_DIFF_SUMMARY_NEW_STEPS,
       TT_DIFF_SUMMARY_BASE,
       TT_DIFF_SUMMARY_NEW,
       TT_DIFF_SUMMARY_DELTA,
       TT_DIFF_SUMMARY_DELTA_PCT,
       TT_DIFF_SUMMARY_LOW,
       TT_DIFF_SUMMARY_HIGH,
       TT_DIFF_SUMMARY_BASE_BYTES,
       TT_DIFF_SUMMARY_NEW_BYTES,
       TT_DIFF_SUMMARY_DELTA_BYTES,
       TT_DIFF_SUMMARY_LOW_BYTES,
       TT_DIFF_SUMMARY_HIGH_BYTES,
       TT_DIFF_SUMMARY_P_VALUE,
       TT_DIFF_SUMMARY_VERDICT,
};

enum { /* table diff_causes */
       TT_DIFF_CAUSES_CAUSE,
       TT_DIFF_CAUSES_BASE,
       TT_DIFF_CAUSES_NEW,
       TT_DIFF_CAUSES_DELTA,
       TT_DIFF_CAUSES_SHARE_PCT,
};

/* Columns of a table diff_T that show how a row changed: indices into tt_table.cols, -1 = missing. Looked up once
 * per table, as tables have different columns. */
typedef struct tt_diff_columns {
    int name, verdict, change;
    bool by_step; /* base, now and delta are the main time per step; else the value of a metric or part */
    int base, now, delta;
    int low, high, p_value;
    int by_step_delta; /* delta column, if by_step is set and some row has a value; -1 */
} tt_diff_columns;
tt_diff_columns tt_diff_columns_of(const tt_table *t);
/* First column of durations that is the difference of two other columns; any: also bytes and counts; -1. */
int tt_diff_first_delta(const tt_table *t, bool any);
/* Column new_X of the column `base` named base_X, which is no main time; -1: other name, or no such column. */
int tt_diff_new_of(const tt_table *t, uint32_t base);

#endif
