/* tui/app/explore_options.h - what the command line says to the explorer. */
#ifndef TT_TUI_APP_EXPLORE_OPTIONS_H
#define TT_TUI_APP_EXPLORE_OPTIONS_H

#include "model/tables/comparison.h"
#include "parser/load.h"
#include "tui/args/compare_options.h"
#include "tui/output/picture/picture.h"

typedef struct tt_explore_options {
    const char *const *paths; /* files, directories, "-" */
    uint32_t n_paths;
    tt_load_options load;    /* threads, worker, span; the explorer sets notify itself */
    const char *color;       /* --color: "auto", "always", "never", "8", "256", "truecolor"; NULL = auto */
    const char *unicode;     /* --unicode: "auto", "always" (or "block"), "never" (or "ascii"); NULL = auto */
    const char *keys;        /* --keys: keys pressed after loading, as in "2 > Down"; NULL = none */
    const char *theme;       /* --theme: name in tui/widgets/theme.h; NULL = the first */
    const char *screen;      /* --screen: name of the tab to begin with; NULL = the first */
    const char *const *base; /* a run that the paths are compared with; n_base 0 = none */
    uint32_t n_base;
    tt_load_options base_load; /* its worker and span */
    tt_comparison compare;     /* how; the base is read by the explorer */
    bool has_scope; /* scope to begin with; indices of workers are resolved after loading, so only steps and range */
    tt_scope scope;
    bool no_mouse;
    bool follow;               /* --follow: refuse a path that is not a recording to follow */
    tt_picture_format picture; /* picture format for tt_explore_dump() */
} tt_explore_options;

#endif
