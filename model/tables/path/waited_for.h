/* model/tables/path/waited_for.h - which device work a host call waited for, and which device work waited for an event
 * of another stream.
 *
 * A blocking call that has a record of synchronisation waited for what the record says; one without a record waited
 * for the work of all devices that ended last of what was launched before the call and had begun when it returned. A
 * copying call that does not block by its name, and returned after its own copy had ended, waited for that copy. */
#ifndef TT_MODEL_TABLES_PATH_WAITED_FOR_H
#define TT_MODEL_TABLES_PATH_WAITED_FOR_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/path/host_pieces.h"

typedef struct tt_call_wait {
    tt_row call;
    uint32_t work; /* index into tt_device_work.at */
} tt_call_wait;

typedef struct tt_event_wait {
    uint32_t work;   /* did not start before ... */
    uint32_t source; /* ... this work of another stream had ended */
} tt_event_wait;

typedef struct tt_waits {
    TT_VEC(tt_call_wait) calls;   /* by call, each once */
    TT_VEC(tt_event_wait) events; /* by work; several of one work are possible */
} tt_waits;

/* What records say, and then calls without one: the first part needs no host pieces, which may be made meanwhile.
 * latest[i]: of the works of the stream of work i up to and with it, the one that ends last; of equal ones the later.
 * All of it outlives the build, which tt_waits_finish() frees. O((works + calls) log works), and a pass over the calls
 * where there are records of events. */
typedef struct tt_waits_build tt_waits_build;
tt_waits_build *tt_waits_begin(const tt_trace *s, const tt_device_work *w, const uint32_t *latest);
tt_waits tt_waits_finish(tt_waits_build *b, const tt_host_pieces *h);
void tt_waits_free(tt_waits *w);

/* TT_NONE: for nothing. *near: where the one was that was looked for before, 0 at first; it is fast near there. */
uint32_t tt_call_waited_for(const tt_waits *w, tt_row call, size_t *near);

#endif
