/* tui/timeline/screen.h - the state of the Trace screen, for tui/screen_trace*.c only. */
#ifndef TT_TUI_TIMELINE_SCREEN_H
#define TT_TUI_TIMELINE_SCREEN_H

#include "tui/screen/app.h"
#include "tui/table/interval_pane.h"
#include "tui/timeline/detail.h"
#include "tui/timeline/draw.h"

typedef struct tt_timeline_screen {
    tt_timeline *t;
    tt_interval_pane interval;
    /* its tables are about the cursor's track only */
    bool one_track;
    tt_timeline_frame frame;
    tt_timeline_plan plan;
    tt_detail detail;
    struct tt_timeline_screen_prepare *job;       /* building the indices in the background */
    struct tt_timeline_screen_filter *filter_job; /* finding the slices of a filter there; NULL = none runs */
    char *filter; /* what a person wants to see, NULL = everything; the timeline follows */
    bool page;    /* the full detail is shown */
    int page_top, page_lines;
    tt_action last;
    int64_t acted_at;
    int64_t column_at, column_t0, column_t1; /* where the cursor was drawn last */
    bool dragging;
    tt_scope scope;
    bool kept_read; /* what was kept for this trace has been taken over */
    unsigned look;  /* serial of the window that was taken over or told last */
} tt_timeline_screen;

static inline tt_timeline_screen *tt_timeline_screen_of(const tt_screen *s) { return s->state; }
static inline tt_unit tt_timeline_screen_unit(const tt_screen *s) { return (tt_unit)tt_app_unit(s->app); }

/* screen_marks.c: the pane of the marked interval. */
/* Lines of the panes, with those of the interval when there is one; pane_h: of the selection's. */
int tt_timeline_screen_interval_height(const tt_timeline_screen *x, int h, int pane_h);
void tt_timeline_screen_interval_draw(tt_screen *s, tt_canvas *c); /* takes its lines from the plan's pane */
bool tt_timeline_screen_one_track(tt_screen *s, int arg);
bool tt_timeline_screen_flame(tt_screen *s, int arg); /* of the interval, when there is one; else of the slice */
tt_context tt_timeline_screen_context(const tt_screen *s);
/* What the pane and the status line say about the marks; "" = none. */
void tt_timeline_screen_marks_text(tt_timeline_screen *x, tt_unit unit, char *out, size_t cap);
void tt_timeline_screen_say_hits(tt_screen *s); /* how many slices match, in the status line */
/* Pin or hide the tracks whose labels have all the words. */
bool tt_timeline_screen_flag_named(tt_screen *s, tt_timeline_row_flag flag, const char *words);
/* Show only some slices ("" = all): false = the text is no filter. The timeline follows when they are found. */
bool tt_timeline_screen_filter_set(tt_screen *s, const char *text);
/* Clear the filter at once, because it hides the target of a jump. */
void tt_timeline_screen_filter_drop(tt_screen *s);
/* What is set up in one timeline (pins, folds, bookmarks) also in another of the same trace, whose times are `shift`
 * later. */
void tt_timeline_screen_carry(const tt_timeline *from, tt_timeline *to, int64_t shift);
void tt_timeline_screen_keep_read(tt_screen *s);        /* from the last time, once the whole trace is there */
void tt_timeline_screen_keep_write(const tt_screen *s); /* for the next time; after every change, the file is small */
/* :bookmark, :goto, :unbookmark; false = not one of them, or no such name. */
bool tt_timeline_screen_bookmark_command(tt_screen *s, const char *verb, const char *arg);
void tt_timeline_screen_bookmark_picked(tt_screen *s, int index);
/* Run an action; false = the timeline has nothing to do with it. */
bool tt_timeline_screen_act(tt_screen *s, tt_action a);

#endif
