/* model/tables/path/critical_path.h - the chain of what everything later waited for, through device work, host calls
 * and waits.
 *
 * Walked back from the end of a window, always to what ended last of what the rest waited for. Each run of steps is a
 * window of its own (tt_path_run). The segments tile the account (steps/account.h): together they are as long, no two
 * overlap, and there is none where the account has a hole. Without a window there is no path, nor is there one across
 * clocks that differ. The rules are those of the table critical_path. Times are trace times. */
#ifndef TT_MODEL_TABLES_PATH_CRITICAL_PATH_H
#define TT_MODEL_TABLES_PATH_CRITICAL_PATH_H

#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"
#include "model/tables/steps/account.h"

typedef enum tt_path_category { /* waits first: a tt_wait_cause is its category */
                                TT_PATH_COMPUTATION =
                                    TT_WAIT_COUNT_, /* then device work: TT_PATH_COMPUTATION + tt_work_class */
                                TT_PATH_COMMUNICATION,
                                TT_PATH_COPY,
                                TT_PATH_COUNT_,
} tt_path_category;
const char *tt_path_name(unsigned category); /* "computation", "launch", "between" ... */

typedef struct tt_path_segment {
    int64_t t0, t1;
    tt_row row;            /* the slice that it is part of; of `between` the innermost Python function or range there;
                              of launch and queue the work that waits; TT_NONE, so for unknown unless it is in a call */
    uint32_t track;        /* where it happens; TT_NONE for unknown of a device */
    uint32_t category : 8; /* tt_wait_cause or tt_path_category */
    uint32_t inferred : 1; /* the step to what comes before it on another stream was guessed from times */
} tt_path_segment;

/* The window of a walk and of a replay: steps of which each begins no longer after the end of the one before it than
 * the shorter of the two is; a longer hole, as between two cycles of a schedule, ends the run. Without steps, or of a
 * time window asked for, all of the account is one run. */
typedef struct tt_path_run {
    int64_t t0, t1; /* the account begins and ends there; it may have holes between */
    uint32_t track; /* the thread of the first step's annotation; TT_NONE */
} tt_path_run;

/* Segments are by time, without overlap. Where the account has a hole, at[i].t1 < at[i + 1].t0; elsewhere they are
 * equal. at[0].t0 == t0, and the last t1 == t1. */
typedef struct tt_path {
    int64_t t0, t1;           /* from the first to the last instant; t0 == t1: there is no path */
    int64_t ns;               /* the length of all segments: of the account, 0 without a path */
    tt_account account;       /* what they tile */
    TT_VEC(tt_path_run) runs; /* by time */
    TT_VEC(tt_path_segment) at;
    _Atomic uint32_t more_refs; /* who hold it beyond the first; nobody changes it */
} tt_path;

/* The path of a trace in a scope. Caller frees. O(segments log events); the first call makes a pass over the trace,
 * which may take seconds: not on the drawing thread. That of all of a trace is made once and shared. */
tt_path *tt_path_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
void tt_path_free(tt_path *p);
/* The first segment that ends after t; n when there is none. O(log n). */
uint32_t tt_path_at(const tt_path *p, int64_t t);

#endif
