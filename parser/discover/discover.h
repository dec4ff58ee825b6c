/* parser/discover/discover.h - which inputs lie at the paths that a person gives, and which runs they make up.
 *
 * A directory is walked with all below it (walk.h). Each directory that directly holds at least one trace file is a
 * run, or several (runs.h); every trace file in it is one (worker, span). A file that only its content makes a trace is
 * a run of its own. Of a directory that holds several runs a command takes the newest one that can be read. Files given
 * by name are taken whatever they are called: several paths are workers of one run. */
#ifndef TT_PARSER_DISCOVER_DISCOVER_H
#define TT_PARSER_DISCOVER_DISCOVER_H

#include "parser/discover/found.h"

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

#endif
