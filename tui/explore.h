/* tui/explore.h - the explorer: the interactive program, and its screens as text. */
#ifndef TT_TUI_EXPLORE_H
#define TT_TUI_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tt_explore_options {
    const char *const *paths; /* files, directories, "-"; n_paths may be 0: the current directory */
    uint32_t n_paths;
    const char *worker, *span; /* load only these; NULL = all */
    const char *steps, *range; /* scope to begin with, as on the command line; NULL = whole trace */
    const char *color;         /* auto (NULL), never, always, 8, 256, truecolor */
    const char *unicode;       /* auto (NULL), ascii, block */
    const char *theme;         /* name of a theme; NULL = by the terminal */
    const char *screen;        /* tab to begin with; NULL = the first */
    const char *keys;          /* keys to press once everything is loaded, as in actions.def; NULL = none */
    bool mouse;
} tt_explore_options;

/* Open the explorer on the terminal; the exit status of the program. Needs a terminal on stdout. */
int tt_explore(const tt_explore_options *o);

/* Load, press the keys, and print the screen as the terminal would show it, width x height cells, to stdout. With colour unless
 * color is never (auto: when stdout is a terminal). The exit status of the program. */
int tt_explore_dump(const tt_explore_options *o, int width, int height);

#endif
