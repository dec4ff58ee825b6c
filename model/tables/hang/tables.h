/* model/tables/hang/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_HANG_TABLES_H
#define TT_MODEL_TABLES_HANG_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_hang_faults, tt_table_hang_ranks, tt_table_hang_mismatches, tt_table_hang_wall,
    tt_table_hang_groups, tt_table_hang_collectives, tt_table_hang_entries;

#endif
