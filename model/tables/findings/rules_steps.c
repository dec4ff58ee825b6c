/* model/tables/findings/rules_steps.c - rules of table findings about single steps: one that takes longer than the
 * others. */
#include "model/tables/findings/findings.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const part_names[TT_PART_COUNT_] = {
    [TT_TIME_KERNEL] = "kernels",        [TT_TIME_MEMCPY] = "copies",
    [TT_TIME_MEMSET] = "memory sets",    [TT_TIME_COMMUNICATION] = "communication that nothing overlaps",
    [TT_TIME_RUNTIME] = "runtime calls", [TT_TIME_DATALOADER] = "waiting for input",
    [TT_TIME_CPU] = "work on the host",  [TT_PART_OTHER] = "time in which nothing was recorded",
};

static int by_length(const void *a, const void *b)
{
    const tt_step_parts *x = *(const tt_step_parts *const *)a, *y = *(const tt_step_parts *const *)b;
    if (x->total != y->total) return x->total < y->total ? -1 : 1;
    return (x > y) - (x < y);
}

/* A step that takes half as long again as the one in the middle, and what it does meanwhile. */
void tt_find_slow_step(tt_finding_context *c)
{
    if (c->steps.n < 3) return;
    const tt_step_parts **order = tt_calloc(c->steps.n, sizeof *order);
    for (size_t i = 0; i < c->steps.n; i++) order[i] = &c->steps.at[i];
    qsort(order, c->steps.n, sizeof *order, by_length);
    const tt_step_parts *middle = order[(c->steps.n - 1) / 2], *slow = order[c->steps.n - 1];
    free(order);
    if (middle->total <= 0 || slow->total < middle->total + middle->total / 2) return;
    int most = 0;
    for (int p = 1; p < TT_PART_COUNT_; p++) {
        if (slow->part[p] - middle->part[p] > slow->part[most] - middle->part[most]) most = p;
    }
    int64_t more = slow->total - middle->total;
    uint32_t row = tt_finding_add(
        c, "medium",
        tt_arena_printf(&c->t->arena, "step %" PRId64 " takes %.1f times as long as the one in the middle: %s",
                        slow->step->number, (double)slow->total / (double)middle->total, part_names[most]),
        "compare it with another one (Steps tab, m on both): by category, kernel or operator");
    tt_set_i(c->t, row, TT_FINDING_SAVING, more);
    tt_set_d(c->t, row, TT_FINDING_VALUE, 100.0 * (double)more / (double)tt_finding_steps(c));
    tt_set_range(c->q, c->t, row, slow->step->start, slow->step->end);
}
