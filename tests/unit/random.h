// Random numbers, the same in every run.
#ifndef TT_TESTS_UNIT_RANDOM_H
#define TT_TESTS_UNIT_RANDOM_H
#include <stdint.h>

#define RANDOM_SEED 88172645463325252u

static uint64_t random_state_ = RANDOM_SEED;

// Next number of the caller's sequence; *state must not be 0.
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Number from 0 to below - 1, from the program's sequence.
static inline uint64_t random_below(uint64_t below) { return random_next(&random_state_) % below; }

#endif
