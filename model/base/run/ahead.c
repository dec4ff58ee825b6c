/* Threads that work ahead of the thread that takes the results: see ahead.h. */
#include "model/base/run/ahead.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/base/mem.h"

struct tt_ahead {
    size_t n;
    void (*fn)(void *arg, size_t i);
    void *arg;
    pthread_t *id;
    unsigned threads;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t some_done;
    size_t next; /* first task that nobody has begun */
    bool *done;
};

/* Number of the next task; n when there is none. */
static size_t begin(tt_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    size_t i = a->next < a->n ? a->next++ : a->n;
    pthread_mutex_unlock(&a->lock);
    return i;
}

static void do_task(tt_ahead *a, size_t i)
{
    a->fn(a->arg, i);
    pthread_mutex_lock(&a->lock);
    a->done[i] = true;
    pthread_cond_broadcast(&a->some_done);
    pthread_mutex_unlock(&a->lock);
}

static void *work(void *arg)
{
    tt_ahead *a = arg;
    for (size_t i; (i = begin(a)) < a->n;) do_task(a, i);
    return NULL;
}

tt_ahead *tt_ahead_start(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg)
{
    tt_ahead *a = tt_calloc(1, sizeof *a);
    a->n = n;
    a->fn = fn;
    a->arg = arg;
    a->done = tt_calloc(n, sizeof *a->done);
    a->id = tt_calloc(threads, sizeof *a->id);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->some_done, NULL);
    while (a->threads < threads && a->threads < n && !pthread_create(&a->id[a->threads], NULL, work, a)) a->threads++;
    return a;
}

void tt_ahead_wait(tt_ahead *a, size_t i)
{
    pthread_mutex_lock(&a->lock);
    while (!a->done[i] && a->threads) pthread_cond_wait(&a->some_done, &a->lock);
    bool mine = !a->done[i];
    if (mine) a->next = i + 1;
    pthread_mutex_unlock(&a->lock);
    if (mine) do_task(a, i);
}

void tt_ahead_end(tt_ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->next = a->n;
    pthread_mutex_unlock(&a->lock);
    while (a->threads) pthread_join(a->id[--a->threads], NULL);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->some_done);
    free(a->done);
    free(a->id);
    free(a);
}
