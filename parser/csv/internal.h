/* parser/csv/internal.h - the state of a csv file being read, shared by rows (read_csv.c) and cells (cells.c).
 * Private. */
#ifndef TT_PARSER_CSV_INTERNAL_H
#define TT_PARSER_CSV_INTERNAL_H

#include "parser/csv/csv.h"

enum { TT_CSV_PLAIN_, TT_CSV_QUOTED_, TT_CSV_DONE_ }; /* DONE: without quotes, as it is shown */

typedef struct tt_csv_cell_ {
    uint32_t at, n; /* offset from the beginning of the row */
    uint32_t state;
} tt_csv_cell_;

struct tt_csv {
    tt_source *source;
    tt_problems *problems;
    const char *name; /* name of the file in problems */
    char separator;
    bool ragged;
    size_t window, row_most;

    char *buf; /* buf[at .. n) is not divided into rows yet */
    size_t cap, n, at, row;
    uint64_t base;  /* offset of buf[0] in the text */
    uint64_t line;  /* line where the row begins */
    uint64_t lines; /* newlines in the row */
    TT_VEC(tt_csv_cell_) cells;
    TT_VEC(tt_csv_text) names; /* names of columns */
    uint64_t header_line;
    unsigned recovered; /* rows given up */
    bool open, eof, cancelled;
    bool looked, no_text; /* looked: the first row was checked for being text */
    bool cut;             /* the text ends in the row, without a newline */
    tt_arena arena;
};

static inline bool tt_csv_blank_(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static inline tt_csv_text tt_csv_strip_(const char *p, size_t n)
{
    while (n && tt_csv_blank_(p[n - 1])) n--;
    while (n && tt_csv_blank_(*p)) p++, n--;
    return (tt_csv_text){p, n};
}

/* Add a problem with the example "FILE:LINE: WHAT". */
void tt_csv_say_(const tt_csv *c, tt_problem_kind kind, uint64_t line, const char *what);

#endif
