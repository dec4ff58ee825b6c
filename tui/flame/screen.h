/* tui/flame/screen.h - what the flame view shows, for tui/screen_flame*.c and the application, which opens it. */
#ifndef TT_TUI_FLAME_SCREEN_H
#define TT_TUI_FLAME_SCREEN_H

#include "tui/flame/flame_widget.h"
#include "tui/screen/host.h"
#include "tui/timeline/draw/draw.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"

/* What it can be about; not all of it exists for every subject. */
typedef enum tt_flame_about {
    TT_FLAME_SLICE,       /* the slice */
    TT_FLAME_CALLS,       /* all calls of its name */
    TT_FLAME_CALLERS,     /* what leads to all calls of its name, or launches them */
    TT_FLAME_DURING,      /* all host threads while it ran */
    TT_FLAME_RANGE_TRACK, /* its track in an interval */
    TT_FLAME_RANGE,       /* all host threads in an interval */
    TT_FLAME_TRACK,       /* its track */
    TT_FLAME_ALL,         /* all host threads */
    TT_FLAME_ABOUTS
} tt_flame_about;

typedef struct tt_flame_subject {
    tt_slice_ref slice; /* row TT_NONE = none; the trace counts in any case */
    bool has_range;
    int64_t t0, t1; /* the interval, common axis */
} tt_flame_subject;

typedef struct tt_flame_screen {
    tt_flame_view view;
    tt_flame_subject of;
    tt_flame_about about;
    struct tt_flame_job *running;       /* NULL = what is shown is what was asked for */
    bool ordered;                       /* in the order of time */
    bool no_python;                     /* merged without Python functions */
    bool unfolded;                      /* each module and each wrapper a node of its own */
    char *filter;                       /* what a person wants to see, NULL = everything */
    bool nothing;                       /* no slice passes it */
    bool by_device;                     /* widths are device work because the filter leaves nothing else */
    tt_timeline *t;                     /* in the order of time; NULL = not there yet, or of another subject */
    struct tt_flame_time_job *time_job; /* making that; NULL = none runs */
    tt_timeline_frame frame;
    tt_timeline_plan plan;
    tt_detail detail;
    char title[280], name[160];
} tt_flame_screen;

/* Choose what it is about: a slice or an interval; slice: the selected one beside an interval, row TT_NONE = none. */
void tt_flame_choose(tt_screen *s, const tt_drilldown *o, tt_slice_ref slice);

/* ---- screen_time.c: the same in the order of time, as a timeline of the tracks in question ---- */
void tt_flame_time_close(tt_flame_screen *x);
/* As it was at first. */
void tt_flame_time_whole(tt_screen *s);
void tt_flame_time_draw(tt_screen *s, tt_canvas *c);
bool tt_flame_time_act(tt_flame_screen *x, tt_action a);
/* The part of the common axis it is about. */
void tt_flame_window(const tt_screen *s, int64_t *t0, int64_t *t1);

static inline tt_flame_screen *tt_flame_of(const tt_screen *s) { return s->state; }

#endif
