/* model/tables/compare/step_metrics.h - the numbers of each step of a side that runs are compared by.
 *
 * A sample is a step of all matched workers together; where runs are compared as a whole there is one a side, of the
 * time in scope. Several devices of a worker: the mean over them. Several workers: the mean over them, of `step` the
 * longest. All means are rounded down. */
#ifndef TT_MODEL_TABLES_COMPARE_STEP_METRICS_H
#define TT_MODEL_TABLES_COMPARE_STEP_METRICS_H

#include "model/index/memory_curve.h"
#include "model/tables/compare/matching.h"

typedef enum tt_metric {
    TT_METRIC_STEP,
    TT_METRIC_COMPUTATION, /* these four: parts of gpu_time, in the windows of step_breakdown */
    TT_METRIC_COMMUNICATION_EXPOSED,
    TT_METRIC_COPY_EXPOSED,
    TT_METRIC_IDLE,
    TT_METRIC_HOST,        /* step - time that the device is busy: with one worker the same as idle */
    TT_METRIC_PEAK_MEMORY, /* highest allocated bytes while the step runs, over all devices (of a run without
                              accelerators: over host memory) */
    TT_METRIC_COUNT_,
} tt_metric;
extern const char *const tt_metric_name[TT_METRIC_COUNT_]; /* "step", ... */

typedef struct tt_place { /* a stretch of a trace, trace time */
    uint32_t trace;
    int64_t t0, t1;
    int64_t from;  /* start of the account that it is a part of */
    uint32_t host; /* track of the step's annotation, TT_NONE */
} tt_place;
typedef TT_VEC(tt_place) tt_places;

typedef struct tt_step_metrics {  /* a sample */
    int64_t of[TT_METRIC_COUNT_]; /* ns, bytes; TT_UNKNOWN */
    tt_place longest;             /* of the worker that took longest */
    tt_place peak;                /* where the peak of memory is; t0 TT_UNKNOWN without */
} tt_step_metrics;

/* Samples of a side: steps, or 1 (0 where nothing matches). */
uint32_t tt_sample_count(const tt_matching *m, int side);
/* The worker whose sample takes longest, of equal ones the first, with its places appended to *out. */
uint32_t tt_sample_longest(const tt_matching *m, int side, uint32_t sample, tt_places *out);

/* tt_sample_count() of them, which the caller frees. O(steps (devices + log n)) and what lies in the steps. */
tt_step_metrics *tt_step_metrics_make(const tt_matching *m, int side, const tt_memory_curves *curves, bool host_memory);
/* The same of a row of diff_causes: ns of that part in each sample, of the worker that takes longest, mean over its
 * devices. The caller frees it; NULL: there is no such part, or it is not known. */
int64_t *tt_cause_samples(const tt_matching *m, int side, const char *cause);
/* Whether a series is host memory. */
bool tt_series_of_host(const tt_memory_series *s);

#endif
