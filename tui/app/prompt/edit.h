/* tui/app/prompt/edit.h - the key that opens the source of the selection in the person's editor: the worker finds
 * the line (model/tables/analysis/calls/line_of.h), then the loop lends the terminal to the editor. */
#ifndef TT_TUI_APP_PROMPT_EDIT_H
#define TT_TUI_APP_PROMPT_EDIT_H

#include "tui/screen/screen.h"

typedef struct tt_app tt_app;

/* Find the line of the screen's selection, then leave the command to the loop (tt_requests.edit). */
void tt_app_edit(tt_app *a, tt_screen *s);

#endif
