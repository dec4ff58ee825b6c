/* model/tables/compare/calls.h - how the number of calls of a row changed between two runs. */
#ifndef TT_MODEL_TABLES_COMPARE_CALLS_H
#define TT_MODEL_TABLES_COMPARE_CALLS_H

#include <stdint.h>

/* Text of column `change`. Calls per step (steps = 1: whole runs) are compared exactly. Calls are >= 0, steps > 0. */
static inline const char *tt_change_of_calls(int64_t base, uint32_t base_steps, int64_t now, uint32_t now_steps)
{
    if (!base != !now) return now ? "added" : "deleted";
    __int128_t b = (__int128_t)base * now_steps, n = (__int128_t)now * base_steps;
    return n > b ? "increased" : n < b ? "decreased" : "unchanged";
}

#endif
