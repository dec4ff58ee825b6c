/* tui/app/session/app_compare.c - the base of a comparison: reading the other run, its lifetime, and the part of it
 * that corresponds to the scope. */
#include "tui/app/session/app_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/compare/matching.h"
#include "model/tables/serving/main_phase.h"
#include "tui/app/app_api.h"
#include "tui/app/jobs.h"

enum { LOOK_MS = 250 };

void tt_paths_set(tt_paths *l, const char *const *paths, uint32_t n)
{
    for (size_t i = 0; i < l->n; i++) free(l->at[i]);
    l->n = 0;
    for (uint32_t i = 0; i < n; i++) *tt_vec_push(l) = tt_strdup(paths[i]);
}

static void swap_paths(tt_paths *a, tt_paths *b)
{
    tt_paths was = *a;
    *a = *b;
    *b = was;
}

static void swap_words(const char **a, const char **b)
{
    const char *was = *a;
    *a = *b;
    *b = was;
}

/* ---- what of the base ---- */

static bool complete(const tt_step *p) { return p->row != TT_NONE && p->kept; }

/* The first trace of a scope. */
static const tt_trace *first_trace(const tt_session *s, const tt_scope *scope)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (tt_scope_has_trace(s, scope, i)) return s->traces[i];
    }
    return NULL;
}

/* Choose the steps of the base that have the same places among its complete steps as the chosen steps of the new
 * run. */
static void follow_steps(const tt_app *a, tt_scope *base)
{
    const tt_trace *of_new = first_trace(a->host.session, &a->host.scope), *of_base = first_trace(a->base, base);
    uint32_t first = TT_NONE, last = 0, n = 0;
    base->has_steps = a->host.scope.has_steps;
    base->step_first = a->host.scope.step_first;
    base->step_last = a->host.scope.step_last;
    for (uint32_t i = 0; of_new && i < of_new->n_steps; i++) {
        const tt_step *p = &of_new->steps[i];
        if (!complete(p)) continue;
        if (p->number >= a->host.scope.step_first && p->number <= a->host.scope.step_last) {
            if (first == TT_NONE) first = n;
            last = n;
        }
        n++;
    }
    if (!base->has_steps || first == TT_NONE || !of_base) return;
    n = 0;
    for (uint32_t i = 0; i < of_base->n_steps; i++) {
        const tt_step *p = &of_base->steps[i];
        if (!complete(p)) continue;
        if (n == first) base->step_first = base->step_last = p->number;
        if (n > first && n <= last) base->step_last = p->number;
        n++;
    }
    if (n <= first) base->step_first = base->step_last = INT64_MAX; /* the base has fewer steps: none is chosen */
}

/* The worker of the base that is matched with the worker in scope. */
static int32_t worker_of_base(const tt_app *a)
{
    const tt_session *s = a->host.session;
    int32_t found = TT_ALL;
    if (a->host.scope.worker == TT_ALL) return TT_ALL;
    tt_comparison all = a->host.comparison;
    all.base_scope = tt_scope_all;
    tt_matching m = tt_matching_make(s, &tt_scope_all, &all);
    for (size_t i = 0; i < m.workers.n; i++) {
        const tt_matched_worker *w = &m.workers.at[i];
        if (!strcmp(w->name[TT_NEW], s->workers[a->host.scope.worker]))
            found = tt_name_index(a->base->workers, a->base->n_workers, w->name[TT_BASE]);
    }
    tt_matching_free(&m);
    return found;
}

/* The span of the base with the name of the span in scope; else the span at the same place, since spans are often
 * named by times. */
static int32_t span_of_base(const tt_app *a)
{
    int32_t span = a->host.scope.span;
    if (span == TT_ALL) return TT_ALL;
    int32_t named = tt_name_index(a->base->spans, a->base->n_spans, a->host.session->spans[span]);
    return named != TT_ALL ? named : (uint32_t)span < a->base->n_spans ? span : TT_ALL;
}

void tt_app_base_follow(tt_app *a, const tt_scope *before)
{
    tt_base_run *b = &a->other;
    const tt_scope *now = &a->host.scope;
    tt_scope *base = &a->host.comparison.base_scope;
    if (before && (now->has_steps != before->has_steps || now->step_first != before->step_first ||
                   now->step_last != before->step_last))
        b->fixed_steps = false;
    if (before && (now->has_range != before->has_range || now->t0 != before->t0 || now->t1 != before->t1))
        b->fixed_range = false;
    if (!a->host.session || !a->base)
        return; /* the base is a part of the open run, which a person chose: it does not follow the scope */
    base->worker = worker_of_base(a);
    base->phases = now->phases;
    base->span = span_of_base(a);
    if (!b->fixed_range) {
        base->has_range = now->has_range;
        base->t0 = now->t0;
        base->t1 = now->t1;
    }
    if (!b->fixed_steps) follow_steps(a, base);
}

/* ---- life ---- */

static void put_aside(tt_app *a)
{
    if (a->base) *tt_vec_push(&a->other.put_aside) = a->base;
    a->base = NULL;
    a->host.comparison.base = NULL;
}

/* Compare with this session from now on; NULL: with nothing. The caller tells the screens. */
static void set_base(tt_app *a, tt_session *base)
{
    a->host.comparison.base = base;
    a->host.comparison.serial = ++a->other.serial;
}

static void tell(tt_app *a)
{
    tt_app_choose_tabs(a);
    tt_app_tell_scope(a);
    tt_app_base_settle(a);
}

void tt_app_base_settle(tt_app *a)
{
    tt_base_run *b = &a->other;
    if (tt_jobs_busy(a->jobs)) return;
    for (size_t i = 0; i < b->put_aside.n; i++) tt_session_free(b->put_aside.at[i]);
    b->put_aside.n = 0;
    if (!b->want_swap || a->pending.session || a->loading || !a->base) return;
    char source[TT_SOURCE_CAP];
    tt_scope scope = a->host.scope;
    tt_session *old = a->host.session;
    bool partial = a->partial;
    a->partial = b->partial;
    b->partial = partial;
    b->want_swap = false;
    tt_app_close_places(a);
    memcpy(source, a->source, sizeof source);
    memcpy(a->source, b->source, sizeof source);
    memcpy(b->source, source, sizeof source);
    swap_paths(&a->opening.inputs, &b->inputs); /* the run is read again from the same paths, with the same options */
    swap_words(&a->opening.options.run, &b->options.run);
    swap_words(&a->opening.options.worker, &b->options.worker);
    swap_words(&a->opening.options.span, &b->options.span);
    a->host.session = a->base;
    a->base = old;
    a->host.scope = a->host.comparison.base_scope;
    a->host.comparison.base_scope = scope;
    set_base(a, old);
    tt_app_renew_screens(a, old);
    if (b->then[0]) {
        tt_err err;
        const char *const paths[] = {memcpy(source, b->then, sizeof source)};
        b->then[0] = 0;
        if (!tt_app_base_open(a, paths, 1, &err)) tt_app_set_status(a, "%.480s", err.message);
    }
}

void tt_app_base_moved(tt_app *a, const tt_session *old, int64_t shift)
{
    if (a->host.comparison.base == old) {
        set_base(a, a->host.session);
        tt_app_move_scope(a->host.session, old, shift, &a->host.comparison.base_scope);
    } else {
        tt_app_base_follow(a, NULL);
    }
}

void tt_app_base_stop(tt_app *a)
{
    tt_base_run *b = &a->other;
    if (!b->load) return;
    tt_load_cancel(b->load);
    tt_session_free(tt_load_finish(b->load, NULL, NULL));
    b->load = NULL;
}

void tt_app_base_free(tt_app *a)
{
    tt_base_run *b = &a->other;
    tt_app_base_stop(a);
    for (size_t i = 0; i < b->put_aside.n; i++) tt_session_free(b->put_aside.at[i]);
    tt_vec_free(&b->put_aside);
    tt_paths_set(&b->inputs, NULL, 0);
    tt_paths_set(&b->next_inputs, NULL, 0);
    tt_vec_free(&b->inputs);
    tt_vec_free(&b->next_inputs);
    tt_session_free(a->base);
}

/* ---- reading it ---- */

void tt_app_base_begin(tt_app *a, const tt_explore_options *o)
{
    tt_base_run *b = &a->other;
    b->options = o->n_base ? o->base_load : o->load;
    b->from_options = o->n_base > 0;
    if (!b->from_options) b->options.run = NULL; /* the run belonged to the folder named before */
    a->host.comparison = o->n_base ? o->compare : TT_COMPARISON_DEFAULT;
    a->host.comparison.base = NULL;
    b->fixed_steps = a->host.comparison.base_scope.has_steps;
    b->fixed_range = a->host.comparison.base_scope.has_range;
    if (o->n_base) snprintf(b->next, sizeof b->next, "%s", o->base[0]);
}

static uint64_t problems_of(const tt_session *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++)
        for (int k = 0; k < TT_PROBLEM_COUNT_; k++)
            if (tt_problem_level_of[k] != TT_LEVEL_NOTE) n += s->traces[i]->problems.of[k].count;
    return n;
}

/* Serving engines: compare steps of one phase. */
static void choose_phase(tt_app *a)
{
    const tt_scope *base = &a->host.comparison.base_scope;
    uint32_t phase = a->host.session ? tt_serving_shared_phase(a->base, base, a->host.session, &a->host.scope) : 0;
    if (!phase) return;
    a->host.scope.phases = phase;
    tt_app_base_follow(a, NULL);
    tt_app_set_status(a, "compares the phase with most GPU time of the base; ':phase all' compares all steps");
}

static bool take(tt_app *a, tt_err *err)
{
    tt_base_run *b = &a->other;
    char *warnings = NULL;
    tt_session *s = tt_load_finish(b->load, &warnings, err);
    b->load = NULL;
    a->dirty = true;
    if (s) {
        uint64_t problems = problems_of(s);
        put_aside(a);
        a->base = s;
        memcpy(b->source, b->next, sizeof b->source);
        swap_paths(&b->inputs, &b->next_inputs);
        b->partial = false;
        set_base(a, s);
        tt_app_base_follow(a, NULL);
        choose_phase(a);
        b->want_swap = b->swap_after;
        b->swap_after = false;
        tell(a);
        if (warnings && *warnings)
            tt_app_set_status(a, "%.*s", (int)strcspn(warnings, "\n"), warnings);
        else if (problems)
            tt_app_set_status(a, "%.300s was opened with repairs (%" PRIu64 " problems): 'tracetty check' explains",
                              b->source, problems);
    }
    free(warnings);
    if (!s) {
        b->swap_after = false;
        b->then[0] = 0;
    }
    return s != NULL;
}

bool tt_app_base_open(tt_app *a, const char *const *paths, uint32_t n, tt_err *err)
{
    tt_base_run *b = &a->other;
    tt_app_base_stop(a);
    snprintf(b->next, sizeof b->next, "%s", paths[0]);
    tt_paths_set(&b->next_inputs, paths, n);
    b->progress = (tt_progress){0};
    if (a->host.comparison.base) b->options.run = NULL; /* the base is another one than the command line named */
    b->load = tt_load_start(paths, n, &b->options);
    a->dirty = true;
    return a->interactive || take(a, err);
}

void tt_app_open_base(tt_app *a, const char *path)
{
    tt_err err;
    char name[TT_SOURCE_CAP];
    snprintf(name, sizeof name, "%s", path); /* the picker that it comes from may close */
    const char *const paths[] = {name};
    if (!tt_app_base_open(a, paths, 1, &err))
        tt_app_set_status(a, "%.480s", err.message);
    else if (a->other.load)
        tt_app_set_status(a, "reading %.400s to compare with", name);
    if (a->host.comparison.base || a->other.load) tt_app_show_tab(a, "compare");
}

bool tt_app_base_poll(tt_app *a, tt_err *err)
{
    tt_base_run *b = &a->other;
    if (!b->load) return true;
    tt_load_progress(b->load, &b->progress);
    tt_app_wake(a, LOOK_MS);
    if (!b->progress.done || take(a, err)) return true;
    if (b->from_options && !a->base) return false;
    tt_app_set_status(a, "%.480s", err->message);
    return true;
}

/* ---- what screens and commands ask ---- */

void tt_app_compare_off(tt_app *a)
{
    tt_base_run *b = &a->other;
    tt_app_base_stop(a);
    b->from_options = b->want_swap = b->swap_after = false;
    b->then[0] = 0;
    put_aside(a);
    set_base(a, NULL);
    tell(a);
}

void tt_app_compare_parts(tt_app *a, const tt_scope *base, const tt_scope *now)
{
    if (!a->host.session) return;
    tt_app_push_jump_scoped(a);
    put_aside(a);
    set_base(a, a->host.session);
    a->host.comparison.base_scope = *base;
    a->host.scope = *now;
    tell(a);
    tt_app_show_tab(a, "compare");
}

void tt_app_compare_how(tt_app *a, const tt_comparison *how)
{
    tt_comparison *c = &a->host.comparison;
    c->per_run = how->per_run;
    c->short_names = how->short_names;
    c->skip = how->skip;
    c->confidence = how->confidence;
    c->min_effect = how->min_effect;
    if (c->base) tell(a);
}

void tt_app_swap_sides(tt_app *a)
{
    tt_comparison *c = &a->host.comparison;
    if (!c->base) {
        tt_app_set_status(a, "no comparison: :diff PATH starts one");
    } else if (a->base) {
        a->other.want_swap = true;
        a->other.fixed_steps = a->other.fixed_range = false;
        tt_app_base_settle(a);
        if (a->other.want_swap) tt_app_set_status(a, "the sides change as soon as nothing is computed");
    } else {
        tt_scope scope = a->host.scope;
        a->host.scope = c->base_scope;
        c->base_scope = scope;
        tell(a);
    }
}

/* Delete from two parts of a run the choices that both share. */
static void what_differs(tt_scope part[2])
{
    tt_scope *a = &part[0], *b = &part[1];
    if (tt_scope_equal(a, b)) return;
    if (a->worker == b->worker) a->worker = b->worker = TT_ALL;
    if (a->span == b->span) a->span = b->span = TT_ALL;
    if (a->has_steps == b->has_steps && a->step_first == b->step_first && a->step_last == b->step_last)
        a->has_steps = b->has_steps = false;
    if (a->has_range == b->has_range && a->t0 == b->t0 && a->t1 == b->t1) a->has_range = b->has_range = false;
}

void tt_app_sides(const tt_app *a, char *base, char *now, size_t cap)
{
    const tt_base_run *b = &a->other;
    const tt_progress *p = &b->progress;
    base[0] = now[0] = 0;
    if (b->load || (b->from_options && !a->host.comparison.base)) {
        char part[32] = "";
        if (b->load && p->bytes_total)
            snprintf(part, sizeof part, " %.0f%%", 100 * (double)p->bytes_done / (double)p->bytes_total);
        snprintf(base, cap, b->load ? "%.400s, reading%s" : "%.400s, read next%s", b->next, part);
        snprintf(now, cap, "%s", a->source);
    } else if (a->base) {
        snprintf(base, cap, "%s", b->source);
        snprintf(now, cap, "%s", a->source);
    } else if (a->host.comparison.base) {
        tt_scope part[2] = {a->host.comparison.base_scope, a->host.scope};
        what_differs(part);
        tt_app_part_text(a->host.session, &part[0], base, cap);
        tt_app_part_text(a->host.session, &part[1], now, cap);
        if (!*base) snprintf(base, cap, "everything");
        if (!*now) snprintf(now, cap, "everything");
    }
}

/* ---- words of `:diff` ---- */

static bool number(const char *text, double most, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= 0 && *out <= most;
}

bool tt_app_compare_key(const char *word)
{
    static const char *const keys[] = {"per=", "match=", "skip=", "confidence=", "min-effect="};
    bool any = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) any = any || !strncmp(word, keys[i], strlen(keys[i]));
    return any;
}

bool tt_app_compare_word(tt_comparison *c, const char *word)
{
    const char *value = strchr(word, '=');
    size_t n = value ? (size_t)(value++ - word) : 0;
    double v;
    if (n == 3 && !strncmp(word, "per", n)) {
        c->per_run = !strcmp(value, "run");
        return c->per_run || !strcmp(value, "step");
    }
    if (n == 5 && !strncmp(word, "match", n)) {
        c->short_names = !strcmp(value, "short");
        return c->short_names || !strcmp(value, "exact");
    }
    if (n == 4 && !strncmp(word, "skip", n)) {
        if (!number(value, 1e6, &v)) return false;
        c->skip = (uint32_t)v;
        return true;
    }
    if (n == 10 && !strncmp(word, "confidence", n)) {
        if (!number(value, 100, &v) || v <= 0 || v >= 100) return false;
        c->confidence = v;
        return true;
    }
    if (n == 10 && !strncmp(word, "min-effect", n)) {
        if (!number(value, 1e6, &v)) return false;
        c->min_effect = v;
        return true;
    }
    return false;
}
