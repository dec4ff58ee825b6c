/* tests/unit/two_runs.h - write and load runs of a few workers; times are in microseconds. */
#ifndef TT_TESTS_UNIT_TWO_RUNS_H
#define TT_TESTS_UNIT_TWO_RUNS_H

#include <stdarg.h>

#include "tests/unit/made.h"

enum { RUN_WORKERS = 4 };

typedef struct made_run { // zero-initialise it; run_worker() begins the next worker
    FILE *f;
    char *text[RUN_WORKERS];
    size_t len[RUN_WORKERS];
    char name[RUN_WORKERS][64];
    int n, correlation;
} made_run;

static inline void run_end_worker(made_run *m)
{
    if (!m->f) return;
    fputs("{}]}\n", m->f);
    fclose(m->f);
    m->f = NULL;
}

// Begin a worker; rank < 0 = the trace names no rank.
static inline void run_worker(made_run *m, const char *name, int rank)
{
    run_end_worker(m);
    snprintf(m->name[m->n], sizeof m->name[m->n], "%s", name);
    m->f = open_memstream(&m->text[m->n], &m->len[m->n]);
    m->n++;
    fputs("{\"schemaVersion\":1,", m->f);
    if (rank >= 0) fprintf(m->f, "\"distributedInfo\":{\"rank\":%d,\"world_size\":%d},", rank, RUN_WORKERS);
    fputs("\"traceEvents\":[\n", m->f);
}

static inline void run_slice(made_run *m, const char *cat, const char *name, double ts, double dur)
{
    fprintf(m->f, "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":7,\"ts\":%.3f,\"dur\":%.3f},\n", cat,
            name, ts, dur);
}

static inline void run_step(made_run *m, int number, double ts, double dur)
{
    char name[32];
    snprintf(name, sizeof name, "ProfilerStep#%d", number);
    run_slice(m, "user_annotation", name, ts, dur);
}

// Add a kernel and its launch of 1 us at `launch`.
static inline void run_kernel(made_run *m, const char *name, double launch, double ts, double dur)
{
    int id = ++m->correlation;
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":7,\"ts\":%.3f,"
            "\"dur\":1,\"args\":{\"correlation\":%d}},\n",
            launch, id);
    fprintf(m->f,
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"%s\",\"pid\":0,\"tid\":7,\"ts\":%.3f,\"dur\":%.3f,"
            "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n",
            name, ts, dur, id);
}

// Load all workers and free their texts.
static inline tt_session *run_load(made_run *m)
{
    const char *paths[RUN_WORKERS];
    char *copies[RUN_WORKERS];
    run_end_worker(m);
    for (int i = 0; i < m->n; i++) {
        char file[96];
        snprintf(file, sizeof file, "%s.pt.trace.json", m->name[i]);
        copies[i] = tt_strdup(temp_file(file, m->text[i], m->len[i]));
        paths[i] = copies[i];
    }
    tt_load_options o = {.threads = 2};
    tt_err err = {0};
    tt_session *s = tt_load_finish(tt_load_start(paths, (size_t)m->n, &o), NULL, &err);
    CHECK(s != NULL);
    if (!s) fprintf(stderr, "    %s\n", err.message);
    for (int i = 0; i < m->n; i++) {
        free(m->text[i]);
        free(copies[i]);
    }
    return s;
}

#endif
