/* model/tables/data/data_pipeline.c - tables data_pipeline and data_cpu: the operators of the input pipeline, the
 * queues behind them, and the processors that they use. */
#include "model/tables/data/columns.h"
#include "model/tables/data/data_note.h"
#include "model/tables/imported_rows.h"

/* ---- data_pipeline ---- */

static const tt_column pipeline_columns[] = {
    [TT_DATA_PIPELINE_OP_ID] = COL("op_id", "Id", COUNT, 0, "number of the operator; 0 is nearest to the training"),
    [TT_DATA_PIPELINE_NAME] = COL("name", "Operator", STRING, 0, "type and number"),
    [TT_DATA_PIPELINE_TYPE] = COL("type", "Type", STRING, 1, "type of the operator"),
    [TT_DATA_PIPELINE_WORKERS] = COL("workers", "Workers", COUNT, 0, "threads that run it (num_parallel_workers)"),
    [TT_DATA_PIPELINE_PARENT_ID] =
        COL("parent_id", "Parent", COUNT, 1, "operator that takes what it makes; unknown for the root"),
    [TT_DATA_PIPELINE_SAMPLES] = COL("samples", "Samples", COUNT, 3, "how often its output queue was sampled"),
    [TT_DATA_PIPELINE_QUEUE_MEAN] = COL("queue_mean", "Queue mean", NUMBER, 1, "what is in its output queue: mean"),
    [TT_DATA_PIPELINE_QUEUE_CAPACITY] = COL("queue_capacity", "Capacity", COUNT, 2, "what its output queue holds"),
    [TT_DATA_PIPELINE_QUEUE_USAGE_PCT] = COL("queue_usage_pct", "Usage %", PERCENT, 0,
                                             "queue mean / capacity; an operator that is too slow leaves it low"),
    [TT_DATA_PIPELINE_SUSPECT] = COL(
        "suspect", "Suspect", BOOL, 0,
        "too slow: the queue of a child is fuller by more than 10 points than its own, or it is a source with a usage "
        "below 60%; the root alone when all others are at 80% or more"),
};

const tt_table_desc tt_table_data_pipeline = {
    .id = "data_pipeline",
    .title = "Data pipeline",
    .meaning = "operators of the input pipeline, and how full the queues behind them were",
    .cols = pipeline_columns,
    .n_cols = COUNT_OF(pipeline_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = tt_no_data_note,
    .compute = tt_imported_rows,
};

/* ---- data_cpu ---- */

static const tt_column cpu_columns[] = {
    [TT_DATA_CPU_SCOPE] =
        COL("scope", "Scope", STRING, 0, "device: all processors; process; operator: of the input pipeline"),
    [TT_DATA_CPU_OP_ID] = COL("op_id", "Operator Id", COUNT, 0, "of an operator its number in table data_pipeline"),
    [TT_DATA_CPU_USER_PCT] =
        COL("user_pct", "User %", PERCENT, 0, "in the program: mean over the samples but the first"),
    [TT_DATA_CPU_SYS_PCT] = COL("sys_pct", "System %", PERCENT, 0, "in the kernel of the system"),
    [TT_DATA_CPU_IO_PCT] = COL("io_pct", "I/O wait %", PERCENT, 1, "waiting for input and output"),
    [TT_DATA_CPU_IDLE_PCT] = COL("idle_pct", "Idle %", PERCENT, 0, "idle"),
};

const tt_table_desc tt_table_data_cpu = {
    .id = "data_cpu",
    .title = "Data CPU",
    .meaning = "use of the processors by the input pipeline",
    .cols = cpu_columns,
    .n_cols = COUNT_OF(cpu_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = tt_no_data_note,
    .compute = tt_imported_rows,
};
