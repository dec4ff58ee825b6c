/* model/tables/communication/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_TABLES_H
#define TT_MODEL_TABLES_COMMUNICATION_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_comm_calls;
extern const tt_table_desc tt_table_comm_clock;
extern const tt_table_desc tt_table_comm_ranks;
extern const tt_table_desc tt_table_comm_sizes;
extern const tt_table_desc tt_table_comm_steps;
extern const tt_table_desc tt_table_comm_waits;

#endif
