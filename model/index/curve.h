/* model/index/curve.h - a value over time as a staircase: queue lengths, rates.
 *
 * A value holds from its time until the next one, 0 before the first. Samples are in time order. If several samples
 * have one time, the last one holds, and the others only count for the largest value. Immutable once indexed, so any
 * thread can read. Times are trace times. */
#ifndef TT_MODEL_INDEX_CURVE_H
#define TT_MODEL_INDEX_CURVE_H

#include "model/base/mem.h"
#include "model/trace/events.h"

typedef struct tt_curve {
    TT_VEC(tt_sample) at;
    double *peaks;   /* the highest of every TT_CURVE_BLOCK samples */
    double *areas;   /* value x ns from the first sample to every TT_CURVE_BLOCK'th */
    double low, top; /* lowest and highest of all samples and 0 */
} tt_curve;
#define TT_CURVE_BLOCK 64

/* Set the value to v from a time at or after the last one. */
void tt_curve_add(tt_curve *c, int64_t at, double v);
/* Index the curve after the last sample. O(n). */
void tt_curve_index(tt_curve *c);
void tt_curve_free(tt_curve *c);

/* The value at t. O(log n). */
double tt_curve_value(const tt_curve *c, int64_t t);
/* The largest value that held at some time of [t0, t1). O(log n + samples inside / 64). */
double tt_curve_largest(const tt_curve *c, int64_t t0, int64_t t1);
/* The mean over [t0, t1), by time; t0 < t1. O(log n). */
double tt_curve_mean(const tt_curve *c, int64_t t0, int64_t t1);
/* First sample at or after t; n when there is none. O(log n). */
size_t tt_curve_from(const tt_curve *c, int64_t t);

#endif
