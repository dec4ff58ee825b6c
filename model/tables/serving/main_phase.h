/* model/tables/serving/main_phase.h - the phase of an engine of LLM serving that takes most of a run. */
#ifndef TT_MODEL_TABLES_SERVING_MAIN_PHASE_H
#define TT_MODEL_TABLES_SERVING_MAIN_PHASE_H

#include "model/tables/table.h"
#include "model/text/engine_step.h"

/* Row of table serving with the phase that takes most device time, or most time on the host where no device worked;
 * of equal ones the first. TT_NONE: no complete step of an engine. */
uint32_t tt_serving_longest(const tt_table *serving);
/* The phase in which two runs are compared, as a bit 1u << tt_phase: the main phase of the base. 0 = all steps: a scope
 * asks for steps, a phase or a time, one side has no phases, or the new side has no step of that phase. */
uint32_t tt_serving_shared_phase(const tt_session *base, const tt_scope *of_base, const tt_session *now,
                                 const tt_scope *of_now);

#endif
