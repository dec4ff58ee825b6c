/* model/base/run/ahead.h - several threads do tasks; one thread takes the results in order. */
#ifndef TT_MODEL_BASE_RUN_AHEAD_H
#define TT_MODEL_BASE_RUN_AHEAD_H

#include <stddef.h>

typedef struct tt_ahead tt_ahead;

/* Call fn(arg, i) once for each i in 0..n-1 on `threads` threads, which begin the tasks in order. fn and arg must
 * outlive the tt_ahead. */
tt_ahead *tt_ahead_start(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg);
/* Wait until task i is done; its results can be read then. The caller does the task itself where no thread could be
 * started. */
void tt_ahead_wait(tt_ahead *a, size_t i);
/* Begin no more tasks, wait for those in progress, and free a (NULL is fine). */
void tt_ahead_end(tt_ahead *a);

#endif
