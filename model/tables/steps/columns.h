/* model/tables/steps/columns.h - the columns of tables, by name: indices into tt_table_desc.cols, for tt_cell_i()
 * and similar functions. */
#ifndef TT_MODEL_TABLES_STEPS_COLUMNS_H
#define TT_MODEL_TABLES_STEPS_COLUMNS_H

enum { /* table step_breakdown */
       TT_STEP_BREAKDOWN_STEP,
       TT_STEP_BREAKDOWN_START_AT,
       TT_STEP_BREAKDOWN_TOTAL,
       TT_STEP_BREAKDOWN_KERNEL,
       TT_STEP_BREAKDOWN_MEMCPY,
       TT_STEP_BREAKDOWN_MEMSET,
       TT_STEP_BREAKDOWN_COMMUNICATION,
       TT_STEP_BREAKDOWN_RUNTIME,
       TT_STEP_BREAKDOWN_DATALOADER,
       TT_STEP_BREAKDOWN_CPU_EXEC,
       TT_STEP_BREAKDOWN_OTHER,
};

enum { /* table step_trace */
       TT_STEP_TRACE_STEP,
       TT_STEP_TRACE_START_AT,
       TT_STEP_TRACE_TOTAL,
       TT_STEP_TRACE_GAP,
       TT_STEP_TRACE_FORWARD_BACKWARD,
       TT_STEP_TRACE_TAIL,
       TT_STEP_TRACE_COLLECTIVES,
};

enum { /* table step_trace_summary */
       TT_STEP_TRACE_SUMMARY_PART,
       TT_STEP_TRACE_SUMMARY_MEAN,
       TT_STEP_TRACE_SUMMARY_PCT,
};

enum { /* table step_collectives */
       TT_STEP_COLLECTIVES_STEP,
       TT_STEP_COLLECTIVES_STREAM,
       TT_STEP_COLLECTIVES_INDEX,
       TT_STEP_COLLECTIVES_NAME,
       TT_STEP_COLLECTIVES_OFFSET,
       TT_STEP_COLLECTIVES_DURATION,
};

#endif
