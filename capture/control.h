/* capture/control.h - the page that `tracetty record` and the recorded processes share (DIR/ctl, mapped).
 *
 * The recorder fills in the settings and the name of the directory before the command starts; afterwards it writes commands,
 * and the processes add to the counters. No locks: every shared word is atomic, so a killed process leaves nothing behind.   */
#ifndef TT_CAPTURE_CONTROL_H
#define TT_CAPTURE_CONTROL_H

#include <stdatomic.h>

#include "capture/schedule.h"
#include "capture/spool.h"

#define TT_CONTROL_MAGIC "TTCTL01"
#define TT_CONTROL_ENV "TRACETTY_CTL" /* names the directory, or the page where each rank has one of its own */
#define TT_CONTROL_FILE "ctl"         /* "ctl-rank3" where each rank is started by a recorder of its own */
enum { TT_CONTROL_NOTES = 16, TT_CONTROL_NOTE = 240 };

/* What delays and durations count from: the start of a process, or its first CUDA context. */
enum { TT_CLOCK_PROCESS, TT_CLOCK_CUDA };

enum { TT_CHILDREN_NONE, TT_CHILDREN_EXEC, TT_CHILDREN_ALL };

#define TT_CAPTURE_CUDA "cudaProfilerApi" /* a capture range: from cudaProfilerStart() to cudaProfilerStop() */

/* What is traced: X(id, word). Those from SHAPES on are Kineto's alone. */
#define TT_TRACES(X)                                                                                                   \
    X(KERNEL, "kernel")                                                                                                \
    X(MEMCPY, "memcpy")                                                                                                \
    X(MEMSET, "memset")                                                                                                \
    X(RUNTIME, "runtime")                                                                                              \
    X(DRIVER, "driver")                                                                                                \
    X(SYNC, "sync")                                                                                                    \
    X(OVERHEAD, "overhead")                                                                                            \
    X(NVTX, "nvtx")                                                                                                    \
    X(CPU, "cpu")                                                                                                      \
    X(MEMORY, "memory")                                                                                                \
    X(MEMPOOL, "mempool")                                                                                              \
    X(EVENT, "event")                                                                                                  \
    X(GRAPH, "graph")                                                                                                  \
    X(EXTERNAL, "external")                                                                                            \
    X(NVML, "nvml")                                                                                                    \
    X(UM, "um")                                                                                                        \
    X(ENV, "env")                                                                                                      \
    X(LATENCY, "latency")                                                                                              \
    X(SHAPES, "shapes")                                                                                                \
    X(STACK, "stack")                                                                                                  \
    X(FLOPS, "flops")                                                                                                  \
    X(MODULES, "modules")
enum {
#define X(id, word) TT_TRACE_##id,
    TT_TRACES(X)
#undef X
        TT_TRACE_COUNT_,
    TT_TRACE_KINETO = TT_TRACE_SHAPES
};

typedef struct tt_settings {
    tt_schedule schedule;
    int64_t clock_offset;            /* spool time - CLOCK_MONOTONIC, the same for all processes of a run */
    int64_t delay_ns, duration_ns;   /* from what `clock` says; duration 0: no end */
    uint64_t max_spool, buffer_size; /* bytes */
    uint64_t range_bytes;            /* memory for range events */
    uint64_t string_bytes;           /* memory for names */
    uint32_t buffers;                /* of CUPTI */
    uint32_t device_buffers;         /* most that CUPTI takes on a device, 0: as many as it likes */
    uint64_t device_buffer_size;     /* bytes of each, 0: as it likes */
    uint32_t traces;                 /* bits 1 << TT_TRACE_ */
    uint32_t noisy_api, start_paused, children, cpu_hz, nvml_hz;
    uint32_t clock;          /* TT_CLOCK_ */
    uint32_t yield_cupti;    /* leave CUPTI to the program's own profiler */
    uint32_t fsync;          /* every block goes to the disk before the next one */
    char marker[128];        /* glob of ranges and marks that begin a step; "api": none; "auto": known ones */
    char capture_range[128]; /* record only while a range of this name is open, or TT_CAPTURE_CUDA; "" = always */
    char only_rank[128];     /* "0,3-5"; "" = all */
    char cupti[512];         /* path of libcupti; "" = search */
    char command[512];       /* of the run, JSON text */
} tt_settings;

typedef struct tt_control {
    char magic[8];
    uint32_t size, reserved;
    tt_settings set;
    /* commands */
    _Atomic uint32_t start_seq, stop_seq, step_seq, flush_seq;
    /* counters, over all processes and threads */
    _Atomic uint64_t events, bytes, drops, steps;
    _Atomic uint64_t drops_by[TT_SPOOL_DROP_COUNT_]; /* by cause; drops: all but bytes */
    _Atomic uint32_t attached, ended, recording;     /* processes */
    _Atomic int64_t began;                           /* latest start of a process's clock, in spool time; 0: none */
    _Atomic uint32_t n_notes;
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE]; /* what is missing and why */
} tt_control;

static inline tt_settings tt_settings_default(void)
{
    return (tt_settings){.max_spool = (uint64_t)4 << 30,
                         .buffer_size = (uint64_t)4 << 20,
                         .buffers = 32,
                         .range_bytes = (uint64_t)64 << 20,
                         .string_bytes = (uint64_t)32 << 20,
                         .traces = 1u << TT_TRACE_KERNEL | 1u << TT_TRACE_MEMCPY | 1u << TT_TRACE_MEMSET |
                                   1u << TT_TRACE_RUNTIME | 1u << TT_TRACE_SYNC | 1u << TT_TRACE_OVERHEAD |
                                   1u << TT_TRACE_NVTX | 1u << TT_TRACE_CPU | 1u << TT_TRACE_NVML,
                         .children = TT_CHILDREN_EXEC,
                         .cpu_hz = 10,
                         .nvml_hz = 10,
                         .marker = "ProfilerStep#*"};
}

#endif
