/* model/tables/operators/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_OPERATORS_TABLES_H
#define TT_MODEL_TABLES_OPERATORS_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_key_averages;
extern const tt_table_desc tt_table_memcpy;
extern const tt_table_desc tt_table_modules;
extern const tt_table_desc tt_table_operators;
extern const tt_table_desc tt_table_user_ranges;

#endif
