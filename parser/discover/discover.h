/* parser/discover/discover.h - which inputs lie at the paths that a person gives, and which runs they make up.
 *
 * A directory is walked with all below it (walk.h). Each directory that directly holds at least one trace file is a
 * run, or several (runs.h); every trace file in it is one (worker, span). A file that only its content makes a trace is
 * a run of its own. Of a directory that holds several runs a command takes the newest one that can be read. Files given
 * by name are taken whatever they are called: several paths are workers of one run. */
#ifndef TT_PARSER_INPUT_DISCOVER_H
#define TT_PARSER_INPUT_DISCOVER_H

#include <stdbool.h>

#include "model/base/err.h"
#include "model/base/mem.h"
#include "model/base/problems.h"
#include "parser/input/walk.h"

#include <stdint.h>

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

typedef struct tt_discover_limits {
    const tt_walk_limits *walk;
    uint32_t heads;    /* files that are opened because their names say nothing */
    uint64_t archives; /* bytes of an archive that is opened */
} tt_discover_limits;

typedef struct tt_discover_how {    /* all zero: everything, the newest runs */
    const char *run;                /* of a directory that holds several; NULL = the newest */
    const tt_discover_limits *most; /* NULL = everything is looked at */
    const _Atomic bool *stop;       /* gives up soon after it is set */
} tt_discover_how;

/* Expand the paths. Ordered by (run, worker with numbers by value, stamp). Of several paths, directories give the run
 * that is asked for. TT_ERR_INPUT when a path is missing, unreadable, or a directory without any trace (the message
 * says what was looked for); TT_ERR_USAGE when a run is asked for that is not there. */
tt_status tt_discover_as(const char *const *paths, uint32_t n, const tt_discover_how *how, tt_found_list *out,
                         tt_err *err);
tt_status tt_discover(const char *const *paths, uint32_t n, tt_found_list *out, tt_err *err); /* everything */
void tt_found_free(tt_found_list *l);
void tt_found_clear(tt_found *f); /* what it owns */

/* The index of the run that is asked for: by its name, by the end of its name, or as root/name; NULL: the newest that
 * begins as traces do. TT_ERR_USAGE with the names that are there. root: the directory, for the message. */
tt_status tt_found_choose(const tt_found_list *l, const char *root, const char *run, size_t *out, tt_err *err);
/* Where the run of this name lies, without "./" in front; "" = at several paths. The list's. */
const char *tt_found_run_path(const tt_found_list *l, const char *run);
/* A warning about a choice that nobody made: which run is taken, why, and which others there are. Empty when there is
 * only one. In the arena. */
const char *tt_found_words(const tt_found_list *l, const char *root, size_t taken, tt_arena *a);

/* The file at path could not be read, for the reason in *err, which may be NULL: where the file is empty, the reason
 * names a trace beside it, too. */
void tt_discover_say_beside(const char *path, tt_err *err);

/* Length of the name without the ending of a compression. */
size_t tt_discover_uncompressed(const char *name);
/* The rank that the name of a worker or a file says, -1 = none. */
int64_t tt_discover_rank(const char *name);

#endif
