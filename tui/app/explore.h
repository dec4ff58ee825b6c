/* tui/app/explore.h - the explorer: the interactive program, and its screens as text. */
#ifndef TT_TUI_APP_EXPLORE_H
#define TT_TUI_APP_EXPLORE_H

#include "tui/app/explore_options.h"

/* Run until the person leaves. Standard output is a terminal. Returns the exit status of the program; messages of a
 * load that failed go to stderr after the terminal was given back. */
int tt_explore(const tt_explore_options *o);

/* Load, press the keys, and print the screen as the terminal would show it, width x height cells, to stdout. With
 * colours when color is not "never" and, for "auto", stdout is a terminal. Returns the exit status of the program. */
int tt_explore_dump(const tt_explore_options *o, int width, int height);

#endif
