/* model/tables/idle/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_IDLE_TABLES_H
#define TT_MODEL_TABLES_IDLE_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_gpu_time;
extern const tt_table_desc tt_table_idle_causes;

#endif
