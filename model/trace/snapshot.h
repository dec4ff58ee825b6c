/* model/trace/snapshot.h - what a snapshot of an allocator's memory says beside its events: how the memory is cut up,
 * and who asked for it.
 *
 * A snapshot has a state (segments, which the allocator has from the device, and the blocks that they are divided
 * into) at the moment when it was taken, and the events before it as far as they were kept: a ring, whose beginning
 * may be lost. A trace read from one has this beside its memory records; event i is the record whose text is
 * TT_SNAPSHOT_TEXT(i). The records hold sizes as they were asked for; those of segments and blocks are rounded up by
 * the allocator. Strings are the trace's. Immutable, owned by the trace. */
#ifndef TT_MODEL_TRACE_SNAPSHOT_H
#define TT_MODEL_TRACE_SNAPSHOT_H

#include "model/text/stacks.h"
#include "model/trace/events.h"

enum { TT_SNAPSHOT_DEVICE_TYPE = 1 }; /* c10::DeviceType of its memory records: CUDA, which ROCm uses too */

/* TT_SNAPSHOT_TEXT(i): offset of the text of event i. The file has no text, so readers make one of at most this many
 * bytes. One byte earlier is the text of the memory that existed before the event. */
#define TT_SNAPSHOT_TEXT_BYTES UINT64_C(4096)
#define TT_SNAPSHOT_TEXT(i) ((uint64_t)(i)*TT_SNAPSHOT_TEXT_BYTES + 1)
/* most events, annotations included: offsets in a text have 40 bits */
#define TT_SNAPSHOT_EVENTS_MOST ((uint32_t)1 << 28)

/* What the allocator did, in the order of tt_snapshot_action_name. */
typedef enum tt_snapshot_action {
    TT_SNAPSHOT_ALLOC,
    TT_SNAPSHOT_FREE,      /* the program freed the memory (older files: free) */
    TT_SNAPSHOT_COMPLETED, /* no stream uses the memory any more */
    TT_SNAPSHOT_SEGMENT_ALLOC,
    TT_SNAPSHOT_SEGMENT_FREE,
    TT_SNAPSHOT_SEGMENT_MAP, /* memory was mapped into an expandable segment */
    TT_SNAPSHOT_SEGMENT_UNMAP,
    TT_SNAPSHOT_TAKEN, /* a snapshot was taken */
    TT_SNAPSHOT_OOM,   /* the device had no memory left: size was asked for, addr is what the device had free */
    TT_SNAPSHOT_OTHER,
    TT_SNAPSHOT_ACTIONS_
} tt_snapshot_action;
extern const char *const tt_snapshot_action_name[TT_SNAPSHOT_ACTIONS_]; /* spelling in files */

typedef struct tt_snapshot_event {
    uint64_t addr;   /* address; of an OOM the bytes that the device had free, or TT_SNAPSHOT_NOT_SAID */
    int64_t size;    /* bytes */
    int64_t ts;      /* trace time */
    uint32_t stack;  /* index into stacks; 0 = not known */
    uint16_t stream; /* index into streams */
    uint8_t device;
    uint8_t action; /* tt_snapshot_action */
} tt_snapshot_event;
#define TT_SNAPSHOT_NOT_SAID UINT64_MAX

typedef enum tt_block_state { TT_BLOCK_ACTIVE, TT_BLOCK_PENDING, TT_BLOCK_FREE } tt_block_state;

typedef struct tt_snapshot_block {
    uint64_t addr;
    int64_t size, requested; /* bytes as rounded up, and as asked for (0 for a free block) */
    uint32_t stack;
    uint8_t state; /* tt_block_state */
} tt_snapshot_block;

typedef struct tt_snapshot_segment {
    uint64_t addr;
    int64_t size;      /* bytes that the device gave */
    uint32_t first, n; /* blocks, by address as the file lists them: first and number */
    uint16_t stream;   /* index into streams */
    uint8_t device;
    bool large, expandable;
} tt_snapshot_segment;

typedef struct tt_snapshot_range { /* an annotation of the program; its slice has the text TT_SNAPSHOT_TEXT(n_events +
                                      i) */
    tt_sid name;
    int64_t start, end; /* trace time */
    uint8_t device;
    bool open; /* the file has no end for it */
} tt_snapshot_range;

typedef struct tt_snapshot {
    tt_snapshot_event *events; /* events of one device, in the order of the file whatever their times */
    uint32_t n_events;
    tt_snapshot_segment *segments;
    uint32_t n_segments;
    tt_snapshot_block *blocks;
    uint32_t n_blocks;
    tt_snapshot_range *ranges;
    uint32_t n_ranges;
    uint32_t *ooms; /* indices of the OOM events, in the order of the file */
    uint32_t n_ooms;
    int64_t *streams; /* stream numbers as the file writes them */
    uint32_t n_streams;
    tt_stacks stacks;
    bool cut; /* the events do not reach back to the state: totals are counted from the first event, and may be too low
               */
} tt_snapshot;

void tt_snapshot_free(tt_snapshot *s); /* NULL is fine */
size_t tt_snapshot_bytes(const tt_snapshot *s);

/* The event behind a memory record; NULL: there is none. */
static inline const tt_snapshot_event *tt_snapshot_event_of(const tt_snapshot *s, const tt_memory_record *m)
{
    uint64_t i = m->text / TT_SNAPSHOT_TEXT_BYTES;
    return m->text == TT_SNAPSHOT_TEXT(i) && i < s->n_events ? &s->events[i] : NULL;
}

#endif
