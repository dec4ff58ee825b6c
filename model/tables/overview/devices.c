/* model/tables/overview/devices.c - one row per active device, and for Paddle the processor as measured by its
 * profiler. */
#include "model/tables/devices/gpu_usage.h"
#include "model/tables/overview/columns.h"
#include "model/text/json_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const tt_column columns[] = {
    [TT_DEVICES_DEVICE] =
        COL("device", "Device", STRING, 0,
            "device; CPU(Process) and CPU(System): the processor as Paddle measured it while recording"),
    [TT_DEVICES_NAME] = COL("name", "Name", STRING, 0, "product name"),
    [TT_DEVICES_MEMORY_BYTES] = COL("memory_bytes", "Memory", BYTES, 1, "total memory"),
    [TT_DEVICES_COMPUTE_CAPABILITY] = COL("compute_capability", "Compute capability", STRING, 2, "compute capability"),
    [TT_DEVICES_UTILIZATION_PCT] =
        COL("utilization_pct", "GPU utilisation %", PERCENT, 0,
            "time with a kernel running / time from the first step's start to the last step's end (Paddle: time of the "
            "steps)"),
    [TT_DEVICES_SM_EFFICIENCY_PCT] =
        COL("sm_efficiency_pct", "SM efficiency %", PERCENT, 1,
            "share of the multiprocessors that had blocks, estimated from the launches: min(1, blocks per SM) over the "
            "same time"),
    [TT_DEVICES_ACHIEVED_OCCUPANCY_PCT] = COL("achieved_occupancy_pct", "Occupancy %", PERCENT, 1,
                                              "achieved occupancy as the profiler estimates it, weighted by duration"),
    [TT_DEVICES_TENSOR_CORE_PCT] = COL("tensor_core_pct", "Tensor core %", PERCENT, 1,
                                       "share of the kernel time launched by operators that ran on tensor cores"),
};

static void put_gpu(const tt_query *q, const tt_gpu *g, tt_table *t)
{
    const tt_trace *s = tt_query_trace(q);
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_DEVICES_DEVICE, tt_device_text(t, s->rules, -1, g->id));
    if (g->props) {
        tt_set_ref(t, row, TT_DEVICES_NAME, tt_str(&s->strings, g->props->name));
        tt_set_i(t, row, TT_DEVICES_MEMORY_BYTES, g->props->memory_bytes);
        if (g->props->major != TT_UNKNOWN)
            tt_set_ref(t, row, TT_DEVICES_COMPUTE_CAPABILITY,
                       tt_arena_printf(&t->arena, "%" PRId64 ".%" PRId64, g->props->major,
                                       g->props->minor == TT_UNKNOWN ? 0 : g->props->minor));
    }
    tt_set_d(t, row, TT_DEVICES_UTILIZATION_PCT, 100 * g->utilization);
    tt_set_d(t, row, TT_DEVICES_SM_EFFICIENCY_PCT, 100 * g->sm_efficiency);
    tt_set_d(t, row, TT_DEVICES_ACHIEVED_OCCUPANCY_PCT, g->occupancy);
    tt_set_d(t, row, TT_DEVICES_TENSOR_CORE_PCT, tt_pct((double)g->tensor_ns, (double)g->kernel_ns));
    tt_set_slices(q, t, row, 1u << TT_KIND_KERNEL, NULL);
}

/* ExtraInfo is an object of strings: "Process Cpu Utilization": "0.98". */
static void put_cpu(tt_table *t, const char *extra, const char *key, const char *device)
{
    tt_json_member m;
    if (!tt_json_find(extra, extra + strlen(extra), key, &m)) return;
    const char *at = m.value + (*m.value == '"');
    char *end;
    double share = strtod(at, &end);
    if (end == at) return;
    uint32_t row = tt_table_add(t);
    tt_set_ref(t, row, TT_DEVICES_DEVICE, device);
    tt_set_d(t, row, TT_DEVICES_UTILIZATION_PCT, 100 * share);
}

static void compute(const tt_query *q, tt_table *t)
{
    const char *extra = tt_trace_meta(tt_query_trace(q), "ExtraInfo");
    if (extra) {
        put_cpu(t, extra, "Process Cpu Utilization", "CPU(Process)");
        put_cpu(t, extra, "System Cpu Utilization", "CPU(System)");
    }
    tt_gpu_list list = tt_gpus_make(q);
    for (size_t i = 0; i < list.n; i++) put_gpu(q, &list.at[i], t);
    tt_vec_free(&list);
    if (!t->n_rows) tt_note_advice(t, "No GPU activity", tt_advice_of(tt_query_trace(q)->rules)->record_device);
}

const tt_table_desc tt_table_devices = {
    .id = "devices",
    .title = "Devices",
    .meaning = "what the devices are and how busy they were",
    .cols = columns,
    .n_cols = COUNT_OF(columns),
    .flags = TT_TABLE_DEFAULT,
    .compute = compute,
};
