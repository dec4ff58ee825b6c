/* tui/files/temp_files.h - SQLite's temporary files, kept in memory. Private to tui/sql.
 *
 * With temporary tables in memory SQLite sorts all rows of a query within one instruction, which cannot be
 * interrupted. With temporary files it sorts a few MiB at a time and merges them row by row. SQLite allocates these
 * files, so the memory limit of a query includes them. This file system has no other files: a file with a name
 * cannot be opened. */
#ifndef TT_TUI_FILES_TEMP_FILES_H
#define TT_TUI_FILES_TEMP_FILES_H

/* Name of the file system for sqlite3_open_v2(); NULL: SQLite is out of memory. */
const char *tt_sql_temp_files(void);

#endif
