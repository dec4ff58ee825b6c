/* tui/timeline/model/view.h - changing which slices have lines: the view of stacks, layers, the filter, and showing the
 * target of a jump. */
#ifndef TT_TUI_TIMELINE_MODEL_VIEW_H
#define TT_TUI_TIMELINE_MODEL_VIEW_H

#include "tui/timeline/model/timeline.h"

/* Show stacks in another way. The cursor keeps its slice, the window stays. Missing indices of the view are built when
 * first asked for, unless tt_timeline_prepare() has built them. */
void tt_view_show(tt_timeline *t, tt_timeline_view view);
void tt_view_show_layer(tt_timeline *t, tt_band band, bool on); /* show or hide a band; unfolded stacks are folded */
/* Show only the slices that pass (takes f over), NULL: all. A selection that does not pass ends. */
void tt_view_set_filter(tt_timeline *t, tt_timeline_filter *f);
/* Take back all but the first n changes of jumps. The window and the selection stay. */
void tt_view_undo_folds(tt_timeline *t, size_t n);

/* The first line of a node, after unfolding what hides it. */
uint32_t tt_view_reveal_node(tt_timeline *t, uint32_t node);
/* The line of a slice, after unfolding what hides it; TT_NONE = its track has no row. */
uint32_t tt_view_reveal(tt_timeline *t, tt_slice_ref r);
void tt_view_reveal_lane(tt_timeline *t, uint32_t node, tt_slice_ref r); /* show the lane of a slice of a track */

/* The cursor goes to the first row with work of a device, else to the first row of slices. */
void tt_view_start_line(tt_timeline *t);
/* For a canvas of h lines: the first time, and when h changes, cut lanes of host threads so that all lines fit on
 * t->rows, as far as possible. Rows of devices are never cut. */
void tt_view_fit_lanes(tt_timeline *t, int h);

#endif
