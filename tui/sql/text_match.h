/* tui/sql/text_match.h - LIKE and GLOB as SQLite has them, for texts of any length: the clock ends them. Private to
 * tui/sql. */
#ifndef TT_TUI_SQL_TEXT_MATCH_H
#define TT_TUI_SQL_TEXT_MATCH_H

#include "tui/sql/clock.h"

typedef enum tt_sql_matched { TT_SQL_NO_MATCH, TT_SQL_MATCH, TT_SQL_MATCH_ENDED } tt_sql_matched;

/* glob: GLOB, else LIKE; escape: the character behind ESCAPE, 0 = none. O(length of text * length of pattern). */
tt_sql_matched tt_sql_match(tt_sql_clock *clock, const char *pattern, const char *text, bool glob, uint32_t escape);

#endif
