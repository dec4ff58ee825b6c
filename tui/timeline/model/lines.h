/* tui/timeline/model/lines.h - the lines of the screen and scrolling. */
#ifndef TT_TUI_TIMELINE_MODEL_LINES_H
#define TT_TUI_TIMELINE_MODEL_LINES_H

#include "tui/timeline/model/timeline.h"

void tt_lines_add(tt_timeline *t, uint32_t node, uint32_t depth); /* append a line, while rows lay out theirs */
/* Find the lines again, after nodes, layers or `flat` have changed. The cursor stays on its track. */
void tt_timeline_layout(tt_timeline *t);
/* The line of a node and a lane, else the first line of the node; TT_NONE = it has no line. */
uint32_t tt_lines_find(const tt_timeline *t, uint32_t node, uint32_t depth);
/* The line that shows a slice; TT_NONE = the slice is hidden or folded away. */
uint32_t tt_timeline_line_of(const tt_timeline *t, tt_slice_ref r);
/* The line of a slice, else of the slice, track or group that it is folded into. TT_NONE = hidden. */
uint32_t tt_timeline_line_around(const tt_timeline *t, tt_slice_ref r);

void tt_timeline_scroll(tt_timeline *t);                     /* bring the line of the cursor onto the screen */
uint32_t tt_timeline_line_at(const tt_timeline *t, int row); /* the line on a row of the screen, TT_NONE */
/* The row of the screen that a line is on; -1 above the screen, t->rows below it. */
int tt_timeline_row_of(const tt_timeline *t, uint32_t line);

#endif
