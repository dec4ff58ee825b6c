/* model/tables/data/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_DATA_TABLES_H
#define TT_MODEL_TABLES_DATA_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_data_cpu;
extern const tt_table_desc tt_table_data_pipeline;
extern const tt_table_desc tt_table_data_queues;
extern const tt_table_desc tt_table_data_stages;

#endif
