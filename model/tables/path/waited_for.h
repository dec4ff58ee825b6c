/* model/tables/path/waited_for.h - which device work a host call waited for, and which device work waited for an
 * event of another stream.
 *
 * A blocking call with a record of synchronisation waited for what the record says. A blocking call without a record
 * waited for the work that ended last, over all devices, among work launched before the call and running when the
 * call returned. A copying call that does not block by its name, and returned after its own copy had ended, waited
 * for that copy. */
#ifndef TT_MODEL_TABLES_PATH_WAITED_FOR_H
#define TT_MODEL_TABLES_PATH_WAITED_FOR_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/path/host_pieces.h"

typedef struct tt_call_wait {
    tt_row call;
    uint32_t work; /* index into tt_device_work.at */
} tt_call_wait;

typedef struct tt_event_wait {
    uint32_t work;   /* work that did not start before ... */
    uint32_t source; /* ... this work of another stream had ended */
} tt_event_wait;

typedef struct tt_waits {
    TT_VEC(tt_call_wait) calls;   /* by call, each call once */
    TT_VEC(tt_event_wait) events; /* by work; one work may have several */
} tt_waits;

/* Waits are found in two parts: the first part reads records of waits and can run while host pieces are made; the
 * second part needs host pieces, for calls without a record. latest[i]: among the slices of slice i's stream up to
 * slice i, the one with the latest end; of equal ends the later slice. All arguments must outlive the build, which
 * tt_waits_finish() frees. O((slices + calls) log slices), and a pass over the calls if events were recorded. */
typedef struct tt_waits_build tt_waits_build;
tt_waits_build *tt_waits_begin(const tt_trace *s, const tt_device_work *w, const uint32_t *latest);
tt_waits tt_waits_finish(tt_waits_build *b, const tt_host_pieces *h);
void tt_waits_free(tt_waits *w);

/* Work that the call waited for; TT_NONE: none. *near (0 at first) remembers the last place; fast near there. */
uint32_t tt_call_waited_for(const tt_waits *w, tt_row call, size_t *near);

#endif
