/* model/tables/analysis/names/name_sums.h - how often each name occurs in a trace, and its time: what "same name"
 * says. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAME_SUMS_H
#define TT_MODEL_TABLES_ANALYSIS_NAME_SUMS_H

#include "model/trace/session.h"

typedef struct tt_name_sum {
    uint32_t count; /* slices */
    int64_t ns;     /* their durations; where they nest in each other, counted each time */
} tt_name_sum;

typedef struct tt_name_sums {
    tt_name_sum *device, *host; /* by name: of work on devices (kernels, copies, sets), of everything on the host */
    int64_t work_ns;            /* all of device */
} tt_name_sums;

/* Built once per trace and kept: one pass over its slices. */
const tt_name_sums *tt_name_sums_get(const tt_session *s, uint32_t trace);

#endif
