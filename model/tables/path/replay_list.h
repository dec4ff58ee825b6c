/* model/tables/path/replay_list.h - the spans of each run of a path in the order of time, each with its
 * dependencies, which come before it in the list; the lists of all runs follow each other.
 *
 * A span is device work, a wait of a host thread, or the pieces of a host thread between two instants for which
 * others wait. The pieces of a span keep their order, so their gains add up. */
#ifndef TT_MODEL_TABLES_PATH_REPLAY_LIST_H
#define TT_MODEL_TABLES_PATH_REPLAY_LIST_H

#include "model/tables/path/replay.h"

typedef struct tt_replay_span {
    int64_t t, len;      /* start and length in the window */
    int64_t since;       /* latest instant that the span waited for; it is delayed from there to t */
    uint32_t needs_end;  /* end of its needs; they begin at the previous span's end */
    uint32_t slot;       /* index of its result in a replay */
    uint32_t of;         /* the work, or its first edge ... */
    uint32_t edges_end;  /* ... and the end of its edges */
    uint32_t thread;     /* index of the host thread */
    uint8_t category;    /* tt_path_category; of an edge the category of its first piece */
    bool linked : 1;     /* the launch of the work is known, so its dependency has a name */
    bool unseen : 1;     /* part of its time in the queue is unknown: tt_replay_list.unseen */
    bool launched : 1;   /* `since` is the time at which its launch returned */
    bool waits : 1;      /* a pause, or the piece of a call that waited: only the delay behind it is its own */
    bool after_wait : 1; /* its first need is that wait, and the delay is part of it */
    bool followed : 1;   /* another slice of its stream began after this one had ended, and ends in the window */
    bool cut : 1;        /* the work goes on after the window */
    bool ends_run : 1;   /* the end of the window: its gain is the saving */
} tt_replay_span;

typedef struct tt_replay_need { /* an instant that a span waits for */
    int64_t t;
    uint32_t of; /* an instant of this span, or of its thread after it; TT_NONE: an instant that does not move */
} tt_replay_need;

struct tt_replay_list {
    const tt_path_inputs *in;     /* owned by the session */
    TT_VEC(tt_replay_span) spans; /* spans by run, then by time; the last span of a run is the end of its window */
    TT_VEC(tt_replay_need) needs;
    TT_VEC(int64_t) unseen; /* length of the unknown part of each span that has one */
    uint32_t n_slots;       /* number of results that are needed at once */
};

static inline bool tt_replay_is_work(unsigned category) { return category >= TT_WAIT_COUNT_; }

/* The part of the time from the last thing that the span may have waited for to its start in which its launch is on
 * its way; the rest is the queue. */
static inline int64_t tt_replay_on_its_way(const tt_replay_span *p)
{
    int64_t len = p->t - p->since;
    return !p->launched ? 0 : len < TT_LAUNCH_NS ? len : TT_LAUNCH_NS;
}

#endif
