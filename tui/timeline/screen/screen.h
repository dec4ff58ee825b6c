/* tui/timeline/screen/screen.h - the state of the Trace screen, for tui/timeline/screen*.c only. */
#ifndef TT_TUI_TIMELINE_SCREEN_H
#define TT_TUI_TIMELINE_SCREEN_H

#include "tui/screen/app.h"
#include "tui/table/interval_pane.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/rows/facts.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/screen/work.h"

typedef struct tt_timeline_screen {
    tt_timeline *t;
    tt_interval_pane interval;
    /* its tables are about the cursor's track only */
    bool one_track;
    tt_timeline_frame frame;
    tt_timeline_plan plan;
    tt_detail detail;
    int pane_lines; /* most that the pane had to show so far */
    tt_timeline_work *work;
    struct tt_timeline_screen_filter *filter_job; /* finding the slices of a filter there; NULL = none runs */
    char *filter; /* what a person wants to see, NULL = everything; the timeline follows */
    bool page;    /* the full detail is shown */
    int page_top, page_lines;
    tt_action last;
    int64_t acted_at;
    bool dragging;
    tt_scope scope;
    bool kept_read;                           /* what was kept for this trace has been taken over */
    unsigned look;                            /* serial of the window that was taken over or told last */
    struct tt_timeline_screen_path *path_job; /* working out the critical path */
    bool path_wanted, path_known;             /* to be shown; what the timeline has is of this scope */
    bool path_lent;                           /* wanted with the evidence alone, and of its trace */
    tt_drilldown evidence;                    /* shown alone; what NONE = everything is shown. Without texts */
    int pane_before;                          /* pane_lines of before */
    unsigned evidence_serial;                 /* changes when it does: for the job that works it out */
    char *filter_before;                      /* evidence hides nothing behind a filter; NULL = there was none */
    char ranges_what[32];                     /* what n and N walk through: "gaps" */
    tt_timeline_view view;                    /* that a person knows of: a jump may unfold stacks */
    unsigned bands_off;
    bool picks_layer; /* the list that is open is that of layers */
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
/* screen_layers.c: which layers of threads are shown. */
bool tt_timeline_screen_layers(tt_screen *s, int arg);                /* list them */
bool tt_timeline_screen_layer_picked(tt_screen *s, int index);        /* false = another list was open */
bool tt_timeline_screen_layer_command(tt_screen *s, const char *arg); /* "python=off operators=on" */
void tt_timeline_screen_layers_said(tt_screen *s);                    /* before drawing: what a jump has unfolded */
/* screen_derived.c: rows without records, the critical path, ranges. */
void tt_timeline_screen_derive(tt_screen *s);        /* have worked out what the rows in view need */
bool tt_timeline_screen_path(tt_screen *s, int arg); /* show the critical path, or hide it */
void tt_timeline_screen_path_scope(tt_screen *s);    /* the scope has changed, or the session */
/* The path of the evidence's trace is shown while the evidence is; on false as a person had it. */
void tt_timeline_screen_path_lend(tt_screen *s, bool on);
/* screen_evidence.c: the rows of a finding's cause alone; end: all is as it was before. */
bool tt_timeline_screen_evidence(tt_screen *s, const tt_drilldown *o);
/* The same where a person stood before: there. */
bool tt_timeline_screen_evidence_again(tt_screen *s, const tt_drilldown *o, const tt_screen_place *place);
void tt_timeline_screen_stand(tt_screen *s, const tt_screen_place *p); /* window, cursor, selection */
/* The same of gaps that n and N walk through. */
bool tt_timeline_screen_gaps(tt_screen *s, const tt_hit_ranges *r);
void tt_timeline_screen_evidence_end(tt_screen *s);
bool tt_timeline_screen_evidence_act(tt_screen *s, tt_action a); /* false: not one of its keys */
bool tt_timeline_screen_ranges(tt_screen *s, const tt_hit_ranges *r);
bool tt_timeline_screen_step_range(tt_screen *s, int dir); /* false: nobody gave any */
/* Facts about what the cursor's row shows without slices: a gap, a segment of the path. false = it shows neither. */
bool tt_timeline_screen_derived_detail(tt_screen *s);
/* Run an action; false = the timeline has nothing to do with it. */
bool tt_timeline_screen_act(tt_screen *s, tt_action a);

#endif
