/* model/tables/analysis/device/device_time.h - device time launched inside each host slice, by containment on the
 * launching thread.
 *
 * For ranges of any kind (annotations, stages, steps); operators use the call tree, which also uses links of the
 * trace. A device time is the sum of durations of kernels, copies and sets, counted where they were launched. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_DEVICE_TIME_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_DEVICE_TIME_H

#include "model/trace/session.h"

typedef struct tt_device_time {
    uint32_t n;
    int64_t *ns; /* per row: a launch has its own work, a slice around launches their sum */
    bool has_device;
} tt_device_time;

/* Built once per trace and kept: one pass from the last slice to the first. */
const tt_device_time *tt_device_time_get(const tt_session *s, uint32_t trace);

#endif
