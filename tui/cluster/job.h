/* tui/cluster/job.h - the engine that starts the tasks of `tracetty cluster`, and the options of the job. */
#ifndef TT_TUI_CLUSTER_JOB_H
#define TT_TUI_CLUSTER_JOB_H

#include "tui/args/cli.h"
#include "tui/cluster/plan.h"

typedef enum tt_job_engine {
    TT_JOB_SRUN,   /* a step of the allocation in which this process runs */
    TT_JOB_SBATCH, /* an array of jobs, and a job that merges after it */
    TT_JOB_MPIRUN,
    TT_JOB_LOCAL, /* processes on this machine */
    TT_JOB_COUNT_
} tt_job_engine;
extern const char *const tt_job_engine_names[TT_JOB_COUNT_];

typedef struct tt_cluster_job {
    tt_job_engine engine;
    const tt_cli *cli;  /* options that the tasks get, too */
    uint32_t tasks;     /* 0 = the engine decides */
    uint32_t cpus;      /* processors of a task; 0 = all that it finds */
    uint32_t nodes;     /* 0 = not given */
    char name[48];      /* unique: the run's ID (folder.h), and the name of its jobs in Slurm */
    char program[4096]; /* path of this executable */
} tt_cluster_job;

/* Choose the engine and check the options. TT_ERR_USAGE: an option is wrong, the engine asked for does not exist, or
 * this process is one of several that srun or mpirun started. */
tt_status tt_cluster_job_make(const tt_cli *cli, const tt_cluster_plan *p, tt_cluster_job *out, tt_err *err);

#endif
