/* tui/app/help.h - the page of help: the keys of the screen, then those of every screen. */
#ifndef TT_TUI_APP_HELP_H
#define TT_TUI_APP_HELP_H

#include "tui/widgets/canvas.h"
#include "tui/widgets/input.h"

typedef struct tt_app tt_app;

void tt_help_draw(tt_app *a, tt_canvas *c);
/* Give the open page the key. False = the key is one that works everywhere. */
bool tt_help_key(tt_app *a, tt_key k);
/* Move to the next action (dir 1) or the one before (dir -1) whose line has the text. False = no line has it. */
bool tt_help_find(tt_app *a, const char *text, int dir);

#endif
