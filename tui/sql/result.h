/* tui/sql/result.h - rows of a statement as a table of the engine, for the writers and the explorer. Private to
 * tui/sql. */
#ifndef TT_TUI_SQL_RESULT_H
#define TT_TUI_SQL_RESULT_H

#include <sqlite3.h>

#include "tui/sql/clock.h"
#include "tui/sql/sql.h"

/* Run the statement to its end. The type of a column is that of the table's column behind it ("start TIME"), else
 * follows from its name (_ns, _at_ns, _bytes, _pct), else from its values; a column with numbers and texts is text.
 * *rc: SQLite's last result. SQLITE_DONE: complete; SQLITE_TOOBIG: the result takes more than `most` bytes;
 * SQLITE_INTERRUPT: the clock ended it. After an error the table has no rows. Never NULL. */
tt_table *tt_sql_result(sqlite3_stmt *s, const tt_session *session, const char *query, uint64_t most,
                        tt_sql_clock *clock, int *rc);
/* The same row by row, keeping none. take() gets the table without rows, then with one row at a time; the types of a
 * row follow from its own values. take() returns false to end. Returns SQLite's last result, SQLITE_DONE also after
 * false. */
int tt_sql_each_row(sqlite3_stmt *s, const tt_session *session, tt_sql_take *take, void *arg);
/* A table of texts with n columns, whose titles are their keys. For lists of tables and columns. */
tt_table *tt_sql_list(const char *title, const char *const *keys, uint32_t n);
/* Add a row to a table of tt_sql_list(). */
void tt_sql_list_add(tt_table *t, const char *const *texts);

#endif
