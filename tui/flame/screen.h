/* tui/flame/screen.h - shared by the files tui/flame/screen*.c; opening the flame view from the explorer. */
#ifndef TT_TUI_FLAME_SCREEN_H
#define TT_TUI_FLAME_SCREEN_H

#include "tui/flame/flame_widget.h"
#include "tui/screen/host.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"

/* The calls that the view can show; some exist only for some subjects. */
typedef enum tt_flame_about {
    TT_FLAME_SLICE,       /* the slice itself */
    TT_FLAME_CALLS,       /* all calls of the slice's name */
    TT_FLAME_CALLERS,     /* the callers of all calls of the slice's name, or the code that launches them */
    TT_FLAME_DURING,      /* all host threads while the slice ran */
    TT_FLAME_RANGE_TRACK, /* the slice's track in an interval */
    TT_FLAME_RANGE,       /* all host threads in an interval */
    TT_FLAME_TRACK,       /* the slice's track */
    TT_FLAME_ALL,         /* all host threads */
    TT_FLAME_ABOUTS
} tt_flame_about;

typedef struct tt_flame_subject {
    tt_slice_ref slice; /* the slice, row TT_NONE = none; the trace is valid in any case */
    bool has_range;
    int64_t t0, t1; /* the interval, common axis */
} tt_flame_subject;

typedef struct tt_flame_screen {
    tt_flame_view view;
    tt_flame_subject of;
    tt_flame_about about;
    struct tt_flame_job *running; /* the job that computes the flame; NULL = the screen shows what was asked for */
    bool ordered;                 /* boxes stand in the order of time */
    bool no_python;               /* calls are merged without Python functions */
    bool unfolded;                /* each module and each wrapper is a node of its own */
    char *filter;                 /* the filter that the user typed, NULL = everything */
    bool nothing;                 /* no slice passes the filter */
    bool by_device;               /* widths are device work, because only device work passes the filter */
    tt_timeline *t;               /* the view in the order of time; NULL = not there yet, or of another subject */
    struct tt_flame_time_job *time_job; /* the job that makes `t`; NULL = no job runs */
    tt_timeline_frame frame;
    tt_timeline_plan plan;
    tt_detail detail;
    char title[280], name[160];
} tt_flame_screen;

/* ---- screen_time.c: the same in the order of time, as a timeline of the tracks in question ---- */
void tt_flame_time_close(tt_flame_screen *x);
/* Show the window and the slice as they were at first. */
void tt_flame_time_whole(tt_screen *s);
void tt_flame_time_draw(tt_screen *s, tt_canvas *c);
bool tt_flame_time_act(tt_flame_screen *x, tt_action a);
/* The part of the common axis that the view covers. */
void tt_flame_window(const tt_screen *s, int64_t *t0, int64_t *t1);

static inline tt_flame_screen *tt_flame_of(const tt_screen *s) { return s->state; }

#endif
