/* parser/recording/reader_internal.h - what the parts of the spool's reader share: the file (reader.c), its records
 * (records.c), and what is made of them at the end (gpu_ranges.c). Private to them. */
#ifndef TT_PARSER_RECORDING_READER_INTERNAL_H
#define TT_PARSER_RECORDING_READER_INTERNAL_H

#include "parser/input/reader.h"
#include "parser/recording/facts.h"

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

typedef struct late { /* a piece of device work whose fate is not known yet */
    tt_slice_in slice;
    tt_device_in device;
    uint32_t correlation; /* as recorded */
    uint32_t wait;        /* of a wait for an event: 1 + index into waits; 0 */
} late;

typedef struct spool {
    tt_source *source;
    tt_reader_progress *progress;
    const tt_reader_hooks *hooks;
    unsigned char *in;          /* read, not yet done with: the block that is looked at, and after damage more */
    size_t in_n, in_cap, taken; /* taken: bytes of the block that was given out last */
    uint64_t offset;            /* of in[0] in the file */
    uint32_t seq;               /* of the next block */
    unsigned tries;             /* blocks that looked good and were not */
    bool lost;                  /* the block before was not good: numbers may be missing */
    tt_status status;
    tt_err err;
    tt_builder b;
    tt_build_header h;
    tt_spool_facts f;
    TT_VEC(uint32_t) names;   /* id in the file -> name in the builder + 1 */
    TT_VEC(uint32_t) kernels; /* the same, demangled */
    struct {
        uint8_t plain, step;
        bool have;
    } cats[TT_SPOOL_CAT_COUNT_];
    TT_VEC(open_range) opens;
    TT_VEC(range_key) closed; /* ranges that an OPEN record was written for */
    char cupti_taken[24];     /* TT_SPOOL_TAKEN */
    bool windowed;            /* only parts of the run were recorded */
    TT_VEC(window) windows;
    TT_VEC(uint32_t) correlations; /* of calls that were kept, when windowed */
    TT_VEC(late) late;
    TT_VEC(tt_spool_sync) waits; /* for events: which recording of the event, is known when all are read */
    bool saw_device_work;        /* whether it was kept or not */
    TT_VEC(uint64_t) pairs;      /* places of ranges that are start/end pairs, which do not nest */
    int64_t overhead;            /* ns of the recording's own work, as CUPTI says */
    uint64_t drops[TT_SPOOL_DROP_COUNT_];
    uint64_t unknown;
    bool ended;
    char process[128], version[64]; /* version: of the recorder */
    uint64_t told;
} spool;

/* ---- blocks.c ---- */
/* The records of the next good block: *len bytes in s->in behind the header at s->place, until the next call. False:
 * there is none. What was lost in between is counted in the header's problems. */
bool tt_spool_next_block(spool *s, uint32_t *len);

/* ---- records.c: a record into the builder; place: of the record in the file ---- */
void tt_spool_on_range(spool *s, const tt_spool_range *r, uint64_t offset);
/* False: of a type that is none of these. */
bool tt_spool_on_event(spool *s, const tt_spool_rec *r, uint64_t offset);
/* A slice of device work, or of what belongs to a stream; p->place is the place of its text. */
typedef struct piece {
    const char *cat;
    uint32_t name, device, stream, correlation, shape, coll;
    int64_t start, end, bytes;
    uint64_t external;
    const tt_spool_sync *wait; /* NULL: it waits for no event */
} piece;
void tt_spool_add_device(spool *s, const piece *p, uint64_t offset);
/* After the last record: the fate of device work, and the names of the tracks. */
void tt_spool_resolve_device_work(spool *s);
void tt_spool_label_tracks(spool *s);

/* ---- event_json.c ---- */
/* How it was recorded and what was lost, for those who read an export only; malloc. Times are those of the events,
 * in microseconds. */
char *tt_spool_recording_json(const spool *s);

/* ---- gpu_ranges.c ---- */
/* Which range each call was made in (facts.launchers), and the ranges of host threads on the streams: from the first
 * to the last piece of device work that each launched there (facts.shades, and slices of the builder). */
void tt_spool_gpu_ranges(spool *s);

#endif
