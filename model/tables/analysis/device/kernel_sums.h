/* model/tables/analysis/device/kernel_sums.h - the kernels of a device by class, limited to some of the time. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_KERNEL_SUMS_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_KERNEL_SUMS_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/names/kernel_class.h"

typedef struct tt_kernel_sums {
    /* durations inside that time; kernels that run at the same time both count */
    int64_t ns[TT_KERNEL_CLASS_COUNT_];
    /* kernels that run during that time; kernels of length 0 that start in it */
    int64_t calls[TT_KERNEL_CLASS_COUNT_];
    int64_t all_ns, all_calls; /* sums over the classes */
} tt_kernel_sums;

/* Sums of a device (index into tt_device_work.devices) over the intervals `in`, in trace time; NULL: over
 * everything. Kernels as in table kernels: no copies, sets or whole collectives. O(work of the device + intervals). */
tt_kernel_sums tt_kernel_sums_of(const tt_session *s, uint32_t trace, uint32_t device, const tt_ivs *in);

#endif
