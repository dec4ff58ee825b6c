/* tui/timeline/rows/path_overlay.h - the critical path over the tracks: slices on the path keep their colours, all
 * others are dim.
 *
 * A segment lies on the lane of its slice where both overlap; waits of a device lie on no lane. An overlay is made once
 * per trace and scope, then only read, except that its lanes follow the view. Questions about ascending times cost
 * O(log of the distance), others O(log segments). */
#ifndef TT_TUI_TIMELINE_ROWS_PATH_OVERLAY_H
#define TT_TUI_TIMELINE_ROWS_PATH_OVERLAY_H

#include "model/tables/path/critical_path.h"
#include "tui/timeline/model/timeline.h"

typedef struct tt_path_overlay tt_path_overlay;

/* On any thread: O(segments), and the cost of tt_path_make(). */
tt_path_overlay *tt_path_overlay_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
tt_path_overlay *tt_path_overlay_of(const tt_session *s, uint32_t trace, tt_path *path); /* takes the path over */
void tt_path_overlay_free(tt_path_overlay *o);                                           /* NULL is fine */
const tt_path *tt_path_overlay_path(const tt_path_overlay *o);

/* Take an overlay over as the path of a trace. NULL: forget the path. */
void tt_path_overlay_set(tt_timeline *t, uint32_t trace, tt_path_overlay *o);
void tt_path_overlay_show(tt_timeline *t, bool on);
/* Before drawing: find the lanes of segments again if the view of stacks has changed. O(segments). */
void tt_path_overlay_follow(tt_timeline *t);
/* The path that is drawn for a trace; NULL = it is not known, or not shown. */
const tt_path_overlay *tt_path_overlay_shown(const tt_timeline *t, uint32_t trace);

enum { TT_ON_PATH = 1, TT_PATH_BEGINS = 2 }; /* BEGINS: a segment begins that fills a cell or more */
/* Set bits for each of w cells between the edges, common time: the path goes through the lane. depth TT_NONE: through
 * any lane of the track. */
void tt_path_overlay_cells(const tt_path_overlay *o, const tt_timeline_node *n, uint32_t depth, const int64_t *edge,
                           int64_t offset, int w, uint8_t *out);
/* Time of a slice on the path, with the slices inside it; 0 = it is not on the path. */
int64_t tt_path_overlay_slice_ns(const tt_path_overlay *o, tt_row r);
/* The time of each category before t; O(log segments). */
void tt_path_overlay_sums(const tt_path_overlay *o, int64_t t, int64_t sums[TT_PATH_COUNT_]);

#endif
