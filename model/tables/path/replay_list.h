/* model/tables/path/replay_list.h - each run of a path as a list of spans in the order of time, each with what it waits
 * for, which lies before it in the list; the lists of all runs stand one behind another. A span is a piece of device
 * work, a wait of a host thread, or all that the thread does from an instant that something waits for up to the next
 * one: it keeps the order of its pieces, so their gains add up. */
#ifndef TT_MODEL_TABLES_PATH_REPLAY_LIST_H
#define TT_MODEL_TABLES_PATH_REPLAY_LIST_H

#include "model/tables/path/replay.h"

typedef struct tt_replay_span {
    int64_t t, len;      /* in the window */
    int64_t since;       /* the latest instant that it waited for; from there to t it is delayed */
    uint32_t needs_end;  /* its needs are those from the end of the span before it up to here */
    uint32_t slot;       /* where a replay keeps its result */
    uint32_t of;         /* the work, or the first edge ... */
    uint32_t edges_end;  /* ... of those up to here */
    uint32_t thread;     /* of the host, by index */
    uint8_t category;    /* tt_path_category; of edges that of the first */
    bool linked : 1;     /* of a work: its launch is known, so that what it waited for has a name */
    bool unseen : 1;     /* part of its time in the queue is unknown: tt_replay_list.unseen */
    bool launched : 1;   /* since is when the call that launched it returned */
    bool waits : 1;      /* a pause, or the piece of a call that waited: only the delay of what follows is its own */
    bool after_wait : 1; /* its first need is that wait, and the delay is part of it */
    bool followed : 1;   /* by a work of its stream that ends in the window and began after it had ended */
    bool cut : 1;        /* a work that goes on after the window */
    bool ends_run : 1;   /* the end of the window: what it gains is saved */
} tt_replay_span;

typedef struct tt_replay_need { /* an instant that a span waits for */
    int64_t t;
    uint32_t of; /* an instant of this span, or of its thread after it; TT_NONE: one that does not move */
} tt_replay_need;

struct tt_replay_list {
    const tt_path_inputs *in;     /* the session's */
    TT_VEC(tt_replay_span) spans; /* by run, then by time; the last of each is the end of its window */
    TT_VEC(tt_replay_need) needs;
    TT_VEC(int64_t) unseen; /* of each span that has such a part: its length */
    uint32_t n_slots;       /* results that are needed at a time */
};

static inline bool tt_replay_is_work(unsigned category) { return category >= TT_WAIT_COUNT_; }

/* The part of the time from the last thing that it may have waited for to its start in which its launch is on its way;
 * what is left of it is the queue. */
static inline int64_t tt_replay_on_its_way(const tt_replay_span *p)
{
    int64_t len = p->t - p->since;
    return !p->launched ? 0 : len < TT_LAUNCH_NS ? len : TT_LAUNCH_NS;
}

#endif
