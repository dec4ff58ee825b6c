/* tui/timeline/screen/screen.h - the state of the Timeline screen, for tui/timeline/screen/screen*.c only. */
#ifndef TT_TUI_TIMELINE_SCREEN_SCREEN_H
#define TT_TUI_TIMELINE_SCREEN_SCREEN_H

#include "tui/screen/host.h"
#include "tui/table/interval_pane.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/screen/work.h"

typedef struct tt_page_state { /* the page with all facts */
    bool shown;
    int top, lines;
} tt_page_state;

typedef struct tt_path_state {           /* the critical path */
    struct tt_timeline_screen_path *job; /* computes it; NULL = none runs */
    bool wanted;                         /* it is to be shown */
    bool known;                          /* the timeline has the path of this scope */
    bool lent;                           /* the path is shown for the evidence only, on its trace */
} tt_path_state;

typedef struct tt_alone_state { /* evidence that is shown alone */
    tt_drilldown evidence;      /* TT_DRILL_NONE = all rows are shown. Without texts */
    unsigned serial;            /* changes with the evidence: the job that computes it compares */
    int pane_lines;             /* pane_lines of the screen before */
    char *filter;               /* the filter before, for evidence is shown without; NULL = there was none */
} tt_alone_state;

typedef struct tt_timeline_screen {
    tt_timeline *t;
    tt_timeline_work *work;
    tt_scope scope;
    tt_timeline_frame frame;
    tt_timeline_plan plan;
    tt_detail detail;
    int pane_lines; /* most lines that the pane had to show so far */
    tt_page_state page;
    tt_interval_pane interval;
    bool one_track;                               /* the tables of the interval count the track of the cursor only */
    struct tt_timeline_screen_filter *filter_job; /* the job that finds the slices of a filter; NULL = none runs */
    char *filter; /* the filter that a person wants, which the timeline follows; NULL = all slices */
    tt_path_state path;
    tt_alone_state alone;
    char ranges_what[32];  /* what n and N walk through, as "gaps" */
    tt_timeline_view view; /* the view that a person chose or was told of: a jump may unfold stacks */
    unsigned bands_off;    /* the same of bands that are not shown */
    bool kept_read;        /* settings kept for this trace have been read */
    unsigned look;         /* serial of the shared window that was taken over or set last */
    tt_action last;        /* the last action, and its time */
    int64_t acted_at;
    bool dragging; /* an interval is being marked with the mouse */
} tt_timeline_screen;

static inline tt_timeline_screen *tt_timeline_screen_of(const tt_screen *s) { return s->state; }
static inline tt_unit tt_timeline_screen_unit(const tt_screen *s) { return (tt_unit)tt_host_unit(s->host); }

/* screen_marks.c: the pane of the marked interval. */
/* Lines of the panes; pane_h: lines of the selection's pane. */
int tt_timeline_screen_interval_height(const tt_timeline_screen *x, int h, int pane_h);
void tt_timeline_screen_interval_draw(tt_screen *s, tt_canvas *c); /* takes lines from the pane of the plan */
bool tt_timeline_screen_one_track(tt_screen *s, int arg);
bool tt_timeline_screen_flame(tt_screen *s, int arg); /* for the interval if there is one, else for the slice */
/* Filter the slices ("" = all): false = the text is no filter. The timeline follows when the slices are found. */
bool tt_timeline_screen_filter_set(tt_screen *s, const char *text);
/* Clear the filter at once, because it hides the target of a jump. */
void tt_timeline_screen_filter_drop(tt_screen *s);
/* Copy pins, folds and bookmarks to another timeline of the same trace, whose times are `shift` later. */
void tt_timeline_screen_carry(const tt_timeline *from, tt_timeline *to, int64_t shift);
void tt_timeline_screen_keep_read(tt_screen *s);        /* take over kept settings, once the whole trace is there */
void tt_timeline_screen_keep_write(const tt_screen *s); /* keep settings, after every change: the file is small */
/* Run :bookmark, :goto or :unbookmark; false = another command, or no such name. */
bool tt_timeline_screen_bookmark_command(tt_screen *s, const char *verb, const char *arg);
/* screen_layers.c: which layers of threads are shown. */
bool tt_timeline_screen_layers(tt_screen *s, int arg);                /* open the list of layers */
bool tt_timeline_screen_layer_command(tt_screen *s, const char *arg); /* "python=off operators=on" */
/* before drawing: say in the status line what a jump has unfolded */
void tt_timeline_screen_layers_said(tt_screen *s);
/* screen_derived.c: derived rows, the critical path, ranges. */
void tt_timeline_screen_derive(tt_screen *s);        /* start computing the data that rows in view need */
bool tt_timeline_screen_path(tt_screen *s, int arg); /* show the critical path, or hide it */
void tt_timeline_screen_path_scope(tt_screen *s);    /* the scope has changed, or the session */
/* Show the path of the evidence's trace while the evidence is shown; false: show what a person asked for. */
void tt_timeline_screen_path_lend(tt_screen *s, bool on);
/* screen_evidence.c: show the rows of a finding's cause alone. */
bool tt_timeline_screen_evidence(tt_screen *s, const tt_drilldown *o);
/* Show evidence again, at the place where a person stood. */
bool tt_timeline_screen_evidence_again(tt_screen *s, const tt_drilldown *o, const tt_screen_place *place);
void tt_timeline_screen_stand(tt_screen *s, const tt_screen_place *p); /* restore window, cursor and selection */
/* Show gaps as evidence, which n and N walk through. */
bool tt_timeline_screen_gaps(tt_screen *s, const tt_hit_ranges *r);
void tt_timeline_screen_evidence_end(tt_screen *s);
bool tt_timeline_screen_evidence_act(tt_screen *s,
                                     tt_action a); /* false = the key means nothing special while evidence is shown */
bool tt_timeline_screen_ranges(tt_screen *s, const tt_hit_ranges *r);
bool tt_timeline_screen_step_range(tt_screen *s, int dir); /* false = there are no ranges */
/* Make the facts of the cursor's row: a gap, or a segment of the path. false = the row has none. */
bool tt_timeline_screen_derived_detail(tt_screen *s);
/* Run an action; false = it does nothing on the timeline. */
bool tt_timeline_screen_act(tt_screen *s, tt_action a);

#endif
