/* tui/screen/table_fetch.h - tables that a chart is drawn from: fetched together by the worker, read by the key of a
 * column. */
#ifndef TT_TUI_SCREEN_TABLE_FETCH_H
#define TT_TUI_SCREEN_TABLE_FETCH_H

#include "tui/screen/host.h"

enum { TT_MAX_FETCH = 12 };

typedef struct tt_table_fetch {
    tt_screen *screen;
    const char *const *ids;           /* NULL-terminated, at most TT_MAX_FETCH */
    const char *const *groups;        /* by table: the key it is grouped by, NULL = as usual; may be NULL */
    const tt_table *at[TT_MAX_FETCH]; /* NULL = not computed yet, or the session has no such table */
    void (*ready)(tt_screen *s);      /* they are there; may be NULL */
    /* On the worker: in which order rows of table i are wanted, false = as they are; may be NULL. */
    bool (*order_by)(const tt_table *const *at, int i, tt_row_order_spec *spec);
    tt_row_order order[TT_MAX_FETCH]; /* the rows in that order, n 0 where there is none; owned */
    bool all_workers;                 /* whichever is chosen */
    unsigned serial;
    bool running;
} tt_table_fetch;

/* Ask for the tables of the app's scope and comparison; what is there stays until they come, but for tables of a
 * comparison with another base. */
void tt_table_fetch_ask(tt_table_fetch *t);
/* The same when the session was replaced: nothing is there until they come. */
void tt_table_fetch_renew(tt_table_fetch *t);
void tt_table_fetch_free(tt_table_fetch *t); /* only needed with order_by */
static inline uint32_t tt_table_fetch_rows(const tt_table_fetch *t, int i) { return t->at[i] ? t->at[i]->n_rows : 0; }

/* The table itself, without options, as soon as it is computed: on the worker. NULL: the session has no such table. */
const tt_table *tt_table_of(tt_session *s, const tt_scope *scope, const char *id);

/* What the step of a row is called, by its column `step`: "9", and "9 (2)" where an earlier one of the same worker
 * and span has its number, as in a file of several runs. O(rows). */
const char *tt_step_label(const tt_table *t, uint32_t row, uint32_t step, char buf[32]);

#endif
