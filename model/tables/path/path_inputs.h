/* model/tables/path/path_inputs.h - what the critical path and its replay look at: device work, host threads, and what
 * each piece of work may have waited for.
 *
 * Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_PATH_INPUTS_H
#define TT_MODEL_TABLES_PATH_PATH_INPUTS_H

#include "model/tables/path/host_pieces.h"
#include "model/tables/path/waited_for.h"

/* Streams wait for each other's events. Where a trace has no record of that, work that begins so soon after other work
 * of its device has ended is taken to have waited for it: of 1,725 gaps before queued work on five training traces 808
 * were that short, and in all but 48 of the others no other stream had ended any work. */
#define TT_PATH_NEAR_NS 20000

typedef struct tt_path_inputs {
    const tt_trace *s;
    const tt_device_work *work;
    uint32_t *latest;    /* by work: of its stream up to and with it, what ends last; of equal ones the later */
    uint32_t *ended;     /* works of each device by end, as they lie in tt_work_device; NULL: no device needs it */
    bool *all_launched;  /* by device: of all its work the launch is known */
    tt_host_pieces host; /* a blocking call before the first work of all devices may have waited for work that is not in
                            the file: its pieces are TT_WAIT_UNKNOWN there */
    tt_waits waits;
} tt_path_inputs;

/* Built once per trace and kept. */
const tt_path_inputs *tt_path_inputs_get(const tt_session *s, uint32_t trace);

/* Of a stream, the works that may reach into [t0, t1]: those before `first` have ended before t0, and those from `end`
 * on begin at t1 or later. O(log works). */
typedef struct tt_path_works {
    uint32_t first, end; /* index into work->at */
} tt_path_works;
tt_path_works tt_path_works_in(const tt_path_inputs *in, const tt_work_stream *stream, int64_t t0, int64_t t1);

/* Which works were visited, and what comes before them in their stream that was not. */
typedef struct tt_path_visited {
    uint32_t *next; /* by work: 0 = not visited, else 2 + the work to look at instead, 1 = none. tt_calloc'ed */
} tt_path_visited;
void tt_path_visit(const tt_path_inputs *in, tt_path_visited *v, uint32_t work);

/* What work may have waited for before it could run at t: works (TT_NONE), and the instant that counts of each. */
typedef struct tt_path_before {
    uint32_t stream;   /* before it in its stream */
    uint32_t event;    /* on another stream, by a record */
    uint32_t inferred; /* on another stream, by the time alone; it wins over the others */
    uint32_t track;    /* the thread that launched it, TT_NONE = not known */
    int64_t stream_t, event_t, inferred_t, launch_t;
    int64_t call_end; /* of the launch */
} tt_path_before;
/* The instant that counts of the launch of a work (which has one), at most t. */
int64_t tt_path_launched_at(const tt_path_inputs *in, uint32_t work, int64_t t);
typedef struct tt_path_near { /* where the last answer was found: zero at first */
    uint32_t ended;
    size_t event;
} tt_path_near;
/* v: what was visited is no candidate; NULL: everything is. O(log works); fast for work near that asked about last. */
tt_path_before tt_path_before_of(const tt_path_inputs *in, uint32_t work, int64_t t, tt_path_visited *v,
                                 tt_path_near *near);

#endif
