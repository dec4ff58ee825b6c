/* model/tables/compare/step_metrics.h - the numbers of each step of a side by which runs are compared.
 *
 * A sample is a step of all matched workers together; when whole runs are compared, each side has one sample, the
 * time in scope. Values are means over the devices of a worker, then over the workers, except `step`: the longest.
 * All means are rounded down. */
#ifndef TT_MODEL_TABLES_COMPARE_STEP_METRICS_H
#define TT_MODEL_TABLES_COMPARE_STEP_METRICS_H

#include "model/index/memory_curve.h"
#include "model/tables/compare/matching.h"

typedef enum tt_metric {
    TT_METRIC_STEP,
    TT_METRIC_COMPUTATION, /* this and the next three: parts of gpu_time, in the windows of step_breakdown */
    TT_METRIC_COMMUNICATION_EXPOSED,
    TT_METRIC_COPY_EXPOSED,
    TT_METRIC_IDLE,
    TT_METRIC_HOST,        /* step - busy time of the device: equals idle with one worker */
    TT_METRIC_PEAK_MEMORY, /* highest allocated bytes during the step, over all devices (without accelerators: over host
                              memory) */
    TT_METRIC_COUNT_,
} tt_metric;
extern const char *const tt_metric_name[TT_METRIC_COUNT_]; /* "step", ... */

typedef struct tt_place { /* place: a stretch of a trace, trace time */
    uint32_t trace;
    int64_t t0, t1;
    int64_t from;  /* start of the account that contains it */
    uint32_t host; /* track of the step's annotation, TT_NONE */
} tt_place;
typedef TT_VEC(tt_place) tt_places;

typedef struct tt_step_metrics {  /* metrics of a sample */
    int64_t of[TT_METRIC_COUNT_]; /* value by metric: ns or bytes; TT_UNKNOWN */
    tt_place longest;             /* place of the slowest worker */
    tt_place peak;                /* place of the memory peak; t0 TT_UNKNOWN without one */
} tt_step_metrics;

/* Number of samples of a side: steps, or 1 (0 where nothing matches). */
uint32_t tt_sample_count(const tt_matching *m, int side);
/* The worker whose sample takes longest (on ties the first); its places are appended to *out. */
uint32_t tt_sample_longest(const tt_matching *m, int side, uint32_t sample, tt_places *out);

/* Metrics of all tt_sample_count() samples; the caller frees them. O(steps (devices + log n) + contents of the
 * steps). */
tt_step_metrics *tt_step_metrics_make(const tt_matching *m, int side, const tt_memory_curves *curves, bool host_memory);
/* Values of a row of diff_causes by sample: ns of the part on the slowest worker, mean over its devices. The caller
 * frees them; NULL: no such part, or unknown. */
int64_t *tt_cause_samples(const tt_matching *m, int side, const char *cause);
/* Whether a series is host memory. */
bool tt_series_of_host(const tt_memory_series *s);

#endif
