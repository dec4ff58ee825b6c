/* model/tables/analysis/names/step_attention.h - what an attention operator of an engine of LLM serving computes.
 *
 * Keys and values lie in a paged cache, so shapes do not say how many are read; the sums that the name of the engine
 * step gives do. Attention is causal, and reads the cache once. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_STEP_ATTENTION_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_STEP_ATTENTION_H

#include "model/tables/analysis/names/flops.h"
#include "model/text/engine_step.h"

/* Whether the operator is such an attention, and lies in no other one. */
bool tt_is_step_attention(const tt_trace *s, tt_row op);
/* What it computes in a step; kind NONE: the step gives no sums, or the shapes are not those of the step. */
tt_op_work tt_step_attention_of(const tt_trace *s, tt_row op, const tt_engine_step_name *step);

#endif
