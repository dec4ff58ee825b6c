/* parser/discover/found.h - results of discovery: inputs, the archives that hold them, and the runs that they form. */
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
    char *run;    /* name of its run; "" for files named by the user and for several paths, which are the workers of one
                     run. Ascend: the folder that holds the *_ascend_pt folders, each of which is a worker */
    char *worker; /* from the file name; for unknown names the file name without known endings. (run, worker, stamp,
                     stage) is unique: equal ones get their folder in front, then their whole path */
    char *stamp;  /* digits that order the spans of a worker; "" = none */
    char *span; /* the stage in the file name; else "1", "2", ... in the order of stamps within (run, worker), "default"
                   without a stamp. For Paddle's files the loader replaces it by the file's span_indx */
    int64_t rank;   /* from the name (rank0, rank_3, worker3, TP-0 ...), -1 = none */
    size_t archive; /* 0, or 1 + index of the archive that holds the file `member` */
    char *member;
    unsigned lesser;                /* 0, or 1 + its kind of name if its folder has lower kinds (names.h) */
    bool inner;                     /* a file inside a folder that is one input, but no part of that input */
    const struct tt_format *format; /* NULL = decided by the content */
    bool ring;                      /* the parts are the segments of one recording: see rings.h */
    TT_VEC(tt_found_part) parts;    /* parts of a folder that is one input, or of a ring; else empty */
} tt_found;

struct tt_archive;
typedef struct tt_found_archive {
    struct tt_archive *archive;
    tt_problems problems; /* problems of the archive and of files left out, for the trace of its first file */
} tt_found_archive;

/* Source of a run's time. */
typedef enum tt_found_time { TT_FOUND_BY_NAME, TT_FOUND_BY_EVENTS, TT_FOUND_BY_CHANGE } tt_found_time;

/* Name of the run that is the dumps of flight recorders among other runs of a folder. */
#define TT_HANG_RUN "hang"

typedef struct tt_found_run {
    char *name;    /* name below the user's directory (raw bytes): the run's folder, or the run's first file if several
                      runs share a folder; for the directory itself its base name */
    char *path;    /* path of that folder or file; "" = several paths form the run */
    bool folder;   /* path is a folder */
    bool linked;   /* links lead to some of its inputs */
    bool hang;     /* dumps of flight recorders */
    bool readable; /* at least one input begins like a trace; true if no input was opened */
    uint32_t inputs, workers;
    uint64_t bytes;
    int64_t at_ns; /* time of recording of its newest input, ns since 1970 */
    tt_found_time by;
} tt_found_run;

#define TT_KEY_OF_ALL SIZE_MAX

/* A file that tells what the graphs of a run hold (model/keys/keys.h). */
typedef struct tt_found_key {
    char *path;
    size_t home;   /* length of the part of the path that names the folder beside or below which its run lies;
                      TT_KEY_OF_ALL: the user named the key, all runs have it */
    int64_t batch; /* what execution_details.json beside it says; -1 = nothing */
} tt_found_key;

typedef struct tt_found_list {
    tt_found *at;
    size_t n, cap;
    TT_VEC(tt_found_key) keys; /* by path; no inputs of a run */
    TT_VEC(tt_found_run) runs; /* newest first; a single one without a name if the paths are workers of one run */
    TT_VEC(tt_found_archive) archives;
    TT_VEC(char)
    warnings;            /* unreadable folders and missing files of archives, one a line; not terminated */
    tt_walk_left left;   /* files and folders that the walks passed over */
    const char *stopped; /* the limit that ended the walks; NULL = none */
} tt_found_list;

/* Free what *f owns. */
void tt_found_clear(tt_found *f);
/* Append a warning of one line to the list; line breaks inside it, as in odd file names, become '?'. */
void tt_found_warn(tt_found_list *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
