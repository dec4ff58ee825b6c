/* model/tables/data/data_queues.c - tables data_queues, data_stages and data_queue_curve: fill levels of the queues
 * between input pipeline, device and training, and which of the three the others wait for. */
#include "model/tables/data/columns.h"
#include "model/tables/data/data_note.h"
#include "model/tables/imported_rows.h"

#include <string.h>

/* ---- data_queues ---- */

static const tt_column queue_columns[] = {
    [TT_DATA_QUEUES_QUEUE] =
        COL("queue", "Queue", STRING, 0, "host: of batches that are ready; device: what training takes from"),
    [TT_DATA_QUEUES_SAMPLES] = COL("samples", "Samples", COUNT, 0, "how often it was sampled: once a batch"),
    [TT_DATA_QUEUES_EMPTY] = COL("empty", "Empty", COUNT, 0, "found empty"),
    [TT_DATA_QUEUES_FULL] = COL("full", "Full", COUNT, 1, "found full"),
    [TT_DATA_QUEUES_CAPACITY] = COL("capacity", "Capacity", COUNT, 1, "batches that it holds"),
    [TT_DATA_QUEUES_MEAN_SIZE] = COL("mean_size", "Mean size", NUMBER, 1, "batches in it: mean"),
    [TT_DATA_QUEUES_EMPTY_PCT] = COL("empty_pct", "Empty %", PERCENT, 0, "empty / samples"),
    [TT_DATA_QUEUES_GET_MEAN] =
        COL("get_mean_ns", "Get", DURATION, 1, "taking a batch: mean; of the host queue, making it in the pipeline"),
    [TT_DATA_QUEUES_PUSH_MEAN] = COL("push_mean_ns", "Push", DURATION, 2, "sending a batch to the device: mean"),
    [TT_DATA_QUEUES_BATCH_MEAN] = COL("batch_mean_ns", "Batch", DURATION, 2, "both, and what is between them: mean"),
};

const tt_table_desc tt_table_data_queues = {
    .id = "data_queues",
    .title = "Data queues",
    .meaning = "how full the queues between input pipeline and training were",
    .cols = queue_columns,
    .n_cols = COUNT_OF(queue_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = tt_no_data_note,
    .compute = tt_imported_rows,
};

/* ---- data_stages ---- */

static const tt_column stage_columns[] = {
    [TT_DATA_STAGES_STAGE] =
        COL("stage", "Stage", STRING, 0, "data_process, data_transfer, training: in the order in which a batch passes"),
    [TT_DATA_STAGES_BOTTLENECK] =
        COL("bottleneck", "Bottleneck", BOOL, 0,
            "the others wait for it. data_process: the host queue is empty in more than 30% of the samples; else "
            "data_transfer: the device queue is ever empty; else training"),
};

/* Number of empty samples, and of all samples; TT_UNKNOWN if the queue was not recorded. */
typedef struct queue_state {
    int64_t empty, samples;
} queue_state;

static queue_state state_of(const tt_imported *queues, const char *name, tt_table *t)
{
    for (uint32_t r = 0; queues && r < queues->n_rows; r++) {
        const char *is = tt_imported_cell(queues, r, "queue", TT_T_STRING, t).s;
        if (!is || strcmp(is, name) != 0) continue;
        return (queue_state){tt_imported_cell(queues, r, "empty", TT_T_COUNT, t).i,
                             tt_imported_cell(queues, r, "samples", TT_T_COUNT, t).i};
    }
    return (queue_state){TT_UNKNOWN, TT_UNKNOWN};
}

static void put_stage(tt_table *t, const char *stage, bool bottleneck, bool known)
{
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_DATA_STAGES_STAGE, stage);
    if (known) tt_set_i(t, row, TT_DATA_STAGES_BOTTLENECK, bottleneck);
}

static void judge(const tt_query *q, tt_table *t)
{
    const tt_imported *queues = tt_trace_imported(tt_query_trace(q), "data_queues");
    queue_state host = state_of(queues, "host", t), device = state_of(queues, "device", t);
    bool host_known = host.empty != TT_UNKNOWN && host.samples > 0;
    bool device_known = device.empty != TT_UNKNOWN && device.samples > 0;
    if (!host_known && !device_known) return;
    bool process = host_known && (double)host.empty > 0.3 * (double)host.samples;
    bool starved = !process && device_known && device.empty > 0;
    /* without the host's queue, an empty device queue has no known reason */
    bool known = host_known || !starved;
    put_stage(t, "data_process", process, known);
    put_stage(t, "data_transfer", starved, known);
    put_stage(t, "training", !process && !starved, true);
}

static void compute_stages(const tt_query *q, tt_table *t)
{
    if (!tt_imported_take(q, t)) judge(q, t);
}

const tt_table_desc tt_table_data_stages = {
    .id = "data_stages",
    .title = "Data stages",
    .meaning = "what limits the way of the data: pipeline, transfer, or training",
    .cols = stage_columns,
    .n_cols = COUNT_OF(stage_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = tt_no_data_note,
    .compute = compute_stages,
};

/* ---- data_queue_curve ---- */

static const tt_column curve_columns[] = {
    [TT_DATA_QUEUE_CURVE_QUEUE] =
        COL("queue", "Queue", STRING, 0, "host, device, or the operator of the pipeline whose output queue it is"),
    [TT_DATA_QUEUE_CURVE_SAMPLE] = COL("sample", "Sample", COUNT, 0, "number of the sample, from 0"),
    [TT_DATA_QUEUE_CURVE_SIZE] = COL("size", "Size", COUNT, 0, "what is in the queue"),
};

const tt_table_desc tt_table_data_queue_curve = {
    .id = "data_queue_curve",
    .title = "Data queue curve",
    .meaning = "size of each queue of the input pipeline at every sample",
    .cols = curve_columns,
    .n_cols = COUNT_OF(curve_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = tt_no_data_note,
    .compute = tt_imported_rows,
};
