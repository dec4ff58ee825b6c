/* model/tables/findings/rules/stragglers.h - the worker that the others wait for in collectives, and the waits of a
 * worker. For this folder only. */
#ifndef TT_MODEL_TABLES_FINDINGS_RULES_STRAGGLERS_H
#define TT_MODEL_TABLES_FINDINGS_RULES_STRAGGLERS_H

#include "model/tables/findings/claims/finding.h"

typedef struct tt_straggler {
    const char *worker;        /* name, owned by the session; NULL = no straggler */
    int64_t last_calls, calls; /* collectives where it came last, and all collectives */
    int64_t each;              /* time that it cost each other worker, on average, ns */
    int64_t doubtful, of;      /* inconclusive collectives, and all collectives */
} tt_straggler;
/* The straggler among all workers in the steps and time of the scope. Computed once for a whole session. */
tt_straggler tt_straggler_of_run(const tt_query *q);

/* The trace in scope whose worker waits longest in its collectives, TT_NONE: nobody waits. */
uint32_t tt_straggler_longest_waiter(const tt_query *q);

typedef struct tt_comm_wait { /* wait of a device work for the last worker to arrive */
    uint32_t work;            /* index into tt_device_work.at */
    int64_t ns;               /* length of the wait, from the work's start, ns */
} tt_comm_wait;
typedef TT_VEC(tt_comm_wait) tt_comm_waits;
/* The waits of the query's trace that have a kernel, by work. The caller frees with tt_vec_free(). */
tt_comm_waits tt_comm_waits_of(const tt_query *q);
/* Times when a device of the trace waits in a collective. The caller frees. */
tt_ivs tt_comm_waits_on(const tt_comm_waits *l, const tt_device_work *w, uint32_t device);

#endif
