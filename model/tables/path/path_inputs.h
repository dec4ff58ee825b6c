/* model/tables/path/path_inputs.h - the input of the critical path and of its replay: device work, host threads, and
 * the slices for which each slice may have waited. Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_PATH_INPUTS_H
#define TT_MODEL_TABLES_PATH_PATH_INPUTS_H

#include "model/tables/path/host_pieces.h"
#include "model/tables/path/waited_for.h"

/* Streams wait for events of each other. Where the trace has no record of it, work that begins within this time
 * after other work of its device is taken to have waited for that work. Of 1,725 gaps before queued work on five
 * training traces, 808 were that short; in all but 48 of the others no other stream had ended any work. */
#define TT_PATH_NEAR_NS 20000

typedef struct tt_path_inputs {
    const tt_trace *s;
    const tt_device_work *work;
    /* per work the work of its stream, up to and including it, that ends last; of equal ends the later one */
    uint32_t *latest;
    /* work of each device sorted by end, at the places of tt_work_device; NULL: no device needs it */
    uint32_t *ended;
    bool *all_launched; /* per device whether all of its work has a known launch */
    /* blocking calls before the first work of all devices may have waited for work that is not in the file: their
     * pieces are TT_WAIT_UNKNOWN */
    tt_host_pieces host;
    tt_waits waits;
} tt_path_inputs;

/* Built once per trace and kept. */
const tt_path_inputs *tt_path_inputs_get(const tt_session *s, uint32_t trace);

/* Work of a stream that may reach into [t0, t1): work before `first` has ended before t0, work from `end` on begins
 * at t1 or later. O(log of the stream's work). */
typedef struct tt_path_works {
    uint32_t first, end; /* indices into work->at */
} tt_path_works;
tt_path_works tt_path_works_in(const tt_path_inputs *in, const tt_work_stream *stream, int64_t t0, int64_t t1);

/* work that was visited, and the work before it in its stream that was not */
typedef struct tt_path_visited {
    /* per work: 0 = not visited, else 2 + the work to look at instead, 1 = none. From tt_calloc() */
    uint32_t *next;
} tt_path_visited;
void tt_path_visit(const tt_path_inputs *in, tt_path_visited *v, uint32_t work);

/* What work may have waited for before it could run at t: works (TT_NONE = none), each with the instant that counts. */
typedef struct tt_path_before {
    uint32_t stream;   /* work before it in its stream */
    uint32_t event;    /* work on another stream, by a recorded event */
    uint32_t inferred; /* work on another stream, by the time alone; it wins over the other two */
    uint32_t track;    /* thread that launched it; TT_NONE = not known */
    int64_t stream_t, event_t, inferred_t, launch_t;
    int64_t call_end; /* end of the launch */
} tt_path_before;
/* The instant that counts in the launch of device work, at most t; the launch must be known. */
int64_t tt_path_launched_at(const tt_path_inputs *in, uint32_t work, int64_t t);
typedef struct tt_path_near { /* remembers where the last answer was; zero at first */
    uint32_t ended;
    size_t event;
} tt_path_near;
/* v: visited work is no candidate; NULL: all work is. O(log works); fast for work near the last question. */
tt_path_before tt_path_before_of(const tt_path_inputs *in, uint32_t work, int64_t t, tt_path_visited *v,
                                 tt_path_near *near);

#endif
