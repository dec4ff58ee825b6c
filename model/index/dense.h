/* model/index/dense.h - the part of the time axis to show first: without surrounding time in which nothing was
 * recorded, without the gap to another recording, without a slice far from all others.
 *
 * Questions cost O(tracks * cells * log slices) with 256 cells, whatever the number of slices. */
#ifndef TT_MODEL_INDEX_DENSE_H
#define TT_MODEL_INDEX_DENSE_H

#include "model/trace/session.h"

/* The part of [from, to) of the common axis with most slices of the scope's traces. The axis is cut at gaps longer
 * than 20 times the total time between the cut gaps; a few slices (at most 8, at most 1 in 100) are dropped where
 * the gap to the others is longer than the time of those together. The profiler's own rows do not count. False: no
 * slices, and nothing is set. */
bool tt_dense_part(const tt_session *s, const tt_scope *scope, int64_t from, int64_t to, int64_t *t0, int64_t *t1);

typedef struct tt_beyond {  /* slices outside of a window, over all traces */
    uint64_t before, after; /* number of slices that begin before the window, and after it */
    int64_t before_ns,
        after_ns; /* time from the last end before to the window, and from the window to the first start after it */
} tt_beyond;
tt_beyond tt_slices_beyond(const tt_session *s, int64_t t0, int64_t t1);

#endif
