/* tui/explore.h - the interactive explorer. */
#ifndef TT_TUI_EXPLORE_H
#define TT_TUI_EXPLORE_H

#include "parser/load.h"

typedef struct tt_explore_options {
    const char *const *paths; /* files, directories, "-" */
    uint32_t n_paths;
    tt_load_options load;     /* threads, worker, span; the explorer sets notify itself */
    const char *color;        /* --color: "auto", "always", "never"; never NULL */
    const char *unicode;      /* --unicode: "auto", "always", "never"; never NULL */
    const char *keys;         /* --keys: keys pressed after loading, as in "2 > Down"; NULL = none */
} tt_explore_options;

/* Run until the person leaves. Standard output is a terminal. Returns the exit status of the program; messages of a load that failed go to
 * stderr after the terminal was given back. */
int tt_explore(const tt_explore_options *o);

#endif
