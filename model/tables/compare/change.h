/* model/tables/compare/change.h - is a difference between two sets of samples more than noise?
 *
 * Exact and without random numbers: the same samples give the same answer. The shift is Hodges and Lehmann's, p that of
 * the two-sided test of Mann and Whitney, the interval the one that belongs to it. Samples are times of steps (ns) or
 * bytes. Steps of one run are not independent (drift, clocks), so p is optimistic.
 *
 * Swapping the sides negates delta and the interval exactly and leaves p as it is: the mean of the middle two of an
 * even number of differences is rounded towards 0, as rounding down would not mirror. */
#ifndef TT_MODEL_TABLES_COMPARE_CHANGE_H
#define TT_MODEL_TABLES_COMPARE_CHANGE_H

#include <stdint.h>

#include "model/trace/events.h" /* TT_UNKNOWN */

typedef enum tt_verdict {
    TT_VERDICT_NONE,    /* no samples on one side: nothing to judge */
    TT_VERDICT_SLOWER,  /* the interval lies above 0, and the shift is at least min_effect of the base */
    TT_VERDICT_FASTER,  /* below 0, likewise */
    TT_VERDICT_SAME,    /* the interval lies within min_effect of the base around 0 */
    TT_VERDICT_UNCLEAR, /* anything else, also where there is no interval: record more steps */
    TT_VERDICT_COUNT_,
} tt_verdict;
extern const char *const tt_verdict_name[TT_VERDICT_COUNT_]; /* NULL, "slower", ... */

typedef struct tt_change {
    int64_t base, now; /* medians, of an even number the mean of the middle two rounded down; TT_UNKNOWN = no sample */
    int64_t delta;     /* median of all differences now_j - base_i; TT_UNKNOWN = no samples on one side */
    int64_t low, high; /* interval of delta; TT_UNKNOWN: so few samples give none */
    double p;          /* NaN = no samples on one side */
    tt_verdict verdict;
} tt_change;

/* Both arrays are sorted in place. confidence and min_effect in percent (model/tables/comparison.h). Up to 50 samples
 * a side exact, above that with the normal approximation (ties and continuity corrected). */
void tt_change_of(int64_t *base, uint32_t n_base, int64_t *now, uint32_t n_now, double confidence, double min_effect,
                  tt_change *out);

/* The same for many rows of equally many samples: what depends on their number alone is worked out once. */
typedef struct tt_change_test {
    uint32_t n[2]; /* samples of the base, of the new run */
    uint64_t k;    /* the interval reaches from the k-th smallest to the k-th largest difference; 0 = there is none */
    double *p;     /* exact p by the statistic u, up to half of all pairs; NULL = the normal approximation; owned */
} tt_change_test;
tt_change_test tt_change_test_make(uint32_t n_base, uint32_t n_now, double confidence); /* at 50 x 50 about 0.1 ms */
void tt_change_test_free(tt_change_test *t);
/* Both arrays are sorted in place. O((n + m) log), whatever the number of differences. */
void tt_change_judge(const tt_change_test *t, int64_t *base, int64_t *now, double min_effect, tt_change *out);

/* A row of a table is judged only where it moves the step by at least 0.1 %: else a run with a thousand kernels would
 * have many that are "slower" and matter to nobody. step: median of the base's steps, ns; TT_UNKNOWN: judged as is. */
void tt_change_of_row(tt_change *c, int64_t step);

#endif
