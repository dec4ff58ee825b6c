/* A fork and join over an atomic counter: see parallel.h. Threads live for one call only; a call is rare and long. */
#include "model/base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define MOST_THREADS 64
#define USUAL_MOST 16

struct share {
    atomic_size_t next;
    size_t n;
    void (*fn)(void *arg, size_t i);
    void *arg;
};

static void *work(void *p)
{
    struct share *s = p;
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->n;) s->fn(s->arg, i);
    return NULL;
}

void tt_parallel(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg)
{
    struct share s = {.n = n, .fn = fn, .arg = arg};
    pthread_t id[MOST_THREADS];
    unsigned started = 0;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    while (started + 1 < threads && started + 1 < n) {
        if (pthread_create(&id[started], NULL, work, &s)) break; /* fewer threads are slower, not wrong */
        started++;
    }
    work(&s);
    while (started) pthread_join(id[--started], NULL);
}

unsigned tt_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > USUAL_MOST ? USUAL_MOST : (unsigned)n;
}
