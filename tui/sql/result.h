/* tui/sql/result.h - rows of a statement as a table of the engine, for the writers and the explorer. Private to
 * tui/sql. */
#ifndef TT_TUI_SQL_RESULT_H
#define TT_TUI_SQL_RESULT_H

#include <sqlite3.h>

#include "tui/sql/clock.h"
#include "tui/sql/sql.h"

/* Steps the statement to its end. What a column holds is said by the column of a table that it is ("start TIME"),
 * else by its name as everywhere (_ns, _at_ns, _bytes, _pct), else by its values; a column with numbers and texts is
 * text. *rc: SQLite's last word, SQLITE_DONE; SQLITE_TOOBIG: the result takes more than `most` bytes; SQLITE_INTERRUPT:
 * the clock ended it. On errors the table has no rows.
 * Never NULL. */
tt_table *tt_sql_result(sqlite3_stmt *s, const tt_session *session, const char *query, uint64_t most,
                        tt_sql_clock *clock, int *rc);
/* The same a row at a time, for who keeps none: take() is given the table without rows, then with each of them alone,
 * whose values alone say what its columns hold; false = no more. SQLite's last word; SQLITE_DONE after false, too. */
int tt_sql_each_row(sqlite3_stmt *s, const tt_session *session, tt_sql_take *take, void *arg);
/* A table of texts, with room for n columns: keys are titles, too. For lists of what there is. */
tt_table *tt_sql_list(const char *title, const char *const *keys, uint32_t n);
/* A further row of it. */
void tt_sql_list_add(tt_table *t, const char *const *texts);

#endif
