/* tui/timeline/model/layers.h - how host threads are shown: their stacks as recorded or folded into bands
 * (model/index/bands.h), which of the bands are shown, and how many lanes of each fit the screen.
 *
 * The depth of a line is a lane of the view: a depth as recorded, or a lane of the bands. */
#ifndef TT_TUI_TIMELINE_LAYERS_H
#define TT_TUI_TIMELINE_LAYERS_H

#include "tui/timeline/model/timeline.h"

/* Show stacks in another way: the cursor keeps its slice, the window stays. Indices of the view that are not there are
 * built when asked for; the caller has them built in the background (tt_timeline_prepare). */
void tt_layers_view(tt_timeline *t, tt_timeline_view view);
/* The index of the view is built. */
bool tt_layers_prepared(const tt_timeline *t);

/* Lanes of the track of a node; 0 = not known yet, which tt_timeline.lanes_later then says. */
uint32_t tt_layers_lanes(tt_timeline *t, const tt_timeline_node *n);
/* The lane of a slice; TT_NONE = it is not shown, or not known yet. O(log tracks); the second: of a track's node. */
uint32_t tt_layers_lane(const tt_timeline *t, tt_slice_ref r);
uint32_t tt_layers_lane_on(const tt_timeline *t, const tt_timeline_node *n, tt_row r);
/* By row of a trace: TT_LANE_NONE = folded away. NULL = nothing is, or it is not known yet. */
const uint16_t *tt_layers_folded(const tt_timeline *t, uint32_t trace);
/* The layer of a lane is shown; the lane has a line (it is not cut either). */
bool tt_layers_on(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane);
bool tt_layers_shows(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane);
/* Make a slice of the node's track have a line: what hides it is shown. */
void tt_layers_reveal(tt_timeline *t, uint32_t node, tt_slice_ref r);
bool tt_layers_uncut(tt_timeline *t, tt_timeline_node *n); /* show all lanes of the track; false: none were cut */
/* On a canvas of h lines: the first time, and when h changes, lanes of host threads are cut so that all lines fit on
 * t->rows, as far as that goes. Rows of devices are never cut. */
void tt_layers_fit(tt_timeline *t, int h);
/* What a lane's line is labelled where that is the first of its band; "" = nothing to say. */
void tt_layers_label(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane, char *out, size_t cap);

/* How many lanes of the band of a lane are cut; of a stream how many of its annotations. */
uint32_t tt_layers_missing(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane);

/* Layers by name, for a list and the command line. */
enum { TT_LAYERS = 3 };
typedef struct tt_layer {
    const char *name, *what;
    tt_band band;
} tt_layer;
extern const tt_layer tt_layers[TT_LAYERS];
void tt_layers_set(tt_timeline *t, tt_band band, bool on); /* unfolded stacks are folded: layers are bands */

#endif
