/* model/tables/analysis/names/time_class.h - what the time axis is covered with: one interval set per role, as
 * TensorBoard's plugin has them. */
#ifndef TT_MODEL_TABLES_ANALYSIS_TIME_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_TIME_CLASS_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_time_class { /* in order of priority: an instant counts for the first role that covers it */
                             TT_TIME_KERNEL, /* kernels that are no collectives */
                             TT_TIME_MEMCPY,
                             TT_TIME_MEMSET,
                             TT_TIME_COMMUNICATION, /* collective kernels and the ranges their libraries mark on the
                                                       host */
                             TT_TIME_RUNTIME,       /* runtime and driver calls */
                             TT_TIME_DATALOADER,
                             TT_TIME_CPU, /* operators and annotations; no steps, no Python frames */
                             TT_TIME_COUNT_,
} tt_time_class;

typedef struct tt_time_classes {
    tt_ivs of[TT_TIME_COUNT_]; /* sets, whole trace */
    bool has_device;           /* launches or device work were recorded */
    bool has_work;             /* device work was recorded */
    bool has_communication;
} tt_time_classes;

/* Built once per trace and kept. */
const tt_time_classes *tt_time_classes_get(const tt_session *s, uint32_t trace);

/* Role of a slice, TT_TIME_COUNT_ when it has none. */
struct tt_name_classes;
tt_time_class tt_role_of(const tt_trace *s, const struct tt_name_classes *names, tt_row r);

#endif
