/* model/tables/communication/lateness.h - which workers are late to collectives, since when, how often, and whether
 * they cause it themselves.
 *
 * A worker's lateness at a call is the median worker's time in the call minus its own (of two workers: the other's):
 * all leave together, so it came that much later. Durations are compared, not times. A worker is late when this
 * exceeds 5 us and 6 times the noise, the lower quartile of |lateness| over all visits. It is late by itself when at
 * least half of it arose since its previous collective: by that much it took longer from the end of that one than
 * the median worker, each by its own clock. Else it hands on earlier lateness. Only conclusive calls of at least two
 * workers count (comm_pairs.h). */
#ifndef TT_MODEL_TABLES_COMMUNICATION_LATENESS_H
#define TT_MODEL_TABLES_COMMUNICATION_LATENESS_H

#include "model/tables/communication/comm_pairs.h"

typedef struct tt_late { /* lateness of a worker, or of a worker in one process group */
    const char *group;   /* process group, "" = not recorded; NULL = all groups */
    uint32_t calls;      /* number of calls that count */
    uint32_t late;       /* number of calls late by itself */
    uint32_t passed;     /* number of calls late, but not by itself */
    int64_t ns;          /* median of its own lateness, without lateness handed on, ns; 0 = never late */
    int64_t first, last; /* step numbers of the first and last time late by itself; TT_UNKNOWN */
} tt_late;

typedef struct tt_lateness {
    tt_late *all;       /* all groups together, by trace of the session */
    TT_VEC(tt_late) of; /* by trace, then group: first[i] to first[i + 1] belong to trace i */
    uint32_t *first;
    int64_t limit; /* lateness from which a worker is late, ns */
} tt_lateness;

/* Lateness in all traces of a span. Built once and kept. O(n log n) in the collectives of all workers. */
const tt_lateness *tt_lateness_get(const tt_session *s, const char *span);

/* The machine that recorded a trace, in the arena: a fact of the trace or its summary; else the part of the worker's
 * name before the process ("node17_12345"). "" = unknown. */
const char *tt_host_of(const tt_trace *s, tt_arena *a);

#endif
