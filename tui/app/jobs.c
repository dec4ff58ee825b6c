/* tui/app/jobs.c - the worker thread: a queue of jobs goes in, a list of finished jobs comes out, an eventfd wakes
 * the drawing thread. */
#include "tui/app/jobs.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "model/base/mem.h"
#include "model/base/run/background.h"

typedef struct job {
    tt_job_run run;
    tt_job_done done;
    void *arg;
    struct job *next;
} job;

typedef struct list {
    job *first, **last;
} list;

struct tt_jobs {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    list todo, finished;
    unsigned pending; /* jobs added and not done yet; drawing thread only */
    bool threaded, stop;
    int fd;
    void *context;
};

static void append(list *l, job *j)
{
    j->next = NULL;
    *l->last = j;
    l->last = &j->next;
}

static job *take_first(list *l)
{
    job *j = l->first;
    if (j && !(l->first = j->next)) l->last = &l->first;
    return j;
}

static void *work(void *arg)
{
    tt_jobs *js = arg;
    tt_background();
    pthread_mutex_lock(&js->lock);
    while (!js->stop) {
        job *j = take_first(&js->todo);
        if (!j) {
            pthread_cond_wait(&js->more, &js->lock);
            continue;
        }
        pthread_mutex_unlock(&js->lock);
        j->run(j->arg);
        pthread_mutex_lock(&js->lock);
        append(&js->finished, j);
        pthread_mutex_unlock(
            &js->lock); /* unlock first: the woken thread may get the processor at once, and takes the lock */
        uint64_t one = 1;
        if (write(js->fd, &one, sizeof one) < 0) errno = 0; /* the eventfd is full: the reader will look anyway */
        pthread_mutex_lock(&js->lock);
    }
    pthread_mutex_unlock(&js->lock);
    return NULL;
}

tt_jobs *tt_jobs_new(bool threaded, void *context)
{
    tt_jobs *js = tt_calloc(1, sizeof *js);
    js->context = context;
    js->todo.last = &js->todo.first;
    js->finished.last = &js->finished.first;
    js->fd = -1;
    pthread_mutex_init(&js->lock, NULL);
    pthread_cond_init(&js->more, NULL);
    if (!threaded) return js;
    js->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    js->threaded = js->fd >= 0 && pthread_create(&js->thread, NULL, work, js) == 0;
    return js;
}

void tt_jobs_add(tt_jobs *js, tt_job_run run, tt_job_done done, void *arg)
{
    if (!js->threaded) {
        run(arg);
        done(arg, js->context);
        return;
    }
    job *j = tt_malloc(sizeof *j);
    *j = (job){run, done, arg, NULL};
    js->pending++;
    pthread_mutex_lock(&js->lock);
    append(&js->todo, j);
    pthread_cond_signal(&js->more);
    pthread_mutex_unlock(&js->lock);
}

int tt_jobs_fd(const tt_jobs *js) { return js->fd; }
bool tt_jobs_busy(const tt_jobs *js) { return js->pending > 0; }

bool tt_jobs_poll(tt_jobs *js)
{
    uint64_t count;
    bool any = false;
    if (!js->threaded) return false;
    if (read(js->fd, &count, sizeof count) < 0) count = 0;
    for (;;) {
        pthread_mutex_lock(&js->lock);
        job *j = take_first(&js->finished);
        pthread_mutex_unlock(&js->lock);
        if (!j) return any;
        any = true;
        js->pending--;
        j->done(j->arg, js->context);
        free(j);
    }
}

void tt_jobs_free(tt_jobs *js)
{
    if (!js) return;
    if (js->threaded) {
        pthread_mutex_lock(&js->lock);
        js->stop = true;
        pthread_cond_signal(&js->more);
        pthread_mutex_unlock(&js->lock);
        pthread_join(js->thread, NULL);
        do { /* a finished job may ask for more */
            for (job *j; (j = take_first(&js->todo));) append(&js->finished, j);
        } while (tt_jobs_poll(js));
        close(js->fd);
    }
    pthread_mutex_destroy(&js->lock);
    pthread_cond_destroy(&js->more);
    free(js);
}
