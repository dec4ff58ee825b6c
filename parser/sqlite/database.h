/* parser/sqlite/database.h - an SQLite database that is only looked at, whoever wrote it.
 *
 * Nothing is ever written: the file is opened read-only and immutable, and by a file system of our own (vfs.h) that
 * has no other file, so that no journal, -wal or -shm file is made, nor looked for; a directory that cannot be written
 * to is fine. Nothing in the file is run: only tables with rows of
 * their own are read, by their rowid; views, triggers, virtual tables and generated columns are as if they were not
 * there, and an authorizer refuses whatever else a statement would reach.
 * A database that is not a file of its own (compressed, in an archive, on standard input) is unpacked into memory, up
 * to TT_INPUT_UNPACK_MOST: SQLite reads at any place, a temporary file would need a place to write, and memory is
 * bounded by what the message then says.
 * One thread at a time uses a tt_db; further threads open the same image again. */
#ifndef TT_PARSER_SQLITE_DATABASE_H
#define TT_PARSER_SQLITE_DATABASE_H

#include <sqlite3.h>

#include "parser/input/reader.h"

typedef struct tt_db_image tt_db_image; /* where the bytes are; for any number of connections of any threads */
typedef struct tt_db tt_db;             /* a connection */

typedef struct tt_db_table {
    const char *name;
    const char *const *columns; /* NULL at the end; those that hold values of their own, as the file spells them */
} tt_db_table;

/* The image of the first part of the input. TT_ERR_INPUT: it cannot be read, or is packed and too large. */
tt_status tt_db_image_open(tt_input *in, const _Atomic bool *stop, tt_db_image **out, tt_err *err);
void tt_db_image_free(tt_db_image *i); /* after all of its connections; NULL is fine */
uint64_t tt_db_image_size(const tt_db_image *i);
/* Whether there are changes beside the file that an immutable look does not see: a -wal file that is not empty. */
bool tt_db_image_has_wal(const tt_db_image *i);
bool tt_db_image_is_cut(const tt_db_image *i); /* its end is missing, by what its beginning says */
/* False when the file has another size or time than when it was opened. One that is replaced or removed meanwhile is
 * read on as it was. */
bool tt_db_image_is_same(const tt_db_image *i);

/* most: bytes of one value; larger ones cannot be read, 0 = 128 MiB. stop may be NULL; once it is set every step
 * fails soon. */
tt_status tt_db_open(const tt_db_image *i, uint64_t most, const _Atomic bool *stop, tt_db **out, tt_err *err);
void tt_db_close(tt_db *d); /* NULL is fine; also what was prepared */

/* The tables with rows of their own, in the order of the file; valid as long as the connection. */
const tt_db_table *tt_db_tables(const tt_db *d, uint32_t *n);
/* One by its name, in any case; NULL. */
const tt_db_table *tt_db_find(const tt_db *d, const char *name);
bool tt_db_has_column(const tt_db_table *t, const char *name); /* in any case */
/* A view counts: it tells what the file is, even if it is not read. */
bool tt_db_names(const tt_db *d, const char *name);
/* The first names of tables and views, comma separated, for a message; "" = none. */
const char *tt_db_first_names(const tt_db *d);
/* Why the list of tables ends early; "" = it does not. */
const char *tt_db_damage(const tt_db *d);

/* A statement over a table: the columns, in this order (NULL = a column that gives no value), of the rows with ids from
 * ?1 to ?2, first ones first; column 0 is the id. NULL when it cannot be prepared. Finalised by the caller. */
sqlite3_stmt *tt_db_select(tt_db *d, const char *table, const char *const *columns, uint32_t n);
/* The first id of the table from `from` on, or the last one up to `to`. False: there is none, or it cannot be read
 * (*broken). */
bool tt_db_id_from(tt_db *d, const char *table, int64_t from, int64_t *id, bool *broken);
bool tt_db_last_id(tt_db *d, const char *table, int64_t to, int64_t *id, bool *broken);

#endif
