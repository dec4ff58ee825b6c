/* model/tables/communication/cluster_steps.h - pipeline stages of a run: which ranks compute the same part of the
 * model. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H
#define TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H

#include "model/trace/session.h"

/* The pipeline stages of the run that the traces are of, and how many ranks each has: what their facts `stage_num` and
 * `rank_size` say, the latter else their world size. False: it has one stage, or nothing tells. */
bool tt_pipeline_stages(const tt_session *s, int64_t *stages, int64_t *ranks_each);

#endif
