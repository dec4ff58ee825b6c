/* parser/source/archive_impl.h - between the two kinds of archives and the sources of their members; see archive.h. */
#ifndef TT_PARSER_SOURCE_ARCHIVE_IMPL_H
#define TT_PARSER_SOURCE_ARCHIVE_IMPL_H

#include "parser/source/archive.h"
#include "parser/source/source_impl.h"

typedef struct tt_members { /* what a walk over an archive finds */
    TT_VEC(tt_member) all;  /* names are owned */
    tt_problems *problems;
    const tt_source *text; /* of the archive */
} tt_members;

/* Take a member, with its name; false when there are too many, which ends the walk. */
bool tt_members_add(tt_members *l, const tt_member *m);
/* The archive is damaged or ends too soon, at this offset of its text. Where a read has failed, that is said instead.
 */
void tt_members_cut(tt_members *l, uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

bool tt_is_zip(tt_source *s, const char *head, size_t n);
bool tt_is_tar(const char *head, size_t n);
void tt_zip_walk(tt_source *archive, tt_members *out);
void tt_tar_walk(tt_source *archive, tt_members *out);

/* Up to cap bytes from an offset of the archive's text; 0 = end: then *damage says why, when it is not the true one.
 * -1 = failed (errno). Any thread. */
int64_t tt_archive_read(tt_archive *a, uint64_t at, void *out, size_t cap, tt_damage *damage);
/* The file of the archive is open between these two; enter is false when it is gone or is not what it was. */
bool tt_archive_enter(tt_archive *a);
void tt_archive_leave(tt_archive *a);
bool tt_archive_direct(const tt_archive *a); /* its text is not compressed */
bool tt_archive_changed(tt_archive *a);      /* while it is entered */
/* For a member that is read on its own: damage of the archive in front of the member's end is that of the member
 * too. */
void tt_archive_tell(const tt_archive *a, tt_source *member);

#endif
