/* model/tables/communication/comm_pairs.h - which collectives of different workers are the same call, and who came last
 * to each.
 *
 * Calls of one operation and process group are paired by their sequence number where every one has it; else by the
 * number of the profiler step and the place in it, where most workers have as many calls in that step; else by the
 * shift against another worker that leaves the smallest spread of ends. All leave a collective together, so the
 * worker that is in it for the shortest time came last. Durations are compared, not times: clocks that differ do no
 * harm. But ends must then agree: a call whose aligned ends differ by more than the longest time in it is
 * inconclusive, it may be several calls, or clocks may have moved. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_PAIRS_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_PAIRS_H

#include "model/tables/communication/comm_visit.h"

typedef struct tt_comm_call {
    uint32_t workers; /* that took part with a known time (tt_collective.ns); below 2 nothing can be said of it */
    bool conclusive;
    uint32_t last;  /* visit with the shortest time, TT_NONE without one */
    uint32_t early; /* visit that starts first on the common axis */
    int64_t shortest, longest, total;
    int64_t least; /* of what its kernels take on a worker (tt_collective.total) */
} tt_comm_call;

typedef struct tt_comm_pairs { /* of the traces of a span */
    tt_comm_visit *visits;     /* by trace, then by start: collective i of a trace is visit first[trace] + i */
    uint32_t n_visits;
    uint32_t *first; /* by trace of the session, n_traces + 1 of them */
    tt_comm_call *calls;
    uint32_t n_calls;
    struct tt_comm_clock *clocks; /* by trace of the session */
} tt_comm_pairs;

/* Of a span of the session. Built once and kept. n log n in the collectives of all workers. */
const tt_comm_pairs *tt_comm_pairs_get(const tt_session *s, const char *span);

#endif
