/* parser/source/archive.h - traces inside zip and tar archives, read in place: nothing is unpacked to a disk.
 *
 * A member has the path ARCHIVE/NAME ("traces.zip/run1/a.pt.trace.json"), which tt_source_open() accepts. A tar
 * archive may be compressed as a whole, and a member may be compressed (a.json.gz). An archive inside an archive is
 * not opened. An open archive holds an index of its members, made by one pass over the archive, and one source from
 * which all members are read. So opening one member after another costs only a search in the index, and no byte of a
 * compressed archive is decoded twice on the way. */
#ifndef TT_PARSER_SOURCE_ARCHIVE_H
#define TT_PARSER_SOURCE_ARCHIVE_H

#include "model/base/problems.h"
#include "parser/source/source.h"

typedef struct tt_archive tt_archive;

enum { TT_MEMBER_TAKEN = -1 };

typedef struct tt_member { /* a file of an archive, not a folder */
    char *name;            /* name in the archive; any bytes */
    uint64_t offset;       /* offset of its header in the archive's text */
    int left_out;          /* TT_MEMBER_TAKEN, or the tt_problem_kind that tells why it cannot be read */
    /* place of the member's stored bytes in the archive's text; size UINT64_MAX = the stored bytes tell their own
     * end */
    uint64_t at, size;
    unsigned method; /* zip's number: 0 = stored, 8 = deflate */
    bool has_crc;
    uint32_t crc; /* checksum of the unpacked member */
} tt_member;

/* Open the file at path and index its members. NULL = the file is of another kind or cannot be read (tt_source_open()
 * will say why). A damaged archive returns the members that can be found. A compressed tar archive is read to its end.
 * */
tt_archive *tt_archive_open(const char *path);
tt_archive *tt_archive_ref(tt_archive *a);
void tt_archive_free(tt_archive *a); /* give one reference back; NULL is allowed */

/* Members come in the order of the archive. */
size_t tt_archive_count(const tt_archive *a);
const tt_member *tt_archive_member(const tt_archive *a, size_t i);
/* Damage of the archive itself: cut off, too many members. */
const tt_problems *tt_archive_problems(const tt_archive *a);

/* The text of the member with this name. If several members have the name the last one counts, as when they are
 * unpacked. The source keeps a reference to the archive. */
tt_status tt_archive_source(tt_archive *a, const char *name, tt_source **out, tt_err *err);
/* No more members will be opened for now: free the decoder's state kept for them. */
void tt_archive_settle(tt_archive *a);

#endif
