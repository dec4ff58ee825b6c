/* model/base/number_set.h - an index for each distinct number, in order of first appearance. Numbers that follow each
 * other, such as ids that a profiler counts up, lie together. Zero-initialised is empty. */
#ifndef TT_MODEL_BASE_NUMBER_SET_H
#define TT_MODEL_BASE_NUMBER_SET_H

#include "model/base/mem.h"

typedef struct tt_number_set {
    TT_VEC(uint64_t) at; /* by index */
    uint32_t *slot;      /* open addressing: index + 1 */
    size_t n_slots;
} tt_number_set;

/* The index of the number; of a new one, set->at.n as it was before. */
uint32_t tt_number_set_put(tt_number_set *set, uint64_t number);
void tt_number_set_free(tt_number_set *set);

#endif
