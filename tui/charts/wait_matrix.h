/* tui/charts/wait_matrix.h - draws which worker waits for which: a line for each worker, a column for each
 * collective (or for several consecutive ones), shaded by the worker's wait; ! marks the last to arrive, ? a
 * collective whose order is inconclusive.
 *
 * Made from the table comm_waits. */
#ifndef TT_TUI_CHARTS_WAIT_MATRIX_H
#define TT_TUI_CHARTS_WAIT_MATRIX_H

#include "model/tables/table.h"
#include "tui/charts/heat_grid.h"
#include "tui/widgets/format_value.h"

typedef struct tt_wait_matrix {
    const tt_table *t; /* NULL = nothing to show */
    uint32_t *rank;    /* by row of the table: its line in the picture, TT_NONE = the row has no line */
    int64_t *waited;   /* by collective: the wait of all ranks together; below 0: inconclusive */
    uint32_t n_calls, n_ranks, n_doubtful;
    int64_t *heat;   /* waits in the last frame: n_ranks x columns */
    int64_t *caused; /* waits in the last frame that each rank caused to the others: n_ranks x columns */
    size_t n_heat;
    tt_heat_grid grid; /* lines are ranks, columns are collectives */
    uint32_t per;      /* number of collectives in a column */
} tt_wait_matrix;

/* Take over a table, which must outlive the picture or be replaced by NULL. names: the names of the n lines. */
void tt_wait_matrix_set(tt_wait_matrix *m, const tt_table *t, const char *const *names, uint32_t n);
void tt_wait_matrix_free(tt_wait_matrix *m);
static inline bool tt_wait_matrix_any(const tt_wait_matrix *m) { return m->t && m->n_calls > 0; }
/* Draw on all of c: a rule, the lines, the steps. With less room the steps are left out; with room for a single
 * line, the line says how long the chosen worker waits. y0: the line of the screen at which c begins; at: the chosen
 * line; name_w: cells for names; x: where the columns begin. */
void tt_wait_matrix_draw(tt_wait_matrix *m, tt_canvas *c, int y0, const char *const *names, uint32_t at, int name_w,
                         int x, tt_unit unit);
/* The line at a place of the screen, TT_NONE = none. *row: the row of the table with the longest wait there, TT_NONE
 * = none. */
uint32_t tt_wait_matrix_at(const tt_wait_matrix *m, int y, int x, uint32_t *row);

#endif
