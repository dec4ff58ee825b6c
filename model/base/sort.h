/* model/base/sort.h - sorting of input that is nearly sorted. */
#ifndef TT_MODEL_BASE_SORT_H
#define TT_MODEL_BASE_SORT_H

#include <stddef.h>

/* Stable natural merge sort of n items of `item` bytes: linear for one sorted run, cheap for a few runs. */
void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *));
/* The same with an order that takes an argument, as for qsort_r(). */
void tt_sort_runs_with(void *at, size_t n, size_t item, int (*order)(const void *, const void *, void *), void *arg);

/* A sorted list of items. */
typedef struct tt_sorted {
    const void *at;
    size_t n;
} tt_sorted;

/* Pass every item of the sorted lists to put(arg, item, list), in order; equal items in the order of their lists.
 * For a few lists that alternate seldom: each change of the list looks at every list. */
void tt_merge_sorted(const tt_sorted *lists, size_t n_lists, size_t item, int (*order)(const void *, const void *),
                     void (*put)(void *arg, const void *item, size_t list), void *arg);

#endif
