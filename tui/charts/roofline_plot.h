/* tui/charts/roofline_plot.h - the picture of table roofline: each operator by its FLOP a byte (to the right) and the
 * TFLOP/s that it reaches (upwards), both in powers of ten, under the lines that the device cannot pass. */
#ifndef TT_TUI_CHARTS_ROOFLINE_PLOT_H
#define TT_TUI_CHARTS_ROOFLINE_PLOT_H

#include "model/tables/table.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

enum { TT_ROOFLINE_PLOT_LEAST = 8 }; /* height of the smallest picture in lines */

/* Draw on all of c: a rule with the legend, the operator furthest below its roof, the points with their axes. t:
 * table roofline, with at least one row; at: the selected row, TT_NONE = none. If no peak is known, a line says how
 * to state the peaks. */
void tt_roofline_plot_draw(const tt_table *t, uint32_t at, tt_unit unit, tt_canvas *c);

#endif
