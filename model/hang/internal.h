/* model/hang/internal.h - state of computing a verdict. Private to model/hang. */
#ifndef TT_MODEL_HANG_INTERNAL_H
#define TT_MODEL_HANG_INTERNAL_H

#include "model/base/group_by.h"
#include "model/hang/hang.h"

/* The graph of waiting: rank -> call -> rank. A node is a call that somebody waits in. */
typedef struct tt_hang_node {
    uint32_t group;
    int64_t seq;       /* collective; of a send or receive TT_UNKNOWN */
    uint32_t first, n; /* ranks that are waited for: index into awaited */
    uint32_t no_dump;  /* how many of them left no dump; they come last */
    bool satisfied;    /* all members have called it */
} tt_hang_node;

typedef struct tt_hang_wait { /* a rank that waits in a node */
    uint32_t rank, node;
    tt_hang_entry entry; /* TT_NONE: the ring has lost it */
    int64_t created;     /* TT_UNKNOWN */
    bool p2p;
} tt_hang_wait;

/* A role: (description, operation, kind, number) of a call. Ranks of one part of the program share the roles of their
 * calls, each in its own groups. */
typedef struct tt_hang_roles {
    const tt_hang *h;
    tt_groups ids;
    tt_strings descs;
    uint32_t *first;     /* by rank, and the end */
    TT_VEC(uint32_t) at; /* roles that the rank has open, ascending */
} tt_hang_roles;

typedef struct tt_hang_work {
    tt_hang *h;
    tt_hang_roles roles;
    TT_VEC(tt_hang_node) nodes;
    TT_VEC(uint32_t) awaited; /* ranks */
    TT_VEC(tt_hang_wait) waits;
    tt_groups node_ids;
    /* by rank */
    bool *blamed; /* by R4 */
    bool *found;  /* culprit of some fault */
    bool *victim; /* leads to a culprit found so far */
    TT_VEC(tt_hang_fault) faults;
} tt_hang_work;

/* merge.c: world, groups, and the run-wide numbers of each dump. */
void tt_hang_merge(tt_hang *h);
/* counters.c: enqueued, started, completed and the oldest open call of each member. */
void tt_hang_count(tt_hang *h);
/* calls.c: index of all collectives. */
void tt_hang_index_calls(tt_hang *h);
/* mismatches.c */
void tt_hang_find_mismatches(tt_hang *h);

/* waits.c: R1, R2, R3. */
void tt_hang_find_stale(tt_hang *h);
void tt_hang_find_device(tt_hang *h);
void tt_hang_find_waits(tt_hang_work *w);
void tt_hang_add_wait(tt_hang_work *w, uint32_t rank, uint32_t node, tt_hang_entry e, bool p2p);
/* Mark every rank that leads to one of the ranks from which[] (by rank). O(waits). */
void tt_hang_reach(tt_hang_work *w, const bool *from, bool *reached);
/* roles.c: the roles that each rank has open; the role of an entry, and of a call that the ring has lost (without an
 * operation). */
void tt_hang_find_roles(const tt_hang *h, tt_hang_roles *x);
void tt_hang_roles_free(tt_hang_roles *x);
uint32_t tt_hang_role(tt_hang_roles *x, tt_hang_entry e);
uint32_t tt_hang_lost_role(tt_hang_roles *x, uint32_t group, int64_t seq);
/* faults.c: R4, R5, R6 and the faults of R2. */
void tt_hang_find_faults(tt_hang_work *w);
tt_hang_fault *tt_hang_add_fault(tt_hang_work *w, tt_hang_kind kind, const uint32_t *ranks, size_t n);
/* fault_call.c: the call of the host or no_dump fault of a rank. */
void tt_hang_name_call(tt_hang_work *w, uint32_t culprit, tt_hang_fault *f);
/* rest.c: R7. */
void tt_hang_find_rest(tt_hang_work *w);
/* certainty.c: R8 and R9, and the order of the faults. */
void tt_hang_weigh(tt_hang_work *w);

tt_hang_list tt_hang_keep_list(tt_hang *h, const uint32_t *ranks, size_t n);
/* Fill type, size, op and number of a fault from an entry. */
void tt_hang_set_entry(const tt_hang *h, tt_hang_fault *f, tt_hang_entry e);
static inline bool tt_hang_judged(const tt_hang_rank *r) { return r->trace != TT_NONE && r->state != TT_HANG_STALE; }

/* recordings.c: let the recordings of tracetty of a run that hangs be dumps (tt_trace.calls to tt_trace.flight). */
void tt_hang_take_recordings(tt_trace **traces, size_t n);

#endif
