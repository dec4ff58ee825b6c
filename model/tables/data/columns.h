/* model/tables/data/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i() and
 * similar functions. */
#ifndef TT_MODEL_TABLES_DATA_COLUMNS_H
#define TT_MODEL_TABLES_DATA_COLUMNS_H

enum { /* table data_queues */
       TT_DATA_QUEUES_QUEUE,
       TT_DATA_QUEUES_SAMPLES,
       TT_DATA_QUEUES_EMPTY,
       TT_DATA_QUEUES_FULL,
       TT_DATA_QUEUES_CAPACITY,
       TT_DATA_QUEUES_MEAN_SIZE,
       TT_DATA_QUEUES_EMPTY_PCT,
       TT_DATA_QUEUES_GET_MEAN,
       TT_DATA_QUEUES_PUSH_MEAN,
       TT_DATA_QUEUES_BATCH_MEAN,
};

enum { /* table data_stages */
       TT_DATA_STAGES_STAGE,
       TT_DATA_STAGES_BOTTLENECK,
};

enum { /* table data_pipeline */
       TT_DATA_PIPELINE_OP_ID,
       TT_DATA_PIPELINE_NAME,
       TT_DATA_PIPELINE_TYPE,
       TT_DATA_PIPELINE_WORKERS,
       TT_DATA_PIPELINE_PARENT_ID,
       TT_DATA_PIPELINE_SAMPLES,
       TT_DATA_PIPELINE_QUEUE_MEAN,
       TT_DATA_PIPELINE_QUEUE_CAPACITY,
       TT_DATA_PIPELINE_QUEUE_USAGE_PCT,
       TT_DATA_PIPELINE_SUSPECT,
};

enum { /* table data_cpu */
       TT_DATA_CPU_SCOPE,
       TT_DATA_CPU_OP_ID,
       TT_DATA_CPU_USER_PCT,
       TT_DATA_CPU_SYS_PCT,
       TT_DATA_CPU_IO_PCT,
       TT_DATA_CPU_IDLE_PCT,
};

enum { /* table data_queue_curve */
       TT_DATA_QUEUE_CURVE_QUEUE,
       TT_DATA_QUEUE_CURVE_SAMPLE,
       TT_DATA_QUEUE_CURVE_SIZE,
};

#endif
