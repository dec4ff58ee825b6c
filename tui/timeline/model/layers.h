/* tui/timeline/model/layers.h - lanes of tracks: stacks of host threads as recorded or folded into bands
 * (model/index/bands.h), which bands are shown, and how many lanes of a band.
 *
 * The depth of a line is a lane of the view: a depth as recorded, or a lane of the bands. view.h changes what is
 * shown. */
#ifndef TT_TUI_TIMELINE_MODEL_LAYERS_H
#define TT_TUI_TIMELINE_MODEL_LAYERS_H

#include "tui/timeline/model/timeline.h"

enum { TT_LAYERS = 3 };
typedef struct tt_layer { /* a band with the name that a list and the command line give it */
    const char *name, *what;
    tt_band band;
} tt_layer;
extern const tt_layer tt_layers[TT_LAYERS];

bool tt_layers_known(const tt_timeline *t, const tt_timeline_node *n); /* the lanes of a track are known */
/* Lanes of a track; 0 = not known yet, then tt_timeline.layers.later is set. */
uint32_t tt_layers_lanes(tt_timeline *t, const tt_timeline_node *n);
/* The lane of a slice; TT_NONE = folded away, or not known yet. O(log tracks), for a slice of a known track O(1). */
uint32_t tt_layers_lane(const tt_timeline *t, tt_slice_ref r);
uint32_t tt_layers_lane_on(const tt_timeline *t, const tt_timeline_node *n, tt_row r);
/* By row of a trace: TT_LANE_NONE = folded away. NULL = no row is, or it is not known yet. */
const uint16_t *tt_layers_folded(const tt_timeline *t, uint32_t trace);
/* The band of a lane; false = the track has no bands. */
bool tt_layers_band(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane, tt_band *band);
bool tt_layers_on(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane);  /* the band of the lane is shown */
bool tt_layers_cut(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane); /* the lane is cut from its band */
bool tt_layers_shows(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane); /* it is on and not cut */

/* ---- cutting ---- */
bool tt_layers_uncut(tt_timeline *t, tt_timeline_node *n); /* show all lanes of the track; false: none were cut */
/* Cut the annotations of a stream, which repeat the annotations of the host. */
void tt_layers_cut_annotations(const tt_timeline *t, tt_timeline_node *n);
enum { TT_LAYERS_TURNS = 13 };
/* Show up to `left` more lanes of one band of a track: the band that is next in turn. Returns how many lanes are
 * left to give. */
uint32_t tt_layers_give(const tt_timeline *t, tt_timeline_node *n, size_t turn, uint32_t left);
/* How many lanes of a lane's band are cut; for a stream, how many of its annotations. */
uint32_t tt_layers_missing(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane);
/* The name of a band, for the line of its first lane; "" = the line needs none. */
void tt_layers_label(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane, char *out, size_t cap);

#endif
