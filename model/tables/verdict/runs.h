/* model/tables/verdict/runs.h - a run in one line: what lists of runs say of it, and rows of table `runs`. */
#ifndef TT_MODEL_TABLES_VERDICT_RUNS_H
#define TT_MODEL_TABLES_VERDICT_RUNS_H

#include "model/tables/table.h"

typedef struct tt_run_row {
    const char *run, *path; /* its name and its folder or file; NULL = several paths, which have none in common */
    const char *source;     /* as tt_session_format(); NULL = it could not be read */
    const char *verdict;    /* the first line: text of the row `verdict` of table overview; NULL = nothing is said */
    int64_t workers;
    double busy_pct;    /* mean over the devices in table gpu_time; NaN = no device worked */
    int64_t account_ns; /* of the first worker and span that has complete steps, else of the first one */
    int64_t steps;      /* complete ones in that account; TT_UNKNOWN = none */
} tt_run_row;

/* Of a session; takes as long as tables overview, gpu_time and findings do. Texts are the session's. Any thread. */
tt_run_row tt_run_row_of(const tt_session *s, const tt_scope *scope);
/* Of a run that cannot be read: the verdict says why, which is the message of the error without the path in front.
 * NULL: it was not looked at, and nothing is known. */
tt_run_row tt_run_row_unread(const char *run, const char *path, const char *message);

#endif
