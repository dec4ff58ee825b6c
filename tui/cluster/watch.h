/* tui/cluster/watch.h - runs the script: shows progress, and ends it on Ctrl-C. */
#ifndef TT_TUI_CLUSTER_WATCH_H
#define TT_TUI_CLUSTER_WATCH_H

#include "model/base/run/child.h"
#include "tui/cluster/job.h"

typedef struct tt_cluster_run {
    tt_child child;
    int status; /* exit status of the script */
    int signal; /* signal by which a person ended the run; 0 = none */
    double seconds;
} tt_cluster_run;

/* Run the folder's cluster.sh to its end, with a progress line on stderr (on a terminal, without --quiet). SIGINT,
 * SIGTERM and SIGHUP cancel the tasks; a second signal kills them. TT_ERR_INPUT: bash is missing. */
tt_status tt_cluster_watch(tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *out, tt_err *err);

/* Warn about jobs of an earlier run that are still in Slurm's queue. */
void tt_cluster_warn_earlier(const tt_cluster_run_id *earlier);

#endif
