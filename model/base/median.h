/* model/base/median.h - the median of integers. */
#ifndef TT_MODEL_BASE_MEDIAN_H
#define TT_MODEL_BASE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* Half of a + b, rounded down; the sum may exceed 64 bits. */
static inline int64_t tt_middle(int64_t a, int64_t b) { return (int64_t)(((__int128)a + b) >> 1); }

/* The median of n > 0 values; for an even n tt_middle() of the two middle values. Reorders v. O(n), at worst O(n log
 * n). */
int64_t tt_median(int64_t *v, size_t n);

#endif
