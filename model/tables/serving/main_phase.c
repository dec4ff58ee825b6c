/* model/tables/serving/main_phase.c - see main_phase.h. */
#include "model/tables/serving/main_phase.h"

#include <string.h>

#include "model/tables/cells.h"
#include "model/tables/serving/columns.h"
#include "model/tables/serving/tables.h"

/* The phase of a row; TT_PHASE_COUNT_: pauses, work of no step, captures, phases without a complete step. */
static tt_phase phase_of(const tt_table *t, uint32_t row)
{
    const char *word = tt_cell_s(t, row, TT_SERVING_PHASE);
    if (tt_cell_i(t, row, TT_SERVING_STEPS) <= 0) return TT_PHASE_COUNT_;
    for (tt_phase p = 0; p < TT_PHASE_COUNT_; p++)
        if (p != TT_PHASE_CAPTURE && !strcmp(word, tt_phase_word(p))) return p;
    return TT_PHASE_COUNT_;
}

static int64_t sum_of(const tt_table *t, tt_phase phase, uint32_t column)
{
    int64_t sum = 0;
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (phase_of(t, r) == phase && tt_cell_i(t, r, column) > 0) sum += tt_cell_i(t, r, column);
    return sum;
}

static bool has_work(const tt_table *t)
{
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (tt_cell_i(t, r, TT_SERVING_BUSY) > 0) return true;
    return false;
}

uint32_t tt_serving_longest(const tt_table *t)
{
    uint32_t most = TT_NONE, column = has_work(t) ? TT_SERVING_BUSY : TT_SERVING_HOST;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (phase_of(t, r) == TT_PHASE_COUNT_) continue;
        if (most == TT_NONE || tt_cell_i(t, r, column) > tt_cell_i(t, most, column)) most = r;
    }
    return most;
}

/* The phase that takes most time over all workers of the scope; TT_PHASE_COUNT_: no complete step of an engine. */
static tt_phase main_phase(const tt_session *s, const tt_scope *scope)
{
    const tt_table *t = tt_table_get(s, &tt_table_serving, scope, NULL);
    tt_phase most = TT_PHASE_COUNT_;
    uint32_t column = has_work(t) ? TT_SERVING_BUSY : TT_SERVING_HOST;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        tt_phase p = phase_of(t, r);
        if (p == TT_PHASE_COUNT_) continue;
        if (most == TT_PHASE_COUNT_ || sum_of(t, p, column) > sum_of(t, most, column)) most = p;
    }
    return most;
}

uint32_t tt_serving_shared_phase(const tt_session *base, const tt_scope *of_base, const tt_session *now,
                                 const tt_scope *of_now)
{
    const tt_scope *scope[] = {of_base, of_now};
    for (int side = 0; side < 2; side++)
        if (scope[side]->phases || scope[side]->has_steps || scope[side]->has_range) return 0;
    tt_phase main = main_phase(base, of_base);
    if (main >= TT_PHASE_UNKNOWN || main_phase(now, of_now) == TT_PHASE_COUNT_) return 0;
    tt_scope chosen = *of_now;
    int64_t first, last;
    chosen.phases = 1u << main;
    return tt_scope_has_steps(now, &chosen, &first, &last) ? chosen.phases : 0;
}
