/* model/tables/idle/gpu_time.h - what the time of a device was spent on.
 *
 * Computation hides communication and copies that run at the same time; what is not hidden is exposed. Work of all
 * streams counts, with or without a known launch; setting memory counts as a copy. Exact sums of nanoseconds. */
#ifndef TT_MODEL_TABLES_IDLE_GPU_TIME_H
#define TT_MODEL_TABLES_IDLE_GPU_TIME_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/table.h"

typedef struct tt_gpu_time {
    int64_t total;
    /* computation + communication_exposed + copy_exposed + idle = total */
    int64_t computation;           /* some kernel that is no collective runs */
    int64_t communication_exposed; /* a collective runs, and no computation */
    int64_t copy_exposed;          /* a copy or set runs, and neither of these */
    int64_t idle;                  /* nothing runs */
    int64_t communication, copy;   /* some collective, some copy or set runs: parts of these overlap others */
    int64_t overlap;               /* communication and computation run at once */
} tt_gpu_time;

/* When a device only communicates, or only copies: exposed work of a class, the whole trace. The trace's. */
const tt_ivs *tt_gpu_time_exposed(const tt_session *s, uint32_t trace, uint32_t device, tt_work_class of_class);

/* Add the parts of [t0, t1), in trace time, of a device (index into tt_device_work.devices) to *out. Outside of what
 * the device did it is idle. O(log of the device's work + what lies in the window); the first call of a trace takes a
 * pass over its device work. */
void tt_gpu_time_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_gpu_time *out);

/* The row of table gpu_time of the device that is busy least, of equal ones the first name; TT_NONE without rows. */
uint32_t tt_gpu_time_least_busy(const tt_table *gpu_time);

#endif
