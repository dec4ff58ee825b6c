/* tui/app/state.h - the state of the explorer: tt_app, and the structs of its parts. Functions are in the headers of
 * the parts (about.h, app_open.h, follow.h, prompt/settings.h ...) and in app_api.h; this header needs none of
 * those, so that each of them can be read by itself. */
#ifndef TT_TUI_APP_STATE_H
#define TT_TUI_APP_STATE_H

#include "model/tables/overview/trust.h"
#include "tui/app/jobs.h"
#include "tui/app/prompt/editor.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/runs/run_scan.h"
#include "tui/app/session/session_state.h"
#include "tui/screen/host.h"

enum { TT_JUMPS = 64, TT_MAX_SCREENS = 20, TT_MAX_BAR = 32, TT_RUN_PATH_CAP = 4096 };

typedef struct tt_app tt_app;

/* What is shown: screens, places, what is typed. */

typedef struct tt_tabs {
    tt_screen screens[TT_MAX_SCREENS];
    tt_screen_place place[TT_MAX_SCREENS]; /* where each screen was before the session was replaced */
    bool has_place[TT_MAX_SCREENS];
    char filter[TT_MAX_SCREENS][TT_PROMPT_CAP];
    int n_screens;
    int n;      /* the first n screens are tabs; a key or a command shows the others */
    int at;     /* index of the screen that is shown */
    bool given; /* the person said which tab to begin with */
} tt_tabs;

typedef struct tt_jump {
    int screen;
    tt_screen_place place;
    bool scoped; /* the scope was `scope` there, and comes back with the place */
    tt_scope scope;
} tt_jump;

typedef struct tt_jumps {
    tt_jump place[TT_JUMPS];
    int n, at; /* places [0, at) lie behind, [at, n) ahead */
} tt_jumps;

typedef struct tt_find_filter {
    char find[TT_PROMPT_CAP];
    tt_jump find_from;                 /* where the search that is being typed began */
    char filter_before[TT_PROMPT_CAP]; /* filter to go back to when typing is cancelled */
} tt_find_filter;

typedef struct tt_display {
    const tt_theme *theme;
    uint8_t setting[16]; /* index of the value of each setting, in the order of tui/app/prompt/settings.def */
    int layout;          /* TT_LAYOUT_* */
    tt_level level;      /* most colours that are used */
    bool ascii, braille, no_mouse, no_history, no_state;
} tt_display;

typedef struct tt_bar_key { /* a key of the last line, in columns [from, to) */
    int from, to;
    tt_action action;
} tt_bar_key;

/* The last frame, for the mouse. */
typedef struct tt_frame {
    int h, w;
    tt_bar_key bar[TT_MAX_BAR]; /* keys in the last line */
    int n_bar;
    int tab_x[TT_MAX_SCREENS + 1]; /* first column of each tab, and the end of the last tab */
    int mark_x;                    /* first column of the mark of trust; 0 = there is no mark */
    unsigned spinner;
} tt_frame;

/* The facts of a session in the header (about.h). */
typedef struct tt_about {
    bool asked, known;
    unsigned serial;                       /* serial of the session; an answer about an older session is dropped */
    tt_trust trust;                        /* owned */
    uint32_t empty;                        /* bit i: the tab of screen i has nothing to show */
    char ranks[48], steps[48], device[48]; /* "2 ranks", "6 steps", "H100 80GB"; "" = not known, or not worth a word */
} tt_about;

/* What lies over a screen (modal.h). */

/* A list to choose from, in a box over the screen. */
typedef struct tt_picker {
    const char *title; /* NULL = closed */
    char **items;      /* owned */
    int n, at, top;
    void (*pick)(tt_app *a, int index);
    void (*picked)(tt_screen *s, int index); /* takes the place of pick() in a list of screen `by` */
    tt_screen *by;
    void (*compare)(tt_app *a, int base, int now); /* two marked items; NULL = not comparable */
    int mark[2], n_marks;
    struct { /* place on the screen in the last frame */
        int y, x, h, w;
    } place;
    /* members of a list of runs; else zero */
    bool (*key)(tt_app *a, tt_action act); /* other keys; false = the list has no use for the key */
    bool wide;
    char **names, own_title[256], folder[TT_SOURCE_CAP]; /* names of the items; owned */
    bool *runs;                                          /* per item: a run that can be compared with; owned */
} tt_picker;

typedef struct tt_help {
    bool open;
    int at, top;
    int shown; /* actions that fit into the last frame */
} tt_help;

typedef struct tt_question { /* y runs the command with `agreed` set; every other key does nothing */
    bool open, agreed;
    char text[300], command[TT_PROMPT_CAP + 32];
} tt_question;

/* The page that lists the runs below a folder (runs/run_page.h). */
typedef struct tt_run_page {
    bool open;
    bool rooted;                /* the folder was chosen once, and stays */
    tt_run_scan *scan;          /* NULL = the page is closed */
    char root[TT_RUN_PATH_CAP]; /* folder of the search; "" = the current folder */
    char filter[TT_PROMPT_CAP];
    char chosen[TT_RUN_PATH_CAP]; /* path of the selected run; "" = the first */
    char base[TT_RUN_PATH_CAP];   /* marked to be compared; "" = none */
    size_t top;
    int y0, rows; /* in the last frame: first screen row of the list, and how many */
} tt_run_page;

/* Requests to the loop (explore.c), which has the terminal. */
typedef struct tt_requests {
    bool quit, redraw, suspend, cancel;
    bool terminal;         /* settings of the terminal have changed */
    char *clip;            /* text for the clipboard; owned */
    tt_edit_command *edit; /* editor to run; owned */
    int64_t wake_at;       /* ms; when to draw again; 0 = never */
} tt_requests;

struct tt_app {
    tt_host host; /* first member: what screens see, the session and the scope among it */
    tt_pending pending;
    tt_foresight foresight;
    tt_session *base; /* the other run of a comparison, owned; NULL = none */
    tt_base_run other;
    tt_opening opening;
    tt_follow follow;
    tt_progress progress;
    bool loading, partial;      /* partial: the loading was cancelled */
    char source[TT_SOURCE_CAP]; /* input being opened, as the person named it */
    tt_about about;

    tt_display display;
    tt_tabs tabs;
    tt_jumps jumps;
    tt_find_filter search;
    tt_frame frame;
    char status[512];
    bool dirty;

    tt_prompt prompt;
    char candidates[512];      /* completions of the command line */
    char query[TT_PROMPT_CAP]; /* query of `:sql` */
    bool pasting, pressing;    /* pressing: the keys come from :keys */
    tt_picker picker;
    tt_run_page runs;
    struct tt_anywhere *anywhere; /* search over all names, owned; NULL = its box is closed */
    tt_help help;
    tt_question question;
    tt_source_maps sources;

    bool interactive;
    tt_jobs *jobs;
    tt_jobs *leavings; /* thread that frees sessions beside the drawing thread; NULL = not started */
    tt_requests want;
};

/* The explorer that is this host. */
static inline tt_app *tt_app_of(tt_host *h) { return (tt_app *)(void *)h; }
/* Whether reading was cancelled before anything was read: there is nothing to show, and nothing is being read. */
static inline bool tt_app_stopped(const tt_app *a) { return !a->host.session && !a->loading && !a->runs.open; }
/* Whether several paths were opened. */
static inline bool tt_app_several(const tt_app *a) { return a->opening.inputs.n > 1; }
/* Whether tab i is there: screens that are wanted have one, and the screen that is shown. */
static inline bool tt_app_has_tab(const tt_app *a, int i) { return !a->tabs.screens[i].hidden || i == a->tabs.at; }

#endif
