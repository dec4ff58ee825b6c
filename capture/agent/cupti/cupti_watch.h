/* capture/agent/cupti/cupti_watch.h - detects that CUPTI's records no longer reach us. Private to the library.
 *
 * CUPTI's buffers have one client: the last one that registered. A profiler in the program, such as torch.profiler,
 * can take them over without notice. So before asking for records we make a driver call that changes nothing; its
 * own record must come with the others, and the first such record shows that records of calls arrive at all. If
 * calls are not recorded, the sign is steps without any record after steps with records. */
#ifndef TT_CAPTURE_AGENT_CUPTI_CUPTI_WATCH_H
#define TT_CAPTURE_AGENT_CUPTI_CUPTI_WATCH_H

#include "capture/agent/cupti/cupti_records.h"

typedef struct tt_cupti_watch {
    _Atomic uint64_t calls, due; /* calls: calls made; due: calls whose records must have come */
    /* used by the writer */
    uint64_t seen, steps; /* counts when the last records came: other records, steps */
    int64_t at;           /* time of the last records */
    bool lost, said;      /* lost: records have not come since `at`; said: the user was told while the program ran */
} tt_cupti_watch;

/* Make the driver call. Any thread of ours, not inside a callback or cuInit(). */
void tt_cupti_watch_call(tt_cupti_watch *w);
/* Records were requested after that call; good: CUPTI reported success. */
void tt_cupti_watch_flushed(tt_cupti_watch *w, bool good);
/* Check after each reading of records (writer thread); any: records came. */
void tt_cupti_watch_look(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool any, int64_t now);
/* Report at the end what is missing. whole: a context existed and all records were requested. */
void tt_cupti_watch_end(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool whole);

#endif
