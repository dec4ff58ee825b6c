/* model/tables/devices/sm_curve.h - use of each device over time: whether it works, and how many of its SMs have a
 * block.
 *
 * Busy: 100 while any device work runs (tt_work_device.busy), else 0. SM efficiency: at each moment min(1, sum of
 * "blocks per SM" of the running kernels), in percent; kernels without blocks count 0. The mean over the steps is
 * the column sm_efficiency_pct of table devices. */
#ifndef TT_MODEL_TABLES_DEVICES_SM_CURVE_H
#define TT_MODEL_TABLES_DEVICES_SM_CURVE_H

#include "model/index/curve.h"
#include "model/tables/analysis/device/device_work.h"

typedef struct tt_sm_curves {
    tt_curve *of; /* by device, as in tt_device_work.devices; empty if no kernel states its blocks */
    uint32_t n;
} tt_sm_curves;

/* SM efficiency of the whole trace. Built once per trace and kept. O(work), plus a sort of nearly sorted items. */
const tt_sm_curves *tt_sm_curves_get(const tt_session *s, uint32_t trace);
/* Busy curves of the whole trace, with equal cost. */
const tt_sm_curves *tt_busy_curves_get(const tt_session *s, uint32_t trace);

#endif
