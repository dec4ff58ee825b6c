/* Reads the Python stacks of its own process with the recorder's reader, from a thread that knows nothing of Python.
 * For programs that load it with ctypes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/stacks/stacks.h"

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int read_stacks(const char *path, int times);
EXPORTED int wait_stacks(void);

static struct {
    pthread_t thread;
    FILE *out;
    int times, failed;
} job;

static void put(void *arg, const tt_live_stack *s)
{
    (void)arg;
    fprintf(job.out, "thread %u\n%.*s", s->tid, (int)s->len, s->text);
}

static void *run(void *arg)
{
    tt_live_stacks *s = calloc(1, sizeof *s);
    char why[400];
    for (int i = 0; i < job.times; i++) {
        tt_live_result r = tt_live_stacks_python(s, (uint32_t)getpid(), put, NULL, why, sizeof why);
        if (*why) fprintf(job.out, "said %s\n", why);
        job.failed += r != TT_LIVE_READ;
    }
    free(s);
    fclose(job.out);
    return arg;
}

/* Begin to write the stacks into a file, so many times; 0 or an error. */
int read_stacks(const char *path, int times)
{
    job.out = fopen(path, "we");
    job.times = times;
    job.failed = 0;
    return job.out ? pthread_create(&job.thread, NULL, run, NULL) : -1;
}

/* Wait for the end; how many times nothing was read. */
int wait_stacks(void)
{
    pthread_join(job.thread, NULL);
    return job.failed;
}
