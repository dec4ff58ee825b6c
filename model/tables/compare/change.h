/* model/tables/compare/change.h - is a difference between two sets of samples more than noise?
 *
 * Exact and without random numbers: equal samples give equal answers. delta is the Hodges-Lehmann shift, p that of
 * the two-sided Mann-Whitney test, low and high the matching interval. Samples are times of steps (ns) or bytes.
 * Steps of one run are not independent (drift, clocks), so p is optimistic.
 *
 * Swapping the sides negates delta and the interval exactly and keeps p: the mean of the two middle differences is
 * rounded towards 0, because rounding down would not mirror. */
#ifndef TT_MODEL_TABLES_COMPARE_CHANGE_H
#define TT_MODEL_TABLES_COMPARE_CHANGE_H

#include <stdint.h>

#include "model/trace/events.h" /* TT_UNKNOWN */

typedef enum tt_verdict {
    TT_VERDICT_NONE,    /* no samples on one side: no judgement */
    TT_VERDICT_SLOWER,  /* the interval lies above 0, and the shift is at least min_effect of the base */
    TT_VERDICT_FASTER,  /* the interval lies below 0, and the shift is at least min_effect of the base */
    TT_VERDICT_SAME,    /* the interval lies within min_effect of the base around 0 */
    TT_VERDICT_UNCLEAR, /* any other case, or no interval: record more steps */
    TT_VERDICT_COUNT_,
} tt_verdict;
extern const char *const tt_verdict_name[TT_VERDICT_COUNT_]; /* NULL, "slower", ... */

typedef struct tt_change {
    int64_t base, now; /* medians, of an even number the mean of the middle two rounded down; TT_UNKNOWN = no sample */
    int64_t delta;     /* median of all differences now_j - base_i; TT_UNKNOWN = no samples on one side */
    int64_t low, high; /* interval of delta; TT_UNKNOWN: too few samples for one */
    double p;          /* NaN = no samples on one side */
    tt_verdict verdict;
} tt_change;

/* Judge two sets of samples; both arrays are sorted in place. confidence and min_effect in percent
 * (model/tables/comparison.h). Exact up to 50 samples per side, above that the normal approximation (corrected for
 * ties and continuity). */
void tt_change_of(int64_t *base, uint32_t n_base, int64_t *now, uint32_t n_now, double confidence, double min_effect,
                  tt_change *out);

/* Test for many rows with equal sample numbers: computed once. */
typedef struct tt_change_test {
    uint32_t n[2]; /* number of samples of the base and of the new run */
    uint64_t k;    /* the interval reaches from the k-th smallest to the k-th largest difference; 0 = no interval */
    double *p;     /* exact p by statistic u, up to half of all pairs; NULL = use the normal approximation; owned */
} tt_change_test;
tt_change_test tt_change_test_make(uint32_t n_base, uint32_t n_now,
                                   double confidence); /* takes about 0.1 ms at 50 x 50 */
void tt_change_test_free(tt_change_test *t);
/* Both arrays are sorted in place. O((n + m) log), whatever the number of differences. */
void tt_change_judge(const tt_change_test *t, int64_t *base, int64_t *now, double min_effect, tt_change *out);

/* Judge a row only if it changes the step by at least 0.1 %: else a run with a thousand kernels has many "slower"
 * rows that do not matter. step: median of the base's steps, ns; TT_UNKNOWN: no limit. */
void tt_change_of_row(tt_change *c, int64_t step);

#endif
