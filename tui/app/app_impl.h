/* tui/app/app_impl.h - the inside of the application object, for the files of tui/app and the loops around it. */
#ifndef TT_TUI_APP_APP_IMPL_H
#define TT_TUI_APP_APP_IMPL_H

#include <stdatomic.h>

#include "tui/app/about.h"
#include "tui/app/app_compare.h"
#include "tui/app/app_open.h"
#include "tui/app/explore.h"
#include "tui/app/follow.h"
#include "tui/app/jobs.h"
#include "tui/app/prompt/edit.h"
#include "tui/app/prompt/find_anywhere.h"
#include "tui/app/prompt/prompt.h"
#include "tui/app/runs/run_page.h"
#include "tui/screen/host.h"
#include "tui/widgets/format_value.h"

enum { TT_JUMPS = 64, TT_MAX_SCREENS = 20, TT_MAX_BAR = 32 };

typedef struct tt_app tt_app;

typedef struct tt_jump {
    int screen;
    tt_screen_place place;
    bool scoped; /* the scope was `scope` there, and comes back with the place */
    tt_scope scope;
} tt_jump;

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

typedef struct tt_bar_key { /* a key of the last line, in columns [from, to) */
    int from, to;
    tt_action action;
} tt_bar_key;

typedef struct tt_help {
    bool open;
    int at, top;
    int shown; /* actions that fit into the last frame */
} tt_help;

struct tt_app {
    tt_host host;                 /* first member: what screens see, the session and the scope among it */
    tt_session *pending;          /* session that takes the place of host.session when no job runs; owned */
    bool pending_last;            /* `pending` is the whole trace */
    bool pending_other;           /* `pending` is another run */
    struct tt_foresight {         /* what a screen wants made of `pending` before it is shown */
        const tt_screen_ops *ops; /* screen that wants it; NULL = no screen */
        void *what;
        const tt_session *of; /* session that `what` is made of; NULL = nothing is made */
        bool running;
        atomic_bool stop;
    } foresight;
    tt_session *base;   /* the other run of a comparison, owned; NULL = none */
    tt_base_run other;  /* how `base` is read and replaced */
    tt_opening opening; /* how another session is read that will take the place of this one */
    tt_follow follow;   /* how a running recording is read again as it grows */
    tt_progress progress;
    bool loading, partial;      /* partial: the loading was cancelled */
    char source[TT_SOURCE_CAP]; /* input being opened, as the person named it */
    tt_about about;

    const tt_theme *theme;
    uint8_t setting[16]; /* index of the value of each setting, in the order of tui/app/prompt/settings.def */
    int layout;          /* TT_LAYOUT_* */
    tt_level level;      /* most colours that are used */
    bool ascii, braille, no_mouse, no_history, no_state;
    tt_screen screens[TT_MAX_SCREENS];
    tt_screen_place place[TT_MAX_SCREENS]; /* where each screen was before the session was replaced */
    bool has_place[TT_MAX_SCREENS];
    int n_screens, n_tabs, at; /* the tabs come first among the screens; a key or a command shows the others */
    char query[TT_PROMPT_CAP]; /* query of `:sql` */
    bool screen_given;         /* the person said which tab to begin with */

    tt_jump jumps[TT_JUMPS];
    int n_jumps, jump_at; /* places [0, jump_at) lie behind, [jump_at, n_jumps) ahead */

    char status[512];
    char find[TT_PROMPT_CAP];
    tt_jump find_from;                 /* where the search that is being typed began */
    char filter_before[TT_PROMPT_CAP]; /* filter to go back to when typing is cancelled */
    char filter[TT_MAX_SCREENS][TT_PROMPT_CAP];
    tt_prompt prompt;
    char candidates[512]; /* completions of the command line */
    tt_picker picker;
    tt_run_page runs;
    tt_anywhere *anywhere; /* search over all names, owned; NULL = its box is closed */
    tt_help help;
    struct tt_question { /* y runs the command with `agreed` set; every other key does nothing */
        bool open;
        char text[300], command[TT_PROMPT_CAP + 32];
    } question;
    bool agreed;
    bool pasting, pressing; /* pressing: the keys come from :keys */

    tt_jobs *jobs;
    tt_jobs *leavings; /* thread that frees sessions beside the drawing thread; NULL = not started */
    bool interactive;
    bool dirty, quit;
    bool want_redraw, want_suspend, want_cancel,
        want_terminal;     /* requests to the loop; terminal: settings of the terminal have changed */
    char *clip;            /* text for the clipboard, which the loop takes; owned */
    tt_edit_command *edit; /* editor to run, which the loop takes; owned */
    tt_source_maps sources;
    int64_t wake_at; /* ms; when to draw again; 0 = never */
    unsigned spinner;
    int h, w;                   /* size of the last frame */
    tt_bar_key bar[TT_MAX_BAR]; /* keys in the last line of the last frame */
    int n_bar;
    int tab_x[TT_MAX_SCREENS + 1]; /* first column of each tab in the last frame, and the end of the last tab */
    int mark_x;                    /* first column of the mark of trust; 0 = there is no mark */
};

/* The explorer that is this host. */
static inline tt_app *tt_app_of(tt_host *h) { return (tt_app *)(void *)h; }
extern const tt_host_ops tt_app_host; /* the functions of host.c */

/* What host.c hands on: tui/screen/host.h says what each function means. */
bool tt_app_show(tt_app *a, const tt_show_target *to);
bool tt_app_show_tab(tt_app *a, const char *name);
void tt_app_push_jump(tt_app *a);
bool tt_app_jump_back(tt_app *a);
void tt_app_find_anywhere(tt_app *a);
void tt_app_set_status(tt_app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tt_app_set_scope(tt_app *a, const tt_scope *scope);
void tt_app_compare_parts(tt_app *a, const tt_scope *base, const tt_scope *now);
void tt_app_compare_how(tt_app *a, const tt_comparison *how);
void tt_app_swap_sides(tt_app *a);
void tt_app_compare_off(tt_app *a);
void tt_app_sides(const tt_app *a, char *base, char *now, size_t cap);
void tt_app_scope_text(const tt_app *a, char *out, size_t cap);
void tt_app_open_recordings(tt_app *a, const uint32_t *traces, uint32_t n);
bool tt_app_follows(const tt_app *a);
bool tt_app_keeps(const tt_app *a);
void tt_app_pick(tt_app *a, const char *title, char **items, int n, void (*picked)(tt_screen *, int));
void *tt_app_foreseen(tt_app *a, const tt_screen *s);
void tt_app_wake(tt_app *a, int ms);
int64_t tt_app_now(const tt_app *a);
bool tt_app_may_write(tt_app *a, const char *verb, const char *path, unsigned *how);
void tt_app_export_trace(tt_app *a, const char *verb, const tt_scope *scope, const char *path);
void tt_app_copy(tt_app *a, const char *text);
void tt_app_job(tt_app *a, void (*run)(void *arg), void (*done)(void *arg, tt_host *h), void *arg);
void tt_app_free_later(tt_app *a, void (*free_it)(void *p), void *p);

/* interactive: with a worker thread and a clock. */
tt_app *tt_app_new(bool interactive);
void tt_app_free(tt_app *a);
void tt_app_free_session(tt_app *a,
                         tt_session *s); /* Free a session beside the drawing thread (tt_app_free_later()). */
/* Take over the first and only session. */
void tt_app_set_session(tt_app *a, tt_session *s);
/* Take over a session that is shown when no job runs: a preview, or the whole trace (last). */
void tt_app_offer_session(tt_app *a, tt_session *s, bool last);
void tt_app_drop_pending(tt_app *a);  /* Drop the session that waits; does nothing where none waits. */
bool tt_app_adopt_session(tt_app *a); /* Jobs may have ended: show the session that waits. True = it is shown now. */
/* Choose the tabs by the session and what it is compared with. */
void tt_app_choose_tabs(tt_app *a);
/* Choose the first of several spans and workers, as a person would. */
void tt_app_first_scope(tt_app *a);
/* Close the screens whose places and marks belong to this session alone: another run takes its place. */
void tt_app_close_places(tt_app *a);
/* Renew the screens: the session stands in the place of `old` now. */
void tt_app_renew_screens(tt_app *a, tt_session *old);
/* Change *c, a scope of `old`, to the same part of `s`, whose times are `shift` later: by names of workers and
 * spans. */
void tt_app_move_scope(const tt_session *s, const tt_session *old, int64_t shift, tt_scope *c);
int32_t tt_name_index(char *const *names, uint32_t n,
                      const char *name); /* Index of a name; TT_ALL = none of them has it, or name is NULL */
void tt_app_tell_scope(tt_app *a);       /* Tell every screen that scope, unit or comparison changed. */
void tt_app_push_jump_scoped(tt_app *a); /* tt_app_push_jump(), and the scope comes back with the place. */
void tt_app_part_text(const tt_session *all, const tt_scope *s, char *out,
                      size_t cap); /* Words for a scope; "" = everything. */
void tt_app_open_screen(tt_app *a, int i);
void tt_app_draw(tt_app *a, tt_canvas *c);
void tt_app_key(tt_app *a, tt_key k, const tt_mouse *mouse);
void tt_app_act(tt_app *a, tt_action act);
void tt_app_prompt_key(tt_app *a, tt_key k); /* Give the prompt a key while it is open. */
/* Press several keys, written as in actions.def; "text" in double quotes is typed. Draws on c after each, as screens
 * expect. False = a name is no key. */
bool tt_app_keys(tt_app *a, const char *keys, tt_canvas *c);
/* Take over what the command line says; false: its tab does not exist. */
bool tt_app_begin(tt_app *a, const tt_explore_options *o);
tt_screen *tt_app_current(tt_app *a);
/* Whether reading was cancelled before anything was read: there is nothing to show, and nothing is being read. */
static inline bool tt_app_stopped(const tt_app *a) { return !a->host.session && !a->loading && !a->runs.open; }
static inline bool tt_app_several(const tt_app *a)
{
    return a->opening.inputs.n > 1;
} /* Whether several paths were opened. */
/* Whether tab i is there: screens that are wanted have one, and the screen that is shown. */
static inline bool tt_app_has_tab(const tt_app *a, int i) { return !a->screens[i].hidden || i == a->at; }
tt_context tt_app_context(const tt_app *a); /* Keys that the current screen has. */
/* The first key of an action on this keyboard that the current screen uses for nothing else. */
void tt_app_key_of(const tt_app *a, const tt_action_info *info, char *out, size_t cap);
void tt_app_go(tt_app *a,
               int screen); /* Show a screen, and open it when needed; does nothing when there is no such screen. */
int tt_app_tab(const tt_app *a, const char *name);           /* Index of the tab with this name; -1 = there is none. */
int tt_app_index(const tt_app *a, const tt_screen_ops *ops); /* Index of a screen, which must be one of the list. */

/* Give a question the key. False = the key is one that works everywhere. */
bool tt_app_question_key(tt_app *a, tt_key k);
void tt_app_question_draw(const tt_app *a, tt_canvas *c, int y);
/* command_line.c, completion.c, pickers.c */
void tt_app_command(tt_app *a, const char *line);
void tt_app_complete(tt_app *a); /* the command line's Tab key */
void tt_app_candidates(tt_app *a);
void tt_app_pick_steps(tt_app *a);
void tt_app_pick_trace(tt_app *a);
void tt_app_pick_run(tt_app *a);                    /* Ask for the other run. */
bool tt_app_diff(tt_app *a, const char *arg);       /* run_picker.c: `:diff` */
bool tt_app_markdown(tt_app *a, const char *arg);   /* app_digest.c: `:markdown` */
void tt_app_open_base(tt_app *a, const char *path); /* run_picker.c: compare with this run */
/* A list of n items, to be filled in. */
void tt_picker_open(tt_app *a, const char *title, int n, void (*pick)(tt_app *, int));
void tt_picker_close(tt_picker *p);
bool tt_picker_key(tt_app *a, tt_key k);
void tt_picker_mouse(tt_app *a, const tt_mouse *m); /* on the screen's cells */
void tt_picker_draw(tt_picker *p, tt_canvas *c);
/* find_anywhere.c: close the box; go: to what is chosen in it. */
void tt_app_close_anywhere(tt_app *a, bool go);
/* help.c */
void tt_help_draw(tt_app *a, tt_canvas *c);
bool tt_help_key(tt_app *a, tt_key k);
bool tt_help_find(tt_app *a, const char *text, int dir);

#endif
