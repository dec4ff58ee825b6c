/* model/tables/steps/step_trace.c - tables step_trace, step_trace_summary and step_collectives: a step as the device
 * saw it, from the gap before its first operator to the tail after its last backward operator.
 *
 * Profilers of accelerators write these tables; nothing is computed from events. */
#include "model/tables/imported_rows.h"
#include "model/tables/steps/columns.h"

#include <string.h>

static const char no_steps[] = "No step trace. MindSpore up to 2.3 writes one in graph mode: mindspore.Profiler(), "
                               "step_trace_raw_N_detail_time.csv; "
                               "later versions and msprof: keep the PROF_* folder";

/* ---- step_trace ---- */

static const tt_column step_columns[] = {
    [TT_STEP_TRACE_STEP] = COL("step", "Step", STRING, 0, "number of the step"),
    [TT_STEP_TRACE_START_AT] = COL("start_at_ns", "Start", TIME, 4,
                                   "end of the step before; of the first one the start of its first operator"),
    [TT_STEP_TRACE_TOTAL] = COL("total_ns", "Total", DURATION, 0, "from there to the end of the step"),
    [TT_STEP_TRACE_GAP] =
        COL("gap_ns", "Gap", DURATION, 0, "up to the first forward operator: the device waits for data"),
    [TT_STEP_TRACE_FORWARD_BACKWARD] =
        COL("forward_backward_ns", "Forward + backward", DURATION, 0,
            "from the first forward to the last backward operator; in inference the rest of the step"),
    [TT_STEP_TRACE_TAIL] = COL("tail_ns", "Tail", DURATION, 0,
                               "after the last backward operator: gradients are reduced, parameters updated"),
    [TT_STEP_TRACE_COLLECTIVES] =
        COL("collectives_ns", "Collectives", DURATION, 1, "collectives of the step ran: union over its streams"),
};

const tt_table_desc tt_table_step_trace = {
    .id = "step_trace",
    .title = "Step trace",
    .meaning = "each step on the device: gap, forward and backward, tail",
    .cols = step_columns,
    .n_cols = COUNT_OF(step_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = no_steps,
    .compute = tt_imported_rows,
};

/* ---- step_trace_summary ---- */

static const tt_column summary_columns[] = {
    [TT_STEP_TRACE_SUMMARY_PART] = COL("part", "Part", STRING, 0, "total, gap, forward_backward, tail"),
    [TT_STEP_TRACE_SUMMARY_MEAN] = COL(
        "mean_ns", "Mean", DURATION, 0,
        "mean as the profiler stored it, which may have seen more steps than the file has; of the steps in scope where "
        "it stored none or a scope is set"),
    [TT_STEP_TRACE_SUMMARY_PCT] = COL("pct", "%", PERCENT, 0, "share of the mean step"),
};

static const struct {
    const char *part, *key; /* key of a column of step_trace */
} parts[] = {
    {"total", "total_ns"},
    {"gap", "gap_ns"},
    {"forward_backward", "forward_backward_ns"},
    {"tail", "tail_ns"},
};

/* Set the means over the steps in scope. */
static void put_means(const tt_query *q, tt_table *t)
{
    const tt_imported *steps = tt_trace_imported(tt_query_trace(q), "step_trace");
    tt_stat sum[COUNT_OF(parts)] = {0};
    for (uint32_t r = 0; steps && r < steps->n_rows; r++) {
        if (!tt_imported_in_scope(q, steps, r)) continue;
        for (uint32_t p = 0; p < COUNT_OF(parts); p++) {
            int64_t v = tt_imported_cell(steps, r, parts[p].key, TT_T_DURATION, t).i;
            if (v != TT_UNKNOWN) tt_stat_add(&sum[p], v);
        }
    }
    for (uint32_t p = 0; sum[0].n && p < COUNT_OF(parts); p++) {
        uint32_t row = tt_table_add(t);
        tt_set_ref(t, row, TT_STEP_TRACE_SUMMARY_PART, parts[p].part);
        tt_set_i(t, row, TT_STEP_TRACE_SUMMARY_MEAN, tt_stat_mean(&sum[p]));
        if (sum[p].n) tt_set_d(t, row, TT_STEP_TRACE_SUMMARY_PCT, tt_pct((double)sum[p].total, (double)sum[0].total));
    }
}

static void compute_summary(const tt_query *q, tt_table *t)
{
    bool all = q->windows->everything;
    if (!all || !tt_imported_take(q, t)) put_means(q, t);
}

const tt_table_desc tt_table_step_trace_summary = {
    .id = "step_trace_summary",
    .title = "Step trace summary",
    .meaning = "the mean step on the device and its parts",
    .cols = summary_columns,
    .n_cols = COUNT_OF(summary_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = no_steps,
    .compute = compute_summary,
};

/* ---- step_collectives ---- */

static const tt_column collective_columns[] = {
    [TT_STEP_COLLECTIVES_STEP] = COL("step", "Step", STRING, 0, "number of the step"),
    [TT_STEP_COLLECTIVES_STREAM] = COL("stream", "Stream", STRING, 0, "stream that the collective ran on"),
    [TT_STEP_COLLECTIVES_INDEX] = COL("index", "Index", COUNT, 1, "which one of the step on this stream, from 0"),
    [TT_STEP_COLLECTIVES_NAME] = COL("name", "Collective", STRING, 0, "name of the collective"),
    [TT_STEP_COLLECTIVES_OFFSET] =
        COL("offset_ns", "Offset", DURATION, 0, "from the start of the step to that of the collective"),
    [TT_STEP_COLLECTIVES_DURATION] = COL("duration_ns", "Duration", DURATION, 0, "length of the collective"),
};

const tt_table_desc tt_table_step_collectives = {
    .id = "step_collectives",
    .title = "Step collectives",
    .meaning = "when in each step its collectives ran",
    .cols = collective_columns,
    .n_cols = COUNT_OF(collective_columns),
    .flags = TT_TABLE_BROUGHT,
    .note = "No collectives in a step trace. MindSpore up to 2.3 writes them in graph mode when a job runs "
            "on several devices; see table comm_ops for others",
    .compute = tt_imported_rows,
};
