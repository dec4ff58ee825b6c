/* tui/answers/print_tables.h - prints tables to standard output: computes them, sorts, filters and limits their
 * rows, and passes them to a writer. Shared by `summary` and `diff`. */
#ifndef TT_TUI_ANSWERS_PRINT_TABLES_H
#define TT_TUI_ANSWERS_PRINT_TABLES_H

#include "tui/args/summary_options.h"
#include "tui/output/writers.h"

typedef struct tt_print { /* zero-initialise, set the caller's members; free with tt_print_free() */
    const tt_cli *cli;    /* owned by the caller */
    tt_select sel;        /* filled in by the caller with tt_select_parse(); freed here */
    tt_session *session;  /* session of the tables; owned by the caller */
    /* with --worker and a table over all workers: the session with all workers; else NULL; owned by the caller */
    tt_session *whole;
    tt_document document; /* the caller sets paths and comparison; tt_print_write() sets the rest */
    tt_arena arena;       /* texts of the sections */
    TT_VEC(tt_row_order) views;
    TT_VEC(uint32_t *) row_lists; /* lists of rows of sections that are parts of a table */
    TT_VEC(tt_section) sections;
} tt_print;

/* Compute the tables of p->sel in parallel. Without this call tt_print_add() computes one after the other, which
 * takes less memory. */
void tt_print_compute(tt_print *p);
/* Turn the tables of p->sel into sections. TT_ERR_USAGE: the filter is invalid. */
tt_status tt_print_add(tt_print *p, tt_err *err);
/* Print the sections in the chosen format. Write errors are left for tt_finish_output(). */
void tt_print_write(tt_print *p);
void tt_print_free(tt_print *p);

#endif
