/* parser/discover/found.h - what discovery finds: inputs, the archives that hold them, the runs that they make up. */
#ifndef TT_PARSER_DISCOVER_FOUND_H
#define TT_PARSER_DISCOVER_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"
#include "model/base/problems.h"
#include "parser/input/walk.h"

typedef struct tt_found_part {
    const char *role;
    char *path, *member; /* member: as in tt_found */
} tt_found_part;

typedef struct tt_found {
    char *path;
    char *run;    /* the name of its run; "" for files given by name and when several paths are given: those are workers
                         of one run. Ascend: of the folder of the *_ascend_pt folders, each of which is a worker */
    char *worker; /* from the file name; for other names the file name without known endings. (run, worker, stamp) is
                         unique: equal ones get their folder in front, then their whole path */
    char *stamp;  /* digits that order the spans of a worker; "" = none */
    char *span;   /* "1", "2", ... by stamp as strings within (run, worker); "default" when there is no stamp.
                         Paddle files: span_indx inside the file decides, the loader overwrites it */
    int64_t rank; /* from the name (rank0, rank_3, worker3, TP-0 ...), -1 */
    size_t archive; /* 0, or 1 + the number of the archive in which this is the file `member` */
    char *member;
    unsigned lesser; /* 0, or its kind of name + 1 where its folder has names of an earlier kind (names.h) */
    bool inner;      /* a file in a folder that is one input, and no part of it */
    const struct tt_format *format; /* NULL: by what is in it */
    TT_VEC(tt_found_part) parts;    /* of a folder that is one input; else none */
} tt_found;

struct tt_archive;
typedef struct tt_found_archive {
    struct tt_archive *archive;
    tt_problems problems; /* of the archive, and of files in it that were left out; for the trace of one of its files */
} tt_found_archive;

/* What the time of a run was taken from. */
typedef enum tt_found_time { TT_FOUND_BY_NAME, TT_FOUND_BY_EVENTS, TT_FOUND_BY_CHANGE } tt_found_time;

typedef struct tt_found_run {
    char *name;    /* below the directory given, its own base name for the directory itself: of the run's folder, of its
                          first file where several runs share a folder; raw bytes */
    char *path;    /* of that folder or file; "" where several paths are one run */
    bool folder;   /* path is a folder */
    bool linked;   /* links bring some of its inputs */
    bool readable; /* an input of it begins as traces do; true when nothing was looked at */
    uint32_t inputs, workers;
    uint64_t bytes;
    int64_t at_ns; /* when it was recorded, ns since 1970: of its newest input */
    tt_found_time by;
} tt_found_run;

typedef struct tt_found_list {
    tt_found *at;
    size_t n, cap;
    TT_VEC(tt_found_run) runs; /* newest first; one without a name where paths are workers of one run */
    TT_VEC(tt_found_archive) archives;
    TT_VEC(char)
    warnings;            /* about folders that could not be read and what archives lack, a line each; not terminated */
    tt_walk_left left;   /* what the walks passed over */
    const char *stopped; /* the limit that ended them; NULL = none */
} tt_found_list;

/* Free what *f owns. */
void tt_found_clear(tt_found *f);
/* Append a warning of one line to the list; line breaks in it, which names may have, become '?'. */
void tt_found_warn(tt_found_list *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
