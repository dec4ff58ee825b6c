/* tui/app/modal.h - everything that covers the screen and takes its keys: question, search box, prompt, picker,
 * help, run page. They form a stack in a fixed order; keys, mouse and drawing walk through it. */
#ifndef TT_TUI_APP_MODAL_H
#define TT_TUI_APP_MODAL_H

#include <stdbool.h>

#include "tui/widgets/canvas.h"
#include "tui/widgets/input.h"

typedef struct tt_app tt_app;

/* Offer the key to the open modals, the highest first; false = no modal takes it: the screen gets the key. */
bool tt_modal_key(tt_app *a, tt_key k);
/* The highest open modal gets the mouse; false = no modal is open: the screen gets the mouse. */
bool tt_modal_mouse(tt_app *a, const tt_mouse *m);
/* An open modal covers the body of the frame: the screen below is out of sight. */
bool tt_modal_covers(const tt_app *a);
/* Draw the open modals into the body of the frame, the lowest first. */
void tt_modal_draw(tt_app *a, tt_canvas *body);
/* Draw the status line, row y of the frame; false = no open modal has one. */
bool tt_modal_draw_status(const tt_app *a, tt_canvas *frame, int y);
/* Draw the key bar, row y of the frame; false = no open modal has one. */
bool tt_modal_draw_keys(const tt_app *a, tt_canvas *frame, int y);

#endif
