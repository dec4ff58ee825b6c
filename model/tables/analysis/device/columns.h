/* model/tables/analysis/device/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for
 * tt_cell_i() and similar functions. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_COLUMNS_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_COLUMNS_H

enum { /* table stages */
       TT_STAGES_STAGE,
       TT_STAGES_CALLS,
       TT_STAGES_HOST_TOTAL,
       TT_STAGES_HOST_MEAN,
       TT_STAGES_HOST_MAX,
       TT_STAGES_HOST_MIN,
       TT_STAGES_HOST_RATIO_PCT,
       TT_STAGES_DEVICE_TOTAL,
       TT_STAGES_DEVICE_MEAN,
       TT_STAGES_DEVICE_MAX,
       TT_STAGES_DEVICE_MIN,
       TT_STAGES_DEVICE_RATIO_PCT,
};

#endif
