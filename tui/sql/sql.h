/* tui/sql/sql.h - SQL queries over a loaded session, for `tracetty sql`, `:sql` and the export to .sqlite.
 *
 * Tables of events (slices, counters, memory, flows, steps, tracks, instants) are virtual tables over the columns of
 * the traces: nothing is copied. Every computed table is a table with its id as name, computed for all loaded traces
 * when a query first names it. Times are ns; times of events are on the session's axis. All traces of the session
 * are in the same tables: columns worker and span name the trace of a row, and an id is trace << 32 | row, so that
 * ids of several traces differ.
 * A query only reads: no file, no ATTACH, no PRAGMA that changes anything, no extension. It ends with an error when
 * it exceeds its time or memory, or when it is told to stop. */
#ifndef TT_TUI_SQL_SQL_H
#define TT_TUI_SQL_SQL_H

#include <stdatomic.h>
#include <stdio.h>

#include "model/tables/table.h"

typedef struct tt_sql tt_sql;

typedef struct tt_sql_limits {
    uint64_t memory;           /* bytes for a query, and again for its result; 0 = TT_SQL_MEMORY */
    int64_t time_ns;           /* limit for a query; 0 = no limit */
    const _Atomic bool *stop;  /* looked at while it runs; NULL */
    const char *memory_option; /* option that raises the limit, for messages; NULL: there is none */
    const char *time_option;
} tt_sql_limits;

/* Takes rows as they come: a table without rows first, then with one row at a time. The next row overwrites the table.
 * False: no more rows are wanted. */
typedef bool tt_sql_take(void *arg, const tt_table *t);

typedef struct tt_sql_exported {
    uint64_t rows;
    uint32_t tables;
} tt_sql_exported;

#define TT_SQL_MEMORY (UINT64_C(1) << 30)
#define TT_SQL_SECONDS 60 /* default limit of a query */

#ifdef TT_HAVE_SQLITE

/* The session outlives it. One thread at a time. */
tt_status tt_sql_open(tt_session *s, const tt_sql_limits *limits, tt_sql **out, tt_err *err);
void tt_sql_close(tt_sql *q); /* NULL is fine */
/* Run the first statement of the text; *rest is what follows it. *out: its rows, for tt_table_free(), also after
 * tt_sql_close() as long as the session is there; NULL: there was no statement, only blanks and comments. A row with
 * the id of a slice leads to it, one with a start to that time. TT_ERR_USAGE: no SQL, or not allowed;
 * TT_ERR_LIMIT; TT_ERR_CANCELLED: stopped. */
tt_status tt_sql_run(tt_sql *q, const char *text, const char **rest, tt_table **out, tt_err *err);
/* Likewise, but no row is kept, so the result may have any size. An error may come after rows. *rest is set before
 * take() is called. take() is not called for blanks and comments. */
tt_status tt_sql_stream(tt_sql *q, const char *text, const char **rest, tt_sql_take *take, void *arg, tt_err *err);
/* Does the text end with a whole statement? */
bool tt_sql_complete(const char *text);
/* A list of all tables: name, meaning of a row. Free with tt_table_free(). */
tt_table *tt_sql_tables(tt_sql *q);
/* The columns of a table, or of all tables of events: table, column, type, meaning. TT_ERR_USAGE: no such table. */
tt_status tt_sql_schema(tt_sql *q, const char *name, tt_table **out, tt_err *err);
/* All tables as a database of SQLite, with their rows; complete or not at all. with_args: columns `args`, too, which
 * are read again from the file, event by event (about 5 us each). Takes as much memory as the file is large. */
tt_status tt_sql_export(tt_session *s, const char *path, bool with_args, tt_sql_exported *done, tt_err *err);

#else

static inline tt_status tt_sql_open(tt_session *s, const tt_sql_limits *limits, tt_sql **out, tt_err *err)
{
    (void)s;
    (void)limits;
    *out = NULL;
    return tt_fail(err, TT_ERR_USAGE, -1,
                   "this tracetty was built without libsqlite3, which SQL needs: install libsqlite3-dev and run make "
                   "again");
}
static inline tt_status tt_sql_export(tt_session *s, const char *path, bool with_args, tt_sql_exported *done,
                                      tt_err *err)
{
    (void)path;
    (void)with_args;
    *done = (tt_sql_exported){0};
    return tt_sql_open(s, NULL, &(tt_sql *){NULL}, err);
}
static inline void tt_sql_close(tt_sql *q) { (void)q; }
static inline tt_status tt_sql_run(tt_sql *q, const char *text, const char **rest, tt_table **out, tt_err *err)
{
    (void)q;
    (void)text;
    (void)rest;
    *out = NULL;
    return tt_fail(err, TT_ERR_USAGE, -1, "built without libsqlite3");
}
static inline tt_status tt_sql_stream(tt_sql *q, const char *text, const char **rest, tt_sql_take *take, void *arg,
                                      tt_err *err)
{
    tt_table *none;
    (void)take;
    (void)arg;
    return tt_sql_run(q, text, rest, &none, err);
}
static inline bool tt_sql_complete(const char *text) { return text != NULL; }
static inline tt_table *tt_sql_tables(tt_sql *q)
{
    (void)q;
    return NULL;
}
static inline tt_status tt_sql_schema(tt_sql *q, const char *name, tt_table **out, tt_err *err)
{
    (void)name;
    return tt_sql_run(q, NULL, NULL, out, err);
}

#endif
#endif
