/* model/tables/devices/gpu_usage.h - utilization of each device, for table devices and findings. */
#ifndef TT_MODEL_TABLES_DEVICES_GPU_USAGE_H
#define TT_MODEL_TABLES_DEVICES_GPU_USAGE_H

#include "model/tables/table_util.h"

typedef struct tt_gpu {
    int64_t id;
    const tt_device_props *props; /* NULL when the trace does not describe the device */
    bool has_kernels;
    int64_t within, busy;         /* length of the examined time, and its part with a running kernel */
    double utilization;           /* utilization, 0..1; NaN: no kernels or no time */
    double sm_efficiency;         /* SM efficiency, 0..1: mean of min(1, blocks per SM); NaN without blocks per SM */
    double occupancy;             /* occupancy in percent, weighted by the duration inside; NaN */
    int64_t kernel_ns, tensor_ns; /* time of kernels launched by operators, and its part on tensor cores */
} tt_gpu;
typedef TT_VEC(tt_gpu) tt_gpu_list;

/* Usage of devices with work, by id. The examined time lasts from the start of the first complete step in scope to
 * the end of the last. Paddle traces: divided by the union of host steps; kernels are cut to it only when they would
 * exceed it. Never above 100 %. The caller frees with tt_vec_free(). O(device work); computed once for a whole
 * trace. */
tt_gpu_list tt_gpus_make(const tt_query *q);
/* The device's description, NULL. */
const tt_device_props *tt_device_props_of(const tt_trace *s, int64_t id);

#endif
