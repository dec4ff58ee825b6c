/* model/tables/findings/rules/stragglers.h - the worker that the others wait for in collectives, and what a worker
 * waits. For this folder only. */
#ifndef TT_MODEL_TABLES_FINDINGS_STRAGGLERS_H
#define TT_MODEL_TABLES_FINDINGS_STRAGGLERS_H

#include "model/tables/findings/claims/finding.h"

typedef struct tt_straggler {
    const char *worker;        /* the session's; NULL = nobody is named */
    int64_t last_calls, calls; /* collectives that it came last to, of how many */
    int64_t each;              /* ns that it cost each of the others, on average */
    int64_t doubtful, of;      /* collectives of which nobody can say who came last, of how many */
} tt_straggler;
/* Of all workers in the steps and time of the scope. Of a whole session it is found once. */
tt_straggler tt_straggler_of_run(const tt_query *q);

/* The trace in scope whose worker waits longest in its collectives, TT_NONE: nobody waits. */
uint32_t tt_straggler_longest_waiter(const tt_query *q);

typedef struct tt_comm_wait { /* of a piece of device work for the last worker to arrive */
    uint32_t work;            /* index into tt_device_work.at */
    int64_t ns;               /* from its start on */
} tt_comm_wait;
typedef TT_VEC(tt_comm_wait) tt_comm_waits;
/* Those of the query's trace with a kernel, by work. Caller frees with tt_vec_free(). */
tt_comm_waits tt_comm_waits_of(const tt_query *q);
/* When a device of the trace waits in a collective. Caller frees. */
tt_ivs tt_comm_waits_on(const tt_comm_waits *l, const tt_device_work *w, uint32_t device);

#endif
