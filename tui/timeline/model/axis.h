/* tui/timeline/model/axis.h - the window in time: columns and times, zooming and panning, the part of the axis worth
 * showing. */
#ifndef TT_TUI_TIMELINE_MODEL_AXIS_H
#define TT_TUI_TIMELINE_MODEL_AXIS_H

#include "tui/timeline/model/timeline.h"

int64_t tt_timeline_edge(const tt_timeline *t, int col); /* time at the left edge of a column */
/* Column of a time; -1 = left of the window, t->cols = right of it. */
int tt_timeline_col(const tt_timeline *t, int64_t at);
void tt_timeline_window(tt_timeline *t, int64_t t0, int64_t t1); /* show [t0, t1), clamped to the axis */
/* The cursor, and the edges of its cell, in trace time of a node. false = the cursor is not on the screen. */
bool tt_timeline_cell_here(const tt_timeline *t, const tt_timeline_node *n, int64_t *at, int64_t *a, int64_t *b);
void tt_timeline_to_time(tt_timeline *t, int64_t at); /* move the cursor to a time, and the time onto the screen */
void tt_timeline_place(tt_timeline *t, int64_t at);   /* the same where a person chose the time: marks then take it */
void tt_timeline_zoom(tt_timeline *t, int num, int den); /* the window becomes num/den as long, around the cursor */
void tt_timeline_pan(tt_timeline *t, int quarters);      /* by quarters of the window */
bool tt_timeline_navigate(tt_timeline *t, tt_action a);  /* zoom or pan; false = the action does neither */
/* Show the dense part of the axis; where the window is that already, all of the axis. */
void tt_timeline_whole(tt_timeline *t);
bool tt_timeline_is_whole(const tt_timeline *t); /* the window is the dense part, or all of the axis */
/* Find the dense part of the axis, limited to the steps in scope, and show it. */
void tt_timeline_fit_axis(tt_timeline *t, const tt_scope *scope);
/* The times that the strip above the rows shows: the dense part while the window lies in it, else all of the axis. */
void tt_timeline_strip(const tt_timeline *t, int64_t *a, int64_t *b);
bool tt_timeline_marked(const tt_timeline *t, int64_t *a, int64_t *b); /* the interval of both marks, a < b */

#endif
