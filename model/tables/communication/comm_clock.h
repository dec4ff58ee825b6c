/* model/tables/communication/comm_clock.h - clock offsets between workers, from the ends of their common
 * collectives. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_CLOCK_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_CLOCK_H

#include "model/tables/communication/comm_visit.h"

typedef struct tt_comm_clock { /* clock of a worker */
    int64_t offset;            /* offset to subtract from its times on the common axis, ns */
    int64_t spread;            /* spread of the differences whose median is the offset: largest minus smallest, ns */
    uint32_t calls;            /* number of these differences */
    uint32_t part; /* workers of one part share collectives, directly or through other workers; 0 = none shared */
} tt_comm_clock;

/* The clock of each trace of the session: the median over its calls of its end minus the workers' median end. Groups
 * with different members are aligned through workers they share. Visits with call TT_NONE or without a time are
 * ignored; calls: greater than every call number. O(n log n). The caller frees. */
tt_comm_clock *tt_comm_clocks(const tt_session *s, const tt_comm_visit *visits, uint32_t n, uint32_t calls);

/* End of a visit on the common axis. */
static inline int64_t tt_comm_end(const tt_session *s, const tt_comm_visit *v)
{
    return v->c->end + s->offset_ns[v->trace];
}

#endif
