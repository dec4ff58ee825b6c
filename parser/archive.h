/* parser/archive.h - traces inside zip and tar archives, read where they lie: nothing is unpacked to a disk.
 *
 * A member has a path of its own, ARCHIVE/NAME ("traces.zip/run1/a.pt.trace.json"), which tt_source_open() takes like any other. A tar
 * archive may be compressed as a whole; a member may be compressed (a.json.gz). An archive inside an archive is not opened.
 * Members that are no plain files (links, devices), whose name is absolute or climbs with "..", or that are encrypted are left out. */
#ifndef TT_PARSER_ARCHIVE_H
#define TT_PARSER_ARCHIVE_H

#include "parser/source.h"

typedef struct tt_archive_names {
    TT_VEC(char *) at; /* as the archive has them, in its order */
    uint32_t left_out; /* members that are not taken, see above */
} tt_archive_names;

/* The members of the file at path. False when it is a regular file of another kind, or none that can be read (tt_source_open() will
 * say why). A damaged archive gives the members that can be found. Reads a compressed tar archive to its end. */
bool tt_archive_list(const char *path, tt_archive_names *out);
void tt_archive_names_free(tt_archive_names *l);

#endif
