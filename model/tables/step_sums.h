/* model/tables/step_sums.h - the main time of every row of a table by step, gathered while the table is computed.
 *
 * A table per step would cost a pass over the trace for each of them. So who wants the rows by step gives these to
 * tt_table_compute_by_step(), and the collect loops of tables with TT_TABLE_STEP_SUMS add what they add to their
 * groups here, too. What belongs to a step is what the table restricted to that step (--steps) would have: a host
 * event by its start, device work by that of its launch.
 *
 * A table numbers its groups as it likes, from 0 for each trace: group i is its row i there, unless it says which with
 * tt_step_sums_row(). All of it in the trace's own steps; nobody asking is NULL and costs a comparison. */
#ifndef TT_MODEL_TABLES_STEP_SUMS_H
#define TT_MODEL_TABLES_STEP_SUMS_H

#include "model/trace/trace.h"

typedef struct tt_step_cell { /* several of one group and step add up */
    uint32_t group;
    uint32_t step; /* index into the steps of the trace of the row */
    int64_t calls, ns;
} tt_step_cell;

typedef struct tt_step_part { /* rows of one trace */
    uint32_t trace, first_row, first_group;
    bool mapped; /* said by tt_step_sums_row() */
} tt_step_part;

typedef struct tt_step_sums { /* zero-initialised is empty; tt_step_sums_free() */
    TT_VEC(tt_step_cell) cells;
    TT_VEC(uint32_t) last; /* by group: its latest cell, TT_NONE */
    TT_VEC(tt_step_part) parts;
    TT_VEC(uint32_t) group_of; /* by row, of parts that are mapped */
    uint32_t *first;           /* after tt_step_sums_sort(), by group: its first cell */
    uint32_t hint;
} tt_step_sums;

void tt_step_sums_free(tt_step_sums *x);

/* ---- for tables ---- */

/* `calls` and `ns` in this step (TT_NONE: in none, and nothing happens). */
void tt_step_sums_put(tt_step_sums *x, uint32_t group, uint32_t step, int64_t calls, int64_t ns);
/* What was gathered apart, as the groups that `group` says. */
void tt_step_sums_join(tt_step_sums *x, const tt_step_sums *from, const uint32_t *group);
/* One call, which began on the host at `start`. */
void tt_step_sums_at(tt_step_sums *x, const tt_trace *s, uint32_t group, int64_t start, int64_t ns);
/* x may be NULL from here on. Device work, by its duration: */
static inline void tt_step_sums_dev(tt_step_sums *x, const tt_trace *s, uint32_t group, const tt_activity *d)
{
    if (x) tt_step_sums_at(x, s, group, tt_activity_asked_at(s, d), s->dur[d->row]);
}
static inline void tt_step_sums_host(tt_step_sums *x, const tt_trace *s, uint32_t group, int64_t start, int64_t ns)
{
    if (x) tt_step_sums_at(x, s, group, start, ns);
}
void tt_step_sums_row(tt_step_sums *x, uint32_t row, uint32_t group); /* the row is this group */

/* ---- for the table engine ---- */

/* The rows from `row` on and what is added from now on are of this trace. */
void tt_step_sums_begin(tt_step_sums *x, uint32_t trace, uint32_t row);
void tt_step_sums_sort(tt_step_sums *x); /* everything was added; O(cells) */

/* ---- for who asked ---- */

const tt_step_part *tt_step_sums_part(const tt_step_sums *x, uint32_t row); /* O(log traces) */
/* The cells of a row; several may be of one step. *n of them, in no order. */
const tt_step_cell *tt_step_sums_of(const tt_step_sums *x, uint32_t row, uint32_t *n);

#endif
