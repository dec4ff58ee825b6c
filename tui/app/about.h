/* tui/app/about.h - what the header says of a session: how much there is of it, and whether it can be believed. The
 * worker works it out once a session, after the tables of the first screen. A preview has none. */
#ifndef TT_TUI_APP_ABOUT_H
#define TT_TUI_APP_ABOUT_H

#include "model/tables/overview/trust.h"

typedef struct tt_app tt_app;

struct tt_app;

typedef struct tt_about {
    bool asked, known;
    unsigned serial;                       /* serial of the session; an answer about an older session is dropped */
    tt_trust trust;                        /* owned */
    uint32_t empty;                        /* bit i: the tab of screen i has nothing to show */
    char ranks[48], steps[48], device[48]; /* "2 ranks", "6 steps", "H100 80GB"; "" = not known, or not worth a word */
} tt_about;

void tt_about_ask(struct tt_app *a);    /* Ask the worker, once a session; does nothing for a preview. */
void tt_about_forget(struct tt_app *a); /* Forget the answer: the session is another one, or none. */

#endif
