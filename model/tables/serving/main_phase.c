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

tt_phase tt_serving_main_phase(const tt_session *s, const tt_scope *scope)
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
