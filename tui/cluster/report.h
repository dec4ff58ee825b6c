/* tui/cluster/report.h - what `tracetty cluster` says at its end. */
#ifndef TT_TUI_CLUSTER_REPORT_H
#define TT_TUI_CLUSTER_REPORT_H

#include "tui/cluster/watch.h"

/* Report the ranks that are lost and what the merge said. The exit status: 0 when there is a result, also without some
 * ranks; 1 when they are missing under --require-all; else that of the step that failed. */
int tt_cluster_report(const tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *r);

#endif
