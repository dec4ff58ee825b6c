/* model/build/passes/fix_rounded_starts.h - uncertain starts made consistent.
 *
 * Some traces give starts that were rounded so coarsely that neighbours overlap and children stick out, while
 * durations are exact and the order in the file tells the tree: breadth first, every slice followed by the launches
 * inside it. The tree is found again from order and times together, and starts are moved, by no more than they are
 * uncertain, so that children lie inside and neighbours beside each other. Slices that do not fit the picture stay
 * as they are. */
#ifndef TT_MODEL_BUILD_FIX_ROUNDED_STARTS_H
#define TT_MODEL_BUILD_FIX_ROUNDED_STARTS_H

#include "model/build/builder.h"

typedef struct tt_rounded_start {
    tt_rec *rec;
    bool launch; /* belongs to the last slice before it */
} tt_rounded_start;

/* The slices of one host thread in order of the file. O(n). */
void tt_fix_rounded_starts(const tt_rounded_start *items, size_t n, int64_t jitter_ns);

#endif
