/* tui/cluster/report.h - what `tracetty cluster` prints at its end. */
#ifndef TT_TUI_CLUSTER_REPORT_H
#define TT_TUI_CLUSTER_REPORT_H

#include "tui/cluster/watch.h"

/* Report lost ranks and the messages of the merge. Returns the exit status: 0 when there is a result, even if ranks
 * are missing; 1 when ranks are missing under --require-all; else the status of the step that failed. */
int tt_cluster_report(const tt_cluster_plan *p, const tt_cluster_job *j, tt_cluster_run *r);

#endif
