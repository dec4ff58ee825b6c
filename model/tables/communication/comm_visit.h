/* model/tables/communication/comm_visit.h - one worker's part in one collective call. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_VISIT_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_VISIT_H

#include "model/tables/communication/comm.h"

typedef struct tt_comm_visit {
    const tt_collective *c;
    uint32_t trace, call;
    uint32_t step; /* index of the profiler step that it starts in, TT_NONE */
    bool doubtful; /* the call is uncertain: makes it inconclusive */
} tt_comm_visit;

#endif
