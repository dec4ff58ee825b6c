/* capture/shared/slow_step.h - decides whether a step was slow: it took longer than a share of the median of the steps
 * before it. Pure functions of the lengths given. */
#ifndef TT_CAPTURE_SHARED_SLOW_STEP_H
#define TT_CAPTURE_SHARED_SLOW_STEP_H

#include <stdbool.h>
#include <stdint.h>

/* The median is that of the last TT_SLOW_WINDOW steps. No step is slow before TT_SLOW_LEAST steps: the first ones
 * compile, load and allocate. */
enum { TT_SLOW_WINDOW = 64, TT_SLOW_LEAST = 8 };

typedef struct tt_slow_steps {    /* zero-initialise */
    int64_t took[TT_SLOW_WINDOW]; /* ns; a ring */
    uint32_t n;                   /* steps so far */
    bool slow;                    /* the last step was slow */
} tt_slow_steps;

/* Median of the last steps, the upper one of two; 0: too few steps. */
int64_t tt_slow_step_median(const tt_slow_steps *s);
/* Count a step of ns nanoseconds. True when it took more than pct percent of *median, the median of the steps before
 * it; of slow steps in a row only for the first. pct 0: never. */
bool tt_slow_step(tt_slow_steps *s, int64_t ns, uint32_t pct, int64_t *median);
/* Whether a step that has run for ns will be slow, and be told, when it ends. */
bool tt_slow_step_late(const tt_slow_steps *s, int64_t ns, uint32_t pct);

#endif
