/* tui/timeline/rows/slice_row.h - rows of slices: drawing them, and the facts about a slice. */
#ifndef TT_TUI_TIMELINE_ROWS_SLICE_ROW_H
#define TT_TUI_TIMELINE_ROWS_SLICE_ROW_H

#include "tui/timeline/model/search.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"

typedef struct tt_lane { /* a row of slices while it is drawn */
    tt_canvas *c;
    tt_timeline_frame *f;
    const tt_timeline_node *node;
    const tt_trace *s;
    uint32_t depth;
    int64_t offset;
    int y;
    const tt_lod_cell *cells; /* one a column */
    tt_lane_hits hits;        /* matches of the lane */
    size_t *next_hit;         /* the first match that may lie in the next cells */
    const uint8_t *path;      /* by column: bits of the critical path; NULL = it is not shown */
} tt_lane;

/* The colour of a slice without highlights: found once for each name. */
tt_paint tt_lane_paint_of(const tt_lane *l, tt_row r);
int64_t tt_lane_columns_of(const tt_lane *l, tt_row r); /* whole columns that the duration of a slice takes */
/* flight_row.c: the slice is a call of a culprit in dumps of flight recorders. */
bool tt_flight_is_culprit(const tt_lane *l, tt_row r);
/* The character that fills a cell of a call in such a dump: '/' before the device started it, '>' at the end of an open
 * one; 0 = as other slices. */
uint32_t tt_flight_fill(const tt_lane *l, tt_row r, int col);
/* Label neighbouring cells whose slices are too small for labels of their own: "gemm x12", or the name of a kernel. The
 * cells have been drawn. At most one query of the index for each run. */
void tt_lane_label_runs(const tt_lane *l);

/* Draw the rows of slices that cells() of their source collected in f->lanes. */
void tt_slice_rows_draw(tt_canvas *c, tt_timeline_frame *f);
/* What the colours of device work on screen mean: right-aligned on row y, not left of x. */
void tt_timeline_class_legend(const tt_timeline_frame *f, tt_canvas *c, int y, int x);

/* Facts of a slice; d stays as it is when it has them already. arguments: read them from the file too, which takes a
 * read of a few kilobytes. */
void tt_detail_make(tt_detail *d, const tt_timeline *t, tt_slice_ref r, tt_unit unit, bool arguments);

#endif
