/* tui/cluster/watch.h - the script at work: how far it is, and an end to it by Ctrl-C. */
#ifndef TT_TUI_CLUSTER_WATCH_H
#define TT_TUI_CLUSTER_WATCH_H

#include "model/base/run/child.h"
#include "tui/cluster/job.h"

typedef struct tt_cluster_run {
    tt_child child;
    int status; /* exit status of the script */
    int signal; /* signal with which a person ended it; 0 = none */
    double seconds;
} tt_cluster_run;

/* Run the folder's cluster.sh to its end; a line on stderr says how far it is (on a terminal, without --quiet).
 * SIGINT, SIGTERM and SIGHUP cancel what it started, and end it the second time. TT_ERR_INPUT when bash is missing. */
tt_status tt_cluster_watch(tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *out, tt_err *err);

/* Warn of jobs of a run that had the folder before, when they are still in Slurm's queue. */
void tt_cluster_warn_earlier(const tt_cluster_run_id *earlier);

#endif
