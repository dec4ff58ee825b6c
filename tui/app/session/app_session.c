/* tui/app/session/app_session.c - the session of the application, and its replacement while a trace is still being
 * read. Previews are sessions of their own. Each takes the place of the one before it as soon as no job of the
 * worker uses that one. Screens that can keep their state by names and times are renewed; the other screens are
 * closed and opened again at their place. A common axis begins at the earliest event, so all times move when an
 * earlier event is read later. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/registry/registry.h"
#include "tui/app/about.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"
#include "tui/app/prompt/find_anywhere.h"
#include "tui/app/prompt/pickers.h"
#include "tui/app/screen_list.h"
#include "tui/app/session/app_compare.h"
#include "tui/app/session/app_open.h"
#include "tui/app/session/follow.h"
#include "tui/args/summary_options.h"

static bool has_operators(const tt_trace *s)
{
    for (uint32_t c = 0; c < s->n_cats; c++) {
        if (s->cats[c].kind == TT_KIND_CPU_OP || s->cats[c].kind == TT_KIND_KERNEL) return true;
    }
    return false;
}

/* All traces are dumps of flight recorders. */
static bool is_of_dumps(const tt_session *s)
{
    bool all = s->n_traces > 0;
    for (uint32_t i = 0; i < s->n_traces; i++) all = all && tt_trace_is_dump(s->traces[i]);
    return all;
}

void tt_app_choose_tabs(tt_app *a)
{
    bool dumps = is_of_dumps(a->host.session);
    for (int i = 0; i < a->tabs.n; i++) {
        const tt_screen_ops *ops = a->tabs.screens[i].ops;
        bool compares = a->host.comparison.base || a->other.load || a->other.from_options;
        a->tabs.screens[i].hidden = (ops->tab.wanted && !ops->tab.wanted(a->host.session)) ||
                                    (ops == &tt_screen_compare && !compares) || (dumps && !ops->tab.of_dumps);
    }
}

/* Several runs of one job side by side say little: choose the first worker and span, as a person would. */
void tt_app_first_scope(tt_app *a)
{
    const tt_session *s = a->host.session;
    if (a->other.from_options) return; /* the tables of `diff` are about all workers and spans */
    for (uint32_t i = 0; s->n_traces > 1 && a->host.scope.span == TT_ALL && i < s->n_spans; i++) {
        if (s->n_spans > 1 && !strcmp(s->spans[i], s->traces[0]->span)) a->host.scope.span = (int32_t)i;
    }
    if (s->n_workers > 1 && !is_of_dumps(s)) a->host.scope.worker = 0;
}

/* Drop from the scope what the command line asked for and the trace lacks, with a message: the screens would be
 * empty. */
static void check_scope(tt_app *a)
{
    tt_err why;
    tt_scope all = a->host.scope;
    if (tt_scope_missing(a->host.session, &all, &why) == TT_OK) return;
    all.has_steps = all.has_range = false;
    tt_app_set_scope(a, &all);
    tt_app_set_status(a, "%s: scope cleared", why.message);
}

void tt_app_set_session(tt_app *a, tt_session *s)
{
    bool plain = true, memory = s->n_traces > 0; /* every trace is a memory snapshot */
    bool calls = false;                          /* a trace tells of collectives that may hang */
    a->host.session = s;
    a->loading = false;
    tt_app_choose_tabs(a);
    tt_about_forget(a);
    for (uint32_t i = 0; i < s->n_traces; i++) {
        plain = plain && !s->traces[i]->summary && !has_operators(s->traces[i]);
        memory = memory && s->traces[i]->snapshot;
        calls = calls || s->traces[i]->flight;
    }
    tt_app_first_scope(a);
    check_scope(a);
    /* A trace without operators leaves the tables empty: begin with the hang, with memory or with the timeline. A
     * summary brings its tables. */
    if ((plain || is_of_dumps(s)) && a->tabs.at == 0 && !a->tabs.given)
        tt_app_show_tab(a, calls ? "hang" : memory ? "memory" : "timeline");
    tt_app_open_screen(a, a->tabs.at);
    a->dirty = true;
}

/* ---- freeing beside the drawing thread ---- */

typedef struct leaving {
    void (*free_it)(void *p);
    void *p; /* NULL = it is freed */
} leaving;

static void leaving_run(void *arg)
{
    leaving *l = arg;
    if (l->p) l->free_it(l->p);
    l->p = NULL;
}

static void leaving_done(void *arg, void *context)
{
    (void)context;
    leaving_run(arg); /* the program ends before the thread got to it */
    free(arg);
}

void tt_app_free_later(tt_app *a, void (*free_it)(void *p), void *p)
{
    if (!p) return;
    if (!a->leavings) a->leavings = tt_jobs_new(a->interactive, NULL);
    tt_jobs_poll(a->leavings);
    leaving *l = tt_malloc(sizeof *l);
    *l = (leaving){free_it, p};
    tt_jobs_add(a->leavings, leaving_run, leaving_done, l);
}

static void free_session(void *p) { tt_session_free(p); }
void tt_app_free_session(tt_app *a, tt_session *s) { tt_app_free_later(a, free_session, s); }

/* ---- replacing it ---- */

/* How far the axis moved: the ns to add to a time of the old session. */
static int64_t shift_of(const tt_session *old, const tt_session *new)
{
    if (!old->n_traces || !new->n_traces) return 0;
    for (uint32_t i = 0; i < old->n_traces; i++) {
        for (uint32_t k = 0; k < new->n_traces; k++) {
            if (strcmp(old->traces[i]->path, new->traces[k]->path) != 0) continue;
            int64_t was = old->traces[i]->origin_ns - old->offset_ns[i];
            return was - (new->traces[k]->origin_ns - new->offset_ns[k]);
        }
    }
    return 0;
}

int32_t tt_name_index(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; name && i < n; i++) {
        if (strcmp(names[i], name) == 0) return (int32_t)i;
    }
    return TT_ALL;
}

void tt_app_move_scope(const tt_session *s, const tt_session *old, int64_t shift, tt_scope *c)
{
    const char *worker = c->worker != TT_ALL ? old->workers[c->worker] : old->n_workers == 1 ? old->workers[0] : NULL;
    const char *span = c->span != TT_ALL ? old->spans[c->span] : old->n_spans == 1 ? old->spans[0] : NULL;
    c->worker = s->n_workers > 1 ? tt_name_index(s->workers, s->n_workers, worker) : TT_ALL;
    c->span = s->n_spans > 1 ? tt_name_index(s->spans, s->n_spans, span) : TT_ALL;
    c->t0 += c->has_range ? shift : 0;
    c->t1 += c->has_range ? shift : 0;
}

static void close_screen(tt_app *a, tt_screen *s)
{
    if (s->ops->close) s->ops->close(s);
    memset(s->state, 0, s->ops->state_size);
    s->opened = false;
    a->tabs.has_place[s - a->tabs.screens] = false;
}

/* Gather the names of the search anew. */
static void renew_anywhere(tt_app *a)
{
    if (!a->anywhere) return;
    tt_anywhere_free(a->anywhere);
    a->anywhere = NULL;
    a->anywhere = tt_anywhere_new(a);
    tt_anywhere_set(a->anywhere, a->prompt.text);
}

/* Point every screen at the new session, which stands in the place of `old`. */
static void renew_screens(tt_app *a, tt_session *old, int64_t shift)
{
    a->host.replaced = old;
    renew_anywhere(a);
    if (a->host.any_table) a->host.any_table = tt_host_table_now(&a->host, a->host.any_table);
    for (int i = 0; i < a->jumps.n; i++) {
        const tt_screen *s = &a->tabs.screens[a->jumps.place[i].screen];
        if (s->opened && s->ops->place.carry) s->ops->place.carry(s, old, shift, &a->jumps.place[i].place);
    }
    const tt_screen *from = &a->tabs.screens[a->search.find_from.screen];
    if (from->opened && from->ops->place.carry) from->ops->place.carry(from, old, shift, &a->search.find_from.place);
    for (int i = 0; i < a->tabs.n_screens; i++) {
        tt_screen *s = &a->tabs.screens[i];
        if (!s->opened) continue;
        if (s->ops->renew) {
            s->ops->renew(s, shift);
            continue;
        }
        if (s->ops->place.save) s->ops->place.save(s, &a->tabs.place[i]);
        close_screen(a, s);
        a->tabs.has_place[i] = s->ops->place.save != NULL;
    }
    a->host.replaced = NULL;
}

void tt_app_close_places(tt_app *a)
{
    for (int i = 0; i < a->tabs.n_screens; i++) {
        if (a->tabs.screens[i].opened && a->tabs.screens[i].ops->place.carry) close_screen(a, &a->tabs.screens[i]);
    }
}

void tt_app_renew_screens(tt_app *a, tt_session *old)
{
    a->host.look = (tt_viewport){.serial = a->host.look.serial + 1};
    a->jumps.n = a->jumps.at = 0; /* the jump list has places of the other run */
    a->search.find_from = (tt_jump){.screen = a->tabs.at};
    tt_picker_close(&a->picker);
    renew_screens(a, old, 0);
    tt_app_choose_tabs(a);
    tt_about_forget(a);
    tt_app_open_screen(a, a->tabs.at);
    a->dirty = true;
}

/* ---- what screens need of it before it is shown ---- */

typedef struct foresight_job {
    tt_app *a;
    const tt_screen_ops *ops;
    void *what;
    tt_session *session;
} foresight_job;

static void forget_foresight(tt_app *a)
{
    tt_foresight *f = &a->foresight;
    if (f->what) tt_app_free_later(a, f->ops->foresee.free, f->what);
    f->what = NULL;
    f->of = NULL;
}

static void foresight_run(void *arg)
{
    foresight_job *j = arg;
    j->ops->foresee.run(j->what, &j->a->foresight.stop);
}

static void foresight_done(void *arg, tt_host *h)
{
    tt_app *a = tt_app_of(h);
    foresight_job *j = arg;
    a->foresight.running = false;
    if (a->pending.session != j->session) { /* the session was dropped meanwhile, and only this job still uses it */
        forget_foresight(a);
        tt_app_free_session(a, j->session);
    }
    free(j);
}

/* Whether everything that screens want made of the pending session is there; starts making it when not. */
static bool foreseen(tt_app *a)
{
    tt_foresight *f = &a->foresight;
    const tt_screen *s = NULL;
    if (f->of == a->pending.session) return true;
    for (int i = 0; i < a->tabs.n_screens; i++)
        if (a->tabs.screens[i].opened && a->tabs.screens[i].ops->foresee.begin) s = &a->tabs.screens[i];
    if (!s || !a->interactive) return true;
    foresight_job *j = tt_malloc(sizeof *j);
    f->ops = s->ops;
    f->what = s->ops->foresee.begin(s, a->pending.session);
    f->of = a->pending.session;
    f->running = true;
    atomic_store(&f->stop, false);
    *j = (foresight_job){a, f->ops, f->what, a->pending.session};
    tt_app_job(a, foresight_run, foresight_done, j);
    return false;
}

void *tt_app_foreseen(tt_app *a, const tt_screen *s)
{
    tt_foresight *f = &a->foresight;
    void *what = f->of == a->host.session && f->ops == s->ops ? f->what : NULL;
    if (what) f->what = NULL;
    return what;
}

void tt_app_drop_pending(tt_app *a)
{
    tt_session *s = a->pending.session;
    a->pending.session = NULL;
    if (s && s == a->foresight.of && a->foresight.running) {
        atomic_store(&a->foresight.stop, true); /* the job frees both when it ends */
        return;
    }
    if (s && s == a->foresight.of) forget_foresight(a);
    tt_app_free_session(a, s);
}

static void replace(tt_app *a)
{
    tt_session *old = a->host.session;
    a->host.session = a->pending.session;
    a->pending.session = NULL;
    int64_t shift = shift_of(old, a->host.session);
    tt_app_move_scope(a->host.session, old, shift, &a->host.scope);
    for (int i = 0; i < a->jumps.n; i++) {
        if (a->jumps.place[i].scoped) tt_app_move_scope(a->host.session, old, shift, &a->jumps.place[i].scope);
    }
    if (a->host.look.t1 > a->host.look.t0)
        tt_host_set_viewport(&a->host, a->host.look.t0 + shift, a->host.look.t1 + shift, a->host.look.at + shift);
    tt_follow_move(a, old, shift);
    tt_app_base_moved(a, old, shift);
    renew_screens(a, old, shift);
    forget_foresight(a);
    tt_app_free_session(a, old);
}

void tt_app_offer_session(tt_app *a, tt_session *s, bool last)
{
    tt_app_drop_pending(a);
    a->pending.session = s;
    a->pending.last = last;
    tt_app_adopt_session(a);
}

bool tt_app_adopt_session(tt_app *a)
{
    bool other = a->host.session && a->pending.other;
    if (!a->pending.session || tt_jobs_busy(a->jobs)) return false;
    if (other && a->host.comparison.base) {
        tt_app_compare_off(
            a); /* screens forget the base while both sessions are there, and ask for their rows of it again */
        if (tt_jobs_busy(a->jobs)) return false;
    }
    if (a->host.session && !other && !foreseen(a)) return false;
    if (other) {
        tt_app_take_other(a);
    } else if (a->host.session) {
        replace(a);
        if (a->pending.last) check_scope(a);
    } else if (a->pending.last) {
        tt_session *s = a->pending.session;
        a->pending.session = NULL;
        tt_app_set_session(a, s);
    } else {
        a->host.session = a->pending.session;
        a->pending.session = NULL;
        tt_app_first_scope(a);
    }
    if (a->pending.last) a->loading = a->pending.other = false;
    tt_app_choose_tabs(a);
    tt_about_forget(a);
    tt_app_open_screen(a, a->tabs.at);
    a->dirty = true;
    return true;
}
