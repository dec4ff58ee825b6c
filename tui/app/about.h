/* tui/app/about.h - what the header says of a session: how much there is of it, and whether it can be believed. The
 * worker works it out once a session, after the tables of the first screen. A preview has none. */
#ifndef TT_TUI_APP_ABOUT_H
#define TT_TUI_APP_ABOUT_H

typedef struct tt_app tt_app;

void tt_about_ask(tt_app *a);    /* Ask the worker, once a session; does nothing for a preview. */
void tt_about_forget(tt_app *a); /* Forget the answer: the session is another one, or none. */

#endif
