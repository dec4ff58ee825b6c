/* parser/sqlite/rows.h - rows of a table by a description of its columns: a difference between schema versions is one
 * line of data. Private to parser/. */
#ifndef TT_PARSER_SQLITE_ROWS_H
#define TT_PARSER_SQLITE_ROWS_H

#include "parser/sqlite/database.h"

typedef enum tt_db_type { TT_DB_INT, TT_DB_TEXT, TT_DB_REAL } tt_db_type;

/* A column and the place of its value in tt_db_row. If several columns have one place, the first with a value
 * counts. */
typedef struct tt_db_column {
    const char *name; /* NULL ends the list */
    uint8_t to;
    tt_db_type type;
    bool needed; /* without this column the table is skipped and reported */
} tt_db_column;

enum { TT_DB_PLACES = 24, TT_DB_COLUMNS = 40 };

typedef struct tt_db_row {
    int64_t id;                /* rowid */
    int64_t v[TT_DB_PLACES];   /* TT_UNKNOWN: NULL, missing column, or no number */
    double real[TT_DB_PLACES]; /* values of TT_DB_REAL columns; NaN = none */
    struct {
        const char *at; /* NULL = none; valid until the next row */
        size_t n;
    } text[TT_DB_PLACES]; /* values of TT_DB_TEXT columns */
} tt_db_row;

typedef struct tt_db_rows { /* a statement over a table */
    sqlite3_stmt *statement;
    const tt_db_column *column[TT_DB_COLUMNS]; /* columns in the order of the statement */
    uint32_t n;
    int64_t least; /* lower bound of the next id */
    bool last;     /* the largest possible id was read: no more rows */
    tt_db_row row;
} tt_db_rows;

/* Name of the first needed column that the table lacks; NULL = none. */
const char *tt_db_missing(const tt_db_table *t, const tt_db_column *columns);
/* Open a table. False: it cannot be read. Call tt_db_rows_close() in both cases. */
bool tt_db_rows_open(tt_db *d, const tt_db_table *t, const tt_db_column *columns, tt_db_rows *r);
void tt_db_rows_close(tt_db_rows *r);
/* Select the rows with these ids, ascending. */
void tt_db_rows_from(tt_db_rows *r, int64_t first, int64_t last);
/* Step to the next row, r->row; false at the end, or where the table is damaged: *rc is then not SQLITE_DONE. Ids that
 * do not grow are damage: pages in a circle would give rows without end. */
bool tt_db_rows_next(tt_db_rows *r, int *rc);

/* Call row() for every row of a table. Damage ends it and is reported with the number of rows read; a missing table has
 * no rows. */
void tt_db_each(tt_db *d, const char *table, const tt_db_column *columns, tt_problems *problems,
                void (*row)(void *arg, const tt_db_row *row), void *arg);
enum { TT_DB_TOO_FAR = -1 }; /* no SQLite code: ids too far apart for the offsets */
/* Report damage of the table behind `rows` rows. */
void tt_db_damaged(tt_problems *problems, const char *table, uint64_t rows, int rc);
/* Report a missing table if a view or other object has its name. */
void tt_db_absent(tt_problems *problems, const tt_db *d, const char *table);

/* ---- numbers of referenced rows ---- */

typedef struct tt_db_ids { /* id -> number; zero it first */
    TT_VEC(int64_t) id;
    TT_VEC(uint32_t) value;
    uint32_t *dense; /* number by id - id.at[0]; TT_NONE = no such id */
    size_t n_dense;
} tt_db_ids;
void tt_db_ids_put(tt_db_ids *m, int64_t id, uint32_t value);
void tt_db_ids_seal(tt_db_ids *m); /* call before the first lookup; of equal ids the first counts */
/* Number of an id, TT_NONE = none. Any thread. */
uint32_t tt_db_ids_find(const tt_db_ids *m, int64_t id);
void tt_db_ids_free(tt_db_ids *m);

#endif
