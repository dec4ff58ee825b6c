/* parser/csv/csv.h - reads the rows of a csv file by the names of its columns.
 *
 * Reads RFC 4180 and the variants that profilers write: CR LF, a byte order mark, blanks and TABs around cells, a last
 * line without its end, "N/A" for unknown, newlines and doubled quotes in quoted cells. Columns are found by name,
 * because their order and number change between versions. The text is read in windows from front to back; one row at a
 * time is held. Damage loses only the cells that it hits: it is reported once, as a problem whose example begins with
 * "FILE:LINE: ", and reading goes on with the next row. Not thread-safe; several files may be read at once.
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

typedef struct tt_csv_options { /* all zero = a usual csv file */
    char separator;             /* 0 = ','; ' ' = any number of blanks, and quotes have no meaning */
    bool no_header;             /* columns have no names, only the numbers 0, 1, ... */
    bool ragged;                /* rows may have fewer or more cells than the header; always so with no_header */
    size_t window;              /* bytes to read at a time, 0 = 1 MiB */
    size_t row_most;            /* longest row that is accepted, 0 = 128 MiB, which is also the maximum */
} tt_csv_options;

typedef struct tt_csv_text {
    const char *at; /* without a NUL at its end */
    size_t n;
} tt_csv_text;

/* Open the first part with this role and read its header. Never NULL: a missing, empty or unreadable part has no
 * columns and no rows. An empty or unreadable part adds missing_file; a missing one does not, because only the caller
 * knows whether it is required. The input and problems must outlive the result; the input keeps the source. options
 * NULL = all zero. */
tt_csv *tt_csv_open(tt_input *in, const char *role, const tt_csv_options *options, tt_problems *problems);
/* As tt_csv_open(), on a source that stays the caller's; problems name the file by the last component of path. */
tt_csv *tt_csv_open_source(tt_source *source, const char *path, const tt_csv_options *options, tt_problems *problems);
void tt_csv_close(tt_csv *c); /* NULL is allowed */
/* Whether the file could be read and has a header, or with no_header any text. */
bool tt_csv_is_open(const tt_csv *c);
/* Bytes of the text up to the end of the row, for progress. */
uint64_t tt_csv_offset(const tt_csv *c);

/* ---- columns ---- */

/* The column with one of these names, ignoring case: of "Block Dim|Block Num" the first name that exists counts; a
 * name ending with '*' is a prefix. -1 = none. */
int tt_csv_column(const tt_csv *c, const char *names);
/* As tt_csv_column(); a missing column is reported once as missing_column, by the first of its names. */
int tt_csv_need(tt_csv *c, const char *names);
uint32_t tt_csv_columns(const tt_csv *c);
/* The name of a column as spelled in the file, {"", 0} for -1. */
tt_csv_text tt_csv_name(const tt_csv *c, int column);
/* TT_NS_OF_... by "(us)", "(ms)", "(ns)" or "(s)" in the name of the column; `otherwise` without such a unit. */
uint64_t tt_csv_time_unit(const tt_csv *c, int column, uint64_t otherwise);

/* ---- rows ---- */

/* Go to the next row that is not blank; false = the end. A row with fewer cells than the header is reported as bad_row
 * and returned without the missing cells; if the text ends in its last cell that cell is missing, too. */
bool tt_csv_next(tt_csv *c);
uint64_t tt_csv_line(const tt_csv *c);  /* physical line where the row begins, from 1 */
uint32_t tt_csv_cells(const tt_csv *c); /* cells in the row; may be more than columns */
/* Report the row or one of its cells as bad_row: "FILE:LINE: NAME WHAT: 'TEXT'"; column -1 = without NAME and TEXT. */
void tt_csv_bad(tt_csv *c, int column, const char *what);

/* ---- cells of the row ---- */

/* The text without quotes and outer blanks; {"", 0} = missing: column -1, not in the row, empty or N/A. Valid until
 * the next row; it may hold any bytes of the file, including newlines. */
tt_csv_text tt_csv_cell(tt_csv *c, int column);
bool tt_csv_is(tt_csv *c, int column, const char *text); /* whether the cell is spelled exactly so */
/* Read a number; false, with *out unchanged, if the cell is missing or wrong; a wrong cell is reported. unit:
 * TT_NS_OF_... or TT_BYTES_OF_... */
bool tt_csv_ns(tt_csv *c, int column, uint64_t unit, int64_t *out);
bool tt_csv_bytes(tt_csv *c, int column, uint64_t unit, int64_t *out);
bool tt_csv_int(tt_csv *c, int column, int64_t *out); /* accepts 16 and 16.0 */
bool tt_csv_double(tt_csv *c, int column, double *out);
bool tt_csv_bool(tt_csv *c, int column, bool *out); /* accepts true, false, yes, no, 1, 0 */

#endif
