/* tui/timeline/draw/draw.h - the picture of a timeline on a canvas. Cost is O(cells), whatever the number of slices. */
#ifndef TT_TUI_TIMELINE_DRAW_H
#define TT_TUI_TIMELINE_DRAW_H

#include "tui/timeline/model/timeline.h"
#include "tui/widgets/canvas.h"
#include "tui/widgets/format_value.h"

enum { TT_ROWS_KEPT = 1024 }; /* more than any screen has */

typedef struct tt_kept_timeline_row { /* cells of a row, for the next frame of the same window */
    tt_lod_cell *cells;
    uint8_t *path; /* of its cells, while the critical path is shown: path_overlay.h */
    int w, cap, path_cap;
    uint32_t trace, track, depth;
    int64_t t0, t1;
    unsigned frame; /* that it was last used in */
} tt_kept_timeline_row;

typedef struct tt_lane_row { /* what a row of slices needs to be drawn, whatever else is drawn at the same time */
    const tt_timeline_node *node;
    uint32_t depth; /* TT_NONE: the whole track */
    tt_kept_timeline_row *kept;
    tt_lane_hits hits;
    int y;
} tt_lane_row;

typedef struct tt_timeline_frame { /* scratch of one frame; zero-initialise, keep, free with tt_timeline_frame_free */
    const tt_timeline *t;
    tt_unit unit;
    bool column;                             /* draw the cursor through all rows ... */
    bool dashed;                             /* ... or through every other one, which costs half the bytes */
    bool arrows;                             /* draw lines from the selection to what it is linked with */
    bool behind;                             /* the keys are another timeline's */
    int64_t zero;                            /* the time that the ruler calls 0 */
    uint32_t steps_of;                       /* the trace whose steps the grid shows */
    int64_t column_at, column_t0, column_t1; /* where the cursor's column was last: tt_timeline_settled() */
    int x, w;                                /* columns of the time axis on the canvas */
    int64_t *edge;                           /* [w + 1] common time of the left edges */
    unsigned number;                         /* of the frame */
    uint64_t many;                           /* slices from which on several threads draw; 0 = 32 million */
    tt_lane_row *lanes;                      /* rows of slices of this frame */
    int n_lanes, cap_lanes;
    tt_kept_timeline_row kept[TT_ROWS_KEPT];
    int64_t *busy;              /* [w] */
    int64_t *whole;             /* [w] busy time of the overview, as long as the width stays */
    int whole_w;                /* 0 = nothing is kept */
    int64_t whole_t0, whole_t1; /* the part of the axis that it shows */
    uint8_t *ticks; /* [w] a match begins there; of the search with this number, as long as the width stays */
    unsigned ticks_of;
    int ticks_w;
    uint8_t *under; /* [w] what shows through gaps: bits of TT_UNDER_* */
    int cap;
    _Atomic uint32_t hues;     /* bits of tt_hue: of device work that this frame shows */
    unsigned serial;           /* of the timeline's index when `kept` and `whole` were filled */
    _Atomic uint16_t **paints; /* per trace and string: kind << 8 | colour, 0 = not asked for yet */
    uint32_t n_paints;         /* traces in it */
    tt_slice_ref linked[16];   /* other ends of the selection's links */
    uint32_t n_linked;
    tt_slice_ref flow_from; /* the slice whose partner was looked for last, ... */
    tt_row flow_to;         /* ... and that one */
    bool flow_known;
} tt_timeline_frame;

enum { TT_UNDER_GRID = 1, TT_UNDER_MARK = 2, TT_UNDER_CURSOR = 4 };

void tt_timeline_frame_free(tt_timeline_frame *f);

/* Where the parts lie on a canvas of h x w; also tells the timeline how many rows and columns it has. */
typedef struct tt_timeline_plan {
    int label_w;    /* label column, with its line */
    int overview_y; /* -1 = not there */
    int bracket_y;  /* -1 */
    int ruler_y;    /* -1: another timeline's stands for both */
    int rows_y, rows;
    int pane_y, pane_h; /* pane_h 0 = no pane; the first row is its title */
} tt_timeline_plan;
tt_timeline_plan tt_timeline_arrange(tt_timeline *t, int h, int w, int pane_h);

/* Whether the cursor has a column of its own, and links their lines, in the next frame: what costs bytes on every move
 * waits for the person to stop. acted_at: when the last key came, now: tt_app_now(); false = look again soon. */
bool tt_timeline_settled(const tt_timeline *t, tt_timeline_frame *f, bool cheap, int64_t acted_at, int64_t now);

/* Overview, ruler and rows. */
void tt_timeline_draw(tt_timeline *t, tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f);

/* What the colours of device work on the screen mean: right-aligned on row y, not further left than x. */
void tt_timeline_class_legend(const tt_timeline_frame *f, tt_canvas *c, int y, int x);

/* ---- parts ---- */
/* Classes of slices are their hues: what a cell of many has most of gives its colour. */
extern const tt_lod_classifier tt_lane_classes;
/* One row of slices: a lane, or a whole track (depth TT_NONE). Claimed first, one after the other (true = its cells
 * have to be looked for), then drawn, in any order and several at once. */
bool tt_timeline_claim_lane(tt_timeline_frame *f, const tt_timeline_node *n, uint32_t depth, tt_lane_row *out);
/* The strip with the bracket under it; the ruler. */
void tt_timeline_draw_strip(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f);
void tt_timeline_draw_ruler(tt_canvas *c, int y, const tt_timeline_frame *f);
/* What shows in a column where nothing is: the interval, step boundaries, the cursor. */
void tt_timeline_put_gap(tt_canvas *c, int y, const tt_timeline_frame *f, int col);
void tt_timeline_draw_lane(tt_canvas *c, int y, tt_timeline_frame *f, const tt_lane_row *r);
/* A row of a counter's area plot; the mark of each instant with its name where there is room. */
void tt_timeline_draw_counter(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_line *l);
void tt_timeline_draw_instants(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_timeline_node *n);
void tt_timeline_counter_scale(const tt_timeline_node *n, char *out,
                               size_t cap); /* the values at the bottom and at the top */
/* Facts about the row at the cursor that has no slice there; false = the slices have them. */
bool tt_timeline_row_text(const tt_timeline *t, tt_unit unit, char *out, size_t cap);
/* Lines from the selection to f->linked; the first row of the tracks is y. */
void tt_timeline_draw_arrows(tt_canvas *c, int y, const tt_timeline_frame *f);
/* The name of a slice as it fits into w columns; out is terminated. Returns its width. */
int tt_timeline_short_name(char *out, size_t cap, tt_kind kind, const char *name, int w, bool ascii);
/* Is a selected span [a, b), common time, marked in this column? At its ends, so that what it shows stays to be seen;
 * all of one that is too narrow for that. */
bool tt_timeline_marks_span(const tt_timeline_frame *f, int64_t a, int64_t b, int col);
/* Height in eighths of a part of a whole: never 0 for more than nothing. */
int tt_timeline_eighths(int64_t part, int64_t whole);

#endif
