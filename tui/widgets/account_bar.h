/* tui/widgets/account_bar.h - draws the parts of an account of time as bars and strips. Colours and letters are
 * those of the timeline's causes of waiting and classes of work (cause_style.h). */
#ifndef TT_TUI_WIDGETS_ACCOUNT_BAR_H
#define TT_TUI_WIDGETS_ACCOUNT_BAR_H

#include "model/tables/verdict/parts.h"
#include "tui/widgets/canvas.h"

/* The category in cause_style.h that stands for the part. */
unsigned tt_account_category(tt_account_part p);
/* Draw a bar of w cells with the parts in their order; the time `whole` fills all cells. */
void tt_account_bar(tt_canvas *c, int y, int x, int w, const int64_t ns[TT_ACCOUNT_PARTS], int64_t whole);
/* Draw a cell of a strip: the device is busy during `eighths` (1..8) of the cell's time. */
void tt_account_busy(tt_canvas *c, int y, int x, tt_account_part p, int eighths);
void tt_account_idle(tt_canvas *c, int y, int x, tt_account_part p);

#endif
