/* model/tables/memory/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions. */
#ifndef TT_MODEL_TABLES_MEMORY_COLUMNS_H
#define TT_MODEL_TABLES_MEMORY_COLUMNS_H

enum { /* table memory_peak */
       TT_MEMORY_PEAK_DEVICE,
       TT_MEMORY_PEAK_LINE,
       TT_MEMORY_PEAK_STACK,
       TT_MEMORY_PEAK_BLOCKS,
       TT_MEMORY_PEAK_BYTES,
       TT_MEMORY_PEAK_PCT,
};

enum { /* table memory_alive */
       TT_MEMORY_ALIVE_DEVICE,
       TT_MEMORY_ALIVE_NAME,
       TT_MEMORY_ALIVE_SIZE_BYTES,
       TT_MEMORY_ALIVE_SHARE_PCT,
       TT_MEMORY_ALIVE_ALLOCATIONS,
       TT_MEMORY_ALIVE_ALLOCATED_AT,
       TT_MEMORY_ALIVE_FREED_AT,
       TT_MEMORY_ALIVE_DURATION,
       TT_MEMORY_ALIVE_AT,
       TT_MEMORY_ALIVE_LINE,
       TT_MEMORY_ALIVE_MODULE,
};

enum { /* table memory_names */
       TT_MEMORY_NAMES_DEVICE,
       TT_MEMORY_NAMES_NAME,
       TT_MEMORY_NAMES_KIND,
       TT_MEMORY_NAMES_ALLOCATION_COUNT,
       TT_MEMORY_NAMES_FREE_COUNT,
       TT_MEMORY_NAMES_ALLOCATION_BYTES,
       TT_MEMORY_NAMES_FREE_BYTES,
       TT_MEMORY_NAMES_INCREASE_BYTES,
};

enum { /* table memory_devices */
       TT_MEMORY_DEVICES_DEVICE,
       TT_MEMORY_DEVICES_PEAK_ALLOCATED_BYTES,
       TT_MEMORY_DEVICES_PEAK_ALLOCATED_AT,
       TT_MEMORY_DEVICES_PEAK_RESERVED_BYTES,
       TT_MEMORY_DEVICES_END_ALLOCATED_BYTES,
};

#endif
