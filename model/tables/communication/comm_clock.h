/* model/tables/communication/comm_clock.h - how far the clocks of workers are apart, by the ends of the collectives
 * that they share. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_CLOCK_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_CLOCK_H

#include "model/tables/communication/comm_visit.h"

typedef struct tt_comm_clock { /* of a worker */
    int64_t offset;            /* ns to take off its times on the common axis */
    int64_t spread;            /* the largest minus the smallest difference that it is the median of */
    uint32_t calls;            /* how many */
    uint32_t part;             /* workers of one part share collectives, directly or over others; 0 = shares none */
} tt_comm_clock;

/* The clock of each trace of the session: the median over its calls of its end minus the median end of the workers.
 * Calls of other workers are related by those that are in both. Visits with call TT_NONE and without a time are left
 * out; calls: beyond the largest number. n log n. Caller frees. */
tt_comm_clock *tt_comm_clocks(const tt_session *s, const tt_comm_visit *visits, uint32_t n, uint32_t calls);

/* End of a visit on the common axis. */
static inline int64_t tt_comm_end(const tt_session *s, const tt_comm_visit *v)
{
    return v->c->end + s->offset_ns[v->trace];
}

#endif
