/* model/tables/path/replay.c - each run as a list of spans in the order of time, each with what it waits for, which
 * lies before it in the list; the lists of all runs stand one behind another. A span is a piece of device work, a wait
 * of a host thread, or all that the thread does from an instant that something waits for up to the next one: it keeps
 * the order of its pieces, so their gains add up. The list is made once for all changes; a replay is one pass over it
 * that says of each span how much earlier it begins and ends. */
#include "model/tables/path/replay.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/parallel.h"
#include "model/base/sort.h"
#include "model/tables/path/path_unknown.h"

typedef struct span {
    int64_t t, len;      /* in the window */
    int64_t since;       /* the latest instant that it waited for; from there to t it is delayed */
    uint32_t needs_end;  /* its needs are those from the end of the span before it up to here */
    uint32_t slot;       /* where a replay keeps its result */
    uint32_t of;         /* the work, or the first edge ... */
    uint32_t edges_end;  /* ... of those up to here */
    uint32_t thread;     /* of the host, by index */
    uint8_t category;    /* tt_path_category; of edges that of the first */
    bool linked : 1;     /* of a work: its launch is known, so that what it waited for has a name */
    bool unseen : 1;     /* part of its time in the queue is unknown: tt_replay.unseen */
    bool launched : 1;   /* since is when the call that launched it returned */
    bool waits : 1;      /* a pause, or the piece of a call that waited: only the delay of what follows is its own */
    bool after_wait : 1; /* its first need is that wait, and the delay is part of it */
    bool followed : 1;   /* by a work of its stream that ends in the window and began after it had ended */
    bool cut : 1;        /* a work that goes on after the window */
    bool ends_run : 1;   /* the end of the window: what it gains is saved */
} span;

typedef struct need { /* an instant that a span waits for */
    int64_t t;
    uint32_t of; /* an instant of this span, or of its thread after it; TT_NONE: one that does not move */
} need;

/* Replays run side by side, a lane each; a set of lanes is a mask. */
enum { LANES = 32 };

typedef struct replay {
    const tt_path_inputs *in;
    const tt_replay_change *const *changes;
    tt_replay_result *out;
    size_t n_changes, n_tasks;
    int64_t t0, t1;     /* the window of the run that is being made */
    TT_VEC(span) spans; /* by run, then by time; the last of each is the end of its window */
    TT_VEC(need) needs;
    TT_VEC(int64_t) unseen; /* of each span that has such a part: its length */
    uint32_t n_slots;       /* results that are needed at a time */
} replay;

/* ---- what a change shortens ---- */

/* By tt_sid, category and work: the changes among n that shorten such parts, bit by bit; several may share a bit. */
typedef struct shortened {
    uint32_t *work, *host;
    uint32_t category[TT_PATH_COUNT_];
    uint32_t *one_work; /* by work; NULL: no change names any */
    bool any_host;      /* something that a host thread does ... */
    bool by_slice;      /* ... by its name, or inside of a call */
    bool any_call;
} shortened;

static void add_names(const tt_replay_change *c, const uint8_t *classes, size_t names, uint32_t lane, uint32_t *to)
{
    for (size_t i = 1; classes && i < names; i++)
        if (c->factor[classes[i]] < TT_REPLAY_WHOLE) to[i] |= lane;
}

static bool is_work(unsigned category) { return category >= TT_WAIT_COUNT_; }

static shortened shortened_by(const tt_path_inputs *in, const tt_replay_change *const *changes, size_t n)
{
    size_t names = in->s->strings.text.n;
    shortened x = {.work = tt_calloc(names + 1, sizeof *x.work), .host = tt_calloc(names + 1, sizeof *x.host)};
    for (size_t k = 0; k < n; k++) {
        const tt_replay_change *c = changes[k];
        uint32_t lane = 1u << k % LANES;
        for (int i = 0; i < TT_PATH_COUNT_; i++)
            if (c->category[i] < TT_REPLAY_WHOLE) {
                x.category[i] |= lane;
                x.any_host = x.any_host || !is_work((unsigned)i);
            }
        add_names(c, c->work_class, names, lane, x.work);
        add_names(c, c->host_class, names, lane, x.host);
        x.any_call = x.any_call || c->call != TT_NONE;
        x.by_slice = x.by_slice || c->host_class || x.any_call;
        x.any_host = x.any_host || x.by_slice;
        if (c->n_works && !x.one_work) x.one_work = tt_calloc(in->work->n, sizeof *x.one_work);
        for (size_t i = 0; i < c->n_works; i++) x.one_work[c->works[i].work] |= lane;
    }
    return x;
}

static void free_shortened(shortened *x)
{
    free(x->work);
    free(x->host);
    free(x->one_work);
}

/* The slice, or one that it lies inside of, is the one that takes no time. */
static bool is_in_call(const tt_trace *s, tt_row r, tt_row call)
{
    if (call == TT_NONE || r == TT_NONE) return false;
    return r == call || (s->start[r] >= s->start[call] && tt_row_end(s, r) <= tt_row_end(s, call) &&
                         tt_row_track(s, r) == tt_row_track(s, call));
}

static uint32_t factor_of_work(const tt_replay_change *c, uint32_t work)
{
    size_t lo = 0, hi = c->n_works;
    TT_BISECT(lo, hi, i, c->works[i].work < work);
    return lo < c->n_works && c->works[lo].work == work ? c->works[lo].factor : TT_REPLAY_WHOLE;
}

/* ---- making the list ---- */

typedef struct item { /* a work or an edge on its way into the order */
    int64_t t;
    uint32_t what : 2;    /* among equal times what ends before what begins: */
    uint32_t thread : 30; /* of an edge */
    uint32_t at;          /* edge of the thread; work */
} item;
enum { PAUSE, PIECE, WORK };
typedef TT_VEC(item) item_list;

typedef struct thread_spans { /* of a host thread */
    uint8_t *waits;           /* bit by bit by edge: what follows the piece or pause waits for something else, too */
    uint8_t *begins;          /* likewise: something waits for an instant of it; NULL = no change shortens any */
    TT_VEC(const tt_host_pause *) after; /* pauses of other threads after which one of this thread goes on */
    uint32_t marked;                     /* the edge that was marked last */
    uint32_t end;                        /* of its edges in this run */
    item_list items;
    TT_VEC(uint32_t) at; /* spans of this run, by time */
    size_t near;         /* the place of at[] that was looked for last */
} thread_spans;

typedef struct replay_build {
    const tt_path_inputs *in;
    replay *r;
    tt_path_unknown unknown;
    item_list items;
    uint32_t first; /* the first span of the run */
    thread_spans *threads;
    uint32_t *span_of_work;    /* TT_NONE, or one before `first`: not in the window */
    TT_VEC(uint32_t) last_use; /* by span: the last one that needs it; 0 = none */
    tt_path_near near;
    size_t calls, pauses; /* what was looked for last among calls that waited, and among pauses */
} replay_build;

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

static int by_time(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    if (x->what != y->what) return x->what < y->what ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

typedef struct edge_range {
    uint32_t first, end;
} edge_range;

/* Edges of a thread in the window, the first of them that of the piece or pause in which it begins. */
static edge_range edges_of(const tt_host_thread *h, int64_t t0, int64_t t1)
{
    uint32_t first = tt_host_edge_before(h, t0 + 1), last = tt_host_edge_before(h, t1 + 1);
    return (edge_range){first == TT_NONE ? 0 : first, last + 1}; /* TT_NONE + 1 is 0 */
}

static bool work_in_window(const tt_work *x, int64_t t0, int64_t t1)
{
    return x->start < t1 && x->end >= t0 && (x->end != t0 || x->start >= t0);
}

/* The work that the call waited for in the piece that begins at the edge and ends in the window; TT_NONE. */
static uint32_t waited_for(const replay_build *b, const tt_host_edge *e, size_t *near)
{
    if (e->cause != TT_WAIT_SYNC && e->cause != TT_WAIT_RUNTIME) return TT_NONE; /* no call */
    uint32_t work = tt_call_waited_for(&b->in->waits, e->row, near);
    const tt_work *w = work == TT_NONE ? NULL : &b->in->work->at[work];
    return !w || w->start >= e[1].t || w->end <= b->in->s->start[e->row] || e[1].t > b->r->t1 ? TT_NONE : work;
}

/* What went on before the thread did, at the edge after a pause or at its first one; NULL. */
static const tt_host_pause *handed_over(const replay_build *b, const tt_host_thread *h, uint32_t edge, size_t *near)
{
    const tt_host_edge *e = &h->at.at[edge];
    return tt_host_finished_last(&b->in->host, h->track, edge ? e[-1].t : b->r->t0, e->t, near);
}

/* Behind the last edge of the range where a piece ends; 0 = none does. */
static uint32_t last_piece_end(const tt_host_thread *h, edge_range range)
{
    uint32_t i = range.end;
    while (i > range.first + 1 && h->at.at[i - 2].row == TT_NONE) i--;
    return i > range.first + 1 ? i : 0;
}

static bool has_bit(const uint8_t *bits, uint32_t i) { return bits && (bits[i / 8] >> i % 8 & 1); }
static void set_bit(uint8_t *bits, uint32_t i) { bits[i / 8] |= (uint8_t)(1u << i % 8); }

static void mark(thread_spans *h, uint32_t edge)
{
    if (h->begins && edge != TT_NONE) set_bit(h->begins, edge);
}

/* Instants that work may wait for: those at which its launches return. */
static void mark_launches(replay_build *b)
{
    const tt_path_inputs *in = b->in;
    for (uint32_t i = 0; i < in->work->n; i++) {
        const tt_work *x = &in->work->at[i];
        uint32_t k = x->launch == TT_NONE ? TT_NONE : in->host.of_track[tt_row_track(in->s, x->launch)];
        if (k == TT_NONE) continue;
        thread_spans *h = &b->threads[k];
        int64_t t = tt_path_launched_at(in, i, x->start);
        uint32_t edge = tt_host_edge_near(&in->host.threads[k], t + 1, h->marked);
        mark(h, edge);
        if (edge != TT_NONE) h->marked = edge;
    }
}

/* The pieces and pauses of a thread behind which it waits for something else, too. */
static void look_at_thread(void *arg, size_t thread)
{
    replay_build *b = arg;
    thread_spans *own = &b->threads[thread];
    const tt_host_thread *h = &b->in->host.threads[thread];
    edge_range range = edges_of(h, b->r->t0, b->r->t1);
    size_t call = 0, pause = 0;
    for (uint32_t i = range.first; i < range.end; i++) {
        const tt_host_edge *e = &h->at.at[i];
        const tt_host_pause *after = NULL;
        if (!i && e->t > b->r->t0 && (after = handed_over(b, h, 0, &pause))) *tt_vec_push(&own->after) = after;
        if (e->row != TT_NONE) {
            if (waited_for(b, e, &call) != TT_NONE) set_bit(own->waits, i);
        } else if (i + 1 < h->at.n && e[1].t <= b->r->t1 && (after = handed_over(b, h, i + 1, &pause))) {
            *tt_vec_push(&own->after) = after;
            set_bit(own->waits, i);
        }
    }
}

/* The edges of a thread that begin a span. */
static void collect_thread(void *arg, size_t thread)
{
    replay_build *b = arg;
    thread_spans *own = &b->threads[thread];
    const tt_host_thread *h = &b->in->host.threads[thread];
    edge_range range = edges_of(h, b->r->t0, b->r->t1);
    own->end = range.end;
    bool after_wait = true; /* the first one is a span */
    uint32_t ends = last_piece_end(h, range);
    if (ends) mark(own, ends - 1);
    if (range.end > range.first) mark(own, range.end - 1);
    for (uint32_t i = range.first; i < range.end; i++) {
        const tt_host_edge *e = &h->at.at[i];
        bool waits = has_bit(own->waits, i);
        if (waits || after_wait || has_bit(own->begins, i))
            *tt_vec_push(&own->items) = (item){.t = later(e->t, b->r->t0),
                                               .what = e->row == TT_NONE ? PAUSE : PIECE,
                                               .thread = thread & 0x3fffffffu,
                                               .at = i};
        after_wait = waits;
    }
}

static void collect_works(replay_build *b)
{
    const tt_path_inputs *in = b->in;
    const replay *r = b->r;
    for (uint32_t k = 0; k < in->work->n_streams; k++) {
        tt_path_works of = tt_path_works_in(in, &in->work->streams[k], r->t0, r->t1);
        for (uint32_t i = of.first; i < of.end; i++) {
            const tt_work *x = &in->work->at[i];
            if (work_in_window(x, r->t0, r->t1))
                *tt_vec_push(&b->items) = (item){.t = later(x->start, r->t0), .what = WORK, .at = i};
        }
    }
}

static void collect(replay_build *b)
{
    const tt_path_inputs *in = b->in;
    b->items.n = 0;
    tt_parallel(tt_threads(), in->host.n_threads, look_at_thread, b);
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        const thread_spans *h = &b->threads[k];
        for (size_t i = 0; i < h->after.n; i++) mark(&b->threads[h->after.at[i]->thread], h->after.at[i]->edge);
        b->threads[k].after.n = 0;
    }
    tt_parallel(tt_threads(), in->host.n_threads, collect_thread, b);
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        item_list *l = &b->threads[k].items;
        for (size_t i = 0; i < l->n; i++) *tt_vec_push(&b->items) = l->at[i];
        tt_vec_free(l);
    }
    collect_works(b);
    tt_sort_runs(b->items.at, b->items.n, sizeof *b->items.at, by_time); /* a run a thread and a stream */
}

static void add_need(replay_build *b, uint32_t by, uint32_t of, int64_t t, bool launch)
{
    span *p = &b->r->spans.at[by];
    *tt_vec_push(&b->r->needs) = (need){t, of};
    if (of != TT_NONE) b->last_use.at[of] = by;
    if (t <= p->since) return;
    p->since = t;
    p->launched = launch;
}

/* An instant of a thread: the span that is there or went before, or the one that begins there. */
static uint32_t span_at(replay_build *b, uint32_t thread, int64_t t)
{
    thread_spans *h = &b->threads[thread];
    size_t lo, hi;
    TT_BISECT_NEAR(lo, hi, h->at.n, h->near, i, b->r->spans.at[h->at.at[i]].t <= t);
    h->near = lo;
    return lo ? h->at.at[lo - 1] : TT_NONE;
}

static void need_thread(replay_build *b, uint32_t by, uint32_t thread, int64_t t, bool launch)
{
    if (t > b->r->t0) add_need(b, by, thread == TT_NONE ? TT_NONE : span_at(b, thread, t), t, launch);
}

/* The span of a work, TT_NONE. */
static uint32_t span_of(const replay_build *b, uint32_t work)
{
    uint32_t of = work == TT_NONE ? TT_NONE : b->span_of_work[work];
    return of != TT_NONE && of >= b->first ? of : TT_NONE;
}

/* The instant of a work; one that the window does not have, or that clocks put after what waited for it, is none. */
static void need_work(replay_build *b, uint32_t by, uint32_t work, int64_t t)
{
    uint32_t of = span_of(b, work);
    if (of != TT_NONE && of < by && t > b->r->t0) add_need(b, by, of, t, false);
}

/* The end of the work before it in its stream; false: it begins the window. */
static bool need_stream(replay_build *b, uint32_t by, uint32_t work)
{
    uint32_t of = span_of(b, work);
    if (of == TT_NONE) return false;
    span *p = &b->r->spans.at[by], *prev = &b->r->spans.at[of];
    bool ended = prev->t + prev->len < p->t;
    add_need(b, by, of, ended ? prev->t + prev->len : p->t, false);
    prev->followed = prev->followed || (prev->t + prev->len <= p->t && !p->cut);
    return true;
}

/* The part of the time from the last thing that it may have waited for to its start in which its launch is on its way;
 * what is left of it is the queue. */
static int64_t on_its_way(const span *p)
{
    int64_t len = p->t - p->since;
    return !p->launched ? 0 : len < TT_LAUNCH_NS ? len : TT_LAUNCH_NS;
}

static void find_unseen(replay_build *b, uint32_t at, uint32_t device)
{
    span *p = &b->r->spans.at[at];
    int64_t from = p->since + on_its_way(p);
    const tt_ivs *unknown = from < p->t ? tt_path_unknown_from(&b->unknown, device, from) : NULL;
    int64_t ns = unknown ? tt_ivs_length_in(unknown, from, p->t) : 0;
    p->unseen = ns > 0;
    if (ns > 0) *tt_vec_push(&b->r->unseen) = ns;
}

static void put_work(replay_build *b, uint32_t at)
{
    span *p = &b->r->spans.at[at];
    uint32_t work = p->of;
    const tt_work *x = &b->in->work->at[work];
    int64_t end = x->end < b->r->t1 ? x->end : b->r->t1;
    p->len = end > p->t ? end - p->t : 0;
    p->cut = x->end > b->r->t1;
    if (x->start <= b->r->t0) { /* it ran when the window began */
        add_need(b, at, TT_NONE, b->r->t0, false);
        return;
    }
    tt_path_before f = tt_path_before_of(b->in, work, x->start, NULL, &b->near);
    p->linked = f.track != TT_NONE;
    if (!need_stream(b, at, f.stream)) add_need(b, at, TT_NONE, b->r->t0, false);
    need_work(b, at, f.event, f.event_t);
    need_work(b, at, f.inferred, f.inferred_t);
    if (f.track == TT_NONE) return;
    need_thread(b, at, b->in->host.of_track[f.track], f.launch_t, true);
    find_unseen(b, at, b->in->work->streams[x->stream].device);
}

/* What the thread waited for before the edge: that before it, and work or another thread. */
static void need_before_edge(replay_build *b, uint32_t at, uint32_t thread, uint32_t edge)
{
    const tt_host_thread *h = &b->in->host.threads[thread];
    const tt_host_edge *e = &h->at.at[edge], *prev = edge ? e - 1 : NULL;
    span *p = &b->r->spans.at[at];
    uint32_t before = prev ? span_at(b, thread, later(prev->t, b->r->t0)) : TT_NONE;
    const span *wait = before == TT_NONE ? NULL : &b->r->spans.at[before];
    p->after_wait = wait && wait->waits && wait->t == later(prev->t, b->r->t0); /* it is no earlier one */
    if (!prev)
        add_need(b, at, TT_NONE, b->r->t0, false);
    else
        add_need(b, at, before, p->after_wait ? wait->t : e->t, false);
    if (prev && !p->after_wait) return;
    if (prev && prev->row != TT_NONE) {
        uint32_t work = waited_for(b, prev, &b->calls);
        int64_t end = b->in->work->at[work].end;
        need_work(b, at, work, end < e->t ? end : e->t);
        return;
    }
    const tt_host_pause *k = handed_over(b, h, edge, &b->pauses);
    if (k) need_thread(b, at, k->thread, k->t, false);
}

/* When the edge is, or the window ends. */
static int64_t edge_time(const replay *r, const tt_host_thread *h, uint32_t edge)
{
    return edge < h->at.n && h->at.at[edge].t < r->t1 ? h->at.at[edge].t : r->t1;
}

static void put_edge(replay_build *b, uint32_t at)
{
    span *p = &b->r->spans.at[at];
    uint32_t thread = p->thread, edge = p->of;
    const tt_host_thread *h = &b->in->host.threads[thread];
    const tt_host_edge *e = &h->at.at[edge];
    p->len = edge_time(b->r, h, p->edges_end) - p->t;
    p->waits = has_bit(b->threads[thread].waits, edge);
    if (e->row != TT_NONE && p->waits) p->category = TT_WAIT_SYNC; /* as on the path */
    if (e->t <= b->r->t0)
        add_need(b, at, TT_NONE, b->r->t0, false);
    else
        need_before_edge(b, at, thread, edge);
}

/* The end of the window: as long after the last of all ends as it was. What something follows has ended before. */
static void put_end(replay_build *b, uint32_t at, const tt_path *path)
{
    const replay *r = b->r;
    r->spans.at[at].category = TT_WAIT_BETWEEN;
    r->spans.at[at].ends_run = true;
    add_need(b, at, TT_NONE, r->t0, false);
    for (uint32_t i = b->first; i < at; i++) {
        const span *p = &r->spans.at[i];
        if (is_work(p->category) && !p->followed && !p->cut) add_need(b, at, i, p->t + p->len, false);
    }
    for (uint32_t k = 0; k < b->in->host.n_threads; k++) {
        const tt_host_thread *h = &b->in->host.threads[k];
        uint32_t i = last_piece_end(h, edges_of(h, r->t0, r->t1));
        if (i) need_thread(b, at, k, h->at.at[i - 1].t, false);
    }
    /* where the path ends inside of a piece, the window does */
    const tt_path_segment *g = &path->at.at[tt_path_at(path, r->t1 - 1)];
    bool in_piece = g->category < TT_WAIT_BETWEEN || (g->category == TT_WAIT_UNKNOWN && g->row != TT_NONE);
    uint32_t thread = in_piece ? b->in->host.of_track[g->track] : TT_NONE;
    uint32_t last = thread == TT_NONE ? TT_NONE : span_at(b, thread, r->t1);
    if (last != TT_NONE) add_need(b, at, last, r->t1, false);
}

/* The edges of the span before it on the thread end there. */
static void begin_edges(replay_build *b, uint32_t at)
{
    span *spans = b->r->spans.at;
    thread_spans *h = &b->threads[spans[at].thread];
    if (h->at.n) spans[h->at.at[h->at.n - 1]].edges_end = spans[at].of;
    spans[at].edges_end = h->end;
    *tt_vec_push(&h->at) = at;
}

/* The spans of the run as the items say, which are given up: there are as many. */
static void begin_spans(replay_build *b)
{
    replay *r = b->r;
    b->first = (uint32_t)r->spans.n;
    for (uint32_t k = 0; k < b->in->host.n_threads; k++) b->threads[k].at.n = b->threads[k].near = 0;
    tt_vec_reserve(&r->spans, b->first + b->items.n + 1);
    tt_vec_reserve(&b->last_use, b->first + b->items.n + 1);
    for (size_t i = 0; i < b->items.n; i++) {
        const item *x = &b->items.at[i];
        uint32_t at = (uint32_t)r->spans.n;
        span *p = tt_vec_push(&r->spans);
        *p = (span){.t = x->t, .since = INT64_MIN, .of = x->at};
        *tt_vec_push(&b->last_use) = 0;
        if (x->what == WORK) {
            p->category = (TT_PATH_COMPUTATION + b->in->work->at[x->at].of_class) & 0xffu;
            b->span_of_work[x->at] = at;
        } else {
            p->category = b->in->host.threads[x->thread].at.at[x->at].cause;
            p->thread = x->thread;
            begin_edges(b, at);
        }
    }
    tt_vec_free(&b->items);
}

static void make_spans(replay_build *b, const tt_path *path)
{
    replay *r = b->r;
    begin_spans(b);
    uint32_t end = (uint32_t)r->spans.n;
    *tt_vec_push(&r->spans) = (span){.t = r->t1, .since = INT64_MIN};
    *tt_vec_push(&b->last_use) = 0;
    for (uint32_t i = b->first; i < end; i++) {
        if (is_work(r->spans.at[i].category))
            put_work(b, i);
        else
            put_edge(b, i);
        r->spans.at[i].needs_end = (uint32_t)r->needs.n;
    }
    put_end(b, end, path);
    r->spans.at[end].needs_end = (uint32_t)r->needs.n;
}

/* A slot is free again behind the last span that needs what is in it. */
static void give_slots(replay_build *b)
{
    replay *r = b->r;
    TT_VEC(uint32_t) unused = {0};
    for (uint32_t i = 0, k = 0; i < r->spans.n; i++) {
        span *p = &r->spans.at[i];
        for (; k < p->needs_end; k++) {
            uint32_t of = r->needs.at[k].of;
            if (of == TT_NONE || b->last_use.at[of] != i) continue;
            *tt_vec_push(&unused) = r->spans.at[of].slot;
            b->last_use.at[of] = 0;
        }
        p->slot = unused.n ? unused.at[--unused.n] : r->n_slots++;
        if (!b->last_use.at[i]) *tt_vec_push(&unused) = p->slot;
    }
    tt_vec_free(&unused);
}

static void make(replay *r, const tt_session *s, uint32_t trace, const tt_path *path)
{
    const tt_path_inputs *in = r->in;
    replay_build b = {.in = in, .r = r};
    shortened any = shortened_by(in, r->changes, r->n_changes);
    b.unknown = tt_path_unknown_begin(s, trace, &path->account);
    b.threads = tt_calloc(in->host.n_threads + (size_t)1, sizeof *b.threads);
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        size_t bits = in->host.threads[k].at.n / 8 + 1;
        b.threads[k].waits = tt_calloc(bits, 1);
        if (any.any_host) b.threads[k].begins = tt_calloc(bits, 1);
    }
    if (any.any_host) mark_launches(&b);
    free_shortened(&any);
    b.span_of_work = tt_malloc((in->work->n + (size_t)1) * sizeof *b.span_of_work);
    for (uint32_t i = 0; i < in->work->n; i++) b.span_of_work[i] = TT_NONE;
    for (size_t i = 0; i < path->runs.n; i++) {
        r->t0 = path->runs.at[i].t0;
        r->t1 = path->runs.at[i].t1;
        collect(&b);
        make_spans(&b, path);
    }
    give_slots(&b);
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        free(b.threads[k].waits);
        free(b.threads[k].begins);
        tt_vec_free(&b.threads[k].after);
        tt_vec_free(&b.threads[k].at);
    }
    free(b.threads);
    free(b.span_of_work);
    tt_vec_free(&b.items);
    tt_vec_free(&b.last_use);
    tt_path_unknown_free(&b.unknown);
}

/* ---- running it ---- */

typedef struct run {
    const replay *r;
    const tt_replay_change *const *change; /* of each lane */
    unsigned lanes;
    shortened shortened;
    const int64_t *unseen; /* of the next span that has such a part */
    int64_t *earlier;      /* by slot and lane: how much earlier the span begins; by lane: how much earlier it ends */
    int64_t removed[LANES];
} run;

#define EACH_LANE(k, x) for (unsigned k = 0; k < (x)->lanes; k++)
#define EACH_LANE_OF(k, mask)                                                                                          \
    for (unsigned k = 0, m_ = (mask); m_; k++, m_ >>= 1)                                                               \
        if (m_ & 1)

static int64_t scaled(int64_t len, uint32_t factor)
{
    if (factor >= TT_REPLAY_WHOLE) return len;
    if (!factor) return 0;
    return len / TT_REPLAY_WHOLE * factor + len % TT_REPLAY_WHOLE * factor / TT_REPLAY_WHOLE;
}

typedef struct part { /* a piece of device work, or of a host thread */
    unsigned category;
    tt_sid name; /* 0 = none */
    uint32_t of; /* work, or the row of the slice; TT_NONE = a pause */
} part;

static part part_of_edge(const run *x, const tt_host_edge *e, unsigned category)
{
    return (part){category, e->row == TT_NONE ? 0 : x->r->in->s->name[e->row], e->row};
}

/* A work, or the first piece of the span. */
static part first_part(const run *x, const span *p)
{
    const tt_path_inputs *in = x->r->in;
    if (is_work(p->category)) return (part){p->category, in->s->name[in->work->at[p->of].row], p->of};
    return part_of_edge(x, &in->host.threads[p->thread].at.at[p->of], p->category);
}

/* What a lane takes away from a length of a part. */
static int64_t taken(const run *x, unsigned lane, const part *p, int64_t len)
{
    const tt_replay_change *c = x->change[lane];
    bool work = is_work(p->category);
    const uint8_t *classes = work ? c->work_class : c->host_class;
    if (!work && is_in_call(x->r->in->s, p->of, c->call)) return len;
    int64_t left = scaled(len, c->factor[p->name && classes ? classes[p->name] : 0]);
    left = scaled(left, c->category[p->category]);
    if (c->n_works && work) left = scaled(left, factor_of_work(c, p->of));
    return len - left;
}

static uint32_t lanes_of(const run *x, const part *p)
{
    bool work = is_work(p->category);
    uint32_t lanes = x->shortened.category[p->category] | (work ? x->shortened.work : x->shortened.host)[p->name];
    if (x->shortened.one_work && work) lanes |= x->shortened.one_work[p->of];
    for (unsigned k = 0; x->shortened.any_call && !work && k < x->lanes; k++)
        if (is_in_call(x->r->in->s, p->of, x->change[k]->call)) lanes |= 1u << k;
    return lanes;
}

/* What is known of the span, by lane. */
static int64_t *result_of(const run *x, const span *p) { return x->earlier + (size_t)p->slot * 2 * x->lanes; }

/* Of a length of the category. */
static void take_category(run *x, unsigned category, int64_t len, int64_t gained[LANES])
{
    EACH_LANE_OF(k, x->shortened.category[category])
    {
        int64_t less = len - scaled(len, x->change[k]->category[category]);
        x->removed[k] += less;
        gained[k] += less;
    }
}

static void take_part(run *x, const part *p, int64_t len, int64_t gained[LANES])
{
    EACH_LANE_OF(k, lanes_of(x, p))
    {
        int64_t less = taken(x, k, p, len);
        x->removed[k] += less;
        gained[k] += less;
    }
}

/* What a thread does in the span. A pause at the end of the window is none that it could go without. */
static void take_edges(run *x, const span *p, int64_t gained[LANES])
{
    const tt_host_thread *h = &x->r->in->host.threads[p->thread];
    const tt_host_edge *e = h->at.at + p->of, *edges_end = h->at.at + p->edges_end;
    int64_t t = p->t, span_end = p->t + p->len, end;
    for (; e < edges_end && t < span_end; e++, t = end) {
        end = e + 1 < h->at.at + h->at.n && e[1].t < span_end ? e[1].t : span_end;
        bool ends = e + 1 < h->at.at + h->at.n && e[1].t == end;
        if (!ends && e->row == TT_NONE) continue;
        if (x->shortened.by_slice) {
            part own = part_of_edge(x, e, e->cause);
            take_part(x, &own, end - t, gained);
        } else {
            take_category(x, e->cause, end - t, gained);
        }
    }
}

/* At most what the instant, so long before the latest one, gained. */
static void take_instant(run *x, const need *n, int64_t before, int64_t earlier[LANES])
{
    if (n->of == TT_NONE) {
        EACH_LANE(k, x) earlier[k] = before < earlier[k] ? before : earlier[k];
        return;
    }
    const span *p = &x->r->spans.at[n->of];
    const int64_t *gained = result_of(x, p);
    int64_t sum[LANES], within = n->t - p->t;
    if (within >= p->len) {
        gained += x->lanes; /* at its end */
    } else if (within && !p->waits) {
        part first = first_part(x, p);
        uint32_t lanes = first.of == TT_NONE ? 0 : lanes_of(x, &first); /* no instant of a pause is nearer */
        memcpy(sum, gained, x->lanes * sizeof *sum);
        EACH_LANE_OF(k, lanes) sum[k] += taken(x, k, &first, within);
        gained = sum;
    }
    EACH_LANE(k, x)
    {
        int64_t at = gained[k] + before;
        earlier[k] = at < earlier[k] ? at : earlier[k];
    }
}

/* What passed between the last thing that the span may have waited for and its start. */
static void shorten_delay(run *x, const span *p, const need *first, int64_t earlier[LANES])
{
    int64_t len = p->t - p->since, launch = on_its_way(p), unseen = p->unseen ? *x->unseen++ : 0;
    if (p->after_wait) {
        part wait = first_part(x, &x->r->spans.at[first->of]);
        take_part(x, &wait, len, earlier);
    } else if (!is_work(p->category)) {
        take_category(x, TT_WAIT_BETWEEN, len, earlier);
    } else if (!p->linked) {
        take_category(x, TT_WAIT_UNKNOWN, len, earlier);
    } else {
        take_category(x, TT_WAIT_LAUNCH, launch, earlier);
        take_category(x, TT_WAIT_QUEUE, len - launch - unseen, earlier);
        if (unseen) take_category(x, TT_WAIT_UNKNOWN, unseen, earlier);
    }
}

static void run_span(run *x, const span *p, const need *needs, const need *needs_end)
{
    int64_t earlier[LANES];
    EACH_LANE(k, x) earlier[k] = INT64_MAX;
    for (const need *n = needs; n < needs_end; n++) take_instant(x, n, p->since - n->t, earlier);
    if (p->since < p->t) shorten_delay(x, p, needs, earlier);
    memcpy(result_of(x, p), earlier, x->lanes * sizeof *earlier);
    if (is_work(p->category)) {
        part work = first_part(x, p);
        take_part(x, &work, p->len, earlier);
    } else if (x->shortened.any_host && !p->waits && !p->ends_run) {
        take_edges(x, p, earlier);
    }
    memcpy(result_of(x, p) + x->lanes, earlier, x->lanes * sizeof *earlier);
}

static void run_lanes(void *arg, size_t task)
{
    const replay *r = arg;
    size_t first = r->n_changes * task / r->n_tasks, end = r->n_changes * (task + 1) / r->n_tasks;
    run x = {.r = r, .change = r->changes + first, .lanes = (unsigned)(end - first)};
    x.shortened = shortened_by(r->in, x.change, x.lanes);
    x.earlier = tt_malloc((size_t)r->n_slots * 2 * x.lanes * sizeof *x.earlier);
    x.unseen = r->unseen.at;
    int64_t saved[LANES] = {0};
    const need *needs = r->needs.at;
    for (const span *p = r->spans.at; p < r->spans.at + r->spans.n; p++) {
        run_span(&x, p, needs, r->needs.at + p->needs_end);
        needs = r->needs.at + p->needs_end;
        for (unsigned k = 0; p->ends_run && k < x.lanes; k++) saved[k] += result_of(&x, p)[k];
    }
    EACH_LANE(k, &x) r->out[first + k] = (tt_replay_result){saved[k], x.removed[k]};
    free(x.earlier);
    free_shortened(&x.shortened);
}

tt_replay_change tt_replay_change_none(void)
{
    tt_replay_change c = {.call = TT_NONE};
    for (int i = 0; i < TT_REPLAY_CLASSES; i++) c.factor[i] = TT_REPLAY_WHOLE;
    for (int i = 0; i < TT_PATH_COUNT_; i++) c.category[i] = TT_REPLAY_WHOLE;
    return c;
}

void tt_replay_run(const tt_session *s, uint32_t trace, const tt_path *path, const tt_replay_change *const *changes,
                   size_t n, tt_replay_result *out)
{
    replay r = {.changes = changes, .out = out, .n_changes = n};
    unsigned threads = tt_threads();
    if (!n) return;
    memset(out, 0, n * sizeof *out);
    if (!path->runs.n) return;
    r.in = tt_path_inputs_get(s, trace);
    make(&r, s, trace, path);
    r.n_tasks = n < threads ? n : threads;
    if (r.n_tasks < (n + LANES - 1) / LANES) r.n_tasks = (n + LANES - 1) / LANES;
    tt_parallel(threads, r.n_tasks, run_lanes, &r);
    tt_vec_free(&r.spans);
    tt_vec_free(&r.needs);
    tt_vec_free(&r.unseen);
}

static void mark_names(const tt_path_inputs *in, const tt_path_run *in_run, uint8_t *names)
{
    const tt_trace *s = in->s;
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        edge_range range = edges_of(&in->host.threads[k], in_run->t0, in_run->t1);
        for (uint32_t i = range.first; i < range.end; i++) {
            tt_row row = in->host.threads[k].at.at[i].row;
            if (row != TT_NONE) names[s->name[row]] = 1;
        }
    }
    for (uint32_t k = 0; k < in->work->n_streams; k++) {
        tt_path_works of = tt_path_works_in(in, &in->work->streams[k], in_run->t0, in_run->t1);
        for (uint32_t i = of.first; i < of.end; i++)
            if (work_in_window(&in->work->at[i], in_run->t0, in_run->t1)) names[s->name[in->work->at[i].row]] = 1;
    }
}

uint8_t *tt_replay_names(const tt_path_inputs *in, const tt_path *path)
{
    uint8_t *names = tt_calloc(in->s->strings.text.n, 1);
    for (size_t i = 0; i < path->runs.n; i++) mark_names(in, &path->runs.at[i], names);
    return names;
}
