/* tui/files/temp_files.h - temporary files of SQLite, in memory. Private to tui/sql.
 *
 * With its temporary tables in memory SQLite sorts all rows of a query within one instruction, which nothing can end.
 * With temporary files it sorts a few MiB at a time and merges them row by row. These files are SQLite's memory, so
 * that the limit of a query counts them. There are no other files: whatever has a name cannot be opened. */
#ifndef TT_TUI_FILES_TEMP_FILES_H
#define TT_TUI_FILES_TEMP_FILES_H

/* The name of the file system, for sqlite3_open_v2(); NULL: SQLite has no memory. */
const char *tt_sql_temp_files(void);

#endif
