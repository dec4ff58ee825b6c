/* tui/timeline/rows/frame.h - the scratch of one frame, and what rows of several kinds draw. */
#ifndef TT_TUI_TIMELINE_ROWS_FRAME_H
#define TT_TUI_TIMELINE_ROWS_FRAME_H

#include "tui/timeline/model/search.h"
#include "tui/timeline/model/timeline.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

enum { TT_ROWS_KEPT = 1024 }; /* more than any screen has */

typedef struct tt_kept_timeline_row { /* cells of a row of slices, kept for the next frame of the same window */
    tt_lod_cell *cells;
    uint8_t *path; /* by cell, while the critical path is shown: bits of path_overlay.h */
    int w, cap, path_cap;
    uint32_t trace, track, depth;
    int64_t t0, t1;
    unsigned frame; /* number of the frame that used the row last */
} tt_kept_timeline_row;

typedef struct tt_lane_row { /* data with which one thread draws a row of slices while others draw other rows */
    const tt_timeline_node *node;
    uint32_t depth; /* TT_NONE: the whole track */
    tt_kept_timeline_row *kept;
    tt_lane_hits hits;
    int y;
} tt_lane_row;

typedef struct tt_frame_strip { /* the strip above the rows, as long as the width stays */
    int64_t *busy;              /* [w] */
    int w;                      /* 0 = `busy` is not valid */
    int64_t t0, t1;             /* the times that the strip shows */
    uint8_t *ticks;             /* [ticks_w] a match begins in the column */
    unsigned ticks_of;          /* serial of the search */
    int ticks_w;
} tt_frame_strip;

typedef struct tt_frame_links { /* other ends of the links of the selection */
    tt_slice_ref at[16];
    uint32_t n;
    tt_slice_ref from; /* the slice whose flow was looked for last */
    tt_row to;         /* the other end of that flow */
    bool known;        /* from and to are valid */
} tt_frame_links;

typedef struct tt_timeline_frame { /* zero-initialise, keep, free with tt_timeline_frame_free() */
    const tt_timeline *t;
    tt_unit unit;
    bool column;                             /* draw the cursor through all rows ... */
    bool dashed;                             /* ... or through every other row, which costs half the bytes */
    bool arrows;                             /* draw lines from the selection to its links */
    bool behind;                             /* another timeline has the keys */
    int64_t zero;                            /* the time that the ruler calls 0 */
    uint32_t steps_of;                       /* the trace whose steps the grid shows */
    int64_t column_at, column_t0, column_t1; /* cursor and window of the last frame: tt_timeline_settled() */
    int x, w;                                /* columns of the time axis on the canvas */
    int64_t *edge;                           /* [w + 1] common time of the left edges */
    uint8_t *under;                          /* [w] bits of TT_UNDER_*: shows through gaps */
    int64_t *busy;                           /* [w] scratch */
    int cap;                                 /* columns that edge, under, busy and the strip have room for */
    unsigned number;                         /* number of the frame */
    uint64_t many;                           /* slices from which on several threads draw; 0 = 32 million */
    tt_lane_row *lanes;                      /* rows of slices of this frame, drawn last */
    int n_lanes, cap_lanes, new_lanes;       /* new: rows whose cells are not kept from the last frame */
    tt_kept_timeline_row kept[TT_ROWS_KEPT];
    tt_frame_strip strip;
    _Atomic uint32_t hues;     /* bits of tt_hue: of device work that this frame shows */
    unsigned serial;           /* serial of the index that `kept` and `strip` were filled from */
    _Atomic uint16_t **paints; /* per trace and string: kind << 8 | colour, 0 = not asked for yet */
    uint32_t n_paints;         /* traces in it */
    tt_frame_links links;
} tt_timeline_frame;

enum { TT_UNDER_GRID = 1, TT_UNDER_MARK = 2, TT_UNDER_CURSOR = 4 };

void tt_timeline_frame_free(tt_timeline_frame *f);
void tt_timeline_frame_reserve(tt_timeline_frame *f, int w); /* room for w columns */

/* An empty cell: the marked interval, a step boundary, the cursor. */
void tt_timeline_put_gap(tt_canvas *c, int y, const tt_timeline_frame *f, int col);
/* A bar as high as a part of 1; 0 or less = an empty cell. */
void tt_timeline_put_part(tt_canvas *c, int y, const tt_timeline_frame *f, int col, double part);
/* The column marks a selected span [a, b), common time: an end of it, or any part of a span that is very narrow. */
bool tt_timeline_marks_span(const tt_timeline_frame *f, int64_t a, int64_t b, int col);
int tt_timeline_eighths(int64_t part, int64_t whole); /* height of a part; at least 1 if part > 0 */

#endif
