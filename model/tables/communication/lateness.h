/* model/tables/communication/lateness.h - which workers are late to collectives, since when, how often, and whether by
 * themselves.
 *
 * A worker's lateness at a call is by how much it is in it for a shorter time than the median worker (of two: than
 * the other): all leave together, so it came so much later. Durations are compared, not times. It is late when that
 * is more than 6 times the noise, the lower quartile of |lateness| over all visits, and more than 5 us. It is late
 * by itself when at least half of that is from the time since its collective before: by so much it took longer from
 * the end of that one than the median worker did, each by its own clock. Else it hands on what happened earlier.
 * Only conclusive calls of two workers or more count (comm_pairs.h). */
#ifndef TT_MODEL_TABLES_COMMUNICATION_LATENESS_H
#define TT_MODEL_TABLES_COMMUNICATION_LATENESS_H

#include "model/tables/communication/comm_pairs.h"

typedef struct tt_late { /* of a worker, or of a worker in one process group */
    const char *group;   /* "" = not recorded; of a worker in all groups NULL */
    uint32_t calls;      /* that count */
    uint32_t late;       /* by itself */
    uint32_t passed;     /* late, but not by itself */
    int64_t ns;          /* median of the lateness by itself, without what is handed on; 0 = never */
    int64_t first, last; /* numbers of the steps of the first and the last time by itself; TT_UNKNOWN */
} tt_late;

typedef struct tt_lateness {
    tt_late *all;       /* by trace of the session */
    TT_VEC(tt_late) of; /* by trace, then group: those of trace i are first[i] to first[i + 1] */
    uint32_t *first;
    int64_t limit; /* ns from which on a worker is late */
} tt_lateness;

/* Of all traces of a span. Built once and kept. n log n in the collectives of all workers. */
const tt_lateness *tt_lateness_get(const tt_session *s, const char *span);

/* The machine that a trace was recorded on, in the arena: a fact of the trace or its summary; else what the profiler
 * puts before its process in the name of the worker ("node17_12345"). "" = nothing tells. */
const char *tt_host_of(const tt_trace *s, tt_arena *a);

#endif
