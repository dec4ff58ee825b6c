/* tui/timeline/navigate/select.h - selecting slices and moving from slice to slice; marks. */
#ifndef TT_TUI_TIMELINE_NAVIGATE_SELECT_H
#define TT_TUI_TIMELINE_NAVIGATE_SELECT_H

#include "tui/timeline/model/timeline.h"

void tt_timeline_select(tt_timeline *t, tt_slice_ref r, bool reveal); /* reveal: unfold and pan so that it is seen */
void tt_timeline_show(tt_timeline *t, tt_slice_ref r); /* select, and zoom so that the slice is wide enough to read */
void tt_timeline_move_line(tt_timeline *t, int by);    /* j, k: keep the time, select the slice there */
/* h, l: to the neighbour on the row; false = there is none. */
bool tt_timeline_move_slice(tt_timeline *t, int dir);
bool tt_timeline_parent(tt_timeline *t); /* select the parent of the selected slice; false = it has none */
bool tt_timeline_child(tt_timeline *t);
/* The time of the selected slice, else the stretch that the row of the cursor shows there. */
bool tt_timeline_span(const tt_timeline *t, int64_t *a, int64_t *b);
void tt_timeline_centre(tt_timeline *t); /* the selection, else the cursor, moves to the middle */
void tt_timeline_fit(tt_timeline *t);    /* zoom to the selection, else to the marks, else to the whole trace */
/* The slice with this start (trace time) and name, TT_NONE. O(tracks). */
tt_row tt_timeline_slice_named(const tt_trace *s, int64_t start, const char *name);

/* Set the first mark at the start of the selected slice, or the second at its end; at the cursor if no slice is
 * selected, if that edge is not on the screen, or if a person put the cursor at a time. */
void tt_timeline_mark(tt_timeline *t);

#endif
