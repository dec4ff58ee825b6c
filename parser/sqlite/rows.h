/* parser/sqlite/rows.h - rows of a table by a description of its columns, so that what differs between versions of a
 * schema is data: a line more, or one whose column is not there. Private to parser/. */
#ifndef TT_PARSER_SQLITE_ROWS_H
#define TT_PARSER_SQLITE_ROWS_H

#include "parser/sqlite/database.h"

typedef enum tt_db_type { TT_DB_INT, TT_DB_TEXT, TT_DB_REAL } tt_db_type;

/* A column and the place of its value in tt_db_row. Of several with one place the first that has a value counts. */
typedef struct tt_db_column {
    const char *name; /* NULL ends the list */
    uint8_t to;
    tt_db_type type;
    bool needed; /* without it the rows say nothing: the table is left out, and that is reported */
} tt_db_column;

enum { TT_DB_PLACES = 24, TT_DB_COLUMNS = 40 };

typedef struct tt_db_row {
    int64_t id;                /* rowid */
    int64_t v[TT_DB_PLACES];   /* TT_UNKNOWN: NULL, no such column, or no number */
    double real[TT_DB_PLACES]; /* of TT_DB_REAL; NaN */
    struct {
        const char *at; /* NULL; valid until the next row */
        size_t n;
    } text[TT_DB_PLACES]; /* of TT_DB_TEXT */
} tt_db_row;

typedef struct tt_db_rows { /* a statement over a table */
    sqlite3_stmt *statement;
    const tt_db_column *column[TT_DB_COLUMNS]; /* in the order of the statement */
    uint32_t n;
    int64_t least; /* the next id, at the least */
    bool last;     /* no id is larger than the one before */
    tt_db_row row;
} tt_db_rows;

/* The first column that the table needs and does not have; NULL. */
const char *tt_db_missing(const tt_db_table *t, const tt_db_column *columns);
/* False: cannot be read. Closed with tt_db_rows_close() either way. */
bool tt_db_rows_open(tt_db *d, const tt_db_table *t, const tt_db_column *columns, tt_db_rows *r);
void tt_db_rows_close(tt_db_rows *r);
/* The rows with these ids come next, in their order. */
void tt_db_rows_from(tt_db_rows *r, int64_t first, int64_t last);
/* r->row is the next one; false at the end, or where the table is damaged: *rc is then not SQLITE_DONE. Ids that do not
 * grow are damage: pages that lead to each other give the same rows without end. */
bool tt_db_rows_next(tt_db_rows *r, int *rc);

/* Every row of a table. Damage ends it, and is counted in the problems with the rows that were read; a table that is
 * not there has none. */
void tt_db_each(tt_db *d, const char *table, const tt_db_column *columns, tt_problems *problems,
                void (*row)(void *arg, const tt_db_row *row), void *arg);
enum { TT_DB_TOO_FAR = -1 }; /* no code of SQLite: ids that are too far from each other */
/* That table was damaged: after `rows` rows. */
void tt_db_damaged(tt_problems *problems, const char *table, uint64_t rows, int rc);
/* There is no such table: a problem where something else has its name. */
void tt_db_absent(tt_problems *problems, const tt_db *d, const char *table);

/* ---- numbers that rows are referred to by ---- */

typedef struct tt_db_ids { /* id -> number; zeroed at first */
    TT_VEC(int64_t) id;
    TT_VEC(uint32_t) value;
    uint32_t *dense; /* by id - id.at[0]; TT_NONE */
    size_t n_dense;
} tt_db_ids;
void tt_db_ids_put(tt_db_ids *m, int64_t id, uint32_t value);
void tt_db_ids_seal(tt_db_ids *m); /* before the first look; of equal ids the first counts */
/* TT_NONE: there is none. Any thread. */
uint32_t tt_db_ids_find(const tt_db_ids *m, int64_t id);
void tt_db_ids_free(tt_db_ids *m);

#endif
