/* model/tables/compare/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and its like; and what the tables diff_T, which compare two runs, have in common. */
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

/* The columns of a table diff_T that say how a row changed: indices into tt_table.cols, -1 = the table has none. The
 * tables have different columns, so these are looked up once for a table. */
typedef struct tt_diff_columns {
    int name, verdict, change;
    bool by_step; /* base, now and delta are the main time a step; else the value of a metric or a part */
    int base, now, delta;
    int low, high, p_value;
    int by_step_delta; /* delta where by_step is set and some row has one; -1 */
} tt_diff_columns;
tt_diff_columns tt_diff_columns_of(const tt_table *t);
/* The first column of durations that is the difference of two others; any: also bytes and counts; -1. */
int tt_diff_first_delta(const tt_table *t, bool any);
/* Of a column base_X, which is no main time, the column new_X; -1: it is none, or there is none. */
int tt_diff_new_of(const tt_table *t, uint32_t base);

#endif
