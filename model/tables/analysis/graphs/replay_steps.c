/* model/tables/analysis/graphs/replay_steps.c - see replay_steps.h. */
#include "model/tables/analysis/graphs/replay_steps.h"

#include "model/base/bisect.h"

/* Engines choose a graph by the batch that they name; SGLang and ATOM by requests, others by tokens. */
static int64_t size_of(const tt_engine_step_name *n)
{
    int64_t context = n->number[TT_STEP_CONTEXT_TOKENS], generation = n->number[TT_STEP_GENERATION_TOKENS];
    if (n->number[TT_STEP_BATCH] != TT_STEP_UNSAID) return n->number[TT_STEP_BATCH];
    if (n->engine == TT_ENGINE_SGLANG || n->engine == TT_ENGINE_ATOM) {
        if (n->number[TT_STEP_REQUESTS] != TT_STEP_UNSAID) return n->number[TT_STEP_REQUESTS];
    }
    return context == TT_STEP_UNSAID || generation == TT_STEP_UNSAID ? TT_UNKNOWN : context + generation;
}

/* Whether the engine step runs in the launch's process when the launch starts. */
static bool holds(const tt_trace *s, uint32_t step, tt_row launch)
{
    tt_row r = s->engine_steps[step];
    if (s->start[launch] < s->start[r] || s->start[launch] >= tt_row_end(s, r)) return false;
    return s->n_processes < 2 || s->tracks[tt_row_track(s, r)].process == s->tracks[tt_row_track(s, launch)].process;
}

void tt_replay_step_at(const tt_trace *s, tt_row launch, tt_replay_step *last)
{
    if (s->n_engine_steps && last->step < s->n_engine_steps && holds(s, last->step, launch)) return;
    *last = TT_REPLAY_NO_STEP;
    uint32_t lo = 0, hi = s->n_engine_steps; /* steps of several processes may overlap: look at one of each */
    TT_BISECT(lo, hi, i, s->start[s->engine_steps[i]] <= s->start[launch]);
    for (uint32_t k = lo; k > 0 && lo - k < s->n_processes; k--) {
        if (!holds(s, k - 1, launch)) continue;
        tt_engine_step_name name = tt_engine_step_of_row(s, s->engine_steps[k - 1]);
        *last = (tt_replay_step){k - 1, size_of(&name), true, name};
        return;
    }
    if (!s->n_engine_steps && s->steps_source != TT_STEPS_NONE) last->step = tt_step_at(s, s->start[launch]);
}
