/* model/tables/step_sums.h - the main time of every row of a table by step, gathered while the table is computed.
 *
 * A table per step would cost a pass over the trace for each step. Instead, a caller gives a tt_step_sums to
 * tt_table_compute_by_step(), and tables with TT_TABLE_STEP_SUMS add to it what they add to their groups. A step has
 * what the table restricted to that step (--steps) would have: host events by their start, device work by its
 * launch. A table numbers its groups from 0 for each trace; group i is its row i of that trace unless
 * tt_step_sums_row() says otherwise. Steps are indices into the trace's steps. A NULL tt_step_sums costs one
 * comparison. */
#ifndef TT_MODEL_TABLES_STEP_SUMS_H
#define TT_MODEL_TABLES_STEP_SUMS_H

#include "model/trace/trace.h"

typedef struct tt_step_cell { /* time and calls of a group in a step; several cells of one group and step add up */
    uint32_t group;
    uint32_t step; /* index into the steps of the row's trace */
    int64_t calls, ns;
} tt_step_cell;

typedef struct tt_step_part { /* the rows of one trace */
    uint32_t trace, first_row, first_group;
    bool mapped; /* tt_step_sums_row() says the group of each row */
} tt_step_part;

typedef struct tt_step_sums { /* zero-initialised is empty; free with tt_step_sums_free() */
    TT_VEC(tt_step_cell) cells;
    TT_VEC(uint32_t) last; /* latest cell of each group; TT_NONE */
    TT_VEC(tt_step_part) parts;
    TT_VEC(uint32_t) group_of; /* group of each row, for mapped parts */
    uint32_t *first;           /* first cell of each group, after tt_step_sums_sort() */
    uint32_t hint;
} tt_step_sums;

void tt_step_sums_free(tt_step_sums *x);

/* ---- for tables ---- */

/* Add calls and time in a step; does nothing for step TT_NONE. */
void tt_step_sums_put(tt_step_sums *x, uint32_t group, uint32_t step, int64_t calls, int64_t ns);
/* Add sums that were gathered separately; group[i] is the group that their group i becomes. */
void tt_step_sums_join(tt_step_sums *x, const tt_step_sums *from, const uint32_t *group);
/* Add one call that began on the host at `start`. */
void tt_step_sums_at(tt_step_sums *x, const tt_trace *s, uint32_t group, int64_t start, int64_t ns);
/* The functions below accept x NULL. Add device work by its duration: */
static inline void tt_step_sums_dev(tt_step_sums *x, const tt_trace *s, uint32_t group, const tt_activity *d)
{
    if (x) tt_step_sums_at(x, s, group, tt_activity_asked_at(s, d), s->dur[d->row]);
}
static inline void tt_step_sums_host(tt_step_sums *x, const tt_trace *s, uint32_t group, int64_t start, int64_t ns)
{
    if (x) tt_step_sums_at(x, s, group, start, ns);
}
void tt_step_sums_row(tt_step_sums *x, uint32_t row, uint32_t group); /* Say that `row` shows this group. */

/* ---- for the table engine ---- */

/* Rows from `row` on, and what is added from now on, belong to this trace. */
void tt_step_sums_begin(tt_step_sums *x, uint32_t trace, uint32_t row);
void tt_step_sums_sort(tt_step_sums *x); /* Call when everything was added. O(cells). */

/* ---- for who asked ---- */

const tt_step_part *tt_step_sums_part(const tt_step_sums *x, uint32_t row); /* The part with the row. O(log traces). */
/* The cells of a row, *n of them, in no order; several may be of one step. */
const tt_step_cell *tt_step_sums_of(const tt_step_sums *x, uint32_t row, uint32_t *n);

#endif
