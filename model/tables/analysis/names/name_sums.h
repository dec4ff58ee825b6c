/* model/tables/analysis/names/name_sums.h - how often each name occurs in a trace, and its time, for "same name". */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_SUMS_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_NAME_SUMS_H

#include "model/trace/session.h"

typedef struct tt_name_sum {
    uint32_t count; /* number of slices */
    int64_t ns;     /* sum of their durations; nested slices count each */
} tt_name_sum;

typedef struct tt_name_sums {
    /* per name the work on devices (kernels, copies, sets), and everything on the host */
    tt_name_sum *device, *host;
    int64_t work_ns; /* sum over all names of the device work */
} tt_name_sums;

/* Built once per trace and kept: one pass over its slices. */
const tt_name_sums *tt_name_sums_get(const tt_session *s, uint32_t trace);

#endif
