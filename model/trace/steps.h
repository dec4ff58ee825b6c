/* model/trace/steps.h - the steps of a trace. */
#ifndef TT_MODEL_TRACE_STEPS_H
#define TT_MODEL_TRACE_STEPS_H

#include "model/trace/events.h"

/* What says where the steps of a trace begin. */
typedef enum tt_steps_source {
    TT_STEPS_NONE, /* nothing: the trace is one step */
    TT_STEPS_PROFILER,
    TT_STEPS_ENGINE,   /* ranges of engine steps */
    TT_STEPS_DEVICE,   /* copies of ranges of engine steps on devices, where the host's are missing */
    TT_STEPS_INFERRED, /* the period of the device's work */
} tt_steps_source;

/* Why nothing says where steps begin. */
typedef enum tt_no_steps {
    TT_NO_STEPS_NONE, /* the trace has steps, or nobody has looked for a period */
    TT_NO_STEPS_NO_WORK,
    TT_NO_STEPS_NO_ENGINE, /* no graph is launched four times, and no serving engine is in sight */
    TT_NO_STEPS_NO_COPIES, /* fewer than four copies to the host */
    TT_NO_STEPS_NO_PERIOD, /* nothing repeats with a copy to the host in between */
} tt_no_steps;

typedef struct tt_step {
    int64_t number; /* N of ProfilerStep#N; number of an engine step, from 0; 0 when the trace has no steps */
    tt_row row; /* row of the host slice, of an inferred step its first launch; TT_NONE when the trace has no steps */
    int64_t start,
        end; /* range of the step, extended by the device work launched inside; does not overlap the previous step */
    int64_t host_start, host_end;
    uint32_t phases;      /* bit of the phase of an engine's step: 1u << tt_phase; 0 = none */
    uint32_t device_work; /* device slices launched inside the host step */
    bool repeated;        /* inferred: its work is that of at least two other steps */
    bool kept;            /* false: incomplete last step, left out of step tables as the TensorBoard plugin does */
} tt_step;

/* A stretch of host time that belongs to one step: the latest begun step that runs then. */
typedef struct tt_step_span {
    int64_t t0, t1;
    uint32_t step; /* index into trace->steps */
} tt_step_span;

#endif
