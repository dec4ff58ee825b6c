/* model/tables/analysis/names/time_class.h - what covers the time axis: one interval set per role, as in
 * TensorBoard's plugin. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_TIME_CLASS_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_TIME_CLASS_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_time_class {                 /* in order of priority: the first role that covers an instant gets it */
                             TT_TIME_KERNEL, /* kernels except collectives */
                             TT_TIME_MEMCPY,
                             TT_TIME_MEMSET,
                             /* collective kernels, and the ranges that their libraries mark on the host */
                             TT_TIME_COMMUNICATION,
                             TT_TIME_RUNTIME, /* runtime and driver calls */
                             TT_TIME_DATALOADER,
                             TT_TIME_CPU, /* operators and annotations, but no steps and no Python frames */
                             TT_TIME_COUNT_,
} tt_time_class;

typedef struct tt_time_classes {
    tt_ivs of[TT_TIME_COUNT_]; /* one set per role, over the whole trace */
    bool has_device;           /* launches or device work were recorded */
    bool has_work;             /* device work was recorded */
    bool has_communication;
} tt_time_classes;

/* Built once per trace and kept. */
const tt_time_classes *tt_time_classes_get(const tt_session *s, uint32_t trace);

/* Role of a slice; TT_TIME_COUNT_ when it has none. */
struct tt_name_classes;
tt_time_class tt_role_of(const tt_trace *s, const struct tt_name_classes *names, tt_row r);

#endif
