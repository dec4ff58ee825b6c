/* tui/screen/app.h - the explorer's state, and what screens may ask of it.
 *
 * One application object: the session, the scope, the tabs, the jump list, the status line, the prompt and the
 * popups. It knows no terminal: keys go in, frames on a canvas come out (tui/app/explore.c is the loop around it,
 * tui/app/dump/dump.c the same without a terminal). All calls are made on the drawing thread unless said otherwise. */
#ifndef TT_TUI_SCREEN_APP_H
#define TT_TUI_SCREEN_APP_H

#include "tui/args/cli.h"
#include "tui/screen/screen.h"

/* ---- for screens ---- */
tt_session *tt_app_session(const tt_app *a); /* never NULL once a screen is opened */
const tt_scope *tt_app_scope(const tt_app *a);
/* What the session is compared with; NULL = nothing (yet). The app's scope says what of the new run. */
const tt_comparison *tt_app_comparison(const tt_app *a);
/* Compare two parts of the session, on the tab Compare. */
void tt_app_compare_parts(tt_app *a, const tt_scope *base, const tt_scope *now);
/* How, from now on: steps or totals, names, warm-up, confidence, smallest effect; base, serial and base_scope of `how`
 * mean nothing. */
void tt_app_compare_how(tt_app *a, const tt_comparison *how);
void tt_app_swap_sides(tt_app *a); /* the base is the new run from now on, and the new run the base */
void tt_app_compare_off(tt_app *a);
/* The two sides in words, each of cap bytes: names of runs, or parts of one; a run being read with how far; both "" =
 * nothing is compared. Texts are raw: names of files and workers. */
void tt_app_sides(const tt_app *a, char *base, char *now, size_t cap);
/* Options of table d as the app compares now: *compare is set in a table of differences, to `copy`, which holds what
 * is compared and lives as long as the options. */
static inline tt_options tt_app_comparing(const tt_app *a, const tt_table_desc *d, const tt_options *o,
                                          tt_comparison *copy)
{
    tt_options out = *o;
    const tt_comparison *now = tt_app_comparison(a);
    out.compare = NULL;
    if (!d || !(d->flags & TT_TABLE_COMPARE) || !now) return out;
    *copy = *now;
    out.compare = copy;
    return out;
}
/* The table is of a comparison with a base that is freed next: forget it (tt_screen_ops.scope). */
static inline bool tt_app_base_gone(const tt_app *a, const tt_table *t)
{
    const tt_comparison *now = tt_app_comparison(a);
    return t->compare.base && !(now && now->serial == t->compare.serial);
}
void tt_app_set_scope(tt_app *a, const tt_scope *scope);        /* tells every screen */
void tt_app_toggle_step(tt_app *a, int64_t number);             /* look at one step only, or at all again */
void tt_app_scope_text(const tt_app *a, char *out, size_t cap); /* in words; "" = everything */
/* Open the recordings that these traces of a summary were made of, in the place of the summary; the status line says
 * what is not found. */
void tt_app_open_recordings(tt_app *a, const uint32_t *traces, uint32_t n);
/* A message in the status line until the next key. */
void tt_app_set_status(tt_app *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Remember where we are (screen and place); the jump-back key comes back here. Called by the show functions. */
void tt_app_push_jump(tt_app *a);
bool tt_app_jump_back(
    tt_app *a); /* there, and to the scope that was looked at then; false = there is no earlier place */
/* Switch to the timeline, select and centre. */
bool tt_app_show_drilldown(tt_app *a, const tt_drilldown *o);
/* Switch to the timeline and show the rows of a finding's cause alone, zoomed to it, until the jump list leads back;
 * false = it has no place there. */
bool tt_app_show_evidence(tt_app *a, const tt_drilldown *o);
/* Switch to a tab, to the pane that shows table t, and to the row there that is this one. */
bool tt_app_show_row(tt_app *a, const char *tab, const tt_table *t, uint32_t row);
/* Switch to the timeline and show one of the ranges, on the row that says why its device waits; n and N there go to
 * the next and the previous one until something else is searched for. Nothing is kept of r. */
bool tt_app_show_ranges(tt_app *a, const tt_hit_ranges *r);
/* Both timelines, one above the other, at the places of a row of a comparison (at[TT_BASE] in its base, at[TT_NEW] in
 * the session; NONE = that run has none), aligned at the step that each lies in. */
bool tt_app_show_both(tt_app *a, const tt_drilldown at[2]);
/* The flame view of an origin (NONE: of everything); slice: the one selected beside an interval, row TT_NONE = none. */
bool tt_app_show_flame(tt_app *a, const tt_drilldown *o, tt_slice_ref slice);
/* All about the kernel of an origin (slices of a name). */
bool tt_app_show_kernel(tt_app *a, const tt_drilldown *o);
bool tt_app_show_tab(tt_app *a, const char *name);
void tt_app_find_anywhere(tt_app *a); /* open the search over all names */
/* The same table of the session that has taken the place of another one (renew); a table that this one does not
 * have: problems. */
const tt_table_desc *tt_app_table_now(const tt_app *a, const tt_table_desc *d);
const tt_table_desc *tt_app_any_table(const tt_app *a); /* what `:table` asked for */
const char *tt_app_query(const tt_app *a);              /* what `:sql` asks */
/* The part of the time axis on screen, and the cursor: what the timeline and the plots share. Whoever changes it
 * sets it, whoever shows time follows when the serial has moved on. */
typedef struct tt_viewport {
    int64_t t0, t1, at; /* common axis; t0 == t1: nobody has chosen one yet */
    unsigned serial;
} tt_viewport;
/* A recording is followed while it runs: what shows steps keeps the newest one in sight. */
bool tt_app_follows(const tt_app *a);
const tt_viewport *tt_app_viewport(const tt_app *a);
unsigned tt_app_set_viewport(tt_app *a, int64_t t0, int64_t t1, int64_t at); /* the new serial */
/* Time unit chosen by the person: TT_UNIT_AUTO, or fixed. */
int tt_app_unit(const tt_app *a);
/* What a person sets up for a trace is to be kept for the next time: the session is the whole trace, and this is no
 * dump. */
bool tt_app_keeps(const tt_app *a);
/* A list to choose from; the items (and their array) are taken over. ops->picked() of the screen gets the index. */
void tt_app_pick(tt_app *a, const char *title, char **items, int n);
tt_out_format tt_app_file_format(const tt_app *a); /* of copied tables */
/* Which of the endings (up to NULL) a file name has, that of a table by its tt_out_format; -1 = none, which the
 * status line says. */
extern const char *const tt_table_endings[];
int tt_app_ending(tt_app *a, const char *path, const char *const *endings);
/* While screens are renewed: which trace of the new session a trace of the old one has become, TT_NONE = it is not
 * there. */
uint32_t tt_app_trace_now(const tt_app *a, uint32_t trace);
const tt_session *tt_app_replaced(const tt_app *a); /* that old session, until renew() is over */
/* While screens are renewed: what foresee() of this one has had made of the new session, taken over by the caller;
 * NULL = nothing. */
void *tt_app_foreseen(tt_app *a, const tt_screen *s);
/* Something changed: draw a frame. */
void tt_app_dirty(tt_app *a);
/* Draw a frame in ms milliseconds at the latest (spinners, delayed cursor column). */
void tt_app_wake(tt_app *a, int ms);
/* Milliseconds of a steady clock; 0 in tests and dumps, so that what is drawn does not depend on it. */
int64_t tt_app_now(const tt_app *a);
/* The command "verb path" wants to write to path. False: not now. Either it may not (the status line says why), or
 * there is something of that name: then a person is asked, and the command is run again when the answer is yes.
 * *how: for tt_outfile_open(). */
bool tt_app_may_write(tt_app *a, const char *verb, const char *path, unsigned *how);
/* Write what lies in the scope to a trace file, on the worker; the status line says how it went. verb: the command
 * that asks for it. */
void tt_app_export_trace(tt_app *a, const char *verb, const tt_scope *scope, const char *path);
/* Text for the clipboard of the terminal (OSC 52) and the yank file; says so in the status line. */
void tt_app_copy(tt_app *a, const char *text);

/* Work for the worker thread. run() is called there and may only read the session and use tt_table_get(); done() is
 * called on the drawing thread afterwards (always, also when the app is closing) and frees arg. Jobs run one after
 * the other. Without a terminal (dumps, tests) both are called before tt_app_job() returns. */
void tt_app_job(tt_app *a, void (*run)(void *arg), void (*done)(void *arg, tt_app *a), void *arg);
/* Free p, which nobody looks at any more, on a thread of its own: giving many megabytes back takes longer than a frame.
 * In the order of the calls; p may be NULL. */
void tt_app_free_later(tt_app *a, void (*free_it)(void *p), void *p);

#endif
