/* parser/discover/discover.h - finds the inputs at the user's paths and the runs that they form.
 *
 * A directory is walked with everything below it (walk.h). Each directory that directly holds a trace file is a run,
 * or several (runs.h); each trace file in it is one (worker, span). A file that only its content makes a trace is its
 * own run. Of a directory with several runs a command takes the newest readable one. Files named by the user are taken
 * whatever their names; several paths are the workers of one run. */
#ifndef TT_PARSER_DISCOVER_DISCOVER_H
#define TT_PARSER_DISCOVER_DISCOVER_H

#include "parser/discover/found.h"

typedef struct tt_discover_limits {
    const tt_walk_limits *walk;
    uint32_t heads;    /* files that may be opened because their names tell nothing */
    uint64_t archives; /* largest archive that is opened, in bytes */
} tt_discover_limits;

typedef struct tt_discover_how {    /* all zero: no limits, the newest run of each directory */
    const char *run;                /* run to take from a directory with several; NULL = the newest */
    const tt_discover_limits *most; /* NULL = no limits */
    const _Atomic bool *stop;       /* discovery gives up soon after this is set */
} tt_discover_how;

/* Expand the paths, sorted by (run, worker with numbers by value, stamp). If there are several paths each directory
 * gives the run asked for. TT_ERR_INPUT = a path is missing or unreadable, or a directory has no trace (the message
 * says what was looked for); TT_ERR_USAGE = the run asked for does not exist. */
tt_status tt_discover_as(const char *const *paths, uint32_t n, const tt_discover_how *how, tt_found_list *out,
                         tt_err *err);
tt_status tt_discover(const char *const *paths, uint32_t n, tt_found_list *out, tt_err *err); /* without limits */
void tt_found_free(tt_found_list *l);

/* Index of the run asked for, by its name, the end of its name, or root/name; NULL = the newest run that begins like a
 * trace. TT_ERR_USAGE lists the existing names. root: the directory, for the message. */
tt_status tt_found_choose(const tt_found_list *l, const char *root, const char *run, size_t *out, tt_err *err);
/* Path of the run with this name, without a leading "./"; "" = the run has several paths. The list owns it. */
const char *tt_found_run_path(const tt_found_list *l, const char *run);
/* A warning that the user made no choice: the run taken, the reason, and the other runs. Empty if there is only one
 * run. Allocated in the arena. */
const char *tt_found_words(const tt_found_list *l, const char *root, size_t taken, tt_arena *a);

/* The file at path could not be read for the reason in *err (may be NULL): if the file is empty, add the name of a
 * trace beside it to the reason. */
void tt_discover_say_beside(const char *path, tt_err *err);

#endif
