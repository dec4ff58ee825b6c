/* tui/timeline/rows/curve_rows.h - rows of a device that show a value over time: how busy it is, its memory, its SM
 * efficiency, how much launched work waits on each stream, how fast each kind of copy goes.
 *
 * Shares of time are means over each cell, drawn against 100%; the others are the largest value of each cell, drawn
 * against the largest of all. Drawing is O(cells log samples). */
#ifndef TT_TUI_TIMELINE_CURVE_ROWS_H
#define TT_TUI_TIMELINE_CURVE_ROWS_H

#include "model/index/curve.h"
#include "tui/timeline/draw/draw.h"

enum { TT_RATE_ROWS = 8 }; /* kinds of copies of a device that have rows */

/* The row has something to show, or that is not known yet. */
bool tt_curve_row_there(const tt_timeline *t, const tt_timeline_node *n);
void tt_curve_row_label(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap);
/* What the window has of it, for the label column: "45.3%", "3.2 GiB"; "" = not known yet. */
void tt_curve_row_side(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap);
void tt_curve_row_draw(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_line *l);
/* The value at the cursor, and the largest or the mean of the window and of all. */
void tt_curve_row_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap);
bool tt_curve_row_move(tt_timeline *t, const tt_timeline_node *n, int dir); /* to the next change */

#endif
