/* parser/sqlite/vfs.h - the only file system that SQLite sees here: one file, which can be read.
 *
 * It opens nothing, makes nothing and looks for nothing: no journal, -wal or -shm file, whatever a database says.
 * Private to parser/sqlite. */
#ifndef TT_PARSER_SQLITE_VFS_H
#define TT_PARSER_SQLITE_VFS_H

#include <sqlite3.h>
#include <stdint.h>

typedef struct tt_db_bytes { /* of a database; must outlive the connections */
    int fd;                  /* of a file; -1: in memory */
    const unsigned char *at; /* in memory */
    uint64_t size;
    uint64_t says; /* its size by its own beginning, where that is more: the end is missing, and reads as zeros */
} tt_db_bytes;

/* Fills in what the beginning of the database says. */
void tt_db_bytes_look(tt_db_bytes *b);

/* A connection that reads these; SQLITE_OK. Closed with sqlite3_close_v2() either way. Any thread. */
int tt_db_bytes_open(const tt_db_bytes *b, sqlite3 **out);

#endif
