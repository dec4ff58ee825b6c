/* model/tables/devices/op_types.c - tables op_types and op_details: operators of an accelerator by the core that they
 * ran on. Without a table of the profiler's, the types come from the kernels. */
#include "model/tables/imported_rows.h"

#include <string.h>

static const char no_types[] =
    "No operator types. torch_npu: profiler_level=ProfilerLevel.Level1 or Level2; MindSpore: mindspore.Profiler()";

/* ---- op_types ---- */

static const tt_column type_columns[] = {
    COL("core", "Core", STRING, 0, "unit that ran it, as the profiler spells it: AI_CORE, AI_VECTOR_CORE, AICPU, ..."),
    COL("type", "Type", STRING, 0, "type of the operator"),
    COL("calls", "Calls", COUNT, 0, "executions"),
    COL("total_ns", "Total", DURATION, 0, "sum of durations"),
    COL("mean_ns", "Mean", DURATION, 1, "total / calls"),
    COL("max_ns", "Max", DURATION, 2, "longest"),
    COL("min_ns", "Min", DURATION, 3, "shortest"),
    COL("ratio_pct", "%", PERCENT, 0,
        "share of the total of all types without collectives; where the profiler has a table a core, of that core"),
};

static void compute_types(const tt_query *q, tt_table *t) { tt_imported_or_note(q, t, no_types); }

const tt_table_desc tt_table_op_types = {
    .id = "op_types",
    .title = "Operator Types",
    .meaning = "device time by type of operator and core",
    .cols = type_columns,
    .n_cols = COUNT_OF(type_columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_BROUGHT,
    .compute = compute_types,
};

/* ---- op_details ---- */

static const tt_column detail_columns[] = {
    COL("core", "Core", STRING, 0, "unit that ran it: AICORE, AICPU, GPU, HOST"),
    COL("name", "Operator", STRING, 0, "full name, with the scopes around it"),
    COL("type", "Type", STRING, 1, "type of the operator"),
    COL("calls", "Calls", COUNT, 0, "executions"),
    COL("mean_ns", "Mean", DURATION, 0, "one execution: mean"),
    COL("total_ns", "Total", DURATION, 0, "sum of durations"),
    COL("stream", "Stream", STRING, 3, "stream that it ran on"),
    COL("block_dim", "Blocks", COUNT, 3, "cores that one execution used"),
    COL("input_shapes", "Input Shapes", STRING, 2, "shapes of its inputs"),
    COL("flops", "MFLOPs", NUMBER, 3, "10^6 floating-point operations of one execution"),
    COL("tflops", "TFLOP/s", NUMBER, 3, "10^12 floating-point operations in a second"),
};

static void compute_details(const tt_query *q, tt_table *t)
{
    tt_imported_or_note(q, t,
                        "No operator details. MindSpore up to 2.3 writes them: mindspore.Profiler(); see table kernels "
                        "for later versions and torch_npu");
}

const tt_table_desc tt_table_op_details = {
    .id = "op_details",
    .title = "Operator Details",
    .meaning = "operators of the device by name, with shapes and operations",
    .cols = detail_columns,
    .n_cols = COUNT_OF(detail_columns),
    .default_sort = "total_ns",
    .default_desc = true,
    .flags = TT_TABLE_BROUGHT,
    .compute = compute_details,
};
