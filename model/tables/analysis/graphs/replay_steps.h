/* model/tables/analysis/graphs/replay_steps.h - the step of a replay, and the size by which its graph was chosen. */
#ifndef TT_MODEL_TABLES_ANALYSIS_GRAPHS_REPLAY_STEPS_H
#define TT_MODEL_TABLES_ANALYSIS_GRAPHS_REPLAY_STEPS_H

#include "model/text/engine_step.h"
#include "model/trace/trace.h"

typedef struct tt_replay_step {
    uint32_t step;            /* the engine step, else the profiler step; TT_NONE = outside of steps */
    int64_t size;             /* requests or tokens that a graph of the step must hold; TT_UNKNOWN */
    bool engine;              /* an engine step, and ... */
    tt_engine_step_name said; /* ... what its name says, with the names of the ranges inside */
} tt_replay_step;

/* The step that holds the start of a launch, or of any call. *last: the answer before, whose step is likely the same;
 * the first time TT_REPLAY_NO_STEP. */
#define TT_REPLAY_NO_STEP ((tt_replay_step){.step = TT_NONE, .size = TT_UNKNOWN})
void tt_replay_step_at(const tt_trace *s, tt_row launch, tt_replay_step *last);

#endif
