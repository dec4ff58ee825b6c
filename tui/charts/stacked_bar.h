/* tui/charts/stacked_bar.h - stacked bars: parts of a whole side by side in one line, and the legend that says what
 * they are. */
#ifndef TT_TUI_WIDGETS_STACKED_BAR_H
#define TT_TUI_WIDGETS_STACKED_BAR_H

#include "tui/widgets/canvas.h"

typedef struct tt_stack_part {
    uint32_t column;   /* of the table that the bar is drawn from; 0 where it is drawn from none */
    const char *title; /* in the legend */
    tt_hue hue;
} tt_stack_part;

/* Bar of w cells for parts of ns each (TT_UNKNOWN and negative ones are left out); `longest` fills all of them. */
void tt_stacked_bar(tt_canvas *c, int y, int x, int w, const tt_stack_part *part, const int64_t *ns, int n,
                    int64_t longest);
/* Patches with their titles, from x on; the columns used. Parts whose title does not fit are left out. */
int tt_stack_legend(tt_canvas *c, int y, int x, const tt_stack_part *part, int n);

#endif
