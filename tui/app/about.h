/* tui/app/about.h - facts about a session for the header: its size, and the verdict of the checks of trust. The
 * worker computes them once for each session, after the tables of the first screen. A preview has none. */
#ifndef TT_TUI_APP_ABOUT_H
#define TT_TUI_APP_ABOUT_H

typedef struct tt_app tt_app;

void tt_about_ask(tt_app *a);    /* Ask the worker, once a session; does nothing for a preview. */
void tt_about_forget(tt_app *a); /* Forget the answer: the session is another one, or none. */

#endif
