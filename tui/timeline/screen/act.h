/* tui/timeline/screen/act.h - what keys and the mouse do on a timeline, whichever screen shows it. */
#ifndef TT_TUI_TIMELINE_SCREEN_ACT_H
#define TT_TUI_TIMELINE_SCREEN_ACT_H

#include "tui/screen/host.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/model/folds.h"

/* Run an action that every timeline has: zoom, pan, the context SLICES, moving, marks, cancelling. again: the last
 * action was the same. false = the action is another one, or there was nothing to do. */
bool tt_timeline_act(tt_timeline *t, tt_host *a, tt_action act, bool again);
/* The action changes folds, pins or hidden rows, which are kept for the next time. */
bool tt_timeline_act_changes_rows(tt_action act);
/* Handle the mouse on the picture of a plan. *dragging: an interval is being marked on the ruler. A double click counts
 * as a press. */
bool tt_timeline_mouse(tt_timeline *t, const tt_timeline_plan *p, const tt_mouse *m, bool *dragging);

/* Draw the legend of the cursor's row from column x on; false = the row has none. */
bool tt_timeline_legend(const tt_timeline *t, tt_canvas *c, int y, int x);
/* The marked interval in words; "" = nothing is marked. */
void tt_timeline_marks_text(tt_timeline *t, tt_unit unit, char *out, size_t cap);
void tt_timeline_say_hits(const tt_timeline *t, tt_host *a); /* the number of matches, in the status line */
/* Pin or hide the tracks whose labels contain all the words. */
void tt_timeline_flag_words(tt_timeline *t, tt_host *a, tt_timeline_row_flag flag, const char *words);

#endif
