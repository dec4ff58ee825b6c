/* model/tables/idle/gpu_time.h - divides the time of a device into compute, exposed communication and copies, and
 * idle.
 *
 * Computation hides communication and copies that run at the same time; the rest of them is exposed. Work of all
 * streams counts, with or without a known launch; sets of memory count as copies. Sums are exact to the nanosecond. */
#ifndef TT_MODEL_TABLES_IDLE_GPU_TIME_H
#define TT_MODEL_TABLES_IDLE_GPU_TIME_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/table.h"

typedef struct tt_gpu_time {
    int64_t total;
    /* computation + communication_exposed + copy_exposed + idle = total */
    int64_t computation;           /* a kernel other than a collective runs */
    int64_t communication_exposed; /* a collective runs, and no computation */
    int64_t copy_exposed;          /* a copy or set runs, and no computation or collective */
    int64_t idle;                  /* nothing runs */
    int64_t communication, copy;   /* a collective runs; a copy or set runs; both may overlap other work */
    int64_t overlap;               /* communication and computation run at once */
} tt_gpu_time;

/* Times when the device only communicates, or only copies: exposed work of a class over the whole trace. The trace
 * owns it. */
const tt_ivs *tt_gpu_time_exposed(const tt_session *s, uint32_t trace, uint32_t device, tt_work_class of_class);

/* Add the parts of [t0, t1) of a device to *out; t0, t1: trace time; device: index into tt_device_work.devices. The
 * device is idle outside its work. O(log of the device's work + work in the window); the first call for a trace
 * takes a pass over its device work. */
void tt_gpu_time_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_gpu_time *out);

/* Row of table gpu_time with the least busy device, the first by name of several equal ones; TT_NONE without rows. */
uint32_t tt_gpu_time_least_busy(const tt_table *gpu_time);

#endif
