/* model/tables/communication/cluster_steps.h - pipeline stages of a run: which ranks compute the same part of the
 * model. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H
#define TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H

#include "model/trace/session.h"

/* A whole number that a trace has as a fact (tt_trace_meta); TT_UNKNOWN. */
int64_t tt_meta_number(const tt_trace *s, const char *key);
/* The pipeline stages of the run that the traces are of, and how many ranks each has: what their facts `stage_num` and
 * `rank_size` say, the latter else their world size. False: it has one stage, or nothing tells. */
bool tt_pipeline_stages(const tt_session *s, int64_t *stages, int64_t *ranks_each);
/* The trace of this rank in a span; TT_NONE = not loaded. */
uint32_t tt_trace_of_rank(const tt_session *s, const char *span, int64_t rank);

#endif
