/* tui/timeline/rows/idle_row.h - the row under a device that says why it waits: each cell has the colour of the cause
 * with the largest part of its idle time, as high as the cell is idle.
 *
 * Where colours do not tell causes apart the cell has the cause's letter, a capital when most of the cell is idle.
 * Drawing is O(cells log gaps). */
#ifndef TT_TUI_TIMELINE_IDLE_ROW_H
#define TT_TUI_TIMELINE_IDLE_ROW_H

#include "model/tables/idle/idle_gaps.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/screen/detail.h"

void tt_idle_row_draw(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_line *l);
/* The cause of most of the idle time in the window, as "input"; "" = not known yet, or the device is never idle. */
const char *tt_idle_row_most(const tt_timeline *t, const tt_timeline_node *n, unsigned *cause);
/* The gap that the cursor is in where a person put it there, else the longest in its cell; NULL = the device is busy.
 * The session's. */
const tt_idle_gap *tt_idle_row_gap(const tt_timeline *t, const tt_timeline_node *n);
/* The cursor goes to the next (dir > 0) or previous gap; false = there is none. */
bool tt_idle_row_move(tt_timeline *t, const tt_timeline_node *n, int dir);
/* Facts about the cell and the gap at the cursor. */
void tt_idle_row_detail(tt_detail *d, const tt_timeline *t, const tt_timeline_node *n, tt_unit unit);

/* The causes on screen, a bit each: for a legend. */
unsigned tt_idle_row_causes(const tt_timeline *t, const tt_timeline_node *n);

/* ---- ranges that n and N walk through ---- */
/* Keep a copy in the order of time, and forget what was searched for; returns where at[show] is in it. n 0: forget
 * them. */
size_t tt_idle_ranges_set(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show);
/* The range after the cursor (dir > 0) or before it; wraps round. false = there are none. */
bool tt_idle_ranges_next(const tt_timeline *t, int dir, size_t *i, bool *wrapped);
/* The window so that [a, b) lies in it, wide enough to be read: as it is where it does already. */
void tt_idle_window_to(tt_timeline *t, int64_t a, int64_t b);
/* The cursor goes to a time (common axis) on the row of a device, whatever is folded. */
void tt_idle_row_put(tt_timeline *t, uint32_t trace, uint32_t device, int64_t at);
/* Show range i on the row of its device, wide enough to be read. */
void tt_idle_ranges_show(tt_timeline *t, size_t i);

#endif
