/* tui/pair/screen.h - both timelines of a comparison, one above the other: the state of the screen, for
 * tui/pair/screen*.c. */
#ifndef TT_TUI_PAIR_SCREEN_H
#define TT_TUI_PAIR_SCREEN_H

#include "tui/pair/pair.h"
#include "tui/screen/host.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/screen/work.h"

typedef struct tt_pair_screen {
    tt_pair *p;            /* both timelines; NULL = nothing is compared */
    tt_comparison compare; /* the comparison that p was made for */
    tt_scope scope;
    tt_timeline_work *work[TT_SIDES];
    tt_timeline_frame frame[TT_SIDES];
    tt_timeline_plan plan[TT_SIDES];
    tt_pair_call call[TT_SIDES]; /* the selected slice and the same call on the other side */
    tt_slice_ref call_of;        /* the slice, side and samples that `call` was found for */
    int call_side;
    uint32_t call_sample[TT_SIDES];
    tt_action last;
    int64_t acted_at;
    bool dragging;
    int pressed; /* the side on which the mouse drags */
} tt_pair_screen;

static inline tt_pair_screen *tt_pair_screen_of(const tt_screen *s) { return s->state; }

/* ---- screen_draw.c ---- */
void tt_pair_screen_draw(tt_screen *s, tt_canvas *c);
/* Say in words which moments are aligned. */
void tt_pair_screen_aligned_text(const tt_pair *p, char *out, size_t cap);
/* Draw facts about the slice, the interval or the row of the cursor on both sides, with the difference. */
void tt_pair_screen_pane(tt_screen *s, tt_canvas *c, int y);
/* The facts of the pane as lines "key<tab>base<tab>new", caller frees; NULL = nothing is selected. */
char *tt_pair_screen_text(const tt_screen *s);

#endif
