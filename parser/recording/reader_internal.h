/* parser/recording/reader_internal.h - state shared by the parts of the spool's reader: the file (reader.c), its
 * records (records.c), and ranges on streams (gpu_ranges.c). Private to them. */
#ifndef TT_PARSER_RECORDING_READER_INTERNAL_H
#define TT_PARSER_RECORDING_READER_INTERNAL_H

#include "parser/input/reader.h"
#include "parser/recording/facts.h"
#include "parser/recording/segments.h"

typedef struct range_key {
    int64_t start;
    uint32_t tid;
} range_key;

typedef struct open_range {
    range_key key;
    tt_spool_range r;
    uint64_t offset;
} open_range;

typedef struct window {
    int64_t t0, t1;
} window;

typedef struct late { /* device work that may or may not be kept, decided at the end */
    tt_slice_in slice;
    tt_device_in device;
    uint32_t correlation; /* correlation as recorded */
    bool unfinished;      /* as in a piece */
    uint32_t wait;        /* for a wait for an event: 1 + index into waits; else 0 */
} late;

typedef struct work_key { /* device work: launch, node of a graph, type of the record */
    uint64_t node;
    uint32_t correlation;
    uint16_t type;
} work_key;

typedef struct open_work { /* device work that had not ended when it was recorded */
    work_key key;
    uint64_t offset;
    int64_t launched; /* 0: not known */
    uint32_t device, context, stream;
    uint32_t name; /* the builder's */
} open_work;

typedef struct stream_end { /* last launch on a stream whose work has ended */
    uint32_t device, context, stream, correlation;
} stream_end;

typedef struct thread_stack { /* Python stack of a thread; text: of facts.text */
    uint32_t tid;
    tt_sid text;
} thread_stack;

typedef struct last_words {      /* what the recording tells of its end */
    TT_VEC(thread_stack) stacks; /* stacks when it was frozen */
    bool frozen;                 /* by a trigger */
    int64_t until;               /* latest time of a clock or of the end */
    tt_spool_kernel kernel;      /* the kernel that began last, or without a time was launched last */
    int64_t kernel_at;
    bool has_kernel;
} last_words;

typedef struct unfinished_work {
    TT_VEC(open_work) open;
    TT_VEC(work_key) ended; /* keys of OPEN records that were replaced */
    TT_VEC(stream_end) streams;
} unfinished_work;

typedef struct spool {
    tt_segments files;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    unsigned char *in;          /* bytes read and not used yet: the current block, after damage more */
    size_t in_n, in_cap, taken; /* taken: bytes of the block returned last */
    uint64_t offset;            /* offset of in[0] in the file */
    uint32_t seq;               /* number of the next block */
    unsigned tries;             /* count of false blocks */
    bool lost;                  /* the previous block was damaged: numbers may be missing */
    tt_status status;
    tt_err err;
    tt_builder b;
    tt_build_header h;
    tt_spool_facts f;
    TT_VEC(uint32_t) names;   /* builder's name + 1 by the file's id */
    TT_VEC(uint32_t) kernels; /* builder's demangled name + 1 by the file's id */
    struct {
        uint8_t plain;
        bool have;
    } cats[TT_SPOOL_CAT_COUNT_];
    TT_VEC(open_range) opens;
    TT_VEC(range_key) closed; /* ranges whose OPEN record has been replaced */
    char cupti_taken[24];     /* value of TT_SPOOL_TAKEN */
    bool windowed;            /* only parts of the run were recorded */
    TT_VEC(window) windows;
    TT_VEC(uint32_t) correlations; /* correlations of kept calls, if windowed */
    TT_VEC(late) late;
    TT_VEC(tt_spool_sync) waits; /* waits for events; their recordings are known only at the end */
    unfinished_work work;
    last_words last;
    bool saw_device_work;   /* some device work was recorded, kept or not */
    TT_VEC(uint64_t) pairs; /* places of start/end pairs, which do not nest */
    int64_t overhead;       /* the recording's own work by CUPTI, ns */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t unknown;
    bool ended;
    struct {                                                              /* segments of a ring */
        uint64_t drops_before[TT_SPOOL_DROP_COUNT_];                      /* those before its first segment */
        enum { NO_HEAD, HEAD_FIRST, HEAD_AFTER_GAP, HEAD_REPEATED } head; /* records of which head are read */
        bool any, ended; /* ended: the last segment so far was ended in order */
        bool trimmed;    /* earlier ones were deleted */
        uint64_t number;
    } ring;
    uint32_t least_correlation;     /* smallest one of a call so far, UINT32_MAX: none */
    char process[128], version[64]; /* version: the recorder's */
    uint64_t told;
} spool;

/* ---- blocks.c ---- */
/* Find the next good block: *len bytes of records in s->in behind the header at s->place, valid until the next call.
 * False: no more blocks. Losses in between are reported in the header's problems. */
bool tt_spool_next_block(spool *s, uint32_t *len);

/* ---- records.c: put a record into the builder; place: the record's offset in the file ---- */
void tt_spool_on_range(spool *s, const tt_spool_range *r, uint64_t offset);
/* False: another type of record. */
bool tt_spool_on_event(spool *s, const tt_spool_rec *r, uint64_t offset);
/* A slice of device work or of another row of a stream; p->place is the place of its text. */
typedef struct piece {
    const char *cat;
    uint32_t name, device, stream, correlation, shape, coll;
    int64_t start, end, bytes;
    uint64_t external;
    const tt_spool_sync *wait; /* NULL: no wait for an event */
    /* has not ended: shown whenever it was launched, on a row of its own as it overlaps the work of its stream */
    bool unfinished;
} piece;
void tt_spool_add_device(spool *s, const piece *p, uint64_t offset);
/* After the last record: decide on late device work, name the tracks. */
void tt_spool_resolve_device_work(spool *s);
void tt_spool_label_tracks(spool *s);

/* ---- unfinished.c ---- */
/* Whether device work has ended, by the flags of its record (TT_SPOOL_WORK_); else it is kept for the next call. */
bool tt_spool_work_ended(spool *s, const open_work *w, unsigned flags);
/* After the last record: add slices for device work that never ended. */
void tt_spool_add_unfinished(spool *s);

/* ---- event_json.c ---- */
/* Facts of the recording and its losses, for readers of an export; malloc. Times are in microseconds on the events'
 * clock. */
char *tt_spool_recording_json(const spool *s);

/* ---- gpu_ranges.c ---- */
/* Link each call to its range (facts.launchers), and project host ranges on streams, from the first to the last device
 * work launched there (facts.shades, and slices of the builder). */
void tt_spool_gpu_ranges(spool *s);

#endif
