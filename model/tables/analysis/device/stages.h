/* model/tables/analysis/device/stages.h - the stages of training: fetching data, forward, backward, optimizer step. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_STAGES_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_STAGES_H

#include "model/base/interval_set.h"
#include "model/trace/session.h"

typedef enum tt_stage {
    TT_STAGE_DATALOADER,
    TT_STAGE_FORWARD,
    TT_STAGE_BACKWARD,
    TT_STAGE_OPTIMIZATION,
    TT_STAGE_COUNT_,
} tt_stage;

typedef struct tt_stage_call {
    tt_row row;
    tt_stage stage;
    uint32_t step;     /* index into trace->steps of the step that it starts in; TT_NONE */
    int64_t kernel_ns; /* sum of durations of kernels launched inside on the same thread */
} tt_stage_call;

typedef struct tt_stages {
    tt_stage_call *at; /* outermost calls by row; calls of one track do not overlap */
    uint32_t n;
    bool seen[TT_STAGE_COUNT_];
    int64_t *step_kernel_ns; /* per step the time of kernels launched while it ran, on any thread */
    uint32_t *step_calls;    /* per step the number of those kernels */
} tt_stages;

/* Built once per trace and kept. */
const tt_stages *tt_stages_get(const tt_session *s, uint32_t trace);
/* Union of the host ranges of the steps in scope, and its length. The caller frees it with tt_vec_free(). */
tt_ivs tt_steps_union(const tt_trace *s, const tt_windows *w);
int64_t tt_steps_length(const tt_trace *s, const tt_windows *w);

#endif
