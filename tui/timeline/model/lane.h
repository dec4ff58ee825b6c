/* tui/timeline/model/lane.h - a row of slices while it is drawn: what lanes.c and lane_labels.c share. */
#ifndef TT_TUI_TIMELINE_LANE_H
#define TT_TUI_TIMELINE_LANE_H

#include "tui/timeline/draw/draw.h"

typedef struct tt_lane { /* a row of slices while it is drawn */
    tt_canvas *c;
    tt_timeline_frame *f;
    const tt_timeline_node *node;
    const tt_trace *s;
    uint32_t depth;
    int64_t offset;
    int y;
    const tt_lod_cell *cells; /* of the row, one a column */
    tt_lane_hits hits;        /* what matches */
    size_t *next_hit;         /* the first of them that may lie in the next cells */
    const uint8_t *path;      /* by column: bits of the critical path; NULL = it is not shown */
} tt_lane;

/* Its own colour, whatever is highlighted: found out once for each name. */
tt_paint tt_lane_paint_of(const tt_lane *l, tt_row r);
/* Columns of a slice, whole ones, as far as they can be told from its duration. */
int64_t tt_lane_columns_of(const tt_lane *l, tt_row r);
/* One label over neighbouring cells whose slices are too small for labels of their own: "gemm x12", where all is one
 * kernel its name. Over cells that have been drawn; at most one question to the index for each. */
void tt_lane_label_runs(const tt_lane *l);

#endif
