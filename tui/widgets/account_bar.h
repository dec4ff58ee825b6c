/* tui/widgets/account_bar.h - the parts of an account as colours, wherever they are drawn: bar, strips, steps. They are
 * those of the timeline's causes of waiting and classes of work (cause_style.h), with their letters where there are no
 * colours. */
#ifndef TT_TUI_WIDGETS_ACCOUNT_BAR_H
#define TT_TUI_WIDGETS_ACCOUNT_BAR_H

#include "model/tables/verdict/parts.h"
#include "tui/widgets/canvas.h"

/* What cause_style.h calls the part: a tt_wait_cause, or a tt_work_class behind them. */
unsigned tt_account_category(tt_account_part p);
/* A bar of w cells for the parts in their order; `whole` fills all of them. */
void tt_account_bar(tt_canvas *c, int y, int x, int w, const int64_t ns[TT_ACCOUNT_PARTS], int64_t whole);
/* A cell of a strip in which the device works, so many eighths (1..8) of the time, or waits. */
void tt_account_busy(tt_canvas *c, int y, int x, tt_account_part p, int eighths);
void tt_account_idle(tt_canvas *c, int y, int x, tt_account_part p);

#endif
