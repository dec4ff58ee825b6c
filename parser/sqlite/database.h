/* parser/sqlite/database.h - read-only access to an SQLite database of any origin.
 *
 * Nothing is ever written: the file is opened read-only and immutable, through a file system of our own (vfs.h) that
 * has no other file, so no journal, -wal or -shm file is made or searched; a read-only directory is fine. Nothing in
 * the file is run: only tables with rows of their own are read, by rowid; views, triggers, virtual tables and generated
 * columns are ignored, and an authorizer refuses all else that a statement would reach. A database that is no plain
 * file (compressed, in an archive, on standard input) is unpacked into memory, up to TT_INPUT_UNPACK_MOST: SQLite reads
 * at any offset, a temporary file would need a place to write, and the limit bounds the memory. One thread at a time
 * uses a tt_db; further threads open the image again. */
#ifndef TT_PARSER_SQLITE_DATABASE_H
#define TT_PARSER_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "parser/input/reader.h"

typedef struct tt_db_image tt_db_image; /* bytes of a database, for any number of connections of any threads */
typedef struct tt_db tt_db;             /* a connection */

typedef struct tt_db_table {
    const char *name;
    const char *const *columns; /* names of the stored columns as the file spells them; ends with NULL */
} tt_db_table;

/* Open the first part of the input as an image. TT_ERR_INPUT: it cannot be read, or is packed and too large. */
tt_status tt_db_image_open(tt_input *in, const _Atomic bool *stop, tt_db_image **out, tt_err *err);
void tt_db_image_free(tt_db_image *i); /* call after closing all of its connections; NULL is fine */
uint64_t tt_db_image_size(const tt_db_image *i);
/* Whether a -wal file that is not empty lies beside the file: it holds changes that an immutable connection does not
 * see. */
bool tt_db_image_has_wal(const tt_db_image *i);
bool tt_db_image_is_cut(const tt_db_image *i); /* the file is shorter than its header says */
/* False when the file's size or time has changed since it was opened. A file that is replaced or removed meanwhile is
 * read on unchanged. */
bool tt_db_image_is_same(const tt_db_image *i);

/* Open a connection. most: bytes of the largest value that can be read, 0 = 128 MiB. stop may be NULL; once it is set
 * every step fails soon. */
tt_status tt_db_open(const tt_db_image *i, uint64_t most, const _Atomic bool *stop, tt_db **out, tt_err *err);
void tt_db_close(tt_db *d); /* frees all prepared statements, too; NULL is fine */

/* The tables with rows of their own, in the order of the file; valid until tt_db_close(). */
const tt_db_table *tt_db_tables(const tt_db *d, uint32_t *n);
/* The table with a name, ignoring case; NULL = none. */
const tt_db_table *tt_db_find(const tt_db *d, const char *name);
bool tt_db_has_column(const tt_db_table *t, const char *name); /* ignores case */
/* Whether a table or view has the name: views are not read but help to recognise a file. */
bool tt_db_names(const tt_db *d, const char *name);
/* The first names of tables and views, comma separated, for a message; "" = none. */
const char *tt_db_first_names(const tt_db *d);
/* Why the list of tables ends early; "" = it is complete. */
const char *tt_db_damage(const tt_db *d);

/* A statement over a table for rows with ids from ?1 to ?2, ascending: the id as column 0, then the columns in this
 * order (NULL = a column without a value). NULL when it cannot be prepared. The caller finalises it. */
sqlite3_stmt *tt_db_select(tt_db *d, const char *table, const char *const *columns, uint32_t n);
/* The first id of the table at or above `from`, or the last one at or below `to`. False: no such row, or damage
 * (*broken). */
bool tt_db_id_from(tt_db *d, const char *table, int64_t from, int64_t *id, bool *broken);
bool tt_db_last_id(tt_db *d, const char *table, int64_t to, int64_t *id, bool *broken);

#endif
