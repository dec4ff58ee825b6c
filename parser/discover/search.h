/* parser/discover/search.h - the runs below a folder, for a user who chooses one: the results of tt_discover() in
 * bounded time. Archives above 16 MB are not opened. */
#ifndef TT_PARSER_DISCOVER_SEARCH_H
#define TT_PARSER_DISCOVER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef struct tt_search_run {
    char *name; /* as --run accepts it; owned */
    char *path; /* the folder or file, below the root as the user named it; raw bytes; owned */
    TT_VEC(char *)
    inputs; /* paths that open the run: its path; or its traces, if other runs lie below its path or links lead to them;
               owned */
    bool folder;
    uint32_t n_traces;  /* files, or folders of workers */
    uint32_t n_workers; /* by the names of the files; 0 = only the content tells */
    uint64_t bytes;     /* sizes of the files */
    int64_t changed;    /* time of recording in s since 1970, as far as it is known (tt_found_run.at_ns) */
} tt_search_run;

typedef struct tt_search_limits {
    uint32_t depth;   /* levels below the root; 0 = the root alone */
    uint32_t entries; /* names looked at */
    uint32_t folders;
    uint32_t heads; /* files opened because their names tell nothing */
    int64_t ms;
} tt_search_limits;
extern const tt_search_limits tt_search_usual; /* as long as a user would wait */
extern const tt_search_limits tt_search_quick; /* too short for a user to notice */

typedef struct tt_search {
    TT_VEC(tt_search_run) runs; /* newest first; of equal age by name */
    const char *stopped;        /* the limit that ended the search, as "after 2 s"; NULL = none */
    uint32_t closed;            /* folders that could not be read */
    uint32_t led_out;           /* links out of the folder, which are not followed */
} tt_search;

/* Search below root; "" or "." = the current folder. Gives up soon after *stop is set; stop may be NULL. Free the
 * result with tt_search_free(). */
tt_search tt_search_runs(const char *root, const tt_search_limits *limits, const _Atomic bool *stop);
void tt_search_free(tt_search *s);

#endif
