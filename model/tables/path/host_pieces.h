/* model/tables/path/host_pieces.h - each host thread cut into pieces in which one slice is innermost, and pauses in
 * which none is.
 *
 * Counted are operators, runtime and driver calls and data loader ranges that take time (wait_cause.h); annotations,
 * steps and Python functions are not: they cover what they wait for. Innermost is the slice that started last, of
 * equal starts the shorter one; of two that cross the later one, until its end. Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_HOST_PIECES_H
#define TT_MODEL_TABLES_PATH_HOST_PIECES_H

#include "model/tables/analysis/device/wait_cause.h"

typedef struct tt_host_edge { /* from here to the next edge: */
    int64_t t;
    tt_row row;    /* the innermost slice; TT_NONE = a pause */
    uint8_t cause; /* of the slice: tt_wait_cause; of a pause TT_WAIT_BETWEEN */
} tt_host_edge;

typedef struct tt_host_thread {
    uint32_t track;
    TT_VEC(tt_host_edge) at; /* by time; the first is no pause, the last is one, no two of them in a row */
} tt_host_thread;

typedef struct tt_host_pause {
    int64_t t;             /* where the thread falls idle */
    uint32_t thread, edge; /* the edge there */
} tt_host_pause;

typedef struct tt_host_pieces {
    tt_host_thread *threads; /* those with a piece, by the start of the first one */
    uint32_t n_threads;
    uint32_t *of_track;           /* by track: index into threads, TT_NONE */
    TT_VEC(tt_host_pause) pauses; /* by time; of equal times the thread that begins first is the last */
} tt_host_pieces;

tt_host_pieces tt_host_pieces_make(const tt_trace *s, const tt_name_classes *names); /* O(slices) */
/* Before t nobody knows why the host was in pieces of the cause: they are TT_WAIT_UNKNOWN until there. */
void tt_host_pieces_forget(tt_host_pieces *h, tt_wait_cause cause, int64_t t);
void tt_host_pieces_free(tt_host_pieces *h);

/* The edge that begins the piece or pause (edge.t, next.t] around t; TT_NONE when t is not after the first edge, or
 * there is no such thread. O(log n). */
uint32_t tt_host_edge_before(const tt_host_thread *h, int64_t t);
/* The same, faster when it is near the edge `near`. */
uint32_t tt_host_edge_near(const tt_host_thread *h, int64_t t, uint32_t near);
/* Of the threads other than that of the track, the one that fell idle last in (after, t] and still was at t; of equal
 * times the one of the thread that begins first; NULL. *n_before: a guess of how many pauses are at or before t, with
 * which it is faster; afterwards that is exact. */
const tt_host_pause *tt_host_finished_last(const tt_host_pieces *h, uint32_t track, int64_t after, int64_t t,
                                           size_t *n_before);

#endif
