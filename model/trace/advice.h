/* model/trace/advice.h - what a text tells to change in a program or in how it is recorded, in the words of the
 * framework that wrote the trace. Tables and findings take them from here and never ask who wrote it. */
#ifndef TT_MODEL_TRACE_ADVICE_H
#define TT_MODEL_TRACE_ADVICE_H

#include "model/trace/rules.h"

/* Without a full stop: sentences, and parts of sentences, which begin with a small letter unless a name does. None is
 * NULL. */
typedef struct tt_advice {
    const char *record_device;   /* so that work on devices and calls of their runtime are recorded */
    const char *no_device;       /* the same where none is, though the process could use one: what else may be wrong */
    const char *record_host;     /* operators */
    const char *record_shapes;   /* shapes of the inputs of operators, and their device work */
    const char *record_memory;   /* allocations */
    const char *record_lines;    /* the Python line of a call or kernel */
    const char *record_modules;  /* ranges of nn.Module, or what takes their place */
    const char *record_op_types; /* types of operators by core, and their details; NULL: the profiler has none */
    const char *mark_steps;      /* so that there are steps */
    const char *mark_ranges;     /* so that parts of the program have names */
    const char *collectives;     /* libraries whose kernels or ranges count as one: "NCCL, RCCL" */
    const char *load_data;       /* a step waits for its input */
    const char *fewer_launches;  /* most kernels are shorter than their launch: a list */
    const char *larger_kernels;  /* the host is in runtime calls: what makes kernels fewer and larger, a list */
    const char *no_sync;         /* the host waits for the device inside of a step */
    const char *overlap_communication; /* a device does nothing else while it communicates */
    const char *overlap_copies;        /* the same while it copies */
    const char *pin_memory;            /* copies from or to memory that the device cannot read by itself */
    const char *mixed_precision;       /* single precision takes most of the time */
} tt_advice;

/* Of the framework of these rules; never NULL. */
const tt_advice *tt_advice_of(const tt_rules *rules);

/* For rules.c. */
extern const tt_advice tt_advice_recording, tt_advice_nsys, tt_advice_rocm, tt_advice_xla, tt_advice_torch_npu,
    tt_advice_mindspore, tt_advice_msprof, tt_advice_paddle, tt_advice_snapshot;

#endif
