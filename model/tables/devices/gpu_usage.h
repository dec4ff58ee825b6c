/* model/tables/devices/gpu_usage.h - how busy each device was: what table devices shows and findings judge. */
#ifndef TT_MODEL_TABLES_DEVICES_GPU_USAGE_H
#define TT_MODEL_TABLES_DEVICES_GPU_USAGE_H

#include "model/tables/table_util.h"

typedef struct tt_gpu {
    int64_t id;
    const tt_device_props *props; /* NULL when the trace does not describe the device */
    bool has_kernels;
    int64_t within, busy;         /* length looked at; of it, with a kernel running */
    double utilization;           /* 0..1; NaN: no kernels or no time */
    double sm_efficiency;         /* 0..1, min(1, blocks per SM) over time; NaN without blocks per SM */
    double occupancy;             /* percent, weighted by the duration inside; NaN */
    int64_t kernel_ns, tensor_ns; /* kernels launched by operators; of them tensor-core kernels */
} tt_gpu;
typedef TT_VEC(tt_gpu) tt_gpu_list;

/* Devices with work in the trace, by id. The time looked at: from the start of the first complete step in scope to
 * the end of the last. Paddle traces: divided by the union of the steps on the host, and kernels are cut to it only
 * when they would exceed it. Never above 100 %. Caller frees with tt_vec_free(). O(device work); of a whole trace once.
 */
tt_gpu_list tt_gpus_make(const tt_query *q);
/* The device's description, NULL. */
const tt_device_props *tt_device_props_of(const tt_trace *s, int64_t id);

#endif
