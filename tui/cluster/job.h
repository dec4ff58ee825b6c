/* tui/cluster/job.h - who starts the tasks of `tracetty cluster`, and what is asked of him. */
#ifndef TT_TUI_CLUSTER_JOB_H
#define TT_TUI_CLUSTER_JOB_H

#include "tui/args/cli.h"
#include "tui/cluster/plan.h"

typedef enum tt_engine {
    TT_ENGINE_SRUN,   /* a step of the allocation that we are in */
    TT_ENGINE_SBATCH, /* an array of jobs, and one behind it that merges */
    TT_ENGINE_MPIRUN,
    TT_ENGINE_LOCAL, /* processes of this machine */
    TT_ENGINE_COUNT_
} tt_engine;
extern const char *const tt_engine_names[TT_ENGINE_COUNT_];

typedef struct tt_cluster_job {
    tt_engine engine;
    const tt_cli *cli;  /* options that are handed on */
    uint32_t tasks;     /* 0 = as many as the engine starts by itself */
    uint32_t cpus;      /* processors of a task; 0 = all it finds */
    uint32_t nodes;     /* 0 = not asked for */
    char name[48];      /* unlike any other's: the run's ID (folder.h) and the name of its jobs in Slurm */
    char program[4096]; /* this one */
} tt_cluster_job;

/* Choose and check. TT_ERR_USAGE: an option is wrong, an engine that was asked for is not there, or this process is one
 * of several that somebody started. */
tt_status tt_cluster_job_make(const tt_cli *cli, const tt_cluster_plan *p, tt_cluster_job *out, tt_err *err);

#endif
