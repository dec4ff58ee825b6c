/* model/trace/flight.h - a dump of a flight recorder: the collectives, sends and receives that one rank called last,
 * and the groups that it knows. model/hang compares the dumps of all ranks.
 *
 * Entry i is also the slice whose text offset is TT_FLIGHT_TEXT(i), from the call to its completion. Times are ns since
 * 1970, TT_UNKNOWN where the file has none. Strings are the trace's. Owned by the trace; immutable once the session is
 * made. */
#ifndef TT_MODEL_TRACE_FLIGHT_H
#define TT_MODEL_TRACE_FLIGHT_H

#include "model/text/stacks.h"
#include "model/trace/events.h"

/* Offset of the text of entry i: the file has no text of its own for it, so the reader makes one of at most this many
 * bytes. */
#define TT_FLIGHT_TEXT_BYTES UINT64_C(8192)
#define TT_FLIGHT_TEXT(i) ((uint64_t)(i)*TT_FLIGHT_TEXT_BYTES + 1)
#define TT_FLIGHT_ENTRIES_MOST ((uint32_t)1 << 26) /* offsets in a text have 40 bits */

typedef enum tt_flight_state {
    TT_FLIGHT_SCHEDULED,
    TT_FLIGHT_STARTED,
    TT_FLIGHT_COMPLETED,
    TT_FLIGHT_UNSAID, /* no state, or one without a meaning here */
} tt_flight_state;
extern const char *const tt_flight_state_name[TT_FLIGHT_UNSAID + 1]; /* NULL for UNSAID */

typedef enum tt_flight_direction { TT_FLIGHT_NEITHER, TT_FLIGHT_SEND, TT_FLIGHT_RECV } tt_flight_direction;

/* What many entries have in common; each distinct combination is kept once, found by comparing bytes: no padding. */
typedef struct tt_flight_call {
    tt_sid group_name, group_desc; /* as the entry says */
    tt_sid op, backend;            /* "all_to_all", "nccl" */
    tt_sid in_sizes, out_sizes;    /* "[[2048, 5120]]"; 0 = not given */
    tt_sid in_dtypes, out_dtypes;  /* "BFloat16,Float"; 0 = not given */
    uint32_t group;                /* index into groups of the group of this name; TT_NONE */
    int32_t self, peer;            /* places in the group of this rank and its peer; -1 = not given */
    uint32_t p2p, direction, zero; /* p2p: a send, a receive, or what closes a batch of them; zero: always 0 */
    int64_t timeout, pg_id;        /* timeout in ns; pg_id: number of the group on this rank; TT_UNKNOWN */
} tt_flight_call;
_Static_assert(sizeof(tt_flight_call) == 14 * sizeof(uint32_t) + 2 * sizeof(int64_t),
               "no hidden padding: the bytes are a key");

typedef struct tt_flight_entry {
    int64_t record_id, op_id;            /* TT_UNKNOWN */
    int64_t seq, p2p_seq;                /* numbers of collectives, and of sends and receives, in the group */
    int64_t created, started, completed; /* times when the host saw it: up to 100 ms late */
    int64_t duration;                    /* ns; TT_UNKNOWN */
    uint32_t call;                       /* index into calls */
    uint32_t stack;                      /* index into stacks; 0 = not recorded */
    uint8_t state;                       /* tt_flight_state */
    bool retired, open;                  /* open: called and not known to be finished (parser/flight/settle.c) */
    bool brief;                          /* a summary has kept its call, numbers, time, state and stack alone */
} tt_flight_entry;

typedef struct tt_flight_run { /* ranks first, first + step, ...: n of them. No padding: the bytes are a key */
    int64_t first, step, n;
} tt_flight_run;
typedef TT_VEC(tt_flight_run) tt_flight_runs;
/* Add a rank to the list whose runs begin at `from`. */
void tt_flight_add_rank(tt_flight_runs *l, size_t from, int64_t rank);
static inline int64_t tt_flight_rank_at(const tt_flight_run *r, int64_t i) { return r->first + r->step * i; }

typedef struct tt_flight_group { /* a group that this rank is a member of */
    tt_sid name, desc;
    uint32_t run, n_runs; /* its members in order: index into runs. Equal lists of members have equal runs */
    uint32_t size;        /* number of members */
    /* in a recording of tracetty: the place of this rank, -1 = not known, and the number of places, 0 = not known */
    int32_t place, places;
} tt_flight_group;

typedef struct tt_flight_status { /* last calls of a group; -1 = none */
    int64_t id;                   /* number of the group on this rank; TT_UNKNOWN: no number */
    int64_t enqueued, started, completed;
} tt_flight_status;

typedef enum tt_flight_recorder { TT_FLIGHT_C10D, TT_FLIGHT_TORCHCOMMS, TT_FLIGHT_TRACETTY } tt_flight_recorder;

typedef struct tt_flight {
    tt_flight_entry *entries; /* in record order */
    uint32_t n_entries;
    tt_flight_call *calls;
    uint32_t n_calls;
    tt_flight_group *groups;
    uint32_t n_groups;
    tt_flight_run *runs;
    uint32_t n_runs;
    tt_flight_status *status;
    uint32_t n_status;
    tt_stacks stacks;
    tt_sid version, library; /* library: version of the communication library; 0 = not given */
    int64_t last;            /* latest time in the dump; TT_UNKNOWN: it has none */
    int64_t changed;         /* modification time of the file; TT_UNKNOWN */
    tt_flight_recorder recorder;
    uint32_t n_all; /* entries of the dump; more than n_entries where a summary keeps some of them */
    /* set in a recording of tracetty: whether it was frozen by a trigger, or has calls that have been open for long;
     * the stack of its first thread, index into stacks, 0 = not recorded; the kernel launched last, 0 = none */
    bool stuck;
    uint32_t stack;
    tt_sid last_kernel;
} tt_flight;

/* Whether the trace is a dump and nothing else: a recording of tracetty has its own slices and tables beside it. */
static inline bool tt_flight_alone(const tt_flight *f) { return f && f->recorder != TT_FLIGHT_TRACETTY; }

void tt_flight_free(tt_flight *f); /* NULL is fine */
size_t tt_flight_bytes(const tt_flight *f);
static inline const tt_flight_call *tt_flight_call_of(const tt_flight *f, const tt_flight_entry *e)
{
    return &f->calls[e->call];
}
/* Number of the call in its group, among its kind; TT_UNKNOWN. */
static inline int64_t tt_flight_seq(const tt_flight *f, const tt_flight_entry *e)
{
    return f->calls[e->call].p2p ? e->p2p_seq : e->seq;
}
static inline bool tt_flight_unfinished(const tt_flight_entry *e) { return e->state <= TT_FLIGHT_STARTED; }

#endif
