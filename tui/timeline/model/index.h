/* tui/timeline/model/index.h - the indices that rows are drawn from, and whether they are built. */
#ifndef TT_TUI_TIMELINE_MODEL_INDEX_H
#define TT_TUI_TIMELINE_MODEL_INDEX_H

#include "tui/timeline/model/timeline.h"

/* Open an index of the slices that pass filters (per trace; NULL = all slices). Queries build the parts that they need,
 * unless tt_timeline_index_build() did. */
void tt_timeline_index_open(const tt_timeline *t, tt_timeline_view view, tt_lod_filter *filters, tt_timeline_index *x);
void tt_timeline_index_build(const tt_timeline *t, tt_timeline_index *x, const atomic_bool *stop);
void tt_timeline_index_close(const tt_timeline *t, tt_timeline_index *x);
void tt_timeline_index_use(tt_timeline *t, const tt_timeline_index *x); /* draw from this index from now on */

/* Build the index of a view and the sums of names, so that no frame has to: on any thread, while another one draws. */
void tt_timeline_prepare(tt_timeline *t, tt_timeline_view view, const atomic_bool *stop);
/* It is known how often names occur, or the trace is small enough to find that out in a frame. */
bool tt_timeline_sums_ready(const tt_timeline *t, uint32_t trace);
/* The index of a track is built, or the track is small enough to build it in a frame. */
bool tt_timeline_indexed(const tt_timeline *t, uint32_t trace, uint32_t track);
/* A query of busy time need not wait for tt_timeline_prepare(). */
bool tt_timeline_may_query(const tt_timeline *t, const tt_lod_union *g);

#endif
