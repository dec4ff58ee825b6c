/* tui/screen/table_fetch.h - the tables that a chart is drawn from: the worker computes them together. */
#ifndef TT_TUI_SCREEN_TABLE_FETCH_H
#define TT_TUI_SCREEN_TABLE_FETCH_H

#include "tui/screen/host.h"

enum { TT_MAX_FETCH = 12 };

typedef struct tt_table_fetch {
    tt_screen *screen;
    const char *const *ids;           /* ids of the tables, ending with NULL, at most TT_MAX_FETCH */
    const char *const *groups;        /* by table: the key that groups its rows, NULL = the usual key; may be NULL */
    const tt_table *at[TT_MAX_FETCH]; /* the tables; NULL = not computed yet, or the session has no such table */
    void (*ready)(tt_screen *s);      /* called when the tables are computed; may be NULL */
    /* Says on the worker in which order the rows of table i are wanted, false = in the order of the table; may be
     * NULL. */
    bool (*order_by)(const tt_table *const *at, int i, tt_row_order_spec *spec);
    tt_row_order order[TT_MAX_FETCH]; /* the rows of each table in that order, n 0 = no order; owned */
    bool all_workers;                 /* tables of all workers, whichever worker is chosen */
    unsigned serial;
    bool running;
} tt_table_fetch;

/* Ask for the tables of the explorer's scope and comparison. The tables in `at` stay until the new ones come, except
 * tables of a comparison with another base. */
void tt_table_fetch_ask(tt_table_fetch *t);
/* Ask for the tables after the session was replaced: `at` is empty until they come. */
void tt_table_fetch_renew(tt_table_fetch *t);
void tt_table_fetch_free(tt_table_fetch *t); /* needed only with order_by */
static inline uint32_t tt_table_fetch_rows(const tt_table_fetch *t, int i) { return t->at[i] ? t->at[i]->n_rows : 0; }

/* Compute the table without options, on the worker. NULL: the session has no such table. */
const tt_table *tt_table_of(tt_session *s, const tt_scope *scope, const char *id);

/* What the step of a row is, and its label by column `step`: "step 9", "decode 9" for a step of a serving engine; "step
 * 9 (2)" if an earlier step of the same worker and span has its number, as in a file of several runs. O(rows). */
const char *tt_step_title(const tt_session *s, const tt_table *t, uint32_t row, uint32_t step, char buf[48]);

#endif
