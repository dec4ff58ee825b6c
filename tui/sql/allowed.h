/* tui/sql/allowed.h - the functions that a query may call. Private to tui/sql.
 *
 * Each function takes time in proportion to its arguments and its answer (TT_SQL_VALUE_MOST bounds both), or looks at
 * the clock. A function of a later SQLite is refused until it is listed here. */
#ifndef TT_TUI_SQL_ALLOWED_H
#define TT_TUI_SQL_ALLOWED_H

#include <stdbool.h>

bool tt_sql_is_allowed(const char *function); /* upper and lower case are equal */

#endif
