/* tui/charts/memory_plot.h - the curves of allocated and reserved memory in the plot of the Memory screen. */
#ifndef TT_TUI_CHARTS_MEMORY_PLOT_H
#define TT_TUI_CHARTS_MEMORY_PLOT_H

#include "model/index/memory_curve.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/ruler.h"

/* One column of h lines at x: a bar and, behind it, a shade; parts of the height. */
void tt_memory_plot_column(tt_canvas *c, int x, int h, double allocated, double reserved);
/* Both curves as thin lines, with two columns of four dots in a cell, over h lines; top: what their height stands for.
 */
void tt_memory_plot_lines(tt_canvas *c, const tt_ruler *axis, const tt_memory_series *x, int h, int64_t top);

#endif
