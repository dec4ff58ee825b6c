// Numbers drawn at random, the same ones in every run.
#ifndef TT_TESTS_UNIT_RANDOM_H
#define TT_TESTS_UNIT_RANDOM_H
#include <stdint.h>

#define RANDOM_SEED 88172645463325252u

static uint64_t random_state_ = RANDOM_SEED;

// The next one of a sequence of its own; its state is never 0.
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// One of 0 to below - 1, of the program's sequence.
static inline uint64_t random_below(uint64_t below) { return random_next(&random_state_) % below; }

#endif
