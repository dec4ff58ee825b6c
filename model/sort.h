/* model/sort.h - sorting what is in order already, or nearly. */
#ifndef TT_MODEL_SORT_H
#define TT_MODEL_SORT_H

#include <stddef.h>

/* Stable natural merge sort of n items of `item` bytes: linear when the input is one sorted run, cheap when it is a few. */
void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *));

#endif
