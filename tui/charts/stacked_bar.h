/* tui/charts/stacked_bar.h - stacked bars: parts of a whole side by side in one line, and the legend that says what
 * they are. */
#ifndef TT_TUI_CHARTS_STACKED_BAR_H
#define TT_TUI_CHARTS_STACKED_BAR_H

#include "tui/widgets/canvas.h"

typedef struct tt_stack_part {
    uint32_t column;   /* the column of the table that the bar is drawn from; 0 where no table is behind the bar */
    const char *title; /* the title of the part in the legend */
    tt_hue hue;
} tt_stack_part;

/* Draw a bar of w cells for parts of ns each; the value `longest` fills all cells. Parts that are TT_UNKNOWN or
 * negative are left out. */
void tt_stacked_bar(tt_canvas *c, int y, int x, int w, const tt_stack_part *part, const int64_t *ns, int n,
                    int64_t longest);
/* Draw patches with their titles from x on, and return the number of columns used. Parts whose title does not fit
 * are left out. */
int tt_stack_legend(tt_canvas *c, int y, int x, const tt_stack_part *part, int n);

#endif
