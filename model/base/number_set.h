/* model/base/number_set.h - each distinct number gets an index, in order of first appearance. Consecutive numbers,
 * such as ids that a profiler counts up, are close together in memory. Zero-initialised is empty. */
#ifndef TT_MODEL_BASE_NUMBER_SET_H
#define TT_MODEL_BASE_NUMBER_SET_H

#include "model/base/mem.h"

typedef struct tt_number_set {
    TT_VEC(uint64_t) at; /* number of each index */
    uint32_t *slot;      /* open addressing table: index + 1; 0 = empty */
    size_t n_slots;
} tt_number_set;

/* The index of the number. A new number gets the index that set->at.n had before. */
uint32_t tt_number_set_put(tt_number_set *set, uint64_t number);
void tt_number_set_free(tt_number_set *set);

#endif
