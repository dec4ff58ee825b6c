/* model/build/passes/fix_rounded_starts.h - makes uncertain starts consistent.
 *
 * Some traces round starts so coarsely that neighbours overlap and children exceed their parents, while durations
 * are exact and the order in the file gives the tree: breadth first, every slice followed by the launches inside it.
 * The tree is reconstructed from order and times, and starts move within their uncertainty, so that children lie
 * inside and neighbours beside each other. Slices that do not fit are unchanged. */
#ifndef TT_MODEL_BUILD_PASSES_FIX_ROUNDED_STARTS_H
#define TT_MODEL_BUILD_PASSES_FIX_ROUNDED_STARTS_H

#include "model/build/builder.h"

typedef struct tt_rounded_start {
    tt_rec *rec;
    bool launch; /* a launch inside of the last slice before it */
} tt_rounded_start;

/* Fix the slices of one host thread, in file order. O(n). */
void tt_fix_rounded_starts(const tt_rounded_start *items, size_t n, int64_t jitter_ns);

#endif
