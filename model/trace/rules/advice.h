/* model/trace/rules/advice.h - what a person should change in a program or in how it is recorded, in the words of the
 * framework that wrote the trace. Tables and findings take the words from here and never ask who wrote the trace. */
#ifndef TT_MODEL_TRACE_RULES_ADVICE_H
#define TT_MODEL_TRACE_RULES_ADVICE_H

#include "model/trace/rules/rules.h"

/* Sentences and parts of sentences, without a full stop; parts begin with a small letter unless a name begins them.
 * Only record_op_types may be NULL. */
typedef struct tt_advice {
    const char *record_device; /* how to record work on devices and the runtime calls that launch it */
    /* what else may be wrong when no device work was recorded though the process could use a device */
    const char *no_device;
    const char *record_host;    /* how to record operators */
    const char *record_shapes;  /* how to record shapes of operators' inputs, and their device work */
    const char *record_memory;  /* how to record allocations */
    const char *record_lines;   /* how to record the Python line of a call or kernel */
    const char *record_modules; /* how to record ranges of nn.Module, or what replaces them */
    const char
        *record_op_types;   /* how to record types of operators by core, and their details; NULL: the profiler cannot */
    const char *mark_steps; /* how to mark steps */
    const char *mark_ranges;    /* how to name parts of the program */
    const char *collectives;    /* libraries whose kernels or ranges count as one: "NCCL, RCCL" */
    const char *load_data;      /* what helps when a step waits for its input */
    const char *fewer_launches; /* what helps when most kernels are shorter than their launch: a list */
    /* what makes kernels fewer and larger when the host spends its time in runtime calls: a list */
    const char *larger_kernels;
    const char *no_sync;               /* what helps when the host waits for the device inside a step */
    const char *overlap_communication; /* what helps when a device does nothing else while it communicates */
    const char *overlap_copies;        /* what helps when a device does nothing else while it copies */
    const char *pin_memory;            /* what helps copies from or to memory that the device cannot read directly */
    const char *mixed_precision;       /* what helps when most time is single precision */
} tt_advice;

/* The advice for the framework of these rules; never NULL. */
const tt_advice *tt_advice_of(const tt_rules *rules);

/* for rules_list.c */
extern const tt_advice tt_advice_recording, tt_advice_nsys, tt_advice_rocm, tt_advice_xla, tt_advice_torch_npu,
    tt_advice_mindspore, tt_advice_msprof, tt_advice_paddle, tt_advice_snapshot, tt_advice_flight;

#endif
