/* tui/app/prompt/pickers.h - lists to choose from, in a box over the screen. */
#ifndef TT_TUI_APP_PROMPT_PICKERS_H
#define TT_TUI_APP_PROMPT_PICKERS_H

#include "tui/app/state.h"

/* Open a list of n items, which the caller fills in. */
void tt_picker_open(tt_app *a, const char *title, int n, void (*pick)(tt_app *, int));
void tt_picker_close(tt_picker *p);
bool tt_picker_key(tt_app *a, tt_key k);
void tt_picker_mouse(tt_app *a, const tt_mouse *m); /* m: in cells of the screen */
void tt_picker_draw(tt_picker *p, tt_canvas *c);

void tt_app_pick_steps(tt_app *a); /* Ask for a step. */
void tt_app_pick_trace(tt_app *a); /* Ask for a worker and span. */
/* tt_host_ops.pick */
void tt_app_pick(tt_app *a, const char *title, char **items, int n, void (*picked)(tt_screen *, int));

#endif
