/* model/trace/scope.c - the scope of a session: workers, steps, time, and the events that belong to them. session.h
 * states the rule; no other code decides which events belong to a step. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/interval_set.h"
#include "model/trace/session.h"

const tt_scope tt_scope_all = {.worker = TT_ALL, .span = TT_ALL, .thread = TT_ALL};

bool tt_scope_equal(const tt_scope *a, const tt_scope *b)
{
    return a->worker == b->worker && a->span == b->span && a->thread == b->thread && a->has_steps == b->has_steps &&
           a->no_steps == b->no_steps && a->phases == b->phases &&
           (!a->has_steps || (a->step_first == b->step_first && a->step_last == b->step_last)) &&
           a->has_range == b->has_range && (!a->has_range || (a->t0 == b->t0 && a->t1 == b->t1));
}

bool tt_scope_has_steps(const tt_session *s, const tt_scope *scope, int64_t *first, int64_t *last)
{
    *first = INT64_MAX;
    *last = INT64_MIN;
    if (!scope->has_steps && !scope->phases) return true;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *st = s->traces[i];
        for (uint32_t k = 0; k < st->n_steps; k++) {
            int64_t number = st->steps[k].number;
            if (st->steps[k].row == TT_NONE) continue;
            if (scope->phases && !(st->steps[k].phases & scope->phases)) continue;
            if (!scope->has_steps || (number >= scope->step_first && number <= scope->step_last)) return true;
            *first = number < *first ? number : *first;
            *last = number > *last ? number : *last;
        }
    }
    return false;
}

bool tt_scope_has_trace(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    const tt_trace *st = s->traces[trace];
    if (scope->worker != TT_ALL && strcmp(s->workers[scope->worker], st->worker) != 0) return false;
    return scope->span == TT_ALL || !strcmp(s->spans[scope->span], st->span);
}

static int32_t index_of(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return (int32_t)i;
    return TT_ALL;
}

void tt_scope_to_trace(const tt_session *s, uint32_t trace, tt_scope *scope)
{
    scope->worker = index_of(s->workers, s->n_workers, s->traces[trace]->worker);
    scope->span = index_of(s->spans, s->n_spans, s->traces[trace]->span);
}

bool tt_scope_has_time(const tt_session *s, const tt_scope *scope, int64_t *t0, int64_t *t1)
{
    bool any = false, meets = false;
    *t0 = *t1 = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        int64_t begin = s->offset_ns[i], end = begin + s->traces[i]->end;
        *t0 = any && *t0 < begin ? *t0 : begin;
        *t1 = any && *t1 > end ? *t1 : end;
        meets = meets || (scope->t0 <= end && scope->t1 > begin);
        any = true;
    }
    return !scope->has_range || meets;
}

/* Convert t from the common axis to trace time, without overflow at the ends of the axis. */
static int64_t trace_time(int64_t t, int64_t offset)
{
    int64_t r;
    if (__builtin_sub_overflow(t, offset, &r)) return offset > 0 ? INT64_MIN : INT64_MAX;
    return r;
}

static tt_windows no_windows(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    int64_t offset = s->offset_ns[trace];
    tt_windows w = {.everything = !scope->has_steps && !scope->has_range && !scope->phases,
                    .by_step = scope->has_steps || scope->phases,
                    .phases = scope->phases,
                    .step_first = scope->has_steps ? scope->step_first : INT64_MIN,
                    .step_last = scope->has_steps ? scope->step_last : INT64_MAX,
                    .t0 = scope->has_range ? trace_time(scope->t0, offset) : INT64_MIN,
                    .t1 = scope->has_range ? trace_time(scope->t1, offset) : INT64_MAX};
    return w;
}

static bool asked_for(const tt_windows *w, const tt_step *p)
{
    if (w->chosen) return w->chosen[p - w->steps];
    if (w->phases && !(p->phases & w->phases)) return false;
    return !w->by_step || (p->row != TT_NONE && p->number >= w->step_first && p->number <= w->step_last);
}

/* Store the set as windows, cut to the time window; frees the set. */
static void put_windows(tt_windows *w, tt_ivs *set)
{
    tt_iv range = {w->t0, w->t1};
    const tt_ivs one = {.at = &range, .n = range.t0 < range.t1, .cap = 1};
    tt_ivs_normalise(set);
    tt_ivs cut = tt_ivs_intersect(set, &one);
    w->n = (uint32_t)cut.n;
    w->at = tt_calloc(cut.n, sizeof *w->at);
    for (size_t i = 0; i < cut.n; i++) w->at[i] = (struct tt_window){cut.at[i].t0, cut.at[i].t1};
    tt_vec_free(&cut);
    tt_vec_free(set);
}

/* Let the windows be the host time of the steps that are asked for. */
static void put_host_time(tt_windows *w, const tt_trace *s)
{
    tt_ivs set = {0};
    if (!w->by_step) tt_ivs_add(&set, INT64_MIN, INT64_MAX);
    for (uint32_t i = 0; w->by_step && i < s->n_step_spans; i++) {
        const tt_step_span *x = &s->step_spans[i];
        if (asked_for(w, &s->steps[x->step])) tt_ivs_add(&set, x->t0, x->t1);
    }
    put_windows(w, &set);
}

tt_windows tt_scope_windows(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    if (!tt_scope_has_trace(s, scope, trace)) return (tt_windows){0};
    tt_windows w = no_windows(s, scope, trace);
    put_host_time(&w, s->traces[trace]);
    return w;
}

tt_windows tt_windows_of_steps(const tt_trace *s, const bool *chosen)
{
    tt_windows w = {.by_step = true,
                    .step_first = INT64_MIN,
                    .step_last = INT64_MAX,
                    .chosen = chosen,
                    .steps = s->steps,
                    .t0 = INT64_MIN,
                    .t1 = INT64_MAX};
    put_host_time(&w, s);
    return w;
}

tt_windows tt_scope_time(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    const tt_trace *st = s->traces[trace];
    if (!tt_scope_has_trace(s, scope, trace)) return (tt_windows){0};
    tt_windows w = no_windows(s, scope, trace);
    tt_ivs set = {0};
    if (!w.by_step) tt_ivs_add(&set, INT64_MIN, INT64_MAX);
    for (uint32_t i = 0; w.by_step && i < st->n_steps; i++)
        if (asked_for(&w, &st->steps[i])) tt_ivs_add(&set, st->steps[i].start, st->steps[i].end);
    put_windows(&w, &set);
    return w;
}

void tt_windows_free(tt_windows *w)
{
    free(w->at);
    *w = (tt_windows){0};
}

bool tt_windows_meet(const tt_windows *w, int64_t t0, int64_t t1)
{
    if (w->everything) return true;
    uint32_t lo = 0, hi = w->n; /* find the first window that ends after t0 */
    TT_BISECT(lo, hi, i, w->at[i].t1 <= t0);
    return lo < w->n && w->at[lo].t0 < t1;
}

bool tt_windows_have(const tt_windows *w, int64_t t) { return tt_windows_meet(w, t, t + 1); }

bool tt_windows_have_step(const tt_windows *w, const tt_step *p)
{
    return w->everything || (asked_for(w, p) && p->start >= w->t0 && p->start < w->t1);
}

bool tt_windows_have_dev(const tt_windows *w, const tt_trace *s, const tt_activity *d)
{
    if (w->everything) return true;
    int64_t own = s->start[d->row];
    if (!w->by_step) return tt_windows_have(w, own);
    if (own < w->t0 || own >= w->t1) return false;
    uint32_t step = tt_step_at(s, tt_activity_asked_at(s, d));
    return step != TT_NONE && asked_for(w, &s->steps[step]);
}

bool tt_windows_have_row(const tt_windows *w, const tt_trace *s, tt_row r)
{
    const tt_activity *d = tt_row_dev(s, r);
    return d ? tt_windows_have_dev(w, s, d) : tt_windows_have(w, s->start[r]);
}
