/* tui/timeline/model/cursor.h - the row of the cursor, and the slice that is selected by moving there. */
#ifndef TT_TUI_TIMELINE_MODEL_CURSOR_H
#define TT_TUI_TIMELINE_MODEL_CURSOR_H

#include "tui/timeline/model/timeline.h"

/* The node of the cursor's line if it shows slices, with the lane; else NULL. */
const tt_timeline_node *tt_timeline_track_here(const tt_timeline *t, uint32_t *depth);
void tt_timeline_pick(tt_timeline *t); /* select the slice of the cursor's line at the cursor's time, if there is one */
bool tt_timeline_next_track(tt_timeline *t, int dir); /* to the first line of the next (dir > 0) or previous track */
/* after rows disappeared: move to a track, and select its slice at the cursor */
void tt_timeline_settle(tt_timeline *t);
/* Busy time and slices of the cursor's line inside [a, b). */
void tt_timeline_busy(tt_timeline *t, int64_t a, int64_t b, int64_t *busy_ns, uint32_t *count);

#endif
