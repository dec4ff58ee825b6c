/* Open addressing over numbers: see number_set.h. */
#include "model/base/number_set.h"

#include <stdlib.h>

enum { FIRST = 256 };

/* Slot of a number: 64 consecutive numbers share a group of slots, and groups are hashed. */
static size_t place(const tt_number_set *set, uint64_t number)
{
    uint64_t h = (number >> 6) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return ((h ^ h >> 32) << 6 | (number & 63)) & (set->n_slots - 1);
}

static void grow(tt_number_set *set)
{
    free(set->slot);
    set->n_slots = set->n_slots ? set->n_slots * 2 : FIRST;
    set->slot = tt_calloc(set->n_slots, sizeof *set->slot);
    for (size_t i = 0; i < set->at.n; i++) {
        size_t k = place(set, set->at.at[i]);
        while (set->slot[k]) k = (k + 1) & (set->n_slots - 1);
        set->slot[k] = (uint32_t)i + 1;
    }
}

uint32_t tt_number_set_put(tt_number_set *set, uint64_t number)
{
    if (set->at.n * 2 >= set->n_slots) grow(set);
    size_t k = place(set, number);
    for (; set->slot[k]; k = (k + 1) & (set->n_slots - 1))
        if (set->at.at[set->slot[k] - 1] == number) return set->slot[k] - 1;
    *tt_vec_push(&set->at) = number;
    set->slot[k] = (uint32_t)set->at.n;
    return set->slot[k] - 1;
}

void tt_number_set_free(tt_number_set *set)
{
    tt_vec_free(&set->at);
    free(set->slot);
    *set = (tt_number_set){0};
}
