/* tui/cluster/job.c - see job.h. */
#include "tui/cluster/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "model/base/run/parallel.h"
#include "model/base/run/program.h"
#include "tui/args/open_session.h"

enum {
    MOST_TASKS = 100000,
    MOST_ARRAY = 64,      /* tasks of an array at most, without --tasks */
    LEAST_ARRAY = 4,      /* tasks of an array at least, also if each gets less than TASK_BYTES */
    TASK_BYTES = 64 << 20 /* bytes of input for one task */
};

const char *const tt_job_engine_names[TT_JOB_COUNT_] = {
    [TT_JOB_SRUN] = "srun",
    [TT_JOB_SBATCH] = "sbatch",
    [TT_JOB_MPIRUN] = "mpirun",
    [TT_JOB_LOCAL] = "local",
};

static const char *environment(const char *name)
{
    const char *v = getenv(name); /* NOLINT(concurrency-mt-unsafe): nobody sets it */
    return v && *v ? v : NULL;
}

static bool on_path(tt_job_engine e)
{
    char path[4096];
    return e == TT_JOB_LOCAL || tt_program_find(tt_job_engine_names[e], path, sizeof path);
}

static tt_job_engine automatic(void)
{
    if (environment("SLURM_JOB_ID") && on_path(TT_JOB_SRUN)) return TT_JOB_SRUN;
    if (on_path(TT_JOB_SBATCH)) return TT_JOB_SBATCH;
    if (on_path(TT_JOB_MPIRUN)) return TT_JOB_MPIRUN;
    return TT_JOB_LOCAL;
}

static tt_status choose_engine(const tt_cli *cli, tt_job_engine *out, tt_err *err)
{
    const char *word = cli->value[TT_OPT_ENGINE];
    *out = automatic();
    if (!word || !strcmp(word, "auto")) return TT_OK;
    for (int e = 0; e < TT_JOB_COUNT_; e++) {
        if (!strcmp(word, tt_job_engine_names[e])) *out = (tt_job_engine)e;
    }
    if (!on_path(*out))
        return tt_fail(err, TT_ERR_USAGE, -1, "--engine %s: %s is not on the PATH; --engine local uses this machine",
                       word, word);
    if (*out == TT_JOB_SRUN && !environment("SLURM_JOB_ID"))
        return tt_fail(
            err, TT_ERR_USAGE, -1,
            "--engine srun: this is no allocation of Slurm: call it in a job or under salloc, or use sbatch");
    return TT_OK;
}

/* Refuse to run under srun or mpirun: each process would do the whole work. */
static tt_status check_alone(tt_err *err)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                        "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *n = environment(sizes[i]);
        int64_t count;
        bool step = !strncmp(sizes[i], "SLURM", 5);
        if (!n || (step && !environment("SLURM_STEP_ID")) || !tt_parse_count(n, &count) || count < 2) continue;
        return tt_fail(err, TT_ERR_USAGE, -1,
                       "cluster starts the tasks itself, and was started %" PRId64
                       " times (%s): call it once, without %s",
                       count, sizes[i], step ? "srun" : "mpirun");
    }
    return TT_OK;
}

static tt_status number_of(const tt_cli *cli, tt_option k, uint32_t *out, tt_err *err)
{
    const char *v = cli->value[k];
    int64_t n = 0;
    if (v && (!tt_parse_count(v, &n) || n < 1 || n > MOST_TASKS))
        return tt_fail(err, TT_ERR_USAGE, -1, "--%s: '%s' is not a number from 1 to %d", tt_option_infos[k].name, v,
                       MOST_TASKS);
    *out = (uint32_t)n;
    return TT_OK;
}

/* Warn about options that the engine does not use. No error: the same command must work inside and outside of an
 * allocation. */
static void warn_unused(const tt_cli *cli, tt_job_engine e)
{
    static const struct {
        tt_option option;
        unsigned engines;
    } known[] = {
        {TT_OPT_NODES, 1u << TT_JOB_SRUN | 1u << TT_JOB_SBATCH},
        {TT_OPT_PARTITION, 1u << TT_JOB_SBATCH},
        {TT_OPT_ACCOUNT, 1u << TT_JOB_SBATCH},
        {TT_OPT_TIME, 1u << TT_JOB_SBATCH},
        {TT_OPT_PASS, 1u << TT_JOB_SRUN | 1u << TT_JOB_SBATCH | 1u << TT_JOB_MPIRUN},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (cli->value[known[i].option] && !(known[i].engines >> e & 1))
            tt_warn("--%s means nothing to %s: not used", tt_option_infos[known[i].option].name,
                    e == TT_JOB_LOCAL ? "this machine alone" : tt_job_engine_names[e]);
    }
}

static void decide_tasks(tt_cluster_job *j, const tt_cluster_plan *p)
{
    uint32_t parts = (uint32_t)p->parts.n;
    if (j->engine == TT_JOB_SBATCH && !j->tasks) {
        uint64_t n = p->bytes / TASK_BYTES;
        j->tasks = j->nodes ? j->nodes : n < LEAST_ARRAY ? LEAST_ARRAY : n > MOST_ARRAY ? MOST_ARRAY : (uint32_t)n;
    }
    if (j->engine == TT_JOB_LOCAL) { /* one task, which reads several ranks at a time */
        if (j->tasks || !j->cpus) j->cpus = j->tasks ? j->tasks : tt_processors();
        j->tasks = 1;
    }
    if (j->tasks > parts) j->tasks = parts;
}

tt_status tt_cluster_job_make(const tt_cli *cli, const tt_cluster_plan *p, tt_cluster_job *out, tt_err *err)
{
    struct timespec now;
    tt_load_options checked;
    *out = (tt_cluster_job){.cli = cli};
    TT_TRY(tt_open_options(cli, &checked, err)); /* the tasks get these options: check them now */
    tt_signals_again(&checked);
    TT_TRY(choose_engine(cli, &out->engine, err));
    TT_TRY(check_alone(err));
    TT_TRY(number_of(cli, TT_OPT_TASKS, &out->tasks, err));
    TT_TRY(number_of(cli, TT_OPT_CPUS_PER_TASK, &out->cpus, err));
    TT_TRY(number_of(cli, TT_OPT_NODES, &out->nodes, err));
    ssize_t n = readlink("/proc/self/exe", out->program, sizeof out->program - 1);
    if (n <= 0)
        return tt_fail(err, TT_ERR_INPUT, -1, "/proc/self/exe cannot be read: the program's own path is not known");
    warn_unused(cli, out->engine);
    decide_tasks(out, p);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(out->name, sizeof out->name, "tracetty-%llx-%x", (unsigned long long)now.tv_sec, (unsigned)getpid());
    return TT_OK;
}
