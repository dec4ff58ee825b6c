/* model/tables/compare/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_COMPARE_TABLES_H
#define TT_MODEL_TABLES_COMPARE_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_diff_causes;
extern const tt_table_desc tt_table_diff_kernels;
extern const tt_table_desc tt_table_diff_operators;
extern const tt_table_desc tt_table_diff_summary;

#endif
