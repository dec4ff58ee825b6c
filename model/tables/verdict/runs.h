/* model/tables/verdict/runs.h - one-line description of a run: for lists of runs, and rows of table `runs`. */
#ifndef TT_MODEL_TABLES_VERDICT_RUNS_H
#define TT_MODEL_TABLES_VERDICT_RUNS_H

#include "model/tables/table.h"

typedef struct tt_run_row {
    const char *run, *path; /* name, and folder or file; path NULL = several paths without a common one */
    const char *source;     /* format, as from tt_session_format(); NULL = unreadable */
    const char *verdict;    /* first line: text of the row `verdict` of table overview; NULL = unknown */
    int64_t workers;
    double busy_pct;    /* mean busy share of the devices in table gpu_time; NaN = no device worked */
    int64_t account_ns; /* account length of the first worker and span with complete steps, else of the first, ns */
    int64_t steps;      /* number of complete steps in that account; TT_UNKNOWN = none */
} tt_run_row;

/* The row of a session; costs as much as tables overview, gpu_time and findings. Texts belong to the session. Any
 * thread. */
tt_run_row tt_run_row_of(const tt_session *s, const tt_scope *scope);
/* The row of an unreadable run: the verdict is the error message without its leading path. NULL: not examined yet. */
tt_run_row tt_run_row_unread(const char *run, const char *path, const char *message);

#endif
