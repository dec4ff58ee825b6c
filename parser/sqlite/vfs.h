/* parser/sqlite/vfs.h - the only file system that SQLite sees here: one file, read-only.
 *
 * It opens, creates and searches nothing: no journal, -wal or -shm file, whatever a database says. Private to
 * parser/sqlite. */
#ifndef TT_PARSER_SQLITE_VFS_H
#define TT_PARSER_SQLITE_VFS_H

#include <sqlite3.h>
#include <stdint.h>

typedef struct tt_db_bytes { /* bytes of a database; must outlive its connections */
    int fd;                  /* descriptor of a file; -1: bytes in memory */
    const unsigned char *at; /* bytes in memory */
    uint64_t size;
    uint64_t says; /* size by the database's header, if larger than the file: the missing end reads as zeros */
} tt_db_bytes;

/* Fill in the members that the database's header tells. */
void tt_db_bytes_look(tt_db_bytes *b);

/* Open a connection on these bytes; SQLITE_OK. Call sqlite3_close_v2() in any case. Any thread. */
int tt_db_bytes_open(const tt_db_bytes *b, sqlite3 **out);

#endif
