/* parser/csv/csv.h - rows of a csv file, by the names of its columns.
 *
 * RFC 4180, and what profilers make of it: CR LF, a byte order mark, blanks and TABs around cells, a last line without
 * its end, "N/A" for what is not known, newlines and doubled quotes in quoted cells. Columns are found by name: their
 * order and number changes between versions. The text is read in windows from front to back; one row at a time is
 * held. Damage costs the cells that it hit: it is reported once as a problem whose example begins with "FILE:LINE: ",
 * and reading goes on with the next row. Not thread-safe; several files at once are fine.
 *
 *     tt_csv *c = tt_csv_open(in, "step_trace_time", NULL, &problems);
 *     int step = tt_csv_need(c, "Step"), free_us = tt_csv_need(c, "Free");
 *     while (tt_csv_next(c)) {
 *         if (tt_csv_ns(c, free_us, TT_NS_OF_US, &ns)) ...
 *     }
 *     tt_csv_close(c);
 */
#ifndef TT_PARSER_CSV_CSV_H
#define TT_PARSER_CSV_CSV_H

#include "model/base/problems.h"
#include "parser/csv/decimal.h"
#include "parser/input/input.h"

typedef struct tt_csv tt_csv;

typedef struct tt_csv_options { /* all zero: a csv file */
    char separator;             /* 0 = ','; ' ' = any number of blanks, and quotes mean nothing */
    bool no_header;             /* columns have numbers only: 0, 1, ... */
    bool ragged;                /* rows may have fewer or more cells than the header; true of every no_header */
    size_t window;              /* bytes to read at a time, 0 = 1 MiB */
    size_t row_most;            /* a longer row is given up, 0 = 128 MiB, which is also the most */
} tt_csv_options;

typedef struct tt_csv_text {
    const char *at; /* no NUL behind it */
    size_t n;
} tt_csv_text;

/* The first part with this role, its header read. Never NULL: a part that is not there, empty or cannot be read has no
 * columns and no rows, and adds missing_file (not for one that is not there: the caller knows whether it has to be).
 * The input and problems must live as long; the input keeps the source. options NULL = all zero. */
tt_csv *tt_csv_open(tt_input *in, const char *role, const tt_csv_options *options, tt_problems *problems);
/* The same of a source, which stays the caller's; path: its last component is how problems name the file. */
tt_csv *tt_csv_open_source(tt_source *source, const char *path, const tt_csv_options *options, tt_problems *problems);
void tt_csv_close(tt_csv *c); /* NULL is fine */
/* The file could be read and has a header, or any text with no_header. */
bool tt_csv_is_open(const tt_csv *c);
/* Bytes of the text up to the end of the row; for progress. */
uint64_t tt_csv_offset(const tt_csv *c);

/* ---- columns ---- */

/* The column with one of these names, without regard to case: "Block Dim|Block Num", the first name that there is
 * counts; a name that ends with '*' is a prefix. -1 = there is none. */
int tt_csv_column(const tt_csv *c, const char *names);
/* The same, and one that is not there is reported as missing_column by the first of its names, once. */
int tt_csv_need(tt_csv *c, const char *names);
uint32_t tt_csv_columns(const tt_csv *c);
/* The name of a column as spelt, {"", 0} for -1. */
tt_csv_text tt_csv_name(const tt_csv *c, int column);
/* TT_NS_OF_... by the "(us)", "(ms)", "(ns)" or "(s)" in the name of the column; `otherwise` when it has none. */
uint64_t tt_csv_time_unit(const tt_csv *c, int column, uint64_t otherwise);

/* ---- rows ---- */

/* The next row that is not blank; false at the end. A row with fewer cells than the header is reported as bad_row and
 * given, the cells that it lacks are missing; so is the last cell when the text ends in it. */
bool tt_csv_next(tt_csv *c);
uint64_t tt_csv_line(const tt_csv *c);  /* physical line on which the row begins, from 1 */
uint32_t tt_csv_cells(const tt_csv *c); /* of the row; may be more than columns */
/* Report the row, or one of its cells, as bad_row: "FILE:LINE: NAME WHAT: 'TEXT'", without NAME and TEXT for -1. */
void tt_csv_bad(tt_csv *c, int column, const char *what);

/* ---- cells of the row ---- */

/* The text without quotes and outer blanks; {"", 0} when it is missing: column -1, not in the row, empty or N/A.
 * Valid until the next row; it may hold any bytes of the file, newlines too. */
tt_csv_text tt_csv_cell(tt_csv *c, int column);
bool tt_csv_is(tt_csv *c, int column, const char *text); /* spelt so */
/* Numbers: false, with *out as it was, when the cell is missing, or wrong, which is reported. unit: TT_NS_OF_...,
 * TT_BYTES_OF_... */
bool tt_csv_ns(tt_csv *c, int column, uint64_t unit, int64_t *out);
bool tt_csv_bytes(tt_csv *c, int column, uint64_t unit, int64_t *out);
bool tt_csv_int(tt_csv *c, int column, int64_t *out); /* 16 and 16.0 */
bool tt_csv_double(tt_csv *c, int column, double *out);
bool tt_csv_bool(tt_csv *c, int column, bool *out); /* true, false, yes, no, 1, 0 */

#endif
