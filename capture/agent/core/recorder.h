/* capture/agent/core/recorder.h - the recorder inside a process: one object, shared by NVTX, the C API, CUPTI and the
 * writer thread. Private to the library.
 *
 * Threads put events into chunks of their own without locks (threads.c); the writer thread takes them out and writes
 * the spool (writer.c). recording_state.c decides what is recorded and when; attach.c attaches, forks and leaves.
 * The rule above all others: the program that is recorded is never broken. Nothing here exits, aborts or prints; no
 * mapping of a file is touched, no descriptor of the program's (files.h); a signal handler that interrupted us is
 * turned away (enter.h), and what it may call takes no memory from malloc(). */
#ifndef TT_CAPTURE_AGENT_RECORDER_H
#define TT_CAPTURE_AGENT_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "capture/shared/control_file.h"
#include "capture/spool/intern.h"
#include "capture/spool/spool_writer.h"

/* ---- events ---- */

typedef enum tt_op {
    TT_OP_PUSH,
    TT_OP_POP,
    TT_OP_POP_CROSSED, /* the range at depth ends before those in it, which move up; cat 1: it was recorded */
    TT_OP_START,       /* value: id */
    TT_OP_END,         /* value: id */
    TT_OP_MARK,
    TT_OP_COUNTER,  /* value: bits of a double */
    TT_OP_STEP,     /* a step begins: value: its number; name: schedule state */
    TT_OP_STEP_END, /* of a step without a range of its own; value: since when it is recorded; name: its range's */
    TT_OP_SAMPLES,  /* value: samples of the step that ends */
    TT_OP_NAME_THREAD,
    TT_OP_EXTERNAL, /* value: external id of the innermost range */
} tt_op;

typedef struct tt_recorder_event {
    int64_t ts;
    uint64_t value; /* of a push: autograd sequence number + 1, and above it the string of the shapes */
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

typedef struct tt_open_range { /* a range that the writer saw begin */
    int64_t start;
    uint64_t value, external;
    uint32_t name;
    uint16_t depth;
    uint8_t cat;
    bool told; /* an OPEN record was written */
} tt_open_range;

/* Flags of an open range: its push was recorded; it is a step; it opened the capture range; its id was pushed to
 * CUPTI. */
enum { TT_LEVEL_KEPT = 1, TT_LEVEL_MARKER = 2, TT_LEVEL_CAPTURE = 4, TT_LEVEL_EXTERNAL = 8 };

typedef struct tt_thread {
    struct tt_thread *next;
    uint32_t tid, generation;
    char comm[16];     /* name of the thread at its first event */
    _Atomic bool gone; /* its thread ended */
    /* the thread's own */
    tt_chunk *tail, *spare; /* spare: reserved for the ends of open ranges that do not fit into tail */
    uint32_t owed;          /* open ranges whose push was recorded: room for as many ends is reserved */
    uint32_t depth;
    uint8_t level[TT_DEPTH_MOST];   /* flags of the open ranges, TT_LEVEL_* */
    uint32_t domain[TT_DEPTH_MOST]; /* id of the name of the domain of each; 0 = none */
    uint32_t pushes;
    tt_intern_cache cache;
    /* the writer's */
    tt_chunk *_Atomic head;
    uint32_t at, snap; /* at: events consumed of head; snap: where this pass ends (with snap_chunk) */
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
} tt_range_pair;
enum { TT_PAIRS = 4096 };

typedef struct tt_range_pair_end { /* an end whose start was not read yet: threads are read one after another */
    uint64_t id;
    int64_t ts;
    bool old; /* it waited a whole pass: its start was lost */
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

/* What this process says through the control file, and what it is asked to do there: report_progress.c. */
typedef struct tt_agent_reporting {
    tt_control control; /* not open when the program started the recording itself */
    char path[640];     /* of it */
    /* the writer thread's, or of the one that attaches */
    uint32_t orders[TT_ORDER_COUNT_], seen[TT_ORDER_COUNT_]; /* given so far, and followed */
    bool attached, ended;
    tt_control_record told; /* as the control file has it */
    off_t told_at;
    int64_t told_ns;
    uint32_t notes_told;
    /* under the lock */
    pthread_mutex_t lock;
    uint32_t n_notes;
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE];
} tt_agent_reporting;

typedef struct tt_recorder {
    _Atomic uint32_t gate; /* bits TT_GATE_*: what the fast path looks at; ATTACHED comes when all else is set up */
    tt_capture_settings set;
    tt_agent_reporting tell;
    char dir[512];
    char path[768]; /* of the spool */
    int64_t clock_offset, started;
    uint32_t pid;
    long rank;                   /* that this process is recorded as, -1 = none */
    int error;                   /* errno of a failed attach */
    void (*leave)(void);         /* at the exit of the process: see tt_recorder_leave_early() */
    _Atomic uint32_t generation; /* incremented in a forked child: invalidates what threads hold from before */
    tt_intern names;

    pthread_mutex_t chunks_lock;
    tt_chunk *free_chunks;
    size_t n_chunks, most_chunks;

    pthread_mutex_t threads_lock;
    tt_thread *threads;
    pthread_key_t key;

    /* gate */
    pthread_mutex_t gate_lock;
    uint32_t blocks;
    _Atomic int64_t began; /* start of delays; 0: not known yet (TT_CLOCK_CUDA) */
    tt_transition transitions[256];
    uint32_t n_transitions;
    tt_schedule_state state;
    _Atomic int64_t step;            /* number of the current step, -1 = none yet */
    _Atomic int64_t step_start;      /* of the current step; of the first one: when the process did */
    _Atomic int64_t recording_since; /* 0: from the beginning */
    _Atomic uint32_t step_owner;     /* tid of the thread whose markers are steps, 0 */
    _Atomic uint32_t capture_depth;  /* open ranges called set.capture_range */
    char markers[8][128];
    uint32_t n_markers;
    _Atomic bool want_cupti, wanted_cupti; /* now; at any time */
    _Atomic bool
        all_gpus; /* CUDA is used, but without CUPTI its devices are unknown: sample all GPUs, by NVML's indices */

    /* writer */
    pthread_t writer;
    bool has_writer;
    pthread_mutex_t wake_lock;
    pthread_cond_t wake;
    bool woken;
    _Atomic int quit; /* 1: end in order */
    _Atomic bool finished;
    tt_spool_writer spool;
    uint32_t strings_written;
    int64_t samples, samples_at; /* of the step that ended at that time */
    tt_range_pair pairs[TT_PAIRS];
    uint32_t n_pairs;
    tt_range_pair_end ends[TT_PAIRS];
    uint32_t n_ends;
    _Atomic uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t drops_written[TT_SPOOL_DROP_COUNT_];
    _Atomic uint64_t steps;
    _Atomic uint64_t next_pair;
    _Atomic uint64_t status_records, status_bytes;
    pthread_mutex_t meta_lock; /* queued META records of the program: key NUL value NUL ... */
    char *metas;
    size_t metas_n, metas_cap;
} tt_recorder;

tt_recorder *tt_recorder_get(void);
/* This thread is inside the recorder: see enter.h. */
extern __thread bool tt_inside __attribute__((tls_model("initial-exec")));

static inline int64_t tt_now(const tt_recorder *r)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec + r->clock_offset;
}

/* Wake the writer thread before its time. */
void tt_recorder_wake(tt_recorder *r);
/* Count n records that are lost, TT_SPOOL_DROP_*. Any thread. */
void tt_drop(tt_recorder *r, int cause, uint64_t n);

#endif
