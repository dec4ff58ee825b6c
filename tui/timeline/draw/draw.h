/* tui/timeline/draw/draw.h - the picture of a timeline on a canvas. Cost is O(cells), whatever the number of slices. */
#ifndef TT_TUI_TIMELINE_DRAW_DRAW_H
#define TT_TUI_TIMELINE_DRAW_DRAW_H

#include "tui/timeline/rows/frame.h"

/* Where the parts lie on a canvas of h x w; also tells the timeline how many rows and columns it has. */
typedef struct tt_timeline_plan {
    int label_w;    /* label column, with its line */
    int overview_y; /* -1 = not there */
    int bracket_y;  /* -1 = not there */
    int ruler_y;    /* -1: the ruler of another timeline stands for both */
    int rows_y, rows;
    int pane_y, pane_h; /* pane_h 0 = no pane; the first row is its title */
} tt_timeline_plan;
tt_timeline_plan tt_timeline_arrange(tt_timeline *t, int h, int w, int pane_h);

/* Decide whether the next frame draws the column of the cursor and lines of links. Both cost bytes on every move, so
 * they wait until the person stops. acted_at: time of the last key; now: the time, 0 = none. false = ask again soon. */
bool tt_timeline_settled(const tt_timeline *t, tt_timeline_frame *f, bool cheap, int64_t acted_at, int64_t now);

/* Draw overview, ruler and rows. */
void tt_timeline_draw(tt_timeline *t, tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f);

/* ---- parts ---- */
void tt_timeline_draw_strip(tt_canvas *c, const tt_timeline_plan *p, tt_timeline_frame *f); /* with its bracket */
void tt_timeline_draw_ruler(tt_canvas *c, int y, const tt_timeline_frame *f);
/* Lines from the selection to f->links; the first row of the tracks is y. */
void tt_timeline_draw_arrows(tt_canvas *c, int y, const tt_timeline_frame *f);

#endif
