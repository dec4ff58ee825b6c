/* capture/format/spool.h - the spool file (.ttspool): what a recorded process writes and parser/recording/reader.c
 * reads.
 *
 * One file per process, append-only. File = blocks; block = tt_spool_block + `len` bytes of records; record = one of
 * the structures below, `size` bytes (a multiple of 8, so every record is aligned), native byte order. A block is
 * written with one call, so a killed process leaves whole blocks and at most one torn one. Readers skip a block with a
 * wrong checksum and go on with the next whole one. Strings are STRING records with an id, written before the first
 * record that uses the id; id 0 is "".
 * Times are nanoseconds of one clock that looks like Unix time and never steps (CLOCK records tie it to others).
 * A record may grow at its end in later versions: readers look at `size`. Unknown types are skipped and counted. */
#ifndef TT_CAPTURE_FORMAT_SPOOL_H
#define TT_CAPTURE_FORMAT_SPOOL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "capture/format/spool_calls.h"
#include "capture/format/spool_device.h"

#define TT_SPOOL_MAGIC "TTB1"
#define TT_SPOOL_VERSION 1
enum { TT_SPOOL_BLOCK_MOST = 1 << 22, TT_SPOOL_STRING_MOST = 32000 };

typedef struct tt_spool_block {
    char magic[4];
    uint32_t len; /* bytes of records that follow */
    uint32_t sum; /* tt_spool_sum() of the records */
    uint32_t seq; /* number of the block: 0, 1, 2, ... */
} tt_spool_block;

typedef enum tt_spool_type {
    TT_SPOOL_META = 1, /* tt_spool_text: key NUL value; the value is JSON text */
    TT_SPOOL_STRING,   /* tt_spool_text: a = id */
    TT_SPOOL_RANGE,    /* tt_spool_range: a = name */
    /* tt_spool_range: a = name; the range is still open; a RANGE with its tid and start replaces it */
    TT_SPOOL_OPEN,
    TT_SPOOL_MARK,     /* tt_spool_mark: a = name */
    TT_SPOOL_COUNTER,  /* tt_spool_counter: a = name */
    TT_SPOOL_THREAD,   /* tt_spool_thread: a = name */
    TT_SPOOL_STEP,     /* tt_spool_step: a = schedule state from here on */
    TT_SPOOL_STATE,    /* tt_spool_state: a = 1 recording begins, 0 it ends */
    TT_SPOOL_CLOCK,    /* tt_spool_clock */
    TT_SPOOL_API,      /* tt_spool_api: a = name */
    TT_SPOOL_KERNEL,   /* tt_spool_kernel: a = name */
    TT_SPOOL_COPY,     /* tt_spool_copy: a = corr */
    TT_SPOOL_SET,      /* tt_spool_copy: a = corr; dst_kind: the memory, value */
    TT_SPOOL_SYNC,     /* tt_spool_sync: a = corr */
    TT_SPOOL_OVERHEAD, /* tt_spool_overhead: a = kind */
    TT_SPOOL_MEMORY,   /* tt_spool_memory */
    TT_SPOOL_DEVICE,   /* tt_spool_device: a = name */
    TT_SPOOL_CONTEXT,  /* tt_spool_context: a = context */
    TT_SPOOL_GRAPH,    /* tt_spool_graph: a = corr */
    TT_SPOOL_DROPS,    /* tt_spool_drops: a = cause; the last record of a cause counts */
    TT_SPOOL_END,      /* tt_spool_end: the process ended in order */
    TT_SPOOL_EVENT,    /* tt_spool_event: a = corr */
    TT_SPOOL_POOL,     /* tt_spool_pool: a = operation */
    TT_SPOOL_UNIFIED,  /* tt_spool_unified: a = what happened, TT_SPOOL_UM_ */
    TT_SPOOL_SEGMENT,  /* tt_spool_segment: a = TT_SPOOL_SEGMENT_ */
    TT_SPOOL_STACK,    /* tt_spool_stack: a = TT_SPOOL_STACK_ */
    TT_SPOOL_COMM,     /* tt_spool_comm: a = number of the communicator in this process, from 1 */
    TT_SPOOL_COLL,     /* tt_spool_call: a = name of the call, such as "AllReduce" */
    TT_SPOOL_TYPES_
} tt_spool_type;

/* META key; value: ns in spool time from when CUPTI gave no more records, because another profiler in the program took
 * it over; 0: CUPTI delivers again. The last record counts. */
#define TT_SPOOL_TAKEN "cupti_taken_since"

/* Categories of ranges: X(id, text as in JSON traces). A given category missing here becomes user_annotation. */
#define TT_SPOOL_CATEGORIES(X)                                                                                         \
    X(USER, "user_annotation")                                                                                         \
    X(OP, "cpu_op")                                                                                                    \
    X(DATALOADER, "dataloader")                                                                                        \
    X(FORWARD, "forward")                                                                                              \
    X(BACKWARD, "backward")                                                                                            \
    X(OPTIMIZATION, "optimization")                                                                                    \
    X(COMMUNICATION, "communication")                                                                                  \
    X(PYTHON, "python")
enum {
#define X(id, text) TT_SPOOL_CAT_##id,
    TT_SPOOL_CATEGORIES(X)
#undef X
        TT_SPOOL_CAT_COUNT_
};

/* Causes of lost events: X(id, key, meaning). */
#define TT_SPOOL_CAUSES(X)                                                                                             \
    X(RANGES, "ranges", "range events that found the buffers full")                                                    \
    X(DEPTH, "depth", "ranges nested too deeply")                                                                      \
    X(STRINGS, "strings", "names beyond the limit of the string table")                                                \
    X(SPOOL, "spool", "records beyond the limit of the file, or that could not be written")                            \
    X(CUPTI, "cupti", "activity records that CUPTI dropped")                                                           \
    X(BUFFERS, "buffers", "activity records that found all buffers in use")                                            \
    X(TIMES, "times", "device work without times: CUPTI ran out of device memory")                                     \
    X(RECORDS, "records", "activity records of kinds unknown here")                                                    \
    X(BYTES, "bytes", "bytes of activity buffers that could not be divided into records")                              \
    X(SIGNALS, "signals", "calls from signal handlers that interrupted the recorder")                                  \
    X(CLOCK, "clock", "activity records with times of the clock of another profiler in the program")                   \
    X(CALLS, "calls", "collectives that found the table of open ones full")
enum {
#define X(id, key, meaning) TT_SPOOL_DROP_##id,
    TT_SPOOL_CAUSES(X)
#undef X
        TT_SPOOL_DROP_COUNT_
};

typedef struct tt_spool_text {
    tt_spool_rec h;
    uint32_t len; /* bytes in text, no NUL at the end */
    uint32_t reserved;
    char text[];
} tt_spool_text;

/* Flags of a range: ASYNC: a start/end pair; FORCED: its end was lost and is estimated; WAS_OPEN: an OPEN record was
 * written. */
enum { TT_SPOOL_ASYNC = 1, TT_SPOOL_FORCED = 2, TT_SPOOL_WAS_OPEN = 4 };

typedef struct tt_spool_range {
    tt_spool_rec h;
    int64_t start, end;
    uint32_t tid;
    uint16_t cat, flags;
    uint32_t seq;      /* autograd sequence number + 1, 0 = none */
    uint32_t shapes;   /* string: JSON of the input shapes, 0 = none */
    uint64_t external; /* id pushed to CUPTI's external correlation, 0 = none */
} tt_spool_range;

typedef struct tt_spool_mark {
    tt_spool_rec h;
    int64_t ts;
    uint32_t tid;
    uint32_t cat;
} tt_spool_mark;

typedef struct tt_spool_counter {
    tt_spool_rec h;
    int64_t ts;
    double value;
    uint32_t key;   /* string: series of the counter */
    int32_t device; /* -1: a counter of the process */
} tt_spool_counter;

typedef struct tt_spool_thread {
    tt_spool_rec h;
    uint32_t tid, reserved;
} tt_spool_thread;

/* Schedule state of the last step in a cycle, as STEP records have it: later events belong to another cycle. */
enum { TT_SPOOL_STEP_LAST = 3 };
typedef struct tt_spool_step {
    tt_spool_rec h;
    int64_t ts;
    uint64_t number;
    int64_t samples; /* samples of the step that ended here, -1 = not given */
    uint32_t tid, reserved;
} tt_spool_step;

typedef struct tt_spool_state {
    tt_spool_rec h;
    int64_t ts;
} tt_spool_state;

typedef struct tt_spool_clock {
    tt_spool_rec h;
    /* three clocks at one instant: the clock of this file, CLOCK_MONOTONIC, CLOCK_REALTIME */
    int64_t spool, mono, real;
} tt_spool_clock;

typedef struct tt_spool_drops {
    tt_spool_rec h;
    uint64_t count;
} tt_spool_drops;

typedef struct tt_spool_end {
    tt_spool_rec h;
    int64_t ts;
} tt_spool_end;

/* A segment of a ring (record --keep) opens without those before it. Its first record is BEGIN; the records up to
 * HEAD repeat what its records need: facts, names, the state of the recording, losses so far, open ranges. Behind
 * the segment before it, the head says nothing new but the meaning of ids of strings, which may differ from there
 * on. END is the last record of a segment that was ended in order: the recording went on in the next one. */
enum { TT_SPOOL_SEGMENT_BEGIN = 0, TT_SPOOL_SEGMENT_HEAD = 1, TT_SPOOL_SEGMENT_END = 2 };
typedef struct tt_spool_segment {
    tt_spool_rec h;
    int64_t ts;      /* time of the record */
    uint64_t number; /* the segment's: 0, 1, 2, ... */
} tt_spool_segment;

/* Call stack of a thread when a trigger came. */
enum { TT_SPOOL_STACK_PYTHON = 0, TT_SPOOL_STACK_NATIVE = 1 };
typedef struct tt_spool_stack {
    tt_spool_rec h;
    int64_t ts;
    uint32_t tid, len; /* len: bytes in text */
    char text[];       /* frames "file(line): function" or "library: symbol", innermost first, each ends in '\n' */
} tt_spool_stack;

/* META keys; values: JSON text of the reasons for which a recording was frozen, and of the time in UTC. The last
 * records count. A file that ends with them was complete at that time. */
#define TT_SPOOL_TRIGGER_TIME "trigger_time"
#define TT_SPOOL_TRIGGER "trigger"

/* Whether a record of the type has a name in `a`. */
static inline int tt_spool_is_named(unsigned type)
{
    return type == TT_SPOOL_RANGE || type == TT_SPOOL_OPEN || type == TT_SPOOL_MARK || type == TT_SPOOL_COUNTER ||
           type == TT_SPOOL_THREAD || type == TT_SPOOL_API || type == TT_SPOOL_KERNEL || type == TT_SPOOL_DEVICE ||
           type == TT_SPOOL_COLL;
}

/* Checksum of n bytes (a multiple of 8): every step is a bijection of the state, so a single changed word is always
 * detected. */
static inline uint32_t tt_spool_sum(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t a = UINT64_C(0x9E3779B97F4A7C15) ^ n, b = UINT64_C(0xC2B2AE3D27D4EB4F), w;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        memcpy(&w, p + i, 8);
        a = (a ^ w) * UINT64_C(0xFF51AFD7ED558CCD);
        a ^= a >> 29;
    }
    b ^= a;
    return (uint32_t)(b ^ b >> 32);
}

#endif
