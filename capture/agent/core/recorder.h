/* capture/agent/core/recorder.h - the recorder inside a process: one object, shared by NVTX, the C API, CUPTI and the
 * writer thread. Private to the library.
 *
 * Threads put events into chunks of their own without locks (threads.c); the writer thread takes the events out and
 * writes the spool (writer.c). recording_state.c decides what is recorded and when; attach.c attaches, forks and
 * leaves. The first rule: the recorded program is never broken. Nothing here exits, aborts or prints; no file is
 * mapped, no descriptor of the program is touched (files.h); a signal handler that interrupted the recorder is turned
 * away (enter.h), and functions that a handler may call take no memory from malloc(). */
#ifndef TT_CAPTURE_AGENT_CORE_RECORDER_H
#define TT_CAPTURE_AGENT_CORE_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "capture/shared/control_file.h"
#include "capture/shared/slow_step.h"
#include "capture/shared/stall.h"
#include "capture/spool/intern.h"
#include "capture/spool/ring.h"
#include "capture/spool/spool_writer.h"

/* ---- events ---- */

typedef enum tt_op {
    TT_OP_PUSH,
    TT_OP_POP,
    TT_OP_POP_CROSSED, /* the range at depth ends before its inner ranges, which move up; cat 1: it was recorded */
    TT_OP_START,       /* value: id */
    TT_OP_END,         /* value: id */
    TT_OP_MARK,
    TT_OP_COUNTER,  /* value: bits of a double */
    TT_OP_STEP,     /* a step begins; value: step number; name: schedule state */
    TT_OP_STEP_END, /* a step without a range of its own ends; value: start of its recording; name: name of its range */
    TT_OP_SAMPLES,  /* value: number of samples in the step that ends */
    TT_OP_NAME_THREAD,
    TT_OP_EXTERNAL, /* value: external id of the innermost range */
} tt_op;

typedef struct tt_recorder_event {
    int64_t ts;
    uint64_t value; /* push: autograd sequence number + 1; above it the string id of the shapes */
    uint32_t name;
    uint16_t depth;
    uint8_t op, cat;
} tt_recorder_event;

enum { TT_CHUNK = 2040, TT_DEPTH_MOST = 1024 };
typedef struct tt_chunk {
    _Atomic uint32_t n;
    struct tt_chunk *_Atomic next;
    tt_recorder_event at[TT_CHUNK];
} tt_chunk;

typedef struct tt_open_range { /* a range whose begin the writer has read */
    int64_t start;
    uint64_t value, external;
    uint32_t name;
    uint16_t depth;
    uint8_t cat;
    bool told; /* an OPEN record for the range was written to the spool */
} tt_open_range;

/* Flags of an open range: its push was recorded; it is a step; it opened the capture range; its id was pushed to
 * CUPTI. */
enum { TT_LEVEL_KEPT = 1, TT_LEVEL_MARKER = 2, TT_LEVEL_CAPTURE = 4, TT_LEVEL_EXTERNAL = 8 };

typedef struct tt_thread {
    struct tt_thread *next;
    uint32_t tid, generation;
    char comm[16];     /* name of the thread at its first event */
    _Atomic bool gone; /* the thread has ended */
    /* used by the thread alone */
    tt_chunk *tail, *spare; /* spare: reserved for the ends of open ranges that do not fit into tail */
    uint32_t owed;          /* open ranges whose push was recorded; as many ends have room reserved */
    uint32_t depth;
    uint8_t level[TT_DEPTH_MOST];   /* flags of the open ranges, TT_LEVEL_* */
    uint32_t domain[TT_DEPTH_MOST]; /* domain name's id of each open range; 0 = none */
    uint32_t pushes;
    tt_intern_cache cache;
    /* used by the writer alone */
    tt_chunk *_Atomic head;
    uint32_t at, snap; /* at: events of head read so far; snap: end of this pass in snap_chunk */
    tt_chunk *snap_chunk;
    tt_open_range *open;
    size_t n_open, cap_open;
    bool named;
} tt_thread;

typedef struct tt_transition {
    int64_t ts;
    bool on;
} tt_transition;

typedef struct tt_range_pair { /* a start/end range, which may end on another thread */
    uint64_t id;
    int64_t start;
    uint32_t name, tid;
    uint8_t cat;
    bool told; /* as in tt_open_range */
} tt_range_pair;
enum { TT_PAIRS = 4096 };

typedef struct tt_range_pair_end { /* an end whose start was not read yet, as threads are read one after another */
    uint64_t id;
    int64_t ts;
    bool old; /* the end has waited a whole pass: its start was lost */
} tt_range_pair_end;

/* Reasons for not recording, bits of tt_recorder.blocks. */
enum {
    TT_BLOCK_PAUSED = 1,
    TT_BLOCK_DELAY = 2,
    TT_BLOCK_OVER = 4,
    TT_BLOCK_STEPS = 8,
    TT_BLOCK_RANGE = 16,
    TT_BLOCK_LIMIT = 32,
};
enum { TT_GATE_OFF = 0, TT_GATE_ATTACHED = 1, TT_GATE_RECORDING = 2, TT_GATE_FORKED = 4 };

/* Status of this process for the control file, and the orders read from there: report_progress.c. */
typedef struct tt_agent_reporting {
    tt_control control; /* not open when the program started the recording itself */
    char path[640];     /* path of the control file */
    /* used by the writer thread, or the thread that attaches */
    uint32_t orders[TT_ORDER_COUNT_], seen[TT_ORDER_COUNT_]; /* orders given, and orders followed, so far */
    bool attached, ended;
    tt_control_record told; /* this process's record as last written to the control file */
    off_t told_at;
    tt_control_process tried;    /* state in the last exchange with the file, written or not */
    int64_t told_ns, ordered_ns; /* times of the last exchange, and of the exchange that brought the last order */
    uint32_t notes_told, notes_tried;
    /* guarded by the lock */
    pthread_mutex_t lock;
    uint32_t n_notes;
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE];
} tt_agent_reporting;

typedef struct tt_dump {                          /* a dump whose folder is not complete yet; pid 0: none */
    char part[TT_RING_PATH], whole[TT_RING_PATH]; /* its folder while it is made, and then */
    tt_control_dump told;                         /* what is told when it is complete */
} tt_dump;

/* What freezes the recording, and the dump that is due: triggers.c, dump.c. */
typedef struct tt_triggers {
    _Atomic int deadly;     /* number of the signal that ends the process, set by its handler; 0: none */
    _Atomic uint32_t asked; /* dump signals received, counted by their handler */
    /* used by the writer */
    uint32_t heard;     /* how many of them were followed */
    tt_slow_steps slow; /* the steps so far */
    int64_t step_start; /* the step that runs: its start, thread and number */
    uint32_t step_tid;
    uint64_t step;
    bool step_late; /* it is slow already, and the stacks were written */
    tt_stall stall;
    char why[256]; /* reasons of the dump that is due; "": none is */
    int64_t since; /* when the first of them came */
    int64_t spent; /* ns that it has taken of the writer so far */
    uint32_t n;    /* triggers so far */
    tt_dump dumps[TT_RING_FREEZES];
} tt_triggers;

typedef struct tt_recorder {
    _Atomic uint32_t gate; /* bits TT_GATE_*, read by the fast path; ATTACHED is set last */
    tt_capture_settings set;
    tt_agent_reporting tell;
    char dir[512];
    char path[768]; /* spool file; of a ring without the number of a segment */
    int64_t clock_offset, started;
    uint32_t pid;
    long rank;                   /* rank of this process, -1 = none */
    int error;                   /* errno of a failed attach */
    void (*leave)(void);         /* exit handler: see tt_recorder_leave_early() */
    _Atomic uint32_t generation; /* incremented in a forked child: the parent's thread records are invalid */
    tt_intern names;

    pthread_mutex_t chunks_lock;
    tt_chunk *free_chunks;
    size_t n_chunks, most_chunks;

    pthread_mutex_t threads_lock;
    tt_thread *threads;
    pthread_key_t key;

    /* state of the recording, changed under gate_lock */
    pthread_mutex_t gate_lock;
    uint32_t blocks;
    _Atomic int64_t began; /* when delays start; 0: not known yet (TT_CLOCK_CUDA) */
    tt_transition transitions[256];
    uint32_t n_transitions;
    tt_schedule_state state;
    _Atomic int64_t step;            /* number of the current step, -1 = none yet */
    _Atomic int64_t step_start;      /* start of the current step; of the first step: start of the process */
    _Atomic int64_t recording_since; /* start of the present recording; 0: from the beginning */
    _Atomic uint32_t step_owner;     /* tid of the thread whose markers count as steps; 0 = none yet */
    _Atomic uint32_t capture_depth;  /* number of open ranges called set.capture_range */
    char markers[8][128];
    uint32_t n_markers;
    _Atomic bool want_cupti, wanted_cupti; /* CUPTI is wanted now; was wanted at any time */
    _Atomic bool
        all_gpus; /* CUDA is used, but without CUPTI its devices are unknown: sample all GPUs, by NVML's indices */

    /* used by the writer */
    pthread_t writer;
    bool has_writer;
    pthread_mutex_t wake_lock;
    pthread_cond_t wake;
    bool woken;
    _Atomic int quit; /* 1: write the last records and end */
    _Atomic bool finished;
    tt_spool_writer spool;
    tt_ring ring; /* keeps only the last part of the spool; without --keep only its serial counts, by files */
    tt_triggers triggers;
    int64_t samples, samples_at; /* samples of the step that ended at samples_at */
    tt_range_pair pairs[TT_PAIRS];
    uint32_t n_pairs;
    tt_range_pair_end ends[TT_PAIRS];
    uint32_t n_ends;
    _Atomic uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t drops_written[TT_SPOOL_DROP_COUNT_];
    int64_t evicted; /* time of the last tt_intern_evict() */
    _Atomic uint64_t steps;
    _Atomic uint64_t next_pair;
    _Atomic uint64_t status_records, status_bytes;
    pthread_mutex_t meta_lock; /* queued META records of the program: key NUL value NUL ... */
    char *metas;
    size_t metas_n, metas_cap;
} tt_recorder;

tt_recorder *tt_recorder_get(void);
/* True while this thread is inside the recorder: see enter.h. */
extern __thread bool tt_inside __attribute__((tls_model("initial-exec")));

static inline int64_t tt_now(const tt_recorder *r)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + r->clock_offset;
}

/* Wake the writer thread early. */
void tt_recorder_wake(tt_recorder *r);
/* Count n lost records under a cause, TT_SPOOL_DROP_*. Any thread. */
void tt_drop(tt_recorder *r, int cause, uint64_t n);

#endif
