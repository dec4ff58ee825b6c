/* model/tables/serving/tables.h - the tables of this folder that other code computes by name. */
#ifndef TT_MODEL_TABLES_SERVING_TABLES_H
#define TT_MODEL_TABLES_SERVING_TABLES_H

#include "model/tables/table.h"

extern const tt_table_desc tt_table_serving;

#endif
