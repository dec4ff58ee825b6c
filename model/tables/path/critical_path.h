/* model/tables/path/critical_path.h - the chain of what everything later waited for, through device work, host calls
 * and waits.
 *
 * It is walked back from the end of a window, each time to the work that ended last of what the rest waited for.
 * Each run of steps is a window of its own (tt_path_run). The segments tile the account (steps/account.h): together
 * they are as long, no two overlap, and a hole of the account has none. Without a window there is no path; nor is
 * there a path across clocks that differ. The table critical_path has the same rules. Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_CRITICAL_PATH_H
#define TT_MODEL_TABLES_PATH_CRITICAL_PATH_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"
#include "model/tables/steps/account.h"

typedef enum tt_path_category { /* first the waits: a tt_wait_cause is its own category */
                                TT_PATH_COMPUTATION =
                                    TT_WAIT_COUNT_, /* then device work: TT_PATH_COMPUTATION + tt_work_class */
                                TT_PATH_COMMUNICATION,
                                TT_PATH_COPY,
                                TT_PATH_COUNT_,
} tt_path_category;
const char *tt_path_name(unsigned category); /* name of a category: "computation", "launch", "between" ... */

typedef struct tt_path_segment {
    int64_t t0, t1;
    /* slice that the segment is part of; between: the innermost Python function or range there; launch and queue:
     * the work that waits; unknown: TT_NONE unless it is in a call */
    tt_row row;
    uint32_t track;        /* track of the segment; TT_NONE for unknown time of a device */
    uint32_t category : 8; /* tt_wait_cause or tt_path_category */
    uint32_t inferred : 1; /* the dependency on another stream was inferred from times */
} tt_path_segment;

/* The window of a walk and of a replay: consecutive steps whose holes are no longer than the shorter of the two
 * steps around them. A longer hole, as between two cycles of a schedule, ends the run. Without steps, or with a time
 * window asked for, the whole account is one run. */
typedef struct tt_path_run {
    int64_t t0, t1; /* first and last instant of the account in the run; holes may lie between */
    uint32_t track; /* thread of the first step's annotation; TT_NONE */
} tt_path_run;

/* Segments in the order of time, without overlap: at[i].t1 == at[i + 1].t0, except at a hole of the account.
 * at[0].t0 == t0, and the last t1 == t1. */
typedef struct tt_path {
    int64_t t0, t1;           /* first and last instant; t0 == t1: there is no path */
    int64_t ns;               /* length of all segments: length of the account, 0 without a path */
    tt_account account;       /* the account that the segments tile */
    TT_VEC(tt_path_run) runs; /* runs in the order of time */
    TT_VEC(tt_path_segment) at;
    _Atomic uint32_t more_refs; /* references beyond the first; a shared path never changes */
} tt_path;

/* The path of a trace in a scope. The caller frees it. O(segments log events); the first call makes a pass over the
 * trace, which may take seconds: do not call on the drawing thread. The path of the whole trace is made once and
 * shared. */
tt_path *tt_path_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
void tt_path_free(tt_path *p);
/* First segment that ends after t; n when there is none. O(log n). */
uint32_t tt_path_at(const tt_path *p, int64_t t);

#endif
