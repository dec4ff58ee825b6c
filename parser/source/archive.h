/* parser/source/archive.h - traces inside zip and tar archives, read where they lie: nothing is unpacked to a disk.
 *
 * A member has a path of its own, ARCHIVE/NAME ("traces.zip/run1/a.pt.trace.json"), which tt_source_open() takes
 * like any other. A tar archive may be compressed as a whole; a member may be compressed (a.json.gz). An archive
 * inside an archive is not opened. An open archive is an index of its members, made by one pass over it, and one
 * place from which all of its members are read: so opening one member after another costs a search in the index
 * each, and no byte of a compressed archive is decoded twice on the way. */
#ifndef TT_PARSER_SOURCE_ARCHIVE_H
#define TT_PARSER_SOURCE_ARCHIVE_H

#include "model/base/problems.h"
#include "parser/source/source.h"

typedef struct tt_archive tt_archive;

enum { TT_MEMBER_TAKEN = -1 };

typedef struct tt_member { /* a file of an archive; no folders */
    char *name;            /* as the archive has it, any bytes */
    uint64_t offset;       /* of its header in the text of the archive */
    int left_out;          /* TT_MEMBER_TAKEN, or the tt_problem_kind why it cannot be read */
    uint64_t at, size; /* its stored bytes in the text of the archive; size UINT64_MAX = until they end by themselves */
    unsigned method;   /* zip's number: 0 = stored as it is, 8 = deflate */
    bool has_crc;
    uint32_t crc; /* of the member when it is unpacked */
} tt_member;

/* The file at path with the index of its members. NULL when it is a regular file of another kind, or none that can
 * be read (tt_source_open() will say why). A damaged archive gives the members that can be found. Reads a compressed
 * tar archive to its end. */
tt_archive *tt_archive_open(const char *path);
tt_archive *tt_archive_ref(tt_archive *a);
void tt_archive_free(tt_archive *a); /* gives one reference back; NULL is fine */

/* In the order of the archive. */
size_t tt_archive_count(const tt_archive *a);
const tt_member *tt_archive_member(const tt_archive *a, size_t i);
/* Damage of the archive itself: cut off, too many members. */
const tt_problems *tt_archive_problems(const tt_archive *a);

/* The text of the member with this name; where several have it, of the last one, which replaces the others as it
 * does when they are unpacked. The source keeps the archive by a reference of its own. */
tt_status tt_archive_source(tt_archive *a, const char *name, tt_source **out, tt_err *err);
/* No more members are going to be opened for now: what was kept to read on from is given back. */
void tt_archive_settle(tt_archive *a);

#endif
