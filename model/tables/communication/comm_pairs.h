/* model/tables/communication/comm_pairs.h - which collectives of different workers are one call, and who came last
 * to each.
 *
 * Calls of one operation and process group are paired by sequence number if all have one; else by profiler step and
 * place in it, if most workers have equally many calls in that step; else by the shift against another worker with
 * the smallest spread of ends. All workers leave a collective together, so the worker with the shortest time in it
 * came last. Durations are compared, not times, so clock offsets do no harm. But ends must then agree: a call whose
 * aligned ends differ by more than its longest time is inconclusive: it can be several calls, or clocks moved. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_PAIRS_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_PAIRS_H

#include "model/tables/communication/comm_visit.h"

typedef struct tt_comm_call {
    uint32_t workers; /* number of workers with a known time (tt_collective.ns); nothing is known below 2 */
    bool conclusive;
    uint32_t last;  /* visit with the shortest time, TT_NONE = no time known */
    uint32_t early; /* visit that starts first on the common axis */
    int64_t shortest, longest, total;
    int64_t least; /* shortest kernel time on a worker (tt_collective.total), ns */
} tt_comm_call;

typedef struct tt_comm_pairs { /* calls of a span's traces */
    tt_comm_visit *visits;     /* visits by trace, then by start: collective i of a trace is visit first[trace] + i */
    uint32_t n_visits;
    uint32_t *first; /* first visit by trace of the session, n_traces + 1 entries */
    tt_comm_call *calls;
    uint32_t n_calls;
    struct tt_comm_clock *clocks; /* clock by trace of the session */
} tt_comm_pairs;

/* The calls of a span of the session. Built once and kept. O(n log n) in the collectives of all workers. */
const tt_comm_pairs *tt_comm_pairs_get(const tt_session *s, const char *span);

#endif
