/* model/tables/devices/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions. */
#ifndef TT_MODEL_TABLES_DEVICES_COLUMNS_H
#define TT_MODEL_TABLES_DEVICES_COLUMNS_H

enum { /* table op_types */
       TT_OP_TYPES_CORE,
       TT_OP_TYPES_TYPE,
       TT_OP_TYPES_CALLS,
       TT_OP_TYPES_TOTAL,
       TT_OP_TYPES_MEAN,
       TT_OP_TYPES_MAX,
       TT_OP_TYPES_MIN,
       TT_OP_TYPES_RATIO_PCT,
};

enum { /* table kernels */
       TT_KERNELS_NAME,
       TT_KERNELS_CORE,
       TT_KERNELS_TYPE,
       TT_KERNELS_CLASS,
       TT_KERNELS_OPERATOR,
       TT_KERNELS_PROGRAM,
       TT_KERNELS_GRID,
       TT_KERNELS_BLOCK,
       TT_KERNELS_REGISTERS,
       TT_KERNELS_SHARED_MEMORY_BYTES,
       TT_KERNELS_TENSOR_CORE,
       TT_KERNELS_CALLS,
       TT_KERNELS_TOTAL,
       TT_KERNELS_MEAN,
       TT_KERNELS_MAX,
       TT_KERNELS_MIN,
       TT_KERNELS_RATIO_PCT,
       TT_KERNELS_MEAN_BLOCKS_PER_SM,
       TT_KERNELS_MEAN_OCCUPANCY_PCT,
       TT_KERNELS_FLOPS,
       TT_KERNELS_TFLOPS_PER_S,
       TT_KERNELS_ACCESSED_BYTES,
       TT_KERNELS_GB_PER_S,
       TT_KERNELS_LINE,
       TT_KERNELS_MODULE,
};

#endif
