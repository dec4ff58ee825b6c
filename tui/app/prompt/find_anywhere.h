/* tui/app/prompt/find_anywhere.h - one search over all names: kernels, operators, modules, annotations, steps,
 * findings, threads. A box over the screen lists the names that contain the typed text, with their number by kind;
 * Enter goes to a name.
 *
 * The names come from tables in the app's scope, each name once, collected by a job when the box is opened. */
#ifndef TT_TUI_APP_PROMPT_FIND_ANYWHERE_H
#define TT_TUI_APP_PROMPT_FIND_ANYWHERE_H

#include "tui/screen/host.h"
#include "tui/widgets/input.h"

typedef struct tt_app tt_app;

typedef struct tt_anywhere tt_anywhere;

/* Begin to gather; the app's prompt is to ask for the text. */
tt_anywhere *tt_anywhere_new(tt_app *a);
/* Close the box and drop results that are still being collected. NULL is fine. */
void tt_anywhere_free(tt_anywhere *x);
/* The text has changed. O(names). */
void tt_anywhere_set(tt_anywhere *x, const char *text);
/* Keys that move in the list; false = not one of them: the prompt's. */
bool tt_anywhere_key(tt_anywhere *x, tt_key k);
void tt_anywhere_draw(tt_anywhere *x, tt_canvas *c);
/* Open the box of the search. */
void tt_app_find_anywhere(tt_app *a);
/* Close the box; go: to what is chosen in it. */
void tt_app_close_anywhere(tt_app *a, bool go);

#endif
