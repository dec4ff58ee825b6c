/* parser/archive_impl.h - between the two kinds of archives and the sources of their members; see archive.h. */
#ifndef TT_PARSER_ARCHIVE_IMPL_H
#define TT_PARSER_ARCHIVE_IMPL_H

#include "parser/source_impl.h"

typedef struct tt_member {
    char *name;        /* not NULL, "" for one that is not taken */
    uint64_t at, size; /* its stored bytes in the text of the archive; size UINT64_MAX = until they end by themselves */
    unsigned method;   /* zip's number: 0 = stored as it is, 8 = deflate */
    bool has_crc;
    uint32_t crc; /* of the member when it is unpacked */
} tt_member;

/* Called for each member in turn; false ends the walk. The member is valid during the call. */
typedef bool tt_member_fn(void *arg, const tt_member *m);

bool tt_is_zip(const char *head, size_t n);
bool tt_is_tar(const char *head, size_t n);
void tt_zip_walk(tt_source *archive, tt_member_fn *member, void *arg);
void tt_tar_walk(tt_source *archive, tt_member_fn *member, void *arg);

/* A name that says where something would be unpacked to, were it unpacked: relative, without "..". */
bool tt_member_name_is_safe(const char *name);

#endif
