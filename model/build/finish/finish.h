/* model/build/finish/finish.h - makes a trace from the builders of the reading threads. */
#ifndef TT_MODEL_BUILD_FINISH_FINISH_H
#define TT_MODEL_BUILD_FINISH_FINISH_H

#include "model/build/builder.h"

/* Make the trace from n builders: map their ids to common ones, sort, nest and link. consume: free the builders'
 * memory on the way, so that the peak stays near the size of the trace; otherwise the builders are unchanged and can
 * continue (a preview while loading). threads: number of threads, at least 1. */
tt_trace *tt_build_finish(tt_builder *const *builders, uint32_t n, tt_build_header *header, const tt_build_codec *codec,
                          bool consume, unsigned threads);

/* Make the steps of a finished trace again, from this source alone. Without any the trace is one
 * step. */
void tt_trace_choose_steps(tt_trace *s, tt_steps_source source);

#endif
