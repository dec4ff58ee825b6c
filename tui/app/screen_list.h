/* tui/app/screen_list.h - all screens: the tabs, then the screens that a key or a command shows. */
#ifndef TT_TUI_APP_SCREEN_LIST_H
#define TT_TUI_APP_SCREEN_LIST_H

#include "tui/screen/screen.h"

#define X(ops) extern const tt_screen_ops ops;
#include "tui/screen/screens.def"
#undef X
extern const tt_screen_ops tt_screen_any_table; /* the table that `:table` asks for */
extern const tt_screen_ops tt_screen_query;     /* the answer to `:sql` */
extern const tt_screen_ops tt_screen_flame;     /* merged calls of what is selected */
extern const tt_screen_ops tt_screen_kernel;    /* all about one kernel */
extern const tt_screen_ops tt_screen_pair;      /* both timelines of a comparison */

#endif
