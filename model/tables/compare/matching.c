/* model/tables/compare/matching.c - workers by rank, name or order; steps by order. */
#include "model/tables/compare/matching.h"
#include "model/tables/steps/account.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/base/sort_by.h"
#include "model/tables/serving/engine_steps.h"

typedef struct side_worker { /* worker in scope */
    const char *name;
    int64_t rank;   /* -1 = not recorded */
    uint32_t trace; /* first trace of the worker in scope */
    bool taken;
} side_worker;
typedef TT_VEC(side_worker) side_workers;

static side_workers workers_of(const tt_session *s, const tt_scope *scope)
{
    side_workers l = {0};
    for (uint32_t i = 0; i < s->n_traces; i++) { /* traces are ordered by worker */
        if (!tt_scope_has_trace(s, scope, i)) continue;
        const tt_trace *t = s->traces[i];
        if (l.n && !strcmp(l.at[l.n - 1].name, t->worker)) continue;
        *tt_vec_push(&l) = (side_worker){.name = t->worker, .rank = t->rank, .trace = i};
    }
    return l;
}

/* Whether every worker records its rank, all different. */
static bool all_ranked(const side_workers *l)
{
    int64_t *ranks = tt_malloc((l->n + 1) * sizeof *ranks);
    bool good = true;
    for (size_t i = 0; i < l->n; i++) ranks[i] = l->at[i].rank;
    TT_SORT_UP(ranks, l->n);
    for (size_t i = 0; i < l->n; i++) good = good && ranks[i] >= 0 && (!i || ranks[i] != ranks[i - 1]);
    free(ranks);
    return good;
}

static bool same_rank(const side_worker *a, const side_worker *b) { return a->rank == b->rank; }
static bool same_name(const side_worker *a, const side_worker *b) { return !strcmp(a->name, b->name); }
static bool any(const side_worker *a, const side_worker *b)
{
    (void)a;
    (void)b;
    return true; /* by order: the first unmatched worker */
}

static void pair_by(bool (*meet)(const side_worker *, const side_worker *), side_workers *base, side_workers *other,
                    tt_matching *m)
{
    size_t first = 0; /* first unmatched worker of the other side */
    for (size_t i = 0; i < base->n; i++) {
        while (first < other->n && other->at[first].taken) first++;
        for (size_t k = first; k < other->n && !base->at[i].taken; k++) {
            side_worker *a = &base->at[i], *b = &other->at[k];
            if (b->taken || !meet(a, b)) continue;
            a->taken = b->taken = true;
            *tt_vec_push(&m->workers) = (tt_matched_worker){.name = {a->name, b->name}, .trace = {a->trace, b->trace}};
        }
    }
}

static void match_workers(tt_matching *m)
{
    side_workers side[TT_SIDES];
    for (int k = 0; k < TT_SIDES; k++) side[k] = workers_of(m->of[k], &m->scope[k]);
    if (all_ranked(&side[TT_BASE]) && all_ranked(&side[TT_NEW])) pair_by(same_rank, &side[TT_BASE], &side[TT_NEW], m);
    if (!m->workers.n) pair_by(same_name, &side[TT_BASE], &side[TT_NEW], m);
    if (!m->workers.n) pair_by(any, &side[TT_BASE], &side[TT_NEW], m);
    for (int k = 0; k < TT_SIDES; k++) {
        for (size_t i = 0; i < side[k].n; i++)
            if (!side[k].at[i].taken) *tt_vec_push(&m->unmatched[k]) = side[k].at[i].name;
        tt_vec_free(&side[k]);
    }
}

/* The step as table engine_steps has it; NULL: it is no step of an engine. */
static const tt_engine_step *engine_step(const tt_session *s, uint32_t trace, const tt_step *step)
{
    if (!tt_steps_of_engine(s->traces[trace])) return NULL;
    return &tt_engine_steps_get(s, trace)->at[step->number];
}

static bool lost_work(const tt_session *s, uint32_t trace, const tt_step *step)
{
    const tt_engine_step *e = engine_step(s, trace, step);
    return e && !e->complete;
}

/* Find the complete steps of a worker in scope, in order, without the first `skip`. */
static void find_samples(const tt_matching *m, int side, uint32_t skip, uint32_t worker)
{
    tt_matched_worker *w = &m->workers.at[worker];
    TT_VEC(tt_step_sample) found = {0};
    const tt_session *s = m->of[side];
    uint32_t trace;
    for (uint32_t i = 0; (trace = tt_matching_trace(m, side, worker, i)) != TT_NONE; i++) {
        tt_windows windows = tt_scope_windows(s, &m->scope[side], trace);
        tt_account account = tt_account_make(s, &m->scope[side], trace);
        int64_t start = account.time.n ? account.time.at[0].t0 : 0;
        for (uint32_t p = 0; p < s->traces[trace]->n_steps; p++) {
            const tt_step *step = &s->traces[trace]->steps[p];
            if (step->row == TT_NONE || !step->kept || !tt_windows_have_step(&windows, step)) continue;
            if (lost_work(s, trace, step)) continue;
            if (skip)
                skip--;
            else
                *tt_vec_push(&found) = (tt_step_sample){trace, p, start};
        }
        tt_account_free(&account);
        tt_windows_free(&windows);
    }
    w->samples[side] = found.at;
    w->n[side] = (uint32_t)found.n;
}

/* Time of a step on one worker; TT_UNKNOWN: nothing says when it began. */
static int64_t time_on(const tt_matching *m, int side, const tt_matched_worker *w, uint32_t sample, bool of_completion)
{
    tt_step_sample at = w->samples[side][sample];
    const tt_step *step = &m->of[side]->traces[at.trace]->steps[at.step];
    if (!of_completion) return step->end - step->start;
    const tt_engine_step *e = engine_step(m->of[side], at.trace, step);
    return e ? e->time : TT_UNKNOWN;
}

/* The longest over the workers; TT_UNKNOWN when it is unknown on one. */
static int64_t longest_on(const tt_matching *m, int side, uint32_t sample, bool of_completion)
{
    int64_t longest = 0;
    for (size_t w = 0; w < m->workers.n; w++) {
        int64_t ns = time_on(m, side, &m->workers.at[w], sample, of_completion);
        if (ns == TT_UNKNOWN) return TT_UNKNOWN;
        if (ns > longest) longest = ns;
    }
    return longest;
}

/* Whether some sample of the side has a time from completion to completion. */
static bool has_times(const tt_matching *m, int side)
{
    for (uint32_t i = 0; i < m->n_samples[side]; i++)
        if (longest_on(m, side, i, true) != TT_UNKNOWN) return true;
    return false;
}

static bool slow_first(const tt_matching *m, int side)
{
    if (m->n_samples[side] < 3) return false; /* too few samples for a usual length */
    return (double)tt_matching_step_ns(m, side, 0) > 1.5 * (double)tt_matching_median_step(m, side);
}

/* Whether a trace is a summary, whose rows are of whole recordings. */
static bool has_summary(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (s->traces[i]->summary) return true;
    return false;
}

tt_matching tt_matching_make(const tt_session *new_run, const tt_scope *new_scope, const tt_comparison *c)
{
    tt_matching m = {.of = {c->base, new_run}, .scope = {c->base_scope, *new_scope}};
    match_workers(&m);
    for (int side = 0; side < TT_SIDES; side++) {
        for (uint32_t w = 0; w < m.workers.n; w++) {
            find_samples(&m, side, c->skip, w);
            uint32_t n = m.workers.at[w].n[side];
            if (!w || n < m.n_samples[side]) m.n_samples[side] = n;
        }
    }
    m.of_completion = has_times(&m, TT_BASE) && has_times(&m, TT_NEW);
    for (int side = 0; side < TT_SIDES; side++) m.slow_first[side] = slow_first(&m, side);
    m.summary = has_summary(c->base) || has_summary(new_run);
    m.per_step = !c->per_run && !m.summary && m.n_samples[TT_BASE] && m.n_samples[TT_NEW];
    return m;
}

void tt_matching_free(tt_matching *m)
{
    for (size_t i = 0; i < m->workers.n; i++)
        for (int side = 0; side < TT_SIDES; side++) free(m->workers.at[i].samples[side]);
    for (int side = 0; side < TT_SIDES; side++) tt_vec_free(&m->unmatched[side]);
    tt_vec_free(&m->workers);
}

uint32_t tt_matching_trace(const tt_matching *m, int side, uint32_t worker, uint32_t i)
{
    const tt_session *s = m->of[side];
    const tt_matched_worker *w = &m->workers.at[worker];
    for (uint32_t k = w->trace[side]; k < s->n_traces && !strcmp(s->traces[k]->worker, w->name[side]); k++)
        if (tt_scope_has_trace(s, &m->scope[side], k) && !i--) return k;
    return TT_NONE;
}

int64_t tt_matching_step_ns(const tt_matching *m, int side, uint32_t sample)
{
    return longest_on(m, side, sample, m->of_completion);
}

int64_t tt_matching_median_step(const tt_matching *m, int side)
{
    uint32_t n = 0;
    int64_t *ns = tt_malloc((m->n_samples[side] + (size_t)1) * sizeof *ns);
    for (uint32_t i = 0; i < m->n_samples[side]; i++) {
        ns[n] = tt_matching_step_ns(m, side, i);
        n += ns[n] != TT_UNKNOWN;
    }
    int64_t middle = n ? tt_median(ns, n) : TT_UNKNOWN;
    free(ns);
    return middle;
}

uint32_t **tt_matching_sample_of(const tt_matching *m, int side)
{
    const tt_session *s = m->of[side];
    uint32_t **of = tt_calloc(s->n_traces + (size_t)1, sizeof *of);
    for (uint32_t w = 0; w < m->workers.n; w++) {
        uint32_t trace;
        for (uint32_t i = 0; (trace = tt_matching_trace(m, side, w, i)) != TT_NONE; i++) {
            size_t n = s->traces[trace]->n_steps;
            of[trace] = tt_malloc((n + 1) * sizeof **of);
            memset(of[trace], 0xff, (n + 1) * sizeof **of); /* fill with TT_NONE */
        }
        for (uint32_t i = 0; i < m->n_samples[side]; i++) {
            tt_step_sample at = m->workers.at[w].samples[side][i];
            of[at.trace][at.step] = i;
        }
    }
    return of;
}
