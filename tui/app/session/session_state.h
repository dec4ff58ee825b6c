/* tui/app/session/session_state.h - the sessions of the explorer beside the open one (tt_host.session), as parts of
 * tt_app: the session that takes its place next, the run it is compared with, the run being read, the recording
 * being followed. */
#ifndef TT_TUI_APP_SESSION_SESSION_STATE_H
#define TT_TUI_APP_SESSION_SESSION_STATE_H

#include <stdatomic.h>

#include "capture/launcher/running.h"
#include "model/base/mem.h"
#include "parser/load.h"
#include "tui/screen/screen.h"

enum { TT_SOURCE_CAP = 512 };

typedef TT_VEC(char *) tt_paths; /* paths that make up a run; owned */

/* The session that takes the place of the open one when no job runs. */
typedef struct tt_pending {
    tt_session *session; /* owned; NULL = none */
    bool last;           /* the session is the whole trace */
    bool other;          /* the session is another run */
} tt_pending;

/* What a screen wants made of the pending session before it is shown. */
typedef struct tt_foresight {
    const tt_screen_ops *ops; /* screen that wants it; NULL = no screen */
    void *what;
    const tt_session *of; /* session that `what` is made of; NULL = nothing is made */
    bool running;
    atomic_bool stop;
} tt_foresight;

/* The run that the open one is compared with (app_compare.h). */
typedef struct tt_base_run {
    tt_load_options options; /* how the other run is read; its notify wakes the loop, which polls then */
    tt_load *load;           /* loads the other run; NULL = nothing is being read */
    tt_progress progress;
    char next[TT_SOURCE_CAP];     /* run being read, as the person named it */
    char source[TT_SOURCE_CAP];   /* run that the open run is compared with */
    tt_paths next_inputs, inputs; /* paths of the run being read, and of the run compared with */
    bool partial;      /* the base was the open run, and its reading was stopped: the rest of it is missing */
    bool from_options; /* the command line named the other run: without it there is nothing to show */
    bool fixed_steps, fixed_range;  /* options chose the steps or the range of the base: they do not follow the scope */
    TT_VEC(tt_session *) put_aside; /* bases that nothing compares with any more; owned */
    uint64_t serial;                /* serial of the newest comparison */
    bool swap_after;                /* the run being read becomes the open one, and the open one its base, */
    char then[TT_SOURCE_CAP];       /* or else gives way to this run; "" = does not */
    bool want_swap;                 /* swap the sides as soon as no job runs */
} tt_base_run;

/* Reading of a run that will take the place of the open one (app_open.h). */
typedef struct tt_opening {
    tt_load_options options; /* how runs are read; notify as the loop says, which polls then */
    tt_load *load;           /* loads the run; NULL = nothing is being read */
    bool again;              /* the run is the open one */
    bool grown;              /* the open run is read again because it grew: without a message */
    bool widened;            /* --worker or --span were of the run before: all of this run is shown */
    tt_progress progress;
    tt_paths inputs, next;      /* paths of the open session, and of the session being read */
    char source[TT_SOURCE_CAP]; /* run being read, as the person named it */
    char base[TT_SOURCE_CAP];   /* run to compare with once this one is read; "" = none */
} tt_opening;

typedef enum tt_follow_phase {
    TT_FOLLOW_OFF,
    TT_FOLLOW_ON,
    TT_FOLLOW_LAST,  /* the recording is over: it is read once more */
    TT_FOLLOW_ENDED, /* it was followed to its end */
} tt_follow_phase;

/* Following of a recording that still runs (follow.h). */
typedef struct tt_follow {
    tt_follow_phase phase;
    char dir[TT_SOURCE_CAP]; /* folder of the open recording; "" = the open run is no recording */
    tt_running now;          /* state of the recording at the last look */
    uint64_t bytes, names;   /* sizes of the spools when they were read last */
    int64_t look_at;         /* ms; when to look next */
    int64_t read_at;         /* ms; not to be read again before */
    int64_t read_began;      /* when the reading began whose cost is not known yet, ms; 0 = none */
    int64_t cpu_ns;          /* processor time of tracetty when that reading began */
    struct tt_past *past;    /* what the blocks told that are no longer read; NULL = nothing is followed */
    uint64_t newest;         /* bytes at the ends of all spools that are read */
    bool from_past;          /* the last reading began with the past */
    bool cut;                /* the newest part is shown, and not all of the recording */
    int64_t hold_until;      /* ms; frames wait until then for the tables of what was read */
    char shown[64];          /* the chip of the last frame */
} tt_follow;

#endif
