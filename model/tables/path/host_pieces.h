/* model/tables/path/host_pieces.h - each host thread cut into pieces, in which one slice is innermost, and pauses
 * without one.
 *
 * Counted are operators, runtime and driver calls and data loader ranges that take time (wait_cause.h); annotations,
 * steps and Python functions contain what they wait for and do not count. Innermost is the slice that started last,
 * of equal starts the shorter one; of two slices that cross the later one, until its end. Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_HOST_PIECES_H
#define TT_MODEL_TABLES_PATH_HOST_PIECES_H

#include "model/tables/analysis/device/wait_cause.h"

typedef struct tt_host_edge { /* a piece or pause from here to the next edge */
    int64_t t;
    tt_row row;    /* innermost slice; TT_NONE = a pause */
    uint8_t cause; /* tt_wait_cause of the slice; TT_WAIT_BETWEEN for a pause */
} tt_host_edge;

typedef struct tt_host_thread {
    uint32_t track;
    /* by time; the first edge begins a piece, the last a pause, and no two pauses follow each other */
    TT_VEC(tt_host_edge) at;
} tt_host_thread;

typedef struct tt_host_pause {
    int64_t t;             /* time at which the thread falls idle */
    uint32_t thread, edge; /* the thread, and its edge there */
} tt_host_pause;

typedef struct tt_host_pieces {
    tt_host_thread *threads; /* threads with a piece, by the start of the first piece */
    uint32_t n_threads;
    uint32_t *of_track;           /* per track its index into threads; TT_NONE */
    TT_VEC(tt_host_pause) pauses; /* by time; of equal times the thread that begins first comes last */
} tt_host_pieces;

/* Cut the threads of a trace. O(slices). */
tt_host_pieces tt_host_pieces_make(const tt_trace *s, const tt_name_classes *names);
/* Make pieces of the cause before t TT_WAIT_UNKNOWN: nobody knows why the host was in them. */
void tt_host_pieces_forget(tt_host_pieces *h, tt_wait_cause cause, int64_t t);
void tt_host_pieces_free(tt_host_pieces *h);

/* The edge that begins the piece or pause (edge.t, next.t] around t; TT_NONE when t is not after the first edge, or
 * there is no such thread. O(log n). */
uint32_t tt_host_edge_before(const tt_host_thread *h, int64_t t);
/* Like tt_host_edge_before(), faster when the answer is near the edge `near`. */
uint32_t tt_host_edge_near(const tt_host_thread *h, int64_t t, uint32_t near);
/* The last thread, other than the track's, to fall idle in (after, t] and still be idle at t; of equal times the
 * thread that begins first; NULL = none. *n_before: a guess of the number of pauses at or before t, which makes the
 * search faster; exact on return. */
const tt_host_pause *tt_host_finished_last(const tt_host_pieces *h, uint32_t track, int64_t after, int64_t t,
                                           size_t *n_before);

#endif
