/* tui/widgets/cause_style.h - the look of causes of waiting, the same on every screen: a colour for each, and a
 * letter where a terminal has too few colours.
 *
 * A category is a tt_wait_cause, or TT_WAIT_COUNT_ + a tt_work_class for work on the critical path. */
#ifndef TT_TUI_WIDGETS_CAUSE_STYLE_H
#define TT_TUI_WIDGETS_CAUSE_STYLE_H

#include "tui/widgets/canvas.h"

enum { TT_CAUSES = TT_ROLE_CLASS_COPY - TT_ROLE_CAUSE_INPUT + 1 };

/* The style of a category: a foreground for glyphs and words; with TT_REVERSE a filled cell with readable text. */
tt_style tt_cause_style(unsigned category);
/* The letter of a category: 'i' for input, 's' for synchronization, ... */
char tt_cause_letter(unsigned category);
/* The canvas has too few colours to tell causes apart: letters are needed. */
bool tt_cause_needs_letter(const tt_canvas *c);
/* Draw a filled cell of a bar. */
void tt_cause_put(tt_canvas *c, int y, int x, unsigned category);
/* Draw "i input data  s synchronization ..." for the categories whose bits are set in `which`, as many as fit;
 * returns the columns used. */
int tt_cause_legend(tt_canvas *c, int y, int x, int w, unsigned which);

#endif
