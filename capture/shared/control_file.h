/* capture/shared/control_file.h - the file that `tracetty record`, `tracetty ctl` and the recorded processes share
 * (DIR/ctl).
 *
 * Small records are read and written by pread() and pwrite(), never kept mapped: who truncates, removes or replaces the
 * file ends the control and damages no memory. The file begins with a head: the settings, written before the command
 * starts, and the orders, numbers that count up. Records are appended behind it: one for each process, which only that
 * process rewrites on a change, and notes. A killed process leaves its last record behind. Readers search a record's
 * magic, so a torn record hides no other. */
#ifndef TT_CAPTURE_SHARED_CONTROL_FILE_H
#define TT_CAPTURE_SHARED_CONTROL_FILE_H

#include "capture/format/spool.h"
#include "capture/shared/files.h"
#include "capture/shared/schedule.h"

#define TT_CONTROL_MAGIC "TTCTL03"
#define TT_CONTROL_ENV "TRACETTY_CTL" /* path of the directory, or of the control file if each rank has its own */
#define TT_CONTROL_FILE "ctl"         /* name of the file; "ctl-rank3" if each rank has its own recorder */
enum { TT_CONTROL_NOTES = 16, TT_CONTROL_NOTE = 240 };

/* Start of delays and durations: the start of a process, or its first CUDA context. */
enum { TT_CLOCK_PROCESS, TT_CLOCK_CUDA };

enum { TT_CHILDREN_NONE, TT_CHILDREN_EXEC, TT_CHILDREN_ALL };

#define TT_CAPTURE_CUDA "cudaProfilerApi" /* a capture range: from cudaProfilerStart() to cudaProfilerStop() */

/* Activities that can be traced: X(id, word). SHAPES and later ones are Kineto's only. */
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
    X(NCCL, "nccl")                                                                                                    \
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

/* Default limit of CUPTI's device buffers: about 100 MB of a device. CUPTI's own default, 800 MB, is too much beside a
 * model that fills the device. */
enum { TT_DEVICE_BUFFERS = 32 };

/* Default size of a ring (keep_ns). */
#define TT_RING_BYTES ((uint64_t)256 << 20)

typedef struct tt_capture_settings {
    tt_schedule schedule;
    int64_t clock_offset;            /* spool time - CLOCK_MONOTONIC, equal in all processes of a run */
    int64_t delay_ns, duration_ns;   /* counted from `clock`; duration 0: no end */
    uint64_t max_spool, buffer_size; /* bytes; max_spool: of a spool, or of all segments of a ring */
    uint64_t range_bytes;            /* memory for range events */
    uint64_t string_bytes;           /* memory for names */
    uint32_t buffers;                /* number of CUPTI's buffers */
    uint32_t device_buffers;         /* maximum number per device, 0: CUPTI's default, which is 250 of 3.2 MB */
    uint64_t device_buffer_size;     /* bytes of a device buffer, 0: CUPTI's default */
    uint32_t traces;                 /* bits 1 << TT_TRACE_ */
    uint32_t noisy_api, start_paused, children, cpu_hz, nvml_hz;
    uint32_t clock;          /* TT_CLOCK_: start of delays */
    uint32_t yield_cupti;    /* leave CUPTI to the program's own profiler */
    uint32_t fsync;          /* fsync every block before the next one */
    int64_t keep_ns;         /* keep only the last part of the recording, of this length, in a ring; 0: keep all */
    int64_t stall_ns;        /* trigger when the GPU or the steps make no progress for so long; 0: never */
    uint32_t slow_step_pct;  /* trigger when a step takes so many percent of the median of earlier steps; 0: never */
    uint32_t dump_at_exit;   /* trigger when the program ends */
    uint32_t dump_signal;    /* number of the signal that triggers, 0: none */
    uint32_t step_info;      /* print a line about every so many steps; 0: none */
    char marker[128];        /* glob of ranges and marks that begin a step; "api": none; "auto": known ones */
    char capture_range[128]; /* record only while a range with this name is open, or TT_CAPTURE_CUDA; "" = always */
    char only_rank[128];     /* ranks to record, "0,3-5"; "" = all */
    char cupti[512];         /* path of libcupti; "" = search */
    char command[512];       /* command of the run, JSON text */
} tt_capture_settings;

typedef enum tt_order {
    TT_ORDER_START,
    TT_ORDER_STOP,
    TT_ORDER_STEP,
    TT_ORDER_FLUSH,
    TT_ORDER_DUMP, /* freeze the ring into a recording of its own */
    TT_ORDER_COUNT_
} tt_order;

typedef struct tt_control_head {
    char magic[8];
    uint32_t size, reserved; /* size: bytes of this structure */
    tt_capture_settings set;
    uint32_t orders[TT_ORDER_COUNT_]; /* times each order was given */
} tt_control_head;

/* Why a process stopped writing. */
typedef enum tt_stopped {
    TT_STOPPED_NOT,
    TT_STOPPED_ERROR,   /* the disk reported an error, in `error` */
    TT_STOPPED_LIMIT,   /* --max-spool */
    TT_STOPPED_CLOSED,  /* the program closed our descriptor, and the file could not be reopened */
    TT_STOPPED_REMOVED, /* the file was removed or replaced */
    TT_STOPPED_CUT,     /* the file was truncated */
} tt_stopped;

typedef struct tt_control_process {
    uint32_t pid;
    uint32_t attached, ended, recording; /* 0 or 1 */
    uint32_t stopped, error;             /* stopped: tt_stopped; error: errno */
    uint64_t events, bytes, steps;
    int64_t began;         /* start of the process's delays, in spool time; 0: none */
    uint32_t ring, kept_s; /* ring: 1 = events of the last kept_s seconds are kept, earlier ones were deleted */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
} tt_control_process;

/* Record of `tracetty record` itself. If it is killed, `ended` stays 0. */
typedef struct tt_control_launcher {
    uint32_t pid, ended; /* ended: the recording and all its files are complete */
    int64_t started;     /* ns of CLOCK_REALTIME: a later process with this pid is another one */
    char host[64];
} tt_control_launcher;

/* What a process did at a trigger. Each is a record of its own, which nobody rewrites. */
typedef struct tt_control_dump {
    uint32_t pid;
    int32_t rank;     /* -1: none */
    uint32_t order;   /* number of orders to dump that the process has followed */
    uint32_t error;   /* errno for which there is no folder; 0: none */
    int64_t at;       /* when the trigger came, ns of CLOCK_REALTIME */
    uint32_t took_us; /* time of the writer's thread */
    uint32_t most;    /* the process has made so many dumps, and makes no more; 0: it may */
    char folder[72];  /* name of the dump below the recording's folder; "": the recording is not kept in a ring */
    char why[128];    /* reasons, cut to fit */
} tt_control_dump;

enum {
    TT_CONTROL_RECORDS_AT = 4096,
    TT_CONTROL_RECORD = 256,
    TT_CONTROL_PROCESS = 1,
    TT_CONTROL_SAYS = 2,
    TT_CONTROL_LAUNCHER = 3,
    TT_CONTROL_DUMP = 4
};
typedef struct tt_control_record {
    char magic[4];
    uint32_t kind; /* one of these kinds; readers skip others */
    uint64_t id;   /* id of a process, unique in the run over all machines */
    union {
        tt_control_process process;
        tt_control_launcher launcher;
        tt_control_dump dump;
        char note[TT_CONTROL_NOTE];
    };
} tt_control_record;
_Static_assert(sizeof(tt_control_record) == TT_CONTROL_RECORD, "records of one size");
_Static_assert(sizeof(tt_control_head) <= TT_CONTROL_RECORDS_AT, "the head fits before them");

typedef struct tt_control {
    tt_own file;
} tt_control;

/* Totals over all processes. */
typedef struct tt_totals {
    bool lost; /* the file was replaced or truncated: the other members are from the last read */
    uint32_t attached, ended, recording;
    uint64_t events, bytes, steps;
    /* drops: lost events; drops_by: by cause; drops counts all causes but bytes */
    uint64_t drops, drops_by[TT_SPOOL_DROP_COUNT_];
    int64_t began;                                 /* latest start of delays of a process */
    uint32_t ring, kept_s;                         /* processes with a ring; longest part that one of them keeps */
    uint32_t dumps;                                /* number of records of dumps */
    uint32_t n_notes;                              /* number of notes; the first TT_CONTROL_NOTES are kept */
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE]; /* texts of what is missing and why, without repeats */
} tt_totals;

/* Create path, which must not exist, with disk space for the first processes; false with a sentence that names the
 * file, which is then removed. */
bool tt_control_create(tt_control *c, const char *path, const tt_capture_settings *set, char *why, size_t cap);
/* Open the control file of a recording; settings go to *set (may be NULL). 0 or -errno, -EPROTO: no control file of
 * this version. */
int tt_control_open(tt_control *c, const char *path, tt_capture_settings *set);
/* Open a control file for reading only. */
int tt_control_watch(tt_control *c, const char *path);
void tt_control_close(tt_control *c);
/* Send an order; false with errno. */
bool tt_control_give(const tt_control *c, tt_order k);
/* Read the number of orders of each kind; false: the file is lost. */
bool tt_control_orders(const tt_control *c, uint32_t out[TT_ORDER_COUNT_]);
/* Write a record: at *at if that is above 0 and still holds a record with this id, else at the end; *at gets the
 * offset. False: not written, or the file is lost. */
bool tt_control_write(const tt_control *c, const tt_control_record *r, off_t *at);
/* The same without a look at the head: for a caller whose tt_control_orders() was successful just now. */
bool tt_control_put(const tt_control *c, const tt_control_record *r, off_t *at);
void tt_control_read(const tt_control *c, tt_totals *t);
/* Call each() with every record, in the order of the file. False: the file was replaced or truncated, or is no control
 * file. */
bool tt_control_each(const tt_control *c, void (*each)(void *arg, const tt_control_record *r), void *arg);

/* True when only parts of the run are recorded: readers leave out events outside of them. */
static inline bool tt_capture_windowed(const tt_capture_settings *s)
{
    return s->schedule.record || s->delay_ns || s->duration_ns || s->start_paused || s->capture_range[0] ||
           s->clock == TT_CLOCK_CUDA;
}

static inline tt_capture_settings tt_capture_settings_default(void)
{
    return (tt_capture_settings){.max_spool = (uint64_t)4 << 30,
                                 .buffer_size = (uint64_t)256 << 10,
                                 .buffers = 512,
                                 .device_buffers = TT_DEVICE_BUFFERS,
                                 .range_bytes = (uint64_t)64 << 20,
                                 .string_bytes = (uint64_t)32 << 20,
                                 .traces = 1u << TT_TRACE_KERNEL | 1u << TT_TRACE_MEMCPY | 1u << TT_TRACE_MEMSET |
                                           1u << TT_TRACE_RUNTIME | 1u << TT_TRACE_SYNC | 1u << TT_TRACE_OVERHEAD |
                                           1u << TT_TRACE_NVTX | 1u << TT_TRACE_CPU | 1u << TT_TRACE_NVML |
                                           1u << TT_TRACE_NCCL,
                                 .children = TT_CHILDREN_EXEC,
                                 .cpu_hz = 10,
                                 .nvml_hz = 10,
                                 .marker = "ProfilerStep#*"};
}

#endif
