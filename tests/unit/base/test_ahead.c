/* Tasks that run ahead of the thread that takes their results: each task runs once, in whatever order tasks end, and an
 * early end leaves no task half done. */
#include "model/base/run/ahead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "tests/unit/check.h"

enum { N = 200 };

typedef struct work {
    atomic_int done[N], begun, running, most;
    int slow; /* duration of tasks with an even number, in microseconds */
} work;

static void task(void *arg, size_t i)
{
    work *w = arg;
    int running = atomic_fetch_add(&w->running, 1) + 1, most = atomic_load(&w->most);
    while (running > most && !atomic_compare_exchange_weak(&w->most, &most, running)) {}
    atomic_fetch_add(&w->begun, 1);
    if (w->slow && i % 2 == 0) nanosleep(&(struct timespec){0, w->slow * 1000}, NULL);
    atomic_fetch_add(&w->done[i], 1);
    atomic_fetch_sub(&w->running, 1);
}

static void results_come_in_order(void)
{
    for (unsigned threads = 0; threads <= 9; threads++) {
        work w = {.slow = 300};
        tt_ahead *a = tt_ahead_start(threads, N, task, &w);
        for (size_t i = 0; i < N; i++) {
            tt_ahead_wait(a, i);
            CHECK_INT(atomic_load(&w.done[i]), 1);
        }
        tt_ahead_end(a);
        CHECK_INT(atomic_load(&w.begun), N);
        CHECK(atomic_load(&w.most) <= (int)(threads ? threads : 1));
    }
}

static void an_early_end(void)
{
    work w = {.slow = 2000};
    tt_ahead *a = tt_ahead_start(4, N, task, &w);
    tt_ahead_wait(a, 3);
    tt_ahead_end(a);
    int done = 0, begun = atomic_load(&w.begun);
    for (size_t i = 0; i < N; i++) done += atomic_load(&w.done[i]);
    CHECK_INT(done, begun);
    CHECK(begun >= 4 && begun < N);
    CHECK_INT(atomic_load(&w.running), 0);
}

static void nothing_to_do(void)
{
    work w = {0};
    tt_ahead_end(tt_ahead_start(4, 0, task, &w));
    tt_ahead_end(NULL);
    CHECK_INT(atomic_load(&w.begun), 0);
}

int main(void)
{
    results_come_in_order();
    an_early_end();
    nothing_to_do();
    return check_done();
}
