/* tui/answers/print_tables.h - tables to standard output: computed, their rows ordered, filtered and limited, handed
 * to a writer. What `summary` and `diff` share. */
#ifndef TT_TUI_ANSWERS_PRINT_TABLES_H
#define TT_TUI_ANSWERS_PRINT_TABLES_H

#include "tui/args/summary_options.h"
#include "tui/output/writers.h"

typedef struct tt_print { /* zero-initialise, set what is said to be the caller's, tt_print_free() */
    const tt_cli *cli;    /* the caller's */
    tt_select sel;        /* read by the caller with tt_select_parse(); freed here */
    tt_session *session;  /* the session of the tables; the caller's */
    tt_session *whole;    /* with --worker and tables over all workers: all of them; NULL; the caller's */
    tt_document document; /* paths and what a comparison adds are the caller's; the rest is set by tt_print_write() */
    tt_arena arena;       /* texts of the sections */
    TT_VEC(tt_row_order) views;
    TT_VEC(uint32_t *) row_lists; /* rows of sections that are parts of a table */
    TT_VEC(tt_section) sections;
} tt_print;

/* Compute the tables that p->sel asks for, several at once; without it tt_print_add() does, one after the other, which
 * takes less memory. */
void tt_print_compute(tt_print *p);
/* The tables that p->sel asks for become sections. TT_ERR_USAGE: a filter that cannot be. */
tt_status tt_print_add(tt_print *p, tt_err *err);
/* The sections to standard output in the format asked for. Errors of writing stay for tt_finish_output(). */
void tt_print_write(tt_print *p);
void tt_print_free(tt_print *p);

#endif
