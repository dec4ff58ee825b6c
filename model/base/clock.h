/* model/base/clock.h - a steady clock that measures how long things take. Its zero means nothing. */
#ifndef TT_MODEL_BASE_CLOCK_H
#define TT_MODEL_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t tt_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t tt_clock_ms(void) { return tt_clock_ns() / 1000000; }
static inline double tt_clock_seconds(void) { return (double)tt_clock_ns() * 1e-9; }

#endif
