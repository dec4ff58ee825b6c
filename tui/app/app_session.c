/* tui/app/app_session.c - the session of the application, and its replacement while a trace is still being read.
 *
 * What is being read shows as previews: sessions of their own, each of which takes the place of the one before when
 * no job of the worker looks at that any more. Screens that can keep what they know by names and times do (renew);
 * the others are closed and opened again at their place. Common axes begin at the earliest event, so times move when
 * an earlier one is read later. */
#include <string.h>

#include "model/base/mem.h"
#include "tui/app/app_impl.h"
#include "tui/args/summary_options.h"

static bool has_operators(const tt_trace *s)
{
    for (uint32_t c = 0; c < s->n_cats; c++) {
        if (s->cats[c].kind == TT_KIND_CPU_OP || s->cats[c].kind == TT_KIND_KERNEL) return true;
    }
    return false;
}

static void choose_tabs(tt_app *a)
{
    for (int i = 0; i < a->n_tabs; i++) {
        const tt_screen_ops *ops = a->screens[i].ops;
        a->screens[i].hidden = ops->wanted && !ops->wanted(a->session);
    }
}

static void count_problems(tt_app *a)
{
    a->problems = 0;
    for (uint32_t i = 0; i < a->session->n_traces; i++) {
        for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
            if (tt_problem_level_of[k] != TT_LEVEL_NOTE) a->problems += a->session->traces[i]->problems.of[k].count;
        }
    }
}

/* Several runs of one job side by side say little: begin with the first, as a person would choose it. */
static void first_scope(tt_app *a)
{
    const tt_session *s = a->session;
    for (uint32_t i = 0; s->n_traces > 1 && a->scope.span == TT_ALL && i < s->n_spans; i++) {
        if (s->n_spans > 1 && !strcmp(s->spans[i], s->traces[0]->span)) a->scope.span = (int32_t)i;
    }
    if (s->n_workers > 1) a->scope.worker = 0;
}

/* What the command line asked for and the trace does not have is said, and not looked at: nothing would be seen. */
static void check_scope(tt_app *a)
{
    tt_err why;
    tt_scope all = a->scope;
    if (tt_scope_missing(a->session, &all, &why) == TT_OK) return;
    all.has_steps = all.has_range = false;
    tt_app_set_scope(a, &all);
    tt_app_set_status(a, "%s: everything is shown", why.message);
}

void tt_app_set_session(tt_app *a, tt_session *s)
{
    bool plain = true;
    a->session = s;
    a->loading = false;
    choose_tabs(a);
    count_problems(a);
    for (uint32_t i = 0; i < s->n_traces; i++) plain = plain && !has_operators(s->traces[i]);
    first_scope(a);
    check_scope(a);
    /* A trace that is no training run has nothing to say in the tables: begin with the timeline. */
    if (plain && a->at == 0 && !a->screen_given) tt_app_show_tab(a, "trace");
    tt_app_open_screen(a, a->at);
    a->dirty = true;
}

/* ---- replacing it ---- */

/* How far the axis moved: what to add to a time of the old one. */
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

static int32_t index_of(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; name && i < n; i++) {
        if (strcmp(names[i], name) == 0) return (int32_t)i;
    }
    return TT_ALL;
}

/* The same part of the new session: workers and spans by name; where there was only one, that one. */
static void move_scope(tt_app *a, const tt_session *old, int64_t shift)
{
    const tt_session *s = a->session;
    tt_scope *c = &a->scope;
    const char *worker = c->worker != TT_ALL ? old->workers[c->worker] : old->n_workers == 1 ? old->workers[0] : NULL;
    const char *span = c->span != TT_ALL ? old->spans[c->span] : old->n_spans == 1 ? old->spans[0] : NULL;
    c->worker = s->n_workers > 1 ? index_of(s->workers, s->n_workers, worker) : TT_ALL;
    c->span = s->n_spans > 1 ? index_of(s->spans, s->n_spans, span) : TT_ALL;
    c->t0 += c->has_range ? shift : 0;
    c->t1 += c->has_range ? shift : 0;
    if (a->look.t1 > a->look.t0) tt_app_set_viewport(a, a->look.t0 + shift, a->look.t1 + shift, a->look.at + shift);
}

const tt_session *tt_app_replaced(const tt_app *a) { return a->replaced; }

uint32_t tt_app_trace_now(const tt_app *a, uint32_t trace)
{
    const tt_session *old = a->replaced;
    uint32_t same_file = TT_NONE;
    for (uint32_t i = 0; old && trace < old->n_traces && i < a->session->n_traces; i++) {
        const tt_trace *was = old->traces[trace], *is = a->session->traces[i];
        if (strcmp(was->path, is->path) != 0) continue;
        if (strcmp(was->worker, is->worker) == 0 && strcmp(was->span, is->span) == 0)
            return i; /* of a merge's several */
        if (same_file == TT_NONE) same_file = i;
    }
    return same_file;
}

const tt_table_desc *tt_app_table_now(const tt_app *a, const tt_table_desc *d)
{
    const tt_table_desc *now = tt_session_table(a->session, d->id);
    return now ? now : tt_table_find("problems");
}

static void swap(tt_app *a)
{
    tt_session *old = a->session;
    a->session = a->pending;
    a->pending = NULL;
    int64_t shift = shift_of(old, a->session);
    move_scope(a, old, shift);
    a->replaced = old;
    if (a->any_table) a->any_table = tt_app_table_now(a, a->any_table);
    for (int i = 0; i < a->n_jumps; i++) {
        const tt_screen *s = &a->screens[a->jumps[i].screen];
        if (s->opened && s->ops->carry) s->ops->carry(s, old, shift, &a->jumps[i].place);
    }
    const tt_screen *from = &a->screens[a->find_from.screen];
    if (from->opened && from->ops->carry) from->ops->carry(from, old, shift, &a->find_from.place);
    for (int i = 0; i < a->n_screens; i++) {
        tt_screen *s = &a->screens[i];
        if (!s->opened) continue;
        if (s->ops->renew) {
            s->ops->renew(s, shift);
            continue;
        }
        a->has_place[i] = s->ops->save != NULL;
        if (s->ops->save) s->ops->save(s, &a->place[i]);
        if (s->ops->close) s->ops->close(s);
        memset(s->state, 0, s->ops->state_size);
        s->opened = false;
    }
    a->replaced = NULL;
    tt_session_free(old);
}

void tt_app_offer_session(tt_app *a, tt_session *s, bool last)
{
    tt_session_free(a->pending);
    a->pending = s;
    a->pending_last = last;
    tt_app_adopt_session(a);
}

bool tt_app_adopt_session(tt_app *a)
{
    if (!a->pending || tt_jobs_busy(a->jobs)) return false;
    if (a->session) {
        swap(a);
        if (a->pending_last) check_scope(a);
    } else if (a->pending_last) {
        tt_session *s = a->pending;
        a->pending = NULL;
        tt_app_set_session(a, s);
    } else {
        a->session = a->pending;
        a->pending = NULL;
        first_scope(a);
    }
    if (a->pending_last) a->loading = false;
    choose_tabs(a);
    count_problems(a);
    tt_app_open_screen(a, a->at);
    a->dirty = true;
    return true;
}
