/* tui/widgets/cause_style.h - how the causes of waiting look, everywhere the same: a colour each, and a letter where
 * there are no colours or too few.
 *
 * A category is a tt_wait_cause or, from TT_WAIT_COUNT_ on, a tt_work_class behind it, as on the critical path. */
#ifndef TT_TUI_WIDGETS_CAUSE_STYLE_H
#define TT_TUI_WIDGETS_CAUSE_STYLE_H

#include "tui/widgets/canvas.h"

enum { TT_CAUSES = TT_ROLE_CLASS_COPY - TT_ROLE_CAUSE_INPUT + 1 };

/* The role: foreground for glyphs and words; with TT_REVERSE a filled cell whose text can be read. */
tt_style tt_cause_style(unsigned category);
/* 'i' sync 's' ...; in capitals for the most of a cell or bar. */
char tt_cause_letter(unsigned category);
/* True where colours do not tell the causes apart: letters have to. */
bool tt_cause_needs_letter(const tt_canvas *c);
/* A filled cell of a bar. */
void tt_cause_put(tt_canvas *c, int y, int x, unsigned category);
/* "i input data  s synchronization ..." for the bits of `which`, as many as fit whole; returns the columns used. */
int tt_cause_legend(tt_canvas *c, int y, int x, int w, unsigned which);

#endif
