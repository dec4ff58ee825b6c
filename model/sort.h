/* model/sort.h - the order of the slices of one track.
 *
 * The slices lie in blocks, as they were read. A place is (block number << 12 | index in the block). Slices come in few sorted runs
 * (a thread's operators, then its API calls; one stretch per reading thread), so this is a natural merge sort: linear for
 * input in order, and neighbouring runs that do not overlap in time are joined without being touched.                    */
#ifndef TT_MODEL_SORT_H
#define TT_MODEL_SORT_H

#include "model/build.h"

#define TT_PLACE_BITS 12 /* blocks hold at most 4096 slices */

static inline const tt_rec *tt_place_rec(const tt_rec_block *const *blocks, uint32_t place)
{
    return &blocks[place >> TT_PLACE_BITS]->at[place & ((1u << TT_PLACE_BITS) - 1)];
}

/* Sort the n places by (start, -duration, place in the file). */
void tt_sort_places(const tt_rec_block *const *blocks, uint32_t *places, uint32_t n);

/* Stable natural merge sort of n items of `item` bytes: linear when the input is one sorted run, cheap when it is a few. */
void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *));

#endif
