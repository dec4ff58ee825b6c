/* model/tables/idle/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i() and
 * similar functions. */
#ifndef TT_MODEL_TABLES_IDLE_COLUMNS_H
#define TT_MODEL_TABLES_IDLE_COLUMNS_H

enum { /* table gpu_time */
       TT_GPU_TIME_STEP,
       TT_GPU_TIME_DEVICE,
       TT_GPU_TIME_TOTAL,
       TT_GPU_TIME_COMPUTATION,
       TT_GPU_TIME_COMMUNICATION_EXPOSED,
       TT_GPU_TIME_COPY_EXPOSED,
       TT_GPU_TIME_IDLE,
       TT_GPU_TIME_COMPUTATION_PCT,
       TT_GPU_TIME_COMMUNICATION_EXPOSED_PCT,
       TT_GPU_TIME_COPY_EXPOSED_PCT,
       TT_GPU_TIME_IDLE_PCT,
       TT_GPU_TIME_BUSY,
       TT_GPU_TIME_COMMUNICATION,
       TT_GPU_TIME_OVERLAP,
       TT_GPU_TIME_OVERLAP_PCT,
       TT_GPU_TIME_COPY,
};

enum { /* table idle_causes */
       TT_IDLE_CAUSES_STEP,
       TT_IDLE_CAUSES_DEVICE,
       TT_IDLE_CAUSES_NAME,
       TT_IDLE_CAUSES_CAUSE,
       TT_IDLE_CAUSES_GAPS,
       TT_IDLE_CAUSES_IDLE,
       TT_IDLE_CAUSES_PCT,
       TT_IDLE_CAUSES_MEAN,
       TT_IDLE_CAUSES_LONGEST,
};

enum { /* table gpu_gaps */
       TT_GPU_GAPS_DEVICE,
       TT_GPU_GAPS_START_AT,
       TT_GPU_GAPS_DURATION,
       TT_GPU_GAPS_CAUSE,
       TT_GPU_GAPS_HOST,
       TT_GPU_GAPS_LAUNCH,
       TT_GPU_GAPS_QUEUE,
       TT_GPU_GAPS_UNKNOWN,
       TT_GPU_GAPS_NEXT,
       TT_GPU_GAPS_OPERATOR,
       TT_GPU_GAPS_STEP,
};

#endif
