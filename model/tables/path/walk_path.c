/* model/tables/path/walk_path.c - the walk back from the end of each run.
 *
 * Each instant goes to the one activity that everything later waited for. With recorded times the last arrival
 * decides, so no graph is built and no longest path is searched. A step costs O(log n); each piece of work is
 * visited once and each host piece is left for an earlier one, so the walk ends whatever the clocks say. */
#include "model/tables/path/critical_path.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/tables/path/between_names.h"
#include "model/tables/path/path_inputs.h"
#include "model/tables/path/path_runs.h"
#include "model/trace/analysis_cache.h"

const char *tt_path_name(unsigned category)
{
    return category < TT_WAIT_COUNT_ ? tt_wait_name[category] : tt_work_class_name[category - TT_WAIT_COUNT_];
}

typedef struct walk {
    const tt_path_inputs *in;
    tt_path *path;
    tt_path_visited visited;
    TT_VEC(uint32_t) visits; /* device work that this walk visited and another walk may visit again */
    int64_t t0;              /* start of the window */
    size_t interval;         /* interval of the account: the last one that begins before t, or the next one */
    size_t first;            /* first segment of the walk */
    int64_t t;
    uint32_t work;  /* the walk stands at this work, or if TT_NONE ... */
    uint32_t track; /* ... on this thread */
    size_t pauses;  /* number of the pauses at or before t, or more */
    tt_path_near before;
    size_t calls;   /* where the last search among calls that waited ended */
    uint32_t *near; /* per thread the edge of the last search */
} walk;

/* Give [from, w->t) to the category, as far as it is in the account, and stand at `from`. */
static void emit(walk *w, int64_t from, unsigned category, tt_row row, uint32_t track)
{
    const tt_iv *account = w->path->account.time.at;
    int64_t t0 = from > w->t0 ? from : w->t0, t1 = w->t;
    if (from < w->t) w->t = from;
    while (t0 < t1) { /* mostly one turn: the account has few holes */
        while (account[w->interval].t0 >= t1) w->interval--;
        const tt_iv *x = &account[w->interval];
        int64_t begin = x->t0 > t0 ? x->t0 : t0, end = x->t1 < t1 ? x->t1 : t1;
        if (begin < end)
            *tt_vec_push(&w->path->at) =
                (tt_path_segment){.t0 = begin, .t1 = end, .row = row, .track = track, .category = category & 0xffu};
        t1 = begin;
    }
}

/* ---- device work ---- */

/* Step to device work. Work with an unknown launch cannot be proven to have been queued. */
static void step_to_work(walk *w, uint32_t work, int64_t t, const tt_work *waiting, bool inferred)
{
    if (waiting->launch == TT_NONE)
        emit(w, t, TT_WAIT_UNKNOWN, TT_NONE, TT_NONE);
    else
        emit(w, t, TT_WAIT_QUEUE, waiting->row, tt_row_track(w->in->s, waiting->row));
    if (inferred && w->path->at.n > w->first) w->path->at.at[w->path->at.n - 1].inferred = 1;
    w->work = work;
}

static void step_to_launch(walk *w, const tt_path_before *b, const tt_work *waiting)
{
    int64_t from = b->call_end < w->t ? b->call_end : w->t;
    uint32_t track = tt_row_track(w->in->s, waiting->row);
    if (w->t - from > TT_LAUNCH_NS) emit(w, from + TT_LAUNCH_NS, TT_WAIT_QUEUE, waiting->row, track);
    emit(w, from, TT_WAIT_LAUNCH, waiting->row, track);
    w->work = TT_NONE;
    w->track = b->track;
}

static void walk_work(walk *w)
{
    uint32_t work = w->work;
    const tt_work *x = &w->in->work->at[work];
    emit(w, x->start, TT_PATH_COMPUTATION + x->of_class, x->row, tt_row_track(w->in->s, x->row));
    tt_path_visit(w->in, &w->visited, work);
    if (w->path->runs.n > 1) *tt_vec_push(&w->visits) = work;
    if (w->t <= w->t0) return;
    tt_path_before b = tt_path_before_of(w->in, work, w->t, &w->visited, &w->before);
    bool launched = b.track != TT_NONE;
    if (b.inferred != TT_NONE) {
        step_to_work(w, b.inferred, b.inferred_t, x, true);
    } else if (b.event != TT_NONE && (b.stream == TT_NONE || b.event_t >= b.stream_t) &&
               (!launched || b.event_t >= b.launch_t)) {
        step_to_work(w, b.event, b.event_t, x, false);
    } else if (b.stream != TT_NONE && (!launched || b.stream_t >= b.launch_t)) {
        step_to_work(w, b.stream, b.stream_t, x, false);
    } else if (launched) {
        step_to_launch(w, &b, x);
    } else {
        emit(w, w->t0, TT_WAIT_UNKNOWN, TT_NONE, TT_NONE);
    }
}

/* ---- host ---- */

static const tt_host_thread *thread_of(const walk *w, uint32_t track)
{
    uint32_t k = track == TT_NONE ? TT_NONE : w->in->host.of_track[track];
    return k == TT_NONE ? NULL : &w->in->host.threads[k];
}

static void walk_thread(walk *w)
{
    const tt_host_thread *h = thread_of(w, w->track);
    uint32_t none = TT_NONE, *near = h ? &w->near[h - w->in->host.threads] : &none; /* mostly one edge back */
    uint32_t i = h ? tt_host_edge_near(h, w->t, *near) : TT_NONE;
    *near = i;
    const tt_host_edge *e = i == TT_NONE ? NULL : &h->at.at[i];
    if (!e || e->row == TT_NONE) {
        int64_t since = e ? e->t : w->t0;
        /* no record of a hand-over, but another thread falls idle just when this one goes on */
        const tt_host_pause *p = tt_host_finished_last(&w->in->host, w->track, since, w->t, &w->pauses);
        emit(w, p ? p->t : since, TT_WAIT_BETWEEN, TT_NONE, w->track);
        if (p) w->track = w->in->host.threads[p->thread].track;
        return;
    }
    if (e->cause == TT_WAIT_SYNC || e->cause == TT_WAIT_RUNTIME) {
        uint32_t work = tt_call_waited_for(&w->in->waits, e->row, &w->calls);
        const tt_work *x = work == TT_NONE ? NULL : &w->in->work->at[work];
        if (x && !w->visited.next[work] && x->start < w->t && x->end > w->in->s->start[e->row]) {
            emit(w, x->end < w->t ? x->end : w->t, TT_WAIT_SYNC, e->row, w->track);
            w->work = work;
            return;
        }
    }
    emit(w, e->t, e->cause, e->row, w->track);
}

/* ---- start and end ---- */

/* The work that ends last in the window. */
static uint32_t last_work(const tt_path_inputs *in, const tt_path_run *run)
{
    uint32_t last = TT_NONE;
    for (uint32_t k = 0; k < in->work->n_streams; k++) {
        tt_path_works of = tt_path_works_in(in, &in->work->streams[k], run->t0, run->t1);
        for (uint32_t i = of.first; i < of.end; i++) {
            const tt_work *x = &in->work->at[i], *l = last == TT_NONE ? NULL : &in->work->at[last];
            if (x->end <= run->t0 || x->end > run->t1 || (l && x->end < l->end)) continue;
            if (!l || x->end > l->end || x->row > l->row) last = i;
        }
    }
    return last;
}

/* Latest end of a piece of the thread at or before t. */
static int64_t last_end(const tt_host_thread *h, int64_t t)
{
    uint32_t i = tt_host_edge_before(h, t == INT64_MAX ? t : t + 1);
    if (i == TT_NONE || i == 0) return INT64_MIN; /* the first edge begins a piece */
    return h->at.at[h->at.at[i].row == TT_NONE || h->at.at[i - 1].row != TT_NONE ? i : i - 1].t;
}

static void start_walk(walk *w, const tt_path_run *run)
{
    const tt_path_inputs *in = w->in;
    int64_t host = INT64_MIN;
    w->t0 = run->t0;
    w->t = run->t1;
    w->first = w->path->at.n;
    w->work = TT_NONE;
    w->track = run->track;
    w->pauses = in->host.pauses.n;
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        int64_t end = last_end(&in->host.threads[k], run->t1);
        if (end <= host) continue;
        host = end;
        if (!thread_of(w, run->track)) w->track = in->host.threads[k].track;
    }
    uint32_t last = last_work(in, run);
    if (last == TT_NONE || in->work->at[last].end < host) return;
    emit(w, in->work->at[last].end, TT_WAIT_BETWEEN, TT_NONE, w->track);
    w->work = last;
}

static void walk_run(walk *w, const tt_path_run *run)
{
    start_walk(w, run);
    while (w->t > w->t0) {
        if (w->work != TT_NONE)
            walk_work(w);
        else
            walk_thread(w);
    }
    for (size_t i = 0; i < w->visits.n; i++) w->visited.next[w->visits.at[i]] = 0; /* runs share no state */
    w->visits.n = 0;
}

static void reverse(tt_path *p)
{
    for (size_t a = 0, b = p->at.n; a + 1 < b; a++) {
        tt_path_segment g = p->at.at[a];
        p->at.at[a] = p->at.at[--b];
        p->at.at[b] = g;
    }
}

static void walk_runs(const tt_path_inputs *in, tt_path *p)
{
    walk w = {.in = in, .path = p, .interval = p->account.time.n - 1};
    w.visited.next = tt_calloc(in->work->n + (size_t)1, sizeof *w.visited.next);
    w.near = tt_calloc(in->host.n_threads + (size_t)1, sizeof *w.near);
    for (size_t i = p->runs.n; i-- > 0;) walk_run(&w, &p->runs.at[i]);
    free(w.visited.next);
    free(w.near);
    tt_vec_free(&w.visits);
    reverse(p);
}

static tt_path *make(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    tt_path *p = tt_calloc(1, sizeof *p);
    if (!tt_scope_has_trace(s, scope, trace)) return p;
    const tt_path_inputs *in =
        /* first, as it computes the device work side by side with the host's pieces */
        tt_path_inputs_get(s, trace);
    p->account = tt_account_make(s, scope, trace);
    tt_path_find_runs(s, scope, trace, p);
    if (p->runs.n) {
        walk_runs(in, p);
        tt_path_mark_unknown(s, trace, p);
        tt_path_name_between(in->s, p);
    }
    return p;
}

static void *build(const tt_session *s, uint32_t trace) { return make(s, &tt_scope_all, trace); }
static void release(void *value) { tt_path_free(value); }

tt_path *tt_path_make(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    static const tt_analysis_kind kind = {"whole critical path", build, release};
    if (!tt_scope_equal(scope, &tt_scope_all)) return make(s, scope, trace);
    tt_path *p = (tt_path *)tt_analysis_get(s, trace, &kind);
    atomic_fetch_add(&p->more_refs, 1);
    return p;
}

void tt_path_free(tt_path *p)
{
    if (!p || atomic_fetch_sub(&p->more_refs, 1)) return; /* more_refs was 0: this is the last reference */
    tt_account_free(&p->account);
    tt_vec_free(&p->runs);
    tt_vec_free(&p->at);
    free(p);
}

uint32_t tt_path_at(const tt_path *p, int64_t t)
{
    size_t lo = 0, hi = p->at.n;
    TT_BISECT(lo, hi, i, p->at.at[i].t1 <= t);
    return (uint32_t)lo;
}
