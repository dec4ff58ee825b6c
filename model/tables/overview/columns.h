/* model/tables/overview/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions. */
#ifndef TT_MODEL_TABLES_OVERVIEW_COLUMNS_H
#define TT_MODEL_TABLES_OVERVIEW_COLUMNS_H

enum { /* table devices */
       TT_DEVICES_DEVICE,
       TT_DEVICES_NAME,
       TT_DEVICES_MEMORY_BYTES,
       TT_DEVICES_COMPUTE_CAPABILITY,
       TT_DEVICES_UTILIZATION_PCT,
       TT_DEVICES_SM_EFFICIENCY_PCT,
       TT_DEVICES_ACHIEVED_OCCUPANCY_PCT,
       TT_DEVICES_TENSOR_CORE_PCT,
};

enum { /* table run */
       TT_RUN_KEY,
       TT_RUN_VALUE,
};

#endif
