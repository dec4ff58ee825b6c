/* capture/agent/cupti/cupti_watch.h - whether CUPTI's records still come to us. Private to the library.
 *
 * CUPTI has one client for its buffers, the last one that registered: a profiler in the program, such as
 * torch.profiler, can take them away without notice. So before records are asked for we make a call of the driver that
 * changes nothing, whose own record must come with them; that it does in this program is learnt from the first one.
 * Where it never does (records of calls are not wanted), steps that pass without any record are the sign, after steps
 * that had some. */
#ifndef TT_CAPTURE_AGENT_CUPTI_WATCH_H
#define TT_CAPTURE_AGENT_CUPTI_WATCH_H

#include "capture/agent/cupti/cupti_records.h"

typedef struct tt_cupti_watch {
    _Atomic uint64_t calls, due; /* made; their records must have come */
    /* the writer's */
    uint64_t seen, steps; /* other records so far, and steps, when the last records came */
    int64_t at;           /* that time */
    bool lost;            /* they come no more, since `at` */
} tt_cupti_watch;

/* Make the call. Any thread of ours, not inside a callback or cuInit(). */
void tt_cupti_watch_call(tt_cupti_watch *w);
/* Records were asked for, after that call; good: CUPTI said yes. */
void tt_cupti_watch_flushed(tt_cupti_watch *w, bool good);
/* The writer, after each reading of records; any: there were some. */
void tt_cupti_watch_look(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool any, int64_t now);
/* The same at the end: say what is to be said. whole: there was a context, and all records were asked for. */
void tt_cupti_watch_end(tt_cupti_watch *w, tt_recorder *r, const tt_cupti_records *c, bool whole);

#endif
