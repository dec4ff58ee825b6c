/* tui/timeline/navigate/ranges.h - ranges of devices that n and N walk through, and putting the cursor on a row of idle
 * time. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_RANGES_H
#define TT_TUI_TIMELINE_NAVIGATE_RANGES_H

#include "tui/timeline/model/timeline.h"

/* Keep a copy, sorted by time, and forget the search; returns where at[show] is in it. n 0: forget the ranges. */
size_t tt_ranges_set(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show);
/* The range after the cursor (dir > 0) or before it; wraps. false = there are none. */
bool tt_ranges_next(const tt_timeline *t, int dir, size_t *i, bool *wrapped);
/* Pan, and zoom where [a, b) is too narrow to read; the window stays if [a, b) can be read in it. */
void tt_ranges_window_to(tt_timeline *t, int64_t a, int64_t b);
/* The cursor goes to a time (common axis) on the idle row of a device, unfolding what hides it. */
void tt_ranges_to_idle_row(tt_timeline *t, uint32_t trace, uint32_t device, int64_t at);
void tt_ranges_show(tt_timeline *t, size_t i); /* show range i on the idle row of its device, wide enough to read */

#endif
