/* model/trace/imported.h - tables that a trace brings with it, as its reader found them: columns and cells, nothing to
 * compute.
 *
 * A reader makes them while it reads and gives them to the trace with tt_trace_import(). From there they are tables
 * like all others (tt_session_tables() of model/tables/table.h): `summary --table`, `--table all`, `:table`,
 * sorting, filtering, CSV and JSON. */
#ifndef TT_MODEL_TRACE_IMPORTED_H
#define TT_MODEL_TRACE_IMPORTED_H

#include "model/base/mem.h"
#include "model/trace/columns.h"
#include "model/trace/trace.h"

typedef struct tt_imported {
    const char *id, *title, *meaning;
    const char *default_sort; /* key of the column that rows are sorted by; NULL = rows keep the order in which they
                                 were added */
    bool default_desc;
    tt_column *cols;
    uint32_t n_cols;
    tt_cell *cells; /* cells by row; TIME: ns on the clock of tt_trace.origin_ns */
    uint32_t n_rows;
    size_t cap_cells;
    tt_arena arena; /* owns all texts */
} tt_imported;

/* A table without columns. All texts are copied and may come from the trace: ids and keys become a-z, 0-9 and '_',
 * other texts are made safe to show. */
tt_imported *tt_imported_new(const char *id, const char *title, const char *meaning);
void tt_imported_free(tt_imported *t); /* NULL is fine */
/* Add a column, before the first row; its index. The key must end as its type asks for (columns.h); equal keys get a
 * number. The first columns stay longest on a narrow terminal. */
uint32_t tt_imported_column(tt_imported *t, const char *key, const char *title, tt_type type, const char *help);
/* Choose the order in which rows are shown at first. */
void tt_imported_sort(tt_imported *t, uint32_t col, bool desc);
/* A column of a table that has a descriptor of its own (TT_TABLE_BROUGHT) with titles and meanings: key and type
 * alone. */
typedef struct tt_imported_key {
    const char *key;
    tt_type type;
} tt_imported_key;
tt_imported *tt_imported_of(const char *id, const tt_imported_key *columns, uint32_t n);
uint32_t tt_imported_row(tt_imported *t); /* Add a row with every cell unknown; its index. */
void tt_imported_set_i(tt_imported *t, uint32_t row, uint32_t col, int64_t v);
void tt_imported_set_d(tt_imported *t, uint32_t row, uint32_t col, double v);
void tt_imported_set_s(tt_imported *t, uint32_t row, uint32_t col, const char *s, size_t n); /* s: any bytes */

/* Give the table to the trace that tt_build_finish() has made, before any other thread has it. Tables are ordered by
 * these calls. A table without columns is dropped. */
void tt_trace_import(tt_trace *s, tt_imported *t);

/* The first of the trace's tables with this id that has rows; NULL = there is none. */
const tt_imported *tt_trace_imported(const tt_trace *s, const char *id);
/* Index of the column with this key; -1 = there is none. */
int tt_imported_column_of(const tt_imported *t, const char *key);

#endif
