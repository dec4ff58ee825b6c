/* model/base/run/ahead.h - tasks that several threads do, for one that takes the results in their order. */
#ifndef TT_MODEL_BASE_AHEAD_H
#define TT_MODEL_BASE_AHEAD_H

#include <stddef.h>

typedef struct tt_ahead tt_ahead;

/* Call fn(arg, i) for i in 0..n-1, each once, on so many threads, which begin tasks in order. fn and arg outlive it. */
tt_ahead *tt_ahead_start(unsigned threads, size_t n, void (*fn)(void *arg, size_t i), void *arg);
/* Until task i is done; what it wrote can be read then. Where no thread was to be had, the caller does it. */
void tt_ahead_wait(tt_ahead *a, size_t i);
/* Begin no more tasks, wait for those that are being done, free a (NULL is fine). */
void tt_ahead_end(tt_ahead *a);

#endif
