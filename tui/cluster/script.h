/* tui/cluster/script.h - the script that `tracetty cluster` runs, prints (--dry-run) and keeps for a person who
 * wants to read or change it. It is bash with every path written into it, so that one file is the job of sbatch, the
 * task of srun and mpirun, and the whole run when a person starts it.
 *
 *   cluster.sh run      lock the folder, start the tasks, wait, merge; SIGHUP, SIGINT and SIGTERM end the tasks
 *   cluster.sh task     the share of one task, by the number that srun, sbatch or mpirun gave it
 *   cluster.sh part K   one input
 *   cluster.sh merge    the last step; its exit status goes to the file status-ID of the run
 *
 * A file cancelled-ID in the folder (folder.h) keeps the tasks of that run from beginning another input. Names may
 * hold any byte: they are quoted, and unprintable bytes are written as escapes. */
#ifndef TT_TUI_CLUSTER_SCRIPT_H
#define TT_TUI_CLUSTER_SCRIPT_H

#include "tui/cluster/job.h"

void tt_cluster_script(const tt_cluster_plan *p, const tt_cluster_job *j, tt_text *out);
/* Wrap `script` in a script that creates the folder, writes `script` into it and runs it there. */
void tt_cluster_wrap(const tt_cluster_plan *p, const tt_text *script, tt_text *out);

#endif
