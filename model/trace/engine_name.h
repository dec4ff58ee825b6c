/* model/trace/engine_name.h - what the names of an engine's step say: of its range, and of the ranges inside. */
#ifndef TT_MODEL_TRACE_ENGINE_NAME_H
#define TT_MODEL_TRACE_ENGINE_NAME_H

#include "model/text/engine_step.h"
#include "model/trace/trace.h"

/* The names of the range at this row and of the engine's ranges inside it, together. The row is of kind ENGINE_STEP.
 * O(slices inside). */
tt_engine_step_name tt_engine_step_of_row(const tt_trace *s, tt_row row);

#endif
