/* tui/sql/allowed.h - the functions that a query may call. Private to tui/sql.
 *
 * Each of them takes time in proportion to its arguments and its answer, which TT_SQL_VALUE_MOST bounds, or looks at
 * the clock. A function that a later SQLite brings is refused until somebody has looked at it. */
#ifndef TT_TUI_SQL_ALLOWED_H
#define TT_TUI_SQL_ALLOWED_H

#include <stdbool.h>

bool tt_sql_is_allowed(const char *function); /* in any case */

#endif
