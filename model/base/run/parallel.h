/* model/base/run/parallel.h - run independent tasks on a few threads. */
#ifndef TT_MODEL_BASE_RUN_PARALLEL_H
#define TT_MODEL_BASE_RUN_PARALLEL_H

#include <stddef.h>

/* Call fn(arg, i) for i in 0..n-1, each once, on at most `threads` threads (the caller is one of them). Tasks are
 * handed out in order, so put the large ones first. Returns when all are done. */
void tt_parallel(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg);

/* Processors that this process may use; a job may have been given fewer than the machine has. */
unsigned tt_processors(void);
/* Threads worth starting for work that only computes: one per processor, at most 16. */
unsigned tt_threads(void);

#endif
