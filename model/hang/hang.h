/* model/hang/hang.h - what the dumps of all ranks say together: who is stuck, in which group and call, on the host or
 * on the device, and who only waits.
 *
 * A session whose traces are dumps of flight recorders (model/trace/flight.h) has one value of this kind, computed
 * when it is first asked for. Nobody is named whom the dumps do not prove or strongly suggest. The rules R1 to R9
 * are in waits.c (R1 to R3), faults.c (R4 to R6), rest.c (R7) and certainty.c (R8, R9). Times are ns since 1970. */
#ifndef TT_MODEL_HANG_HANG_H
#define TT_MODEL_HANG_HANG_H

#include "model/trace/flight.h"
#include "model/trace/session.h"

typedef enum tt_hang_kind { /* the worst first */
                            TT_HANG_MISMATCH,
                            TT_HANG_DEADLOCK,
                            TT_HANG_NO_DUMP,
                            TT_HANG_DEVICE,
                            TT_HANG_HOST,
                            TT_HANG_COLLECTIVE,
                            TT_HANG_LATE,
                            TT_HANG_KINDS_
} tt_hang_kind;
extern const char *const tt_hang_kind_name[TT_HANG_KINDS_];

typedef enum tt_hang_certainty { TT_HANG_CERTAIN, TT_HANG_LIKELY, TT_HANG_POSSIBLE } tt_hang_certainty;
extern const char *const tt_hang_certainty_name[TT_HANG_POSSIBLE + 1];

typedef enum tt_hang_side { TT_HANG_NO_SIDE, TT_HANG_ON_HOST, TT_HANG_ON_DEVICE } tt_hang_side;

typedef enum tt_hang_state { /* what a rank is to the hang */
                             TT_HANG_CULPRIT,
                             TT_HANG_LEFT_NO_DUMP,
                             TT_HANG_STALE, /* its dump is older than those of others (R1) */
                             TT_HANG_VICTIM,
                             TT_HANG_WAITING, /* has open calls that lead to nobody found */
                             TT_HANG_IDLE,
                             TT_HANG_STATES_
} tt_hang_state;
extern const char *const tt_hang_state_name[TT_HANG_STATES_];

typedef struct tt_hang_entry { /* an entry of a dump; trace TT_NONE: none */
    uint32_t trace, entry;
} tt_hang_entry;
#define TT_HANG_NO_ENTRY ((tt_hang_entry){TT_NONE, TT_NONE})

typedef struct tt_hang_list { /* indices of ranks, ascending: part of tt_hang.lists */
    uint32_t first, n;
} tt_hang_list;

typedef struct tt_hang_rank {
    int64_t rank;
    uint32_t trace; /* its dump; TT_NONE: it left none */
    bool device;    /* R2 */
    uint32_t open;  /* open entries */
    tt_hang_state state;
    uint32_t fault;         /* index of its own fault, or of the first that it leads to; TT_NONE */
    tt_hang_list waits_for; /* ranks that it waits for, in all its open calls */
    /* the wait that began first: its entry, or where the ring has lost it the group and number; TT_NONE */
    tt_hang_entry wait;
    uint32_t wait_group;
    int64_t wait_seq;
} tt_hang_rank;

typedef struct tt_hang_member {           /* a rank in a group */
    uint32_t rank;                        /* index into ranks */
    int64_t enqueued, started, completed; /* last collective called, started, finished; TT_UNKNOWN */
    int64_t open;                         /* its oldest open collective; TT_UNKNOWN: none */
    uint32_t open_entry;                  /* entry of that collective; TT_NONE: the ring has lost it, or none */
    bool listed;                          /* its own dump has the group */
} tt_hang_member;

typedef struct tt_hang_group {
    const char *name, *desc;
    uint32_t first, size;        /* its members, in order: index into members */
    int p2p;                     /* whether it has sends or receives; -1 = unknown, as it has no entry */
    uint32_t dumps;              /* members that left a dump */
    int64_t enqueued, completed; /* last collective called, finished, of the member that is ahead; TT_UNKNOWN */
} tt_hang_group;

typedef struct tt_hang_call { /* a collective: all entries of one group and number */
    uint32_t group;
    int64_t seq;
    uint32_t first, n; /* its entries: index into call_entries, by rank */
    bool open;         /* some entry is open */
} tt_hang_call;

typedef struct tt_hang_texts { /* what is compared of entries of several dumps; texts of tt_hang.texts, 0 = none */
    tt_sid op, in_sizes, out_sizes, in_dtypes, out_dtypes;
} tt_hang_texts;

typedef struct tt_hang_dump { /* a trace that is a dump: run-wide numbers of what it has; zeros for other traces */
    uint32_t rank;            /* index into ranks; TT_NONE = unknown */
    uint32_t *group_of;       /* by its group: index into groups */
    uint32_t *member_of;      /* by its group: index into members of its own rank; TT_NONE */
    uint32_t *call_group;     /* by its call (tt_flight.calls): index into groups; TT_NONE: a group without members */
    uint32_t *call_member;    /* by its call: index into members of its own rank; TT_NONE */
    tt_hang_texts *texts;     /* by its call */
} tt_hang_dump;

typedef enum tt_mismatch_kind { TT_MISMATCH_TYPE, TT_MISMATCH_SIZE, TT_MISMATCH_DTYPE } tt_mismatch_kind;
extern const char *const tt_mismatch_name[TT_MISMATCH_DTYPE + 1]; /* the words of PyTorch's fr_trace */

typedef struct tt_hang_mismatch { /* a rank that differs from what most ranks of its call have */
    tt_mismatch_kind kind;
    uint32_t group;
    int64_t seq;
    uint32_t call; /* index into calls; TT_NONE: a send and its receive */
    uint32_t rank; /* index into ranks; TT_NONE: no single rank differs */
    bool known, swapped, open, p2p;
    tt_hang_entry own, expected;
} tt_hang_mismatch;

typedef struct tt_hang_fault {
    tt_hang_kind kind;
    tt_hang_side side;
    tt_hang_certainty certainty;
    tt_hang_list ranks; /* culprits; empty: unknown */
    uint32_t group;     /* TT_NONE */
    int64_t seq;        /* TT_UNKNOWN */
    bool p2p;
    const char *op;      /* NULL: unknown */
    tt_hang_entry entry; /* entry that tells types and sizes */
    tt_hang_entry place; /* entry whose stack is the place in the program */
    tt_hang_entry last;  /* last entry of the culprit */
    int64_t since;       /* TT_UNKNOWN */
    uint32_t waiting;    /* ranks that lead to it */
    uint32_t mismatch;   /* index into mismatches; TT_NONE */
} tt_hang_fault;

typedef struct tt_hang {
    const tt_session *session;
    tt_hang_rank *ranks; /* the world, ascending */
    uint32_t n_ranks;
    tt_hang_group *groups; /* by (length of the name, name, members) */
    uint32_t n_groups;
    tt_hang_member *members;
    uint32_t n_members;
    uint32_t *by_rank;   /* indices into members, of each group in the order of ranks: as long as members */
    tt_hang_dump *dumps; /* by trace */
    tt_hang_call *calls; /* by (group, seq) */
    uint32_t n_calls;
    tt_hang_entry *call_entries;
    tt_hang_mismatch *mismatches; /* by (group, seq, rank) */
    uint32_t n_mismatches;
    tt_hang_fault *faults; /* the worst first */
    uint32_t n_faults;
    TT_VEC(uint32_t) lists;
    int64_t first, last; /* earliest and latest time of all dumps; TT_UNKNOWN */
    bool apart;          /* some dump is stale */
    bool running;        /* written while the job ran */
    tt_strings texts;
    tt_problems problems; /* problems that show only in all dumps together */
} tt_hang;

/* The value for the session; NULL: none of its traces is a dump. */
const tt_hang *tt_hang_get(const tt_session *s);
/* Drop dumps of one rank but the latest from the list, and move the end of open calls to the latest time of all dumps.
 * Called once with all traces of a run, before they are shared. */
void tt_hang_settle(tt_trace **traces, size_t *n);

/* Add the problems of all dumps together to the first dump. Called once, right after the session was made. */
void tt_hang_note(const tt_session *s);

/* Whether the dumps are recordings of tracetty, which have slices and tables of their own. */
bool tt_hang_of_recordings(const tt_hang *h);

/* The dump of a trace; NULL: the trace is none, or TT_NONE. */
static inline const tt_flight *tt_hang_flight(const tt_hang *h, uint32_t trace)
{
    return trace == TT_NONE ? NULL : h->session->traces[trace]->flight;
}
static inline const tt_flight_entry *tt_hang_entry_of(const tt_hang *h, tt_hang_entry e)
{
    return e.trace == TT_NONE || e.entry == TT_NONE ? NULL : &tt_hang_flight(h, e.trace)->entries[e.entry];
}
const tt_flight_call *tt_hang_call_of(const tt_hang *h, tt_hang_entry e); /* NULL: no entry */
/* Index of a rank by its number; TT_NONE. O(log ranks) */
uint32_t tt_hang_rank_at(const tt_hang *h, int64_t rank);
/* Index into members of a rank in a group; TT_NONE. O(log memberships of the rank) */
uint32_t tt_hang_member_at(const tt_hang *h, uint32_t group, uint32_t rank);
/* The call of this group and number; TT_NONE. O(log calls) */
uint32_t tt_hang_call_at(const tt_hang *h, uint32_t group, int64_t seq);
/* Times of the first and the last rank that made a call; TT_UNKNOWN. */
void tt_hang_call_times(const tt_hang *h, const tt_hang_call *c, int64_t *first, int64_t *last);
static inline const uint32_t *tt_hang_list_at(const tt_hang *h, tt_hang_list l) { return h->lists.at + l.first; }

/* ---- words ---- */

/* "0-3,7,9,10" of ascending ranks, in the arena; NULL for none. */
const char *tt_hang_ranks_text(const int64_t *ranks, size_t n, tt_arena *a);
/* The same of n indices of ranks, in any order. */
const char *tt_hang_indices_text(const tt_hang *h, const uint32_t *ranks, size_t n, tt_arena *a);
static inline const char *tt_hang_list_text(const tt_hang *h, tt_hang_list l, tt_arena *a)
{
    return tt_hang_indices_text(h, tt_hang_list_at(h, l), l.n, a);
}
/* Members of a group, ascending. */
const char *tt_hang_members_text(const tt_hang *h, uint32_t group, tt_arena *a);
/* Place of an entry in the program: "file(line): function", the innermost frame outside of torch; NULL. */
const char *tt_hang_frame(const tt_hang *h, tt_hang_entry e, tt_arena *a);
/* What one fault says, without those beside it. */
const char *tt_hang_fault_text(const tt_hang *h, const tt_hang_fault *f, tt_arena *a);
/* What to look at next, with the commands that tell what the dumps cannot. */
const char *tt_hang_advice(const tt_hang *h, const tt_hang_fault *f, tt_arena *a);
/* The verdict line. */
const char *tt_hang_verdict(const tt_hang *h, tt_arena *a);

#endif
