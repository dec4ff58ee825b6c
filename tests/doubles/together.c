/* tests/doubles/together.c - threads that call the recorder for the first time at the same moment. Usage: together
 * THREADS. Each thread records one range "first" and a mark in it; the first thread finds and attaches the library. */
#include <pthread.h>
#include <stdlib.h>

#include "capture/tracetty.h"

enum { MOST = 64 };
static pthread_barrier_t all;

static void *run(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&all);
    tracetty_range_push("first");
    tracetty_mark("inside");
    tracetty_range_pop();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[MOST];
    int n = argc > 1 ? atoi(argv[1]) : 8;
    if (n < 1 || n > MOST || pthread_barrier_init(&all, NULL, (unsigned)n)) return 2;
    for (int i = 0; i < n; i++) {
        if (pthread_create(&thread[i], NULL, run, NULL)) return 2;
    }
    for (int i = 0; i < n; i++) pthread_join(thread[i], NULL);
    return 0;
}
