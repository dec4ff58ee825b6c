/* tui/screen/host.h - the explorer as a screen sees it: its state, and the functions that a screen may call.
 *
 * The explorer owns the host and fills in its functions (tui/app/host.c); a screen knows nothing else of it. All
 * calls are made on the drawing thread unless said otherwise. */
#ifndef TT_TUI_SCREEN_HOST_H
#define TT_TUI_SCREEN_HOST_H

#include "tui/args/cli.h"
#include "tui/screen/screen.h"

/* The part of the time axis on screen, and the cursor, shared by the timeline and the plots. Who changes it sets it;
 * a screen that shows time follows when the serial has changed. */
typedef struct tt_viewport {
    int64_t t0, t1, at; /* window and cursor, common axis; t0 == t1: no window has been chosen yet */
    unsigned serial;
} tt_viewport;

typedef struct tt_host_ops {
    bool (*show)(tt_host *h, const tt_show_target *to); /* false = the explorer has no such place */
    void (*push_jump)(tt_host *h);     /* remember the screen and its place: the jump-back key returns to it */
    bool (*jump_back)(tt_host *h);     /* return to the last remembered place and its scope; false = no earlier place */
    void (*find_anywhere)(tt_host *h); /* open the search over all names */
    void (*status)(tt_host *h, const char *text);
    void (*set_scope)(tt_host *h, const tt_scope *scope); /* set the scope and tell every screen */
    /* Compare two parts of the session, on the tab Compare. */
    void (*compare_parts)(tt_host *h, const tt_scope *base, const tt_scope *now);
    /* Set how to compare from now on: steps or totals, names, warm-up, confidence, smallest effect; base, serial and
     * base_scope of `how` are ignored. */
    void (*compare_how)(tt_host *h, const tt_comparison *how);
    void (*swap_sides)(tt_host *h); /* swap base and new run */
    void (*compare_off)(tt_host *h);
    /* Write the names of the two sides, each in cap bytes: runs, or parts of one run; a run that is being read with
     * its progress; both "" = there is no comparison. Texts are raw: names of files and workers. */
    void (*sides)(const tt_host *h, char *base, char *now, size_t cap);
    void (*scope_text)(const tt_host *h, char *out, size_t cap); /* the scope in words; "" = everything */
    /* Open the recordings from which these traces of a summary were made, in place of the summary; the status line
     * names recordings that are not found. */
    void (*open_recordings)(tt_host *h, const uint32_t *traces, uint32_t n);
    /* the recording still runs: screens with steps keep the newest step in sight */
    bool (*follows)(const tt_host *h);
    /* What a person sets up for a trace is kept for the next time: the session is the whole trace, and this is no
     * dump. */
    bool (*keeps)(const tt_host *h);
    /* A list to choose from; the items (and their array) are taken over. picked() gets the screen and the index. */
    void (*pick)(tt_host *h, const char *title, char **items, int n, void (*picked)(tt_screen *s, int index));
    /* While screens are renewed: what foresee() of this one has had made of the new session, taken over by the caller;
     * NULL = nothing. */
    void *(*foreseen)(tt_host *h, const tt_screen *s);
    void (*dirty)(tt_host *h); /* ask for a new frame */
    /* ask for a new frame in at most ms milliseconds (spinners, delayed columns) */
    void (*wake)(tt_host *h, int ms);
    /* Milliseconds of a steady clock; 0 in tests and dumps, so that pictures do not depend on it. */
    int64_t (*now)(const tt_host *h);
    /* The command "verb path" wants to write to path. False: not now. Either it may not (the status line says why), or
     * there is something of that name: then a person is asked, and the command is run again when the answer is yes.
     * *how: for tt_outfile_open(). */
    bool (*may_write)(tt_host *h, const char *verb, const char *path, unsigned *how);
    /* Write the scope to a trace file, on the worker; the status line reports the result. verb: the command that
     * asks for it. */
    void (*export_trace)(tt_host *h, const char *verb, const tt_scope *scope, const char *path);
    /* copy to the clipboard of the terminal (OSC 52) and to the yank file */
    void (*copy)(tt_host *h, const char *text);
    void (*copy_run)(tt_host *h); /* copy the Markdown summary of the run */
    /* Work for the worker thread. run() is called there and may only read the session and use tt_table_get(); done() is
     * called on the drawing thread afterwards (always, also when the explorer is closing) and frees arg. Jobs run one
     * after the other. Without a terminal (dumps, tests) both are called before job() returns. */
    void (*job)(tt_host *h, void (*run)(void *arg), void (*done)(void *arg, tt_host *h), void *arg);
    /* Free p, which nobody looks at any more, on a thread of its own: giving many megabytes back takes longer than a
     * frame. In the order of the calls; p may be NULL. */
    void (*free_later)(tt_host *h, void (*free_it)(void *p), void *p);
} tt_host_ops;

struct tt_host {
    const tt_host_ops *ops;
    tt_session *session; /* owned by the explorer; NULL while loading, never once a screen is opened */
    tt_scope scope;
    tt_comparison comparison;       /* the comparison of the session; base NULL = nothing is compared */
    tt_viewport look;               /* the viewport of the timeline and the plots */
    int unit;                       /* the unit of time that the user chose: TT_UNIT_AUTO, or a fixed unit */
    tt_out_format file_format;      /* the format of copied tables */
    const tt_table_desc *any_table; /* the table that `:table` asked for */
    const char *query;              /* what `:sql` asks */
    const tt_session *replaced;     /* the session before, while screens are renewed; else NULL */
};

static inline tt_session *tt_host_session(const tt_host *h) { return h->session; }
static inline const tt_scope *tt_host_scope(const tt_host *h) { return &h->scope; }
/* What the session is compared with; NULL = nothing (yet). The scope says what of the new run. */
static inline const tt_comparison *tt_host_comparison(const tt_host *h)
{
    return h->comparison.base ? &h->comparison : NULL;
}
static inline const tt_viewport *tt_host_viewport(const tt_host *h) { return &h->look; }
static inline int tt_host_unit(const tt_host *h) { return h->unit; }
static inline tt_out_format tt_host_file_format(const tt_host *h) { return h->file_format; }
static inline const tt_table_desc *tt_host_any_table(const tt_host *h) { return h->any_table; }
static inline const char *tt_host_query(const tt_host *h) { return h->query; }
static inline const tt_session *tt_host_replaced(const tt_host *h) { return h->replaced; }

unsigned tt_host_set_viewport(tt_host *h, int64_t t0, int64_t t1, int64_t at); /* returns the new serial */
/* A message in the status line until the next key. */
void tt_host_set_status(tt_host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tt_host_toggle_step(tt_host *h, int64_t number); /* set the scope to one step, or to all steps again */
/* Options of table d as the explorer compares now: *compare is set in a table of differences, to `copy`, which holds
 * what is compared and lives as long as the options. */
tt_options tt_host_comparing(const tt_host *h, const tt_table_desc *d, const tt_options *o, tt_comparison *copy);
/* The table is of a comparison with a base that is freed next: forget it (tt_screen_ops.scope). */
bool tt_host_base_gone(const tt_host *h, const tt_table *t);
/* The same table of the session that has taken the place of another one (renew); a table that this one does not
 * have: problems. */
const tt_table_desc *tt_host_table_now(const tt_host *h, const tt_table_desc *d);
/* While screens are renewed: which trace of the new session a trace of the old one has become, TT_NONE = it is not
 * there. */
uint32_t tt_host_trace_now(const tt_host *h, uint32_t trace);
/* Endings of files with tables, by tt_out_format, up to NULL. */
extern const char *const tt_table_endings[];
/* The index of the ending that the file name has; -1 = none, which the status line says. */
int tt_host_ending(tt_host *h, const char *path, const char *const *endings);

static inline bool tt_host_show_tab(tt_host *h, const char *name)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_TAB, .tab = name});
}
static inline bool tt_host_show_row(tt_host *h, const char *tab, const tt_table *t, uint32_t row)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_ROW, .tab = tab, .table = t, .row = row});
}
static inline bool tt_host_show_drilldown(tt_host *h, const tt_drilldown *o)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_DRILLDOWN, .what = o});
}
static inline bool tt_host_show_evidence(tt_host *h, const tt_drilldown *o)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_EVIDENCE, .what = o});
}
static inline bool tt_host_show_ranges(tt_host *h, const tt_hit_ranges *r)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_RANGES, .ranges = r});
}
static inline bool tt_host_show_both(tt_host *h, const tt_drilldown at[2])
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_BOTH, .both = at});
}
static inline bool tt_host_show_flame(tt_host *h, const tt_drilldown *o, tt_slice_ref slice)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_FLAME, .what = o, .slice = slice});
}
static inline bool tt_host_show_kernel(tt_host *h, const tt_drilldown *o)
{
    return h->ops->show(h, &(tt_show_target){.kind = TT_SHOW_KERNEL, .what = o});
}
static inline void tt_host_push_jump(tt_host *h) { h->ops->push_jump(h); }
static inline bool tt_host_jump_back(tt_host *h) { return h->ops->jump_back(h); }
static inline void tt_host_find_anywhere(tt_host *h) { h->ops->find_anywhere(h); }
static inline void tt_host_set_scope(tt_host *h, const tt_scope *scope) { h->ops->set_scope(h, scope); }
static inline void tt_host_compare_parts(tt_host *h, const tt_scope *base, const tt_scope *now)
{
    h->ops->compare_parts(h, base, now);
}
static inline void tt_host_compare_how(tt_host *h, const tt_comparison *how) { h->ops->compare_how(h, how); }
static inline void tt_host_swap_sides(tt_host *h) { h->ops->swap_sides(h); }
static inline void tt_host_compare_off(tt_host *h) { h->ops->compare_off(h); }
static inline void tt_host_sides(const tt_host *h, char *base, char *now, size_t cap)
{
    h->ops->sides(h, base, now, cap);
}
static inline void tt_host_scope_text(const tt_host *h, char *out, size_t cap) { h->ops->scope_text(h, out, cap); }
static inline void tt_host_open_recordings(tt_host *h, const uint32_t *traces, uint32_t n)
{
    h->ops->open_recordings(h, traces, n);
}
static inline bool tt_host_follows(const tt_host *h) { return h->ops->follows(h); }
static inline bool tt_host_keeps(const tt_host *h) { return h->ops->keeps(h); }
static inline void tt_host_pick(tt_host *h, const char *title, char **items, int n,
                                void (*picked)(tt_screen *s, int index))
{
    h->ops->pick(h, title, items, n, picked);
}
static inline void *tt_host_foreseen(tt_host *h, const tt_screen *s) { return h->ops->foreseen(h, s); }
static inline void tt_host_dirty(tt_host *h) { h->ops->dirty(h); }
static inline void tt_host_wake(tt_host *h, int ms) { h->ops->wake(h, ms); }
static inline int64_t tt_host_now(const tt_host *h) { return h->ops->now(h); }
static inline bool tt_host_may_write(tt_host *h, const char *verb, const char *path, unsigned *how)
{
    return h->ops->may_write(h, verb, path, how);
}
static inline void tt_host_export_trace(tt_host *h, const char *verb, const tt_scope *scope, const char *path)
{
    h->ops->export_trace(h, verb, scope, path);
}
static inline void tt_host_copy(tt_host *h, const char *text) { h->ops->copy(h, text); }
static inline void tt_host_copy_run(tt_host *h) { h->ops->copy_run(h); }
static inline void tt_host_job(tt_host *h, void (*run)(void *arg), void (*done)(void *arg, tt_host *h), void *arg)
{
    h->ops->job(h, run, done, arg);
}
static inline void tt_host_free_later(tt_host *h, void (*free_it)(void *p), void *p)
{
    h->ops->free_later(h, free_it, p);
}

#endif
