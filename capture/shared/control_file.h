/* capture/shared/control_file.h - the file that `tracetty record`, `tracetty ctl` and the recorded processes share
 * (DIR/ctl).
 *
 * It is read and written by pread() and pwrite() of small records, never mapped: whoever cuts, removes or replaces
 * it ends the control, and can hurt nobody's memory. First a head: the settings, written before the command starts,
 * and the orders, numbers that count up. Behind it records, appended: one of each process, which that process alone
 * writes again when something changed, and notes. A process that was killed leaves its last one behind. Readers look
 * for a record's magic, so a torn one hides no other. */
#ifndef TT_CAPTURE_SHARED_CONTROL_FILE_H
#define TT_CAPTURE_SHARED_CONTROL_FILE_H

#include "capture/format/spool.h"
#include "capture/shared/files.h"
#include "capture/shared/schedule.h"

#define TT_CONTROL_MAGIC "TTCTL02"
#define TT_CONTROL_ENV "TRACETTY_CTL" /* names the directory, or the file where each rank has one of its own */
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

/* Device buffers that CUPTI may take by default: about 100 MB of a device, where its own default is 800 MB, which is
 * what a model that fills the device does not have. */
enum { TT_DEVICE_BUFFERS = 32 };

typedef struct tt_capture_settings {
    tt_schedule schedule;
    int64_t clock_offset;            /* spool time - CLOCK_MONOTONIC, the same for all processes of a run */
    int64_t delay_ns, duration_ns;   /* from what `clock` says; duration 0: no end */
    uint64_t max_spool, buffer_size; /* bytes */
    uint64_t range_bytes;            /* memory for range events */
    uint64_t string_bytes;           /* memory for names */
    uint32_t buffers;                /* of CUPTI */
    uint32_t device_buffers;         /* maximum number per device, 0: CUPTI's default, which is 250 of 3.2 MB */
    uint64_t device_buffer_size;     /* bytes of each, 0: CUPTI's default */
    uint32_t traces;                 /* bits 1 << TT_TRACE_ */
    uint32_t noisy_api, start_paused, children, cpu_hz, nvml_hz;
    uint32_t clock;          /* TT_CLOCK_ */
    uint32_t yield_cupti;    /* leave CUPTI to the program's own profiler */
    uint32_t fsync;          /* fsync every block before the next one */
    char marker[128];        /* glob of ranges and marks that begin a step; "api": none; "auto": known ones */
    char capture_range[128]; /* record only while a range of this name is open, or TT_CAPTURE_CUDA; "" = always */
    char only_rank[128];     /* "0,3-5"; "" = all */
    char cupti[512];         /* path of libcupti; "" = search */
    char command[512];       /* of the run, JSON text */
} tt_capture_settings;

typedef enum tt_order { TT_ORDER_START, TT_ORDER_STOP, TT_ORDER_STEP, TT_ORDER_FLUSH, TT_ORDER_COUNT_ } tt_order;

typedef struct tt_control_head {
    char magic[8];
    uint32_t size, reserved; /* of this structure */
    tt_capture_settings set;
    uint32_t orders[TT_ORDER_COUNT_]; /* how often each was given */
} tt_control_head;

/* Why a process stopped writing. */
typedef enum tt_stopped {
    TT_STOPPED_NOT,
    TT_STOPPED_ERROR,   /* the disk refused, see error */
    TT_STOPPED_LIMIT,   /* --max-spool */
    TT_STOPPED_CLOSED,  /* the program closed our descriptor, and the file could not be opened again */
    TT_STOPPED_REMOVED, /* the file was removed or replaced */
    TT_STOPPED_CUT,     /* the file was truncated */
} tt_stopped;

typedef struct tt_control_process {
    uint32_t pid;
    uint32_t attached, ended, recording; /* 0 or 1 */
    uint32_t stopped, error;             /* tt_stopped; errno */
    uint64_t events, bytes, steps;
    int64_t began; /* start of its delays, in spool time; 0: none */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
} tt_control_process;

/* `tracetty record` itself. Killed, it leaves `ended` at 0 behind. */
typedef struct tt_control_launcher {
    uint32_t pid, ended; /* ended: the recording is complete, with all files that it was to have */
    int64_t started;     /* ns of CLOCK_REALTIME: a process that began later only has its number */
    char host[64];
} tt_control_launcher;

enum {
    TT_CONTROL_RECORDS_AT = 4096,
    TT_CONTROL_RECORD = 256,
    TT_CONTROL_PROCESS = 1,
    TT_CONTROL_SAYS = 2,
    TT_CONTROL_LAUNCHER = 3
};
typedef struct tt_control_record {
    char magic[4];
    uint32_t kind; /* one of the three; others mean nothing */
    uint64_t id;   /* of a process of the run, over all machines */
    union {
        tt_control_process process;
        tt_control_launcher launcher;
        char note[TT_CONTROL_NOTE];
    };
} tt_control_record;
_Static_assert(sizeof(tt_control_record) == TT_CONTROL_RECORD, "records of one size");
_Static_assert(sizeof(tt_control_head) <= TT_CONTROL_RECORDS_AT, "the head fits before them");

typedef struct tt_control {
    tt_own file;
} tt_control;

/* Over all processes. */
typedef struct tt_totals {
    bool lost; /* the file was replaced or cut: the other members are from the last read */
    uint32_t attached, ended, recording;
    uint64_t events, bytes, steps;
    uint64_t drops, drops_by[TT_SPOOL_DROP_COUNT_]; /* by cause; drops: all but bytes */
    int64_t began;                                  /* the latest */
    uint32_t n_notes;                               /* of them the first TT_CONTROL_NOTES are kept */
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE];  /* what is missing and why, each once */
} tt_totals;

/* Create path, which must not exist, with room for the first processes on the disk; false with a sentence that names
 * the file, which is gone again then. */
bool tt_control_create(tt_control *c, const char *path, const tt_capture_settings *set, char *why, size_t cap);
/* Open that of a recording; its settings to *set (may be NULL). 0 or -errno, -EPROTO: no control file of this
 * version. */
int tt_control_open(tt_control *c, const char *path, tt_capture_settings *set);
/* The same for who only looks on: opened for reading, so that nothing of it can change. */
int tt_control_watch(tt_control *c, const char *path);
void tt_control_close(tt_control *c);
/* Send an order; false with errno. */
bool tt_control_give(const tt_control *c, tt_order k);
/* Read the number of orders of each kind; false: the file is lost. */
bool tt_control_orders(const tt_control *c, uint32_t out[TT_ORDER_COUNT_]);
/* Write a record: at *at if that is not 0 and still holds one of the same id, else at the end, whose offset goes to
 * *at. False: not written, or the file is lost. */
bool tt_control_write(const tt_control *c, const tt_control_record *r, off_t *at);
void tt_control_read(const tt_control *c, tt_totals *t);
/* Call each() with every record, in the order of the file. False: the file was replaced, cut, or is none. */
bool tt_control_each(const tt_control *c, void (*each)(void *arg, const tt_control_record *r), void *arg);

/* Only parts of the run are recorded: what lies outside of them is left out when it is read. */
static inline bool tt_capture_windowed(const tt_capture_settings *s)
{
    return s->schedule.record || s->delay_ns || s->duration_ns || s->start_paused || s->capture_range[0] ||
           s->clock == TT_CLOCK_CUDA;
}

static inline tt_capture_settings tt_capture_settings_default(void)
{
    return (tt_capture_settings){.max_spool = (uint64_t)4 << 30,
                                 .buffer_size = (uint64_t)4 << 20,
                                 .buffers = 32,
                                 .device_buffers = TT_DEVICE_BUFFERS,
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
