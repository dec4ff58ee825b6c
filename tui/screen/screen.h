/* tui/screen/screen.h - the interface of a screen: one tt_screen_ops for each tab, registered by a line in
 * tui/app/screens.def.
 *
 * All functions run on the drawing thread and must return at once: work that can take longer than a frame goes to
 * the worker (tt_host_job). Members that do not apply are NULL. */
#ifndef TT_TUI_SCREEN_SCREEN_H
#define TT_TUI_SCREEN_SCREEN_H

#include <stdatomic.h>

#include "tui/screen/focus.h"
#include "tui/screen/show.h"
#include "tui/widgets/canvas.h"

typedef struct tt_host tt_host;

/* Where a screen stands, for the jump list; each has the member of its kind. Zero is a place, too: the beginning. */
typedef struct tt_screen_place {
    struct tt_table_place { /* a row by identity, so that it is found again when the rows come anew; 0 = none */
        uint64_t row, drill_row;
        uint32_t top;
        bool drill; /* the events behind a row are shown */
    } table;
    int pane; /* index of one of several tables, or TT_PANE_CHART */
    struct {
        int64_t t0, t1, at;
        tt_slice_ref sel;
        uint32_t line, top;
        size_t folds;          /* number of changes to folds that jumps had made by then */
        tt_drilldown evidence; /* the evidence whose rows alone are shown; without texts */
    } timeline;
    struct {
        tt_slice_ref slice;
        int64_t t0, t1;
        int about, weight;
        uint32_t zoom, cursor;
        bool ordered, has_range;
    } flame;
    struct {
        int list;
        uint32_t at;
    } overview;
    struct {
        uint32_t worker, sample[2];
        int focus;
        int64_t t0, t1, at; /* offsets from the aligned moment; t0 == t1: no place */
    } pair;
    struct {
        uint64_t name; /* hash of the kernel's name, 0 = none */
        uint32_t trace;
    } kernel;
} tt_screen_place;

typedef struct tt_tab { /* how the line of tabs shows a screen */
    const char *name;   /* name in `:tab`, --screen and tests: "kernels" */
    const char *title;  /* "Kernels" */
    const char *brief;  /* title in a narrow terminal: "Kern" */
    /* The tab is there for the traces of this session; NULL = always. A name shows the screen all the same. */
    bool (*wanted)(const tt_session *s);
    bool of_dumps; /* the tab also shows dumps of flight recorders, whose sessions hide the other tabs */
    /* The tab is dimmed: the screen has nothing to show for all of a session. On the worker; NULL = never. */
    bool (*empty)(const tt_session *s);
} tt_tab;

typedef struct tt_screen_ops {
    tt_tab tab;
    tt_context context;          /* keys of the screen, where the focus has none of its own */
    size_t state_size;           /* size of tt_screen.state, which begins zeroed */
    void (*open)(tt_screen *s);  /* once, when first shown; the session is there */
    void (*close)(tt_screen *s); /* once, at the end; only after open */
    /* The session was replaced by one that knows more: forget everything that belongs to the old one, which is freed
     * next, and keep what a person chose; times are `shift` later. No job is running. NULL: closed, and opened again
     * where save() said. */
    void (*renew)(tt_screen *s, int64_t shift);
    /* What takes renew() long, made before the session is replaced (the timeline: its indices). begin() says on the
     * drawing thread what that is, run() makes it on the worker and ends early when *stop is set, and renew() asks
     * for it with tt_host_foreseen(). */
    struct {
        void *(*begin)(const tt_screen *s, tt_session *next); /* NULL = the screen needs nothing made */
        void (*run)(void *foreseen, const atomic_bool *stop);
        void (*free)(void *foreseen); /* on any thread, before the session */
    } foresee;
    /* Scope, time unit or comparison changed; called for opened screens. Where the serial of tt_host_comparison() is
     * another one, the base of before is freed next: forget what belongs to it. */
    void (*scope)(tt_screen *s);
    /* Draw on a cleared canvas, which has neither header nor status line nor key bar. */
    void (*draw)(tt_screen *s, tt_canvas *c);
    bool (*act)(tt_screen *s, tt_action a); /* handle an action; false = the explorer handles it or says so */
    bool (*mouse)(tt_screen *s, const tt_mouse *m);
    tt_focus (*focus)(const tt_screen *s); /* what has the keyboard; asked through tt_screen_focus() */
    /* The screen shows this target; of several screens the last one in screens.def shows it. There is a session, but
     * the screen may not be open. NULL = no targets but its tab and the rows of its tables. */
    bool (*takes)(const tt_host *host, const tt_show_target *to);
    /* Show a target that the screen takes; false = there is no such place. */
    bool (*show)(tt_screen *s, const tt_show_target *to);
    struct { /* where the screen stands, for the jump list */
        void (*save)(const tt_screen *s, tt_screen_place *p);
        void (*restore)(tt_screen *s, const tt_screen_place *p);
        /* A place that was saved with the session `old` now means the same in the new one, times are `shift` later.
         * NULL: places are the same in both. */
        void (*carry)(const tt_screen *s, const tt_session *old, int64_t shift, tt_screen_place *p);
    } place;
} tt_screen_ops;

struct tt_screen {
    const tt_screen_ops *ops;
    tt_host *host;
    void *state;
    bool opened;
    bool hidden; /* not wanted */
};

/* The focus of a screen; without parts while it is not opened. */
static inline tt_focus tt_screen_focus(const tt_screen *s)
{
    return s->opened && s->ops->focus ? s->ops->focus(s) : (tt_focus){0};
}

#endif
