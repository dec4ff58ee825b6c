/* model/tables/communication/cluster_steps.h - pipeline stages of a run: the groups of ranks that compute one part
 * of the model. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H
#define TT_MODEL_TABLES_COMMUNICATION_CLUSTER_STEPS_H

#include "model/trace/session.h"

/* Number of pipeline stages of the run and ranks per stage, from the facts `stage_num` and `rank_size` of its traces
 * (else their world size). False: one stage, or unknown. */
bool tt_pipeline_stages(const tt_session *s, int64_t *stages, int64_t *ranks_each);

#endif
