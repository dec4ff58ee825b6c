/* parser/source/archive_impl.h - shared by the two kinds of archives and the sources of their members; see archive.h.
 * */
#ifndef TT_PARSER_SOURCE_ARCHIVE_IMPL_H
#define TT_PARSER_SOURCE_ARCHIVE_IMPL_H

#include "parser/source/archive.h"
#include "parser/source/source_impl.h"

typedef struct tt_members { /* members found by a walk over an archive */
    TT_VEC(tt_member) all;  /* owns the names */
    tt_problems *problems;
    const tt_source *text; /* text of the archive */
} tt_members;

/* Add a member and take over its name; false = there are too many, and the walk ends. */
bool tt_members_add(tt_members *l, const tt_member *m);
/* Report that the archive is damaged or ends too soon at this offset of its text. If a read has failed that error is
 * reported instead. */
void tt_members_cut(tt_members *l, uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

bool tt_is_zip(tt_source *s, const char *head, size_t n);
bool tt_is_tar(const char *head, size_t n);
void tt_zip_walk(tt_source *archive, tt_members *out);
void tt_tar_walk(tt_source *archive, tt_members *out);

/* Read up to cap bytes of the archive's text at an offset; 0 = end (*damage tells if the text ends too early), -1 =
 * failed (errno). Any thread. */
int64_t tt_archive_read(tt_archive *a, uint64_t at, void *out, size_t cap, tt_damage *damage);
/* The archive's file is open from enter to leave; enter returns false if the file is gone or has changed. */
bool tt_archive_enter(tt_archive *a);
void tt_archive_leave(tt_archive *a);
bool tt_archive_direct(const tt_archive *a); /* the archive's text is not compressed */
bool tt_archive_changed(tt_archive *a);      /* valid between enter and leave */
/* For a member with its own source: if the archive is damaged before the member's end, the member is, too. */
void tt_archive_tell(const tt_archive *a, tt_source *member);

#endif
