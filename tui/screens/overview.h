/* tui/screens/overview.h - the inside of the Overview, for tui/screens/overview*.c: its tables and where a person is
 * in them. */
#ifndef TT_TUI_SCREENS_OVERVIEW_H
#define TT_TUI_SCREENS_OVERVIEW_H

#include "tui/screen/table_fetch.h"
#include "tui/widgets/stacked_bar.h"

typedef enum part { RUN, DEVICES, SUMMARY, STEPS, FINDINGS, OPERATORS, KERNELS, N_PARTS } part;

typedef struct overview {
    tt_table_fetch
        tables;         /* by part; FINDINGS by what they could save, OPERATORS and KERNELS as the table sorts them */
    double least_share; /* categories of the step with less, in percent, have no line */
    bool one_worker;    /* is looked at: need not be named in every line */
    part focus;         /* STEPS or FINDINGS */
    uint32_t at[N_PARTS], top[N_PARTS];
    int page[N_PARTS];
} overview;

enum { N_KINDS = 8 };
extern const tt_stack_part tt_overview_kinds[N_KINDS]; /* of a step, in the order in which bars are stacked */

static inline int least(int a, int b) { return a < b ? a : b; }
static inline uint32_t rows(const overview *o, part p) { return tt_table_fetch_rows(&o->tables, p); }

/* The row of the table that is selected in one of the two lists. */
static inline uint32_t row_at(const overview *o, part p, uint32_t line)
{
    return line < o->tables.order[p].n ? o->tables.order[p].rows[line] : line;
}
static inline uint32_t selected(const overview *o, part p) { return row_at(o, p, o->at[p]); }

static inline const char *worker_of(const overview *o, const tt_table *t, uint32_t row)
{
    return o->one_worker ? "" : tt_cell_str(t, row, "worker");
}

/* overview_lists.c: the two lists that can be walked. */
void tt_overview_draw_steps(overview *o, tt_canvas *c);
void tt_overview_draw_findings(tt_screen *s, overview *o, tt_canvas *c);
/* The selected finding in full: what to do and what proves it. Lines that it takes at this width, at most `most`; c
 * NULL: only counted. */
int tt_overview_draw_advice(const tt_session *s, const overview *o, tt_canvas *c, int y, int w, int most);

#endif
