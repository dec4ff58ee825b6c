/* parser/input/discover.h - which files make up a run.
 *
 * A directory is walked with all below it (walk.h: links are followed as long as they stay below it). Each directory
 * that directly holds at least one trace file is a run; every trace file in it is one (worker, span). Files given by
 * name are taken whatever they are called. */
#ifndef TT_PARSER_INPUT_DISCOVER_H
#define TT_PARSER_INPUT_DISCOVER_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"
#include "model/base/problems.h"

#include <stdint.h>

typedef struct tt_found_part {
    const char *role;
    char *path, *member; /* member: as in tt_found */
} tt_found_part;

typedef struct tt_found {
    char *path;
    char *run;    /* relative to the directory given, its own base name for the directory itself; "" for files given by
                         name and when several paths are given: those are workers of one run. Ascend: the folder of the
                         *_ascend_pt folders, each of which is a worker */
    char *worker; /* from the file name; for other names the file name without known endings. (run, worker, stamp) is
                         unique: equal ones get their folder in front, then their whole path */
    char *stamp;  /* digits that order the spans of a worker; "" = none */
    char *span;   /* "1", "2", ... by stamp as strings within (run, worker); "default" when there is no stamp.
                         Paddle files: span_indx inside the file decides, the loader overwrites it */
    int64_t rank; /* from the name (rank0, rank_3, worker3, TP-0 ...), -1 */
    size_t archive; /* 0, or 1 + the number of the archive in which this is the file `member` */
    char *member;
    const struct tt_format *format; /* NULL: by what is in it */
    TT_VEC(tt_found_part) parts;    /* of a folder that is one input; else none */
} tt_found;

struct tt_archive;
typedef struct tt_found_archive {
    struct tt_archive *archive;
    tt_problems problems; /* of the archive, and of files in it that were left out; for the trace of one of its files */
} tt_found_archive;

typedef struct tt_found_list {
    tt_found *at;
    size_t n, cap;
    TT_VEC(tt_found_archive) archives;
    TT_VEC(char)
    warnings; /* about folders that could not be read and what archives lack, a line each; not terminated */
    const _Atomic bool *stop; /* ends the search soon after it is set: TT_ERR_CANCELLED; NULL = nothing does */
} tt_found_list;

/* Expand the paths. Ordered by (run, worker with numbers by value, stamp). TT_ERR_INPUT when a path is missing,
 * unreadable, or a directory without any trace (the message says what was looked for). */
tt_status tt_discover(const char *const *paths, uint32_t n, tt_found_list *out, tt_err *err);
void tt_found_free(tt_found_list *l);

/* In out, the name of a trace in the folder of the file at path, for those who opened one without anything. False:
 * there is none. */
bool tt_discover_beside(const char *path, char *out, size_t cap);

/* Length of the name without the ending of a compression. */
size_t tt_discover_uncompressed(const char *name);
/* The rank that the name of a worker or a file says, -1 = none. */
int64_t tt_discover_rank(const char *name);

#endif
