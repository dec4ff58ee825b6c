/* parser/discover/search.h - the runs below a folder, for a person who chooses one: what tt_discover() finds in bounded
 * time. Archives above 16 MB are not opened for it. */
#ifndef TT_PARSER_INPUT_SEARCH_H
#define TT_PARSER_INPUT_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef struct tt_search_run {
    char *name; /* as --run has it; owned */
    char *path; /* the folder or file, below the root as it was named; raw bytes; owned */
    TT_VEC(char *)
    inputs; /* to open it: its path, or its traces where other runs lie below it too or links lead to them from
               elsewhere; owned */
    bool folder;
    uint32_t n_traces;  /* files, folders of workers */
    uint32_t n_workers; /* by their names; 0 = only the files themselves know */
    uint64_t bytes;     /* of the files */
    int64_t changed;    /* s since 1970: when it was recorded, as far as that is known (tt_found_run.at_ns) */
} tt_search_run;

typedef struct tt_search_limits {
    uint32_t depth;   /* folders below the root; 0 = the root alone */
    uint32_t entries; /* names that are looked at */
    uint32_t folders;
    uint32_t heads; /* files that are opened because their names say nothing */
    int64_t ms;
} tt_search_limits;
extern const tt_search_limits tt_search_usual; /* what a person waits for at most */
extern const tt_search_limits tt_search_quick; /* what nobody notices */

typedef struct tt_search {
    TT_VEC(tt_search_run) runs; /* newest first; of the same age by name */
    const char *stopped;        /* which limit ended it: "after 2 s"; NULL = everything was seen */
    uint32_t closed;            /* folders that could not be read */
    uint32_t led_out;           /* links that lead out of the folder, which are not followed */
} tt_search;

/* root: "" or "." = the current one. stop: gives up soon after it is set; may be NULL. Free with tt_search_free(). */
tt_search tt_search_runs(const char *root, const tt_search_limits *limits, const _Atomic bool *stop);
void tt_search_free(tt_search *s);

#endif
