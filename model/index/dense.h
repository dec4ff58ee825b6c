/* model/index/dense.h - the part of the time axis that is worth looking at first: without the time around it in which
 * nothing was recorded, without the gap to another recording, without a slice that lies far from all others.
 *
 * Questions cost O(tracks * cells * log slices), cells being 256, whatever the number of slices. */
#ifndef TT_MODEL_INDEX_DENSE_H
#define TT_MODEL_INDEX_DENSE_H

#include "model/trace/session.h"

/* The part of [from, to) of the common axis with most slices of the scope's traces. The axis is cut at a gap that is
 * longer than 20 times all that is left between the gaps that it is cut at; a few slices (at most 8, at most 1 in 100)
 * are cut off where the gap to the others is longer than those take together. The profiler's own rows do not count.
 * False: no slices, and nothing is set. */
bool tt_dense_part(const tt_session *s, const tt_scope *scope, int64_t from, int64_t to, int64_t *t0, int64_t *t1);

typedef struct tt_beyond {       /* of all traces */
    uint64_t before, after;      /* slices that begin before a window, behind it */
    int64_t before_ns, after_ns; /* from the end of the last one before it to the window, from it to the first behind */
} tt_beyond;
tt_beyond tt_slices_beyond(const tt_session *s, int64_t t0, int64_t t1);

#endif
