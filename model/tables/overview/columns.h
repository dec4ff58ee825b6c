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

enum { /* table event_types */
       TT_EVENT_TYPES_TYPE,
       TT_EVENT_TYPES_SIDE,
       TT_EVENT_TYPES_CALLS,
       TT_EVENT_TYPES_TIME,
       TT_EVENT_TYPES_RATIO_PCT,
};

enum { /* table distribution */
       TT_DISTRIBUTION_NAME,
       TT_DISTRIBUTION_TOTAL,
       TT_DISTRIBUTION_RATIO_PCT,
};

enum { /* table throughput */
       TT_THROUGHPUT_NAME,
       TT_THROUGHPUT_MEAN,
       TT_THROUGHPUT_MAX,
       TT_THROUGHPUT_MIN,
       TT_THROUGHPUT_UNIT,
       TT_THROUGHPUT_READER_RATIO_PCT,
};

#endif
