/* model/tables/path/path_runs.c - see path_runs.h. */
#include "model/tables/path/path_runs.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/tables/path/path_unknown.h"
#include "model/tables/steps/step_breakdown.h"

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

/* ---- runs ---- */

typedef TT_VEC(const tt_step *) step_list;

/* The complete steps in scope, by start. */
static step_list steps_in(const tt_session *session, const tt_scope *scope, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_windows windows = tt_scope_windows(session, scope, trace);
    tt_query q = {.session = session, .scope = scope, .trace = trace, .windows = &windows};
    step_list l = {0};
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].row != TT_NONE && tt_step_shown(&q, &s->steps[i])) *tt_vec_push(&l) = &s->steps[i];
    TT_SORT_POINTERS_BY(l.at, l.n, TT_ASC(tt_step, start), TT_ASC(tt_step, row));
    tt_windows_free(&windows);
    return l;
}

/* Add a run of steps, from the first to the last instant that the account has of it. */
static void add_run(tt_path *p, const tt_ivs *account, tt_path_run run)
{
    size_t first = 0, end, hi = account->n;
    TT_BISECT(first, hi, i, account->at[i].t1 <= run.t0);
    end = first;
    hi = account->n;
    TT_BISECT(end, hi, i, account->at[i].t0 < run.t1);
    if (first == end) return;
    run.t0 = later(run.t0, account->at[first].t0);
    run.t1 = earlier(run.t1, account->at[end - 1].t1);
    *tt_vec_push(&p->runs) = run;
}

static void add_runs_of_steps(tt_path *p, const tt_trace *s, const tt_ivs *account, const step_list *steps)
{
    for (size_t i = 0, n; i < steps->n; i += n) {
        const tt_step *first = steps->at[i], *last = first;
        int64_t end = first->end;
        for (n = 1; i + n < steps->n; n++) {
            const tt_step *next = steps->at[i + n];
            if (next->start - end > earlier(last->end - last->start, next->end - next->start)) break;
            end = later(end, next->end);
            last = next;
        }
        add_run(p, account, (tt_path_run){first->start, end, tt_row_track(s, first->row)});
    }
}

void tt_path_find_runs(const tt_session *session, const tt_scope *scope, uint32_t trace, tt_path *p)
{
    const tt_account *account = &p->account;
    const tt_trace *s = session->traces[trace];
    const tt_ivs *time = &account->time;
    if (!time->n || account->clocks_differ) return;
    const tt_path_inputs *in = tt_path_inputs_get(session, trace);
    tt_scope all = *scope; /* a time window cuts steps and does not choose them */
    all.has_range = false;
    bool of_steps = account->kind == TT_ACCOUNT_STEPS || scope->has_steps;
    step_list steps = steps_in(session, of_steps ? scope : &all, trace);
    tt_path_run whole = {time->at[0].t0, time->at[time->n - 1].t1, TT_NONE};
    if (steps.n) whole.track = tt_row_track(s, steps.at[0]->row);
    if (of_steps)
        add_runs_of_steps(p, s, time, &steps);
    else if (in->host.n_threads || in->work->n)
        *tt_vec_push(&p->runs) = whole;
    tt_vec_free(&steps);
    if (!p->runs.n) return;
    p->t0 = p->runs.at[0].t0;
    p->t1 = p->runs.at[p->runs.n - 1].t1;
    p->ns = account->ns;
}

/* ---- what is unknown ---- */

typedef TT_VEC(tt_path_segment) segment_list;

/* Append a part of a segment; joined with the last part when both are unknown parts of one queue. */
static void put_part(segment_list *to, size_t first, const tt_path_segment *g, int64_t t0, int64_t t1, bool unknown)
{
    if (t0 >= t1) return;
    tt_path_segment *last = to->n > first ? &to->at[to->n - 1] : NULL, x = *g;
    x.t0 = t0;
    x.t1 = t1;
    x.inferred = g->inferred && t0 == g->t0;
    if (unknown) {
        x.category = TT_WAIT_UNKNOWN;
        x.row = x.track = TT_NONE;
        if (last && last->category == TT_WAIT_UNKNOWN && last->t1 == t0) {
            last->t1 = t1;
            return;
        }
    }
    *tt_vec_push(to) = x;
}

/* Append a segment with its unknown parts as segments of their own. */
static void put_known(segment_list *to, const tt_path_segment *g, const tt_ivs *unknown)
{
    size_t first = to->n, k = 0, hi = unknown ? unknown->n : 0;
    int64_t t = g->t0;
    TT_BISECT(k, hi, i, unknown->at[i].t1 <= t);
    for (; unknown && k < unknown->n && unknown->at[k].t0 < g->t1; k++) {
        int64_t t0 = later(unknown->at[k].t0, t), t1 = earlier(unknown->at[k].t1, g->t1);
        put_part(to, first, g, t, t0, false);
        put_part(to, first, g, t0, t1, true);
        t = t1;
    }
    put_part(to, first, g, t, g->t1, false);
}

static const tt_ivs *unknown_in(tt_path_unknown *u, const tt_path_segment *g)
{
    if (g->category != TT_WAIT_QUEUE || g->t0 >= u->until_all) return NULL;
    const tt_trace *s = u->in->s;
    const tt_device_work *w = u->in->work;
    uint32_t work = w->of_activity[tt_row_dev(s, g->row) - s->dev];
    return tt_path_unknown_from(u, w->streams[w->at[work].stream].device, g->t0);
}

/* Number of leading segments that may change: few, as the reasons for queues after the beginning of a recording are
 * known. */
static size_t count_changing(const tt_path *p, tt_path_unknown *unknown)
{
    size_t n = 0;
    for (size_t i = 0; i < p->at.n && p->at.at[i].t0 < unknown->until_all; i++)
        if (unknown_in(unknown, &p->at.at[i])) n = i + 1;
    return n;
}

/* Replace the first n segments by the parts. */
static void replace(tt_path *p, size_t n, const segment_list *parts)
{
    size_t rest = p->at.n - n;
    tt_vec_reserve(&p->at, parts->n + rest);
    if (rest) memmove(&p->at.at[parts->n], &p->at.at[n], rest * sizeof *p->at.at);
    if (parts->n) memcpy(p->at.at, parts->at, parts->n * sizeof *p->at.at);
    p->at.n = parts->n + rest;
}

void tt_path_mark_unknown(const tt_session *session, uint32_t trace, tt_path *p)
{
    tt_path_unknown unknown = tt_path_unknown_begin(session, trace, &p->account);
    segment_list parts = {0};
    size_t n = count_changing(p, &unknown);
    for (size_t i = 0; i < n; i++) put_known(&parts, &p->at.at[i], unknown_in(&unknown, &p->at.at[i]));
    replace(p, n, &parts);
    tt_vec_free(&parts);
    tt_path_unknown_free(&unknown);
}
