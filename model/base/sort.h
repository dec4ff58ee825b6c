/* model/base/sort.h - sorting what is in order already, or nearly. */
#ifndef TT_MODEL_BASE_SORT_H
#define TT_MODEL_BASE_SORT_H

#include <stddef.h>

/* Stable natural merge sort of n items of `item` bytes: linear when the input is one sorted run, cheap when it is a
 * few. */
void tt_sort_runs(void *at, size_t n, size_t item, int (*order)(const void *, const void *));

/* Items of `item` bytes, in order. */
typedef struct tt_sorted {
    const void *at;
    size_t n;
} tt_sorted;

/* Give every item of the lists to put(arg, item, list), in order; of equal ones, that of the earlier list first. For
 * a handful of lists that take turns seldom: each turn costs a look at every list. */
void tt_merge_sorted(const tt_sorted *lists, size_t n_lists, size_t item, int (*order)(const void *, const void *),
                     void (*put)(void *arg, const void *item, size_t list), void *arg);

#endif
