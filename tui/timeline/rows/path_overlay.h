/* tui/timeline/rows/path_overlay.h - the critical path over the tracks: slices on it keep their colours, all else is
 * dim, and a row above the tracks says what category each moment of it has.
 *
 * A segment lies on the lane of its slice where the two overlap; waits of the device lie on none. Made once per
 * trace and scope, then only read. Questions about ascending times cost O(log of the distance), others O(log
 * segments). */
#ifndef TT_TUI_TIMELINE_PATH_OVERLAY_H
#define TT_TUI_TIMELINE_PATH_OVERLAY_H

#include "model/tables/path/critical_path.h"
#include "tui/timeline/model/timeline.h"

typedef struct tt_path_overlay tt_path_overlay;

/* On any thread: O(segments), and what tt_path_make() takes. */
tt_path_overlay *tt_path_overlay_make(const tt_session *s, const tt_scope *scope, uint32_t trace);
tt_path_overlay *tt_path_overlay_of(const tt_session *s, uint32_t trace, tt_path *path); /* takes the path over */
void tt_path_overlay_free(tt_path_overlay *o);                                           /* NULL is fine */
const tt_path *tt_path_overlay_path(const tt_path_overlay *o);

/* Take it over as the path of a trace (NULL: forget that one), and show the rows of those that are known, or none. */
void tt_path_overlay_set(tt_timeline *t, uint32_t trace, tt_path_overlay *o);
void tt_path_overlay_show(tt_timeline *t, bool on);
/* Before drawing: where the view of stacks has changed, find the lanes of segments in it. O(segments). */
void tt_path_overlay_follow(tt_timeline *t);
/* What is drawn of a trace: NULL = nothing of it is known, or the path is not shown. */
const tt_path_overlay *tt_path_overlay_shown(const tt_timeline *t, uint32_t trace);

enum { TT_ON_PATH = 1, TT_PATH_BEGINS = 2 }; /* BEGINS: a segment that fills a cell or more */
/* For each of the w cells between the edges, common times: does the path go through a lane (depth TT_NONE: any of the
 * track's)? */
void tt_path_overlay_cells(const tt_path_overlay *o, const tt_timeline_node *n, uint32_t depth, const int64_t *edge,
                           int64_t offset, int w, uint8_t *out);
/* How long a slice is on the path, with what lies inside it; 0 = never. */
int64_t tt_path_overlay_slice_ns(const tt_path_overlay *o, tt_row r);
/* The time of each category before t; O(log segments). */
void tt_path_overlay_sums(const tt_path_overlay *o, int64_t t, int64_t sums[TT_PATH_COUNT_]);

#endif
