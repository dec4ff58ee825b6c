/* model/tables/analysis/calls/recompute.h - where a backward pass runs forward operators again, because their results
 * were not kept (activation checkpointing).
 *
 * A trace shows it in one of these ways:
 *   - the backward operator of a checkpoint (CheckpointFunctionBackward, RecomputeFunction's of Paddle) holds the
 *     operators that run again, and then the backward pass of its part: backward nodes inside of it do not count;
 *   - the hook that gives saved tensors back recomputes them: with Python stacks it is the frame unpack_hook or
 *     recompute_fn of torch/utils/checkpoint.py;
 *   - a range that the program named says "recompute".
 * Without stacks the second way leaves no mark: the operators look like those of the backward pass. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_RECOMPUTE_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_RECOMPUTE_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef struct tt_recompute {
    tt_ivs *of_track; /* per host track the times at which it recomputes */
    uint32_t n_tracks;
    tt_row longest; /* longest of the rows that hold recomputation; TT_NONE = there is none */
} tt_recompute;

/* Built once per trace and kept. O(strings); O(slices) where a name suggests recomputation. */
const tt_recompute *tt_recompute_get(const tt_session *s, uint32_t trace);
/* Whether a slice of a host thread starts during recomputation. O(log). */
bool tt_recompute_has(const tt_recompute *x, const tt_trace *s, tt_row r);

#endif
