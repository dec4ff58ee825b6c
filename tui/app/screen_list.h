/* tui/app/screen_list.h - the screens of screens.def. */
#ifndef TT_TUI_APP_SCREEN_LIST_H
#define TT_TUI_APP_SCREEN_LIST_H

#include "tui/screen/screen.h"

#define TAB(ops) extern const tt_screen_ops ops;
#define OTHER(ops) extern const tt_screen_ops ops;
#include "tui/app/screens.def"
#undef TAB
#undef OTHER

/* The name of a tab, counted from 0, as --screen takes it; NULL behind the last. */
const char *tt_screen_name(int tab);

#endif
