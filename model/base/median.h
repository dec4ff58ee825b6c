/* model/base/median.h - the value in the middle. */
#ifndef TT_MODEL_BASE_MEDIAN_H
#define TT_MODEL_BASE_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* Half of a + b, rounded down; their sum may be beyond 64 bits. */
static inline int64_t tt_middle(int64_t a, int64_t b) { return (int64_t)(((__int128)a + b) >> 1); }

/* The middle of n > 0 values, of an even number tt_middle() of the two. They are reordered. O(n), n log n at worst. */
int64_t tt_median(int64_t *v, size_t n);

#endif
