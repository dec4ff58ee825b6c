/* tui/cluster/script.h - the script that `tracetty cluster` runs, prints (--dry-run) and leaves for those who want to
 * see or change what is done: bash, with every path in it, so that the same file is the job of sbatch, the task of srun
 * and mpirun, and the whole for a person.
 *
 *   cluster.sh run      lock the folder, start the tasks, wait, merge; SIGHUP, SIGINT and SIGTERM end what it started,
 * Slurm's jobs, too cluster.sh task     the share of one task, by the number that srun, sbatch or mpirun gave it
 *   cluster.sh part K   one input
 *   cluster.sh merge    the last step; its exit status goes to the file status-ID of the run
 *
 * A file cancelled-ID in the folder (folder.h) keeps the tasks of that run from beginning another input.
 * Names may hold any byte: they are quoted, and bytes that are not printable text are written as escapes. */
#ifndef TT_TUI_CLUSTER_SCRIPT_H
#define TT_TUI_CLUSTER_SCRIPT_H

#include "tui/cluster/job.h"

void tt_cluster_script(const tt_cluster_plan *p, const tt_cluster_job *j, tt_text *out);
/* A script that makes the folder, puts `script` into it and runs that. */
void tt_cluster_wrap(const tt_cluster_plan *p, const tt_text *script, tt_text *out);

#endif
