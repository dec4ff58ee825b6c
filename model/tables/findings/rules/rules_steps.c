/* model/tables/findings/rules/rules_steps.c - rules of table findings about single steps longer than the others. */
#include "model/base/median.h"
#include "model/base/sort_by.h"
#include "model/tables/findings/rules/rules.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const part_names[TT_PART_COUNT_] = {
    [TT_TIME_KERNEL] = "kernel time",
    [TT_TIME_MEMCPY] = "copy time",
    [TT_TIME_MEMSET] = "memset time",
    [TT_TIME_COMMUNICATION] = "exposed communication",
    [TT_TIME_RUNTIME] = "runtime-call time",
    [TT_TIME_DATALOADER] = "waiting for the DataLoader",
    [TT_TIME_CPU] = "CPU work",
    [TT_PART_OTHER] = "without recorded activity",
};

/* Set the value of a finding about a long step: its excess over the others. */
static void set_excess(tt_finding_context *c, uint32_t row, const tt_step_parts *step, int64_t more)
{
    tt_set_d(c->t, row, TT_FINDING_VALUE_PCT, 100.0 * (double)more / (double)tt_finding_steps(c));
    tt_set_range(c->q, c->t, row, step->step->start, step->step->end);
}

/* The first step of a recording loads modules, allocates and tunes. */
void tt_find_warmup_steps(tt_finding_context *c)
{
    if (tt_finding_found(c, "graph_capture") != TT_NONE) return;
    if (tt_steps_of_engine(c->s)) {
        tt_finding_engine_warmup(c);
        return;
    }
    if (c->account.clocks_differ) return; /* a step ends with its device work, on another clock than it began */
    if (c->steps.n < 2 || c->steps.at[0].step != &c->s->steps[0]) return;
    const tt_step_parts *first = &c->steps.at[0];
    int64_t *others = tt_calloc(c->steps.n - 1, sizeof *others);
    for (size_t i = 1; i < c->steps.n; i++) others[i - 1] = c->steps.at[i].total;
    int64_t middle = tt_median(others, c->steps.n - 1);
    free(others);
    if (middle <= 0 || 2 * first->total <= 3 * middle) return;
    uint32_t row = tt_finding_add(c, "info",
                                  tt_arena_printf(&c->t->arena,
                                                  "Warm-up: step %" PRId64
                                                  ", the first, takes %.1f times the median of the others (%.1f vs "
                                                  "%.1f ms)",
                                                  first->step->number, (double)first->total / (double)middle,
                                                  (double)first->total / 1e6, (double)middle / 1e6),
                                  "Exclude it from comparisons (--steps), or start recording a few steps later");
    set_excess(c, row, first, first->total - middle);
}

/* Report a step that takes 1.5 x the median step, and what differs in it. */
void tt_find_slow_step(tt_finding_context *c)
{
    if (c->account.clocks_differ) return;
    if (c->steps.n < 3 || tt_steps_of_engine(c->s)) return; /* steps of an engine differ by their batch */
    const tt_step_parts **order = tt_calloc(c->steps.n, sizeof *order);
    for (size_t i = 0; i < c->steps.n; i++) order[i] = &c->steps.at[i];
    TT_SORT_POINTERS_BY(order, c->steps.n, TT_ASC(tt_step_parts, total));
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
        tt_arena_printf(&c->t->arena, "Step %" PRId64 " is %.1fx the median step (%.1f vs %.1f ms): +%.1f ms %s",
                        slow->step->number, (double)slow->total / (double)middle->total, (double)slow->total / 1e6,
                        (double)middle->total / 1e6, (double)(slow->part[most] - middle->part[most]) / 1e6,
                        part_names[most]),
        "Compare it with another step (Steps, m on both): by category, kernel or operator");
    set_excess(c, row, slow, more);
}
