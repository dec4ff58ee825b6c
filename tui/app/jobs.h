/* tui/app/jobs.h - one worker thread and its queue: long computations off the drawing thread.
 *
 * Jobs run one after the other in the order they came. run() is called on the worker, done() on the thread that calls
 * tt_jobs_poll(). Without a thread (dumps, tests) both run inside tt_jobs_add(). */
#ifndef TT_TUI_APP_JOBS_H
#define TT_TUI_APP_JOBS_H

#include <stdbool.h>

typedef struct tt_jobs tt_jobs;
typedef void (*tt_job_run)(void *arg);
typedef void (*tt_job_done)(void *arg, void *context);

tt_jobs *tt_jobs_new(bool threaded, void *context); /* context: handed to done() */
void tt_jobs_add(tt_jobs *j, tt_job_run run, tt_job_done done, void *arg);
int tt_jobs_fd(const tt_jobs *j);    /* readable when a job is done; -1 without a thread */
bool tt_jobs_poll(tt_jobs *j);       /* call done() of finished jobs; true if there were any */
bool tt_jobs_busy(const tt_jobs *j); /* some job is not done yet */
/* Wait for the running job, call done() of all jobs without running the waiting ones, and free j. */
void tt_jobs_free(tt_jobs *j);

#endif
