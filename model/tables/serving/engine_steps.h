/* model/tables/serving/engine_steps.h - the forward passes of an engine of LLM serving, with their device work.
 *
 * The host ranges are those that the trace lists (tt_trace.engine_steps). Device work belongs to the step that holds
 * the start of its launch; work without a launch to the step that occupies the device then. A step lasts from the
 * completion of the step before to its own, which is what a client sees between two tokens; longer waits are pauses. */
#ifndef TT_MODEL_TABLES_SERVING_ENGINE_STEPS_H
#define TT_MODEL_TABLES_SERVING_ENGINE_STEPS_H

#include "model/tables/analysis/device/device_work.h"
#include "model/text/engine_step.h"

typedef struct tt_engine_step {
    tt_row row; /* host range; of an inferred step its first launch */
    tt_engine_step_name said;
    int64_t host_start, host_end;
    int64_t device_start, device_end;       /* TT_UNKNOWN without device work */
    int64_t busy;                           /* union of its device work */
    int64_t class_ns[TT_WORK_CLASS_COUNT_]; /* unions of its work of each class */
    int64_t gap, time;                      /* TT_UNKNOWN where nothing says when the step began */
    int64_t pause;                          /* wait before the step that is too long for a gap; 0 = none */
    uint32_t first, n;                      /* its device work in tt_engine_steps.work */
    uint32_t graph_launches;
    bool complete; /* false: device work of its launches is missing, as at the end of a recording */
} tt_engine_step;

typedef struct tt_engine_steps {
    tt_engine_step *at; /* by host start */
    uint32_t n;
    /* indices into tt_device_work.at: step after step, each by start; then the work of no step, from `outside` on */
    uint32_t *work;
    uint32_t outside, n_work;
    int64_t outside_busy; /* union of the work of no step */
    bool of_device; /* the steps are hulls on the device: work belongs to the step it starts in; no time on the host */
} tt_engine_steps;

/* Built once per trace and kept. O(slices) where the trace has engine steps, plus a sort of its device work. */
const tt_engine_steps *tt_engine_steps_get(const tt_session *s, uint32_t trace);

/* Why a trace without engine steps has none. */
const char *tt_engine_steps_missing(const tt_trace *s);

#endif
