/* tui/widgets/ruler.h - the ruler of a time axis: one line of ticks with their times (hours and days on a long axis),
 * marks, and the cursor. Times are nanoseconds of the common axis; the axis begins at column x of the canvas and is w
 * columns wide. */
#ifndef TT_TUI_WIDGETS_RULER_H
#define TT_TUI_WIDGETS_RULER_H

#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

typedef struct tt_ruler {
    int64_t t0, t1; /* t0 < t1 */
    int x, w;
    tt_unit unit;
} tt_ruler;

/* The time at the left edge of a column. */
static inline int64_t tt_ruler_edge(const tt_ruler *r, int col)
{
    uint64_t span = (uint64_t)r->t1 - (uint64_t)r->t0, cols = (uint64_t)(r->w > 0 ? r->w : 1), c = (uint64_t)col;
    return (int64_t)((uint64_t)r->t0 + span / cols * c + span % cols * c / cols);
}
/* column of a time; -1 = before the first column, w = behind the last */
int tt_ruler_col(const tt_ruler *r, int64_t at);
void tt_ruler_draw(tt_canvas *c, int y, const tt_ruler *r);
/* Draw a character at a time, over other characters; the cursor leaves labels readable. Draws nothing where the time is
 * out of sight. */
void tt_ruler_mark(tt_canvas *c, int y, const tt_ruler *r, int64_t at, tt_style style, uint32_t ch);
void tt_ruler_cursor(tt_canvas *c, int y, const tt_ruler *r, int64_t at);

#endif
