/* Fork and join over an atomic counter: see parallel.h. Threads live for one call; calls are rare and long. */
#include "model/base/run/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#define USUAL_MOST 16

struct share {
    atomic_size_t next;
    size_t n;
    void (*fn)(void *arg, size_t i);
    void *arg;
    atomic_uint left; /* threads that may still be started */
};

/* Each thread starts one more while tasks are left: a short call does not wait for a dozen threads. */
static void *work(void *p)
{
    struct share *s = p;
    pthread_t more;
    bool one_more = false;
    if (atomic_load(&s->next) + 1 < s->n && atomic_load(&s->left)) {
        atomic_fetch_sub(&s->left, 1);                    /* no other thread is starting one now */
        one_more = !pthread_create(&more, NULL, work, s); /* with fewer threads the call is slower, but correct */
    }
    for (size_t i; (i = atomic_fetch_add(&s->next, 1)) < s->n;) s->fn(s->arg, i);
    if (one_more) pthread_join(more, NULL);
    return NULL;
}

void tt_parallel(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg)
{
    struct share s = {.n = n, .fn = fn, .arg = arg, .left = threads ? threads - 1 : 0};
    work(&s);
}

unsigned tt_processors(void)
{
    enum { MOST = 1 << 14 };
    cpu_set_t *set = CPU_ALLOC(MOST);
    size_t size = CPU_ALLOC_SIZE(MOST);
    long n = set && !sched_getaffinity(0, size, set) ? CPU_COUNT_S(size, set) : sysconf(_SC_NPROCESSORS_ONLN);
    if (set) CPU_FREE(set);
    return n < 1 ? 1 : (unsigned)n;
}

unsigned tt_threads(void)
{
    unsigned n = tt_processors();
    return n > USUAL_MOST ? USUAL_MOST : n;
}
