/* capture/shared/slow_step.c - see slow_step.h. */
#include "capture/shared/slow_step.h"

#include <stdlib.h>
#include <string.h>

static int by_length(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int64_t tt_slow_step_median(const tt_slow_steps *s)
{
    int64_t sorted[TT_SLOW_WINDOW];
    uint32_t n = s->n < TT_SLOW_WINDOW ? s->n : TT_SLOW_WINDOW;
    if (n < TT_SLOW_LEAST) return 0;
    memcpy(sorted, s->took, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_length);
    return sorted[n / 2];
}

static bool exceeds(int64_t ns, int64_t median, uint32_t pct)
{
    return median && pct && (double)ns * 100 > (double)median * pct;
}

bool tt_slow_step(tt_slow_steps *s, int64_t ns, uint32_t pct, int64_t *median)
{
    bool before = s->slow;
    *median = tt_slow_step_median(s);
    s->slow = exceeds(ns, *median, pct);
    s->took[s->n % TT_SLOW_WINDOW] = ns;
    s->n += s->n < 2 * TT_SLOW_WINDOW - 1 ? 1 : 1 - TT_SLOW_WINDOW; /* keeps its remainder, and that it is full */
    return s->slow && !before;
}

bool tt_slow_step_late(const tt_slow_steps *s, int64_t ns, uint32_t pct)
{
    return !s->slow && exceeds(ns, tt_slow_step_median(s), pct);
}
