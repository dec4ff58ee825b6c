/* model/tables/path/replay_list.c - see replay_list.h. */
#include "model/tables/path/replay_list.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/tables/path/path_unknown.h"

typedef struct item { /* a slice or an edge that is being sorted */
    int64_t t;
    uint32_t what : 2;    /* at equal times, ends come before beginnings */
    uint32_t thread : 30; /* thread of an edge */
    uint32_t at;          /* edge of the thread, or work */
} item;
enum { PAUSE, PIECE, WORK };
typedef TT_VEC(item) item_list;

typedef struct thread_spans { /* spans of a host thread */
    uint8_t *waits;           /* bit set per edge: the part after the piece or pause also waits for something else */
    uint8_t *begins;          /* bit set per edge: something waits for an instant of the piece or pause */
    TT_VEC(const tt_host_pause *) after; /* pauses of other threads after which a pause of this thread ends */
    uint32_t marked;                     /* last edge that was marked */
    uint32_t end;                        /* end of its edges in this run */
    item_list items;
    TT_VEC(uint32_t) at; /* spans of this run, by time */
    size_t near;         /* index into at[] of the last search */
} thread_spans;

typedef struct replay_build {
    const tt_path_inputs *in;
    tt_replay_list *list;
    int64_t t0, t1; /* window of the run that is being made */
    tt_path_unknown unknown;
    item_list items;
    uint32_t first; /* first span of the run */
    thread_spans *threads;
    uint32_t *span_of_work;    /* TT_NONE, or a span before `first`: the work is not in the window */
    TT_VEC(uint32_t) last_use; /* per span the last span that needs it; 0 = none */
    tt_path_near near;
    size_t calls, pauses; /* where the last search among calls that waited, and among pauses, ended */
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

/* Edges of a thread in the window, from the edge of the piece or pause in which the window begins. */
static edge_range edges_of(const tt_host_thread *h, int64_t t0, int64_t t1)
{
    uint32_t first = tt_host_edge_before(h, t0 + 1), last = tt_host_edge_before(h, t1 + 1);
    return (edge_range){first == TT_NONE ? 0 : first, last + 1}; /* TT_NONE + 1 is 0 */
}

static bool work_in_window(const tt_work *x, int64_t t0, int64_t t1)
{
    return x->start < t1 && x->end >= t0 && (x->end != t0 || x->start >= t0);
}

/* Work that the call waited for in the piece that begins at the edge and ends in the window; TT_NONE. */
static uint32_t waited_for(const replay_build *b, const tt_host_edge *e, size_t *near)
{
    if (e->cause != TT_WAIT_SYNC && e->cause != TT_WAIT_RUNTIME) return TT_NONE; /* the piece is no call */
    uint32_t work = tt_call_waited_for(&b->in->waits, e->row, near);
    const tt_work *w = work == TT_NONE ? NULL : &b->in->work->at[work];
    return !w || w->start >= e[1].t || w->end <= b->in->s->start[e->row] || e[1].t > b->t1 ? TT_NONE : work;
}

/* The pause of another thread that ended before this thread went on, at the edge after a pause or at its first edge;
 * NULL. */
static const tt_host_pause *handed_over(const replay_build *b, const tt_host_thread *h, uint32_t edge, size_t *near)
{
    const tt_host_edge *e = &h->at.at[edge];
    return tt_host_finished_last(&b->in->host, h->track, edge ? e[-1].t : b->t0, e->t, near);
}

/* Index behind the last edge of the range where a piece ends; 0 = no piece ends. */
static uint32_t last_piece_end(const tt_host_thread *h, edge_range range)
{
    uint32_t i = range.end;
    while (i > range.first + 1 && h->at.at[i - 2].row == TT_NONE) i--;
    return i > range.first + 1 ? i : 0;
}

static bool has_bit(const uint8_t *bits, uint32_t i) { return bits[i / 8] >> i % 8 & 1; }
static void set_bit(uint8_t *bits, uint32_t i) { bits[i / 8] |= (uint8_t)(1u << i % 8); }

static void mark(thread_spans *h, uint32_t edge)
{
    if (edge != TT_NONE) set_bit(h->begins, edge);
}

/* Mark the instants that work may wait for: the returns of its launches. */
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

/* Mark the pieces and pauses of a thread behind which it waits for something else, too. */
static void look_at_thread(void *arg, size_t thread)
{
    replay_build *b = arg;
    thread_spans *own = &b->threads[thread];
    const tt_host_thread *h = &b->in->host.threads[thread];
    edge_range range = edges_of(h, b->t0, b->t1);
    size_t call = 0, pause = 0;
    for (uint32_t i = range.first; i < range.end; i++) {
        const tt_host_edge *e = &h->at.at[i];
        const tt_host_pause *after = NULL;
        if (!i && e->t > b->t0 && (after = handed_over(b, h, 0, &pause))) *tt_vec_push(&own->after) = after;
        if (e->row != TT_NONE) {
            if (waited_for(b, e, &call) != TT_NONE) set_bit(own->waits, i);
        } else if (i + 1 < h->at.n && e[1].t <= b->t1 && (after = handed_over(b, h, i + 1, &pause))) {
            *tt_vec_push(&own->after) = after;
            set_bit(own->waits, i);
        }
    }
}

/* Collect the edges of a thread that begin a span. */
static void collect_thread(void *arg, size_t thread)
{
    replay_build *b = arg;
    thread_spans *own = &b->threads[thread];
    const tt_host_thread *h = &b->in->host.threads[thread];
    edge_range range = edges_of(h, b->t0, b->t1);
    own->end = range.end;
    bool after_wait = true; /* the first edge begins a span */
    uint32_t ends = last_piece_end(h, range);
    if (ends) mark(own, ends - 1);
    if (range.end > range.first) mark(own, range.end - 1);
    for (uint32_t i = range.first; i < range.end; i++) {
        const tt_host_edge *e = &h->at.at[i];
        bool waits = has_bit(own->waits, i);
        if (waits || after_wait || has_bit(own->begins, i))
            *tt_vec_push(&own->items) = (item){.t = later(e->t, b->t0),
                                               .what = e->row == TT_NONE ? PAUSE : PIECE,
                                               .thread = thread & 0x3fffffffu,
                                               .at = i};
        after_wait = waits;
    }
}

static void collect_works(replay_build *b)
{
    const tt_path_inputs *in = b->in;
    for (uint32_t k = 0; k < in->work->n_streams; k++) {
        tt_path_works of = tt_path_works_in(in, &in->work->streams[k], b->t0, b->t1);
        for (uint32_t i = of.first; i < of.end; i++) {
            const tt_work *x = &in->work->at[i];
            if (work_in_window(x, b->t0, b->t1))
                *tt_vec_push(&b->items) = (item){.t = later(x->start, b->t0), .what = WORK, .at = i};
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
    tt_sort_runs(b->items.at, b->items.n, sizeof *b->items.at, by_time); /* one sorted run per thread and stream */
}

static void add_need(replay_build *b, uint32_t by, uint32_t of, int64_t t, bool launch)
{
    tt_replay_span *p = &b->list->spans.at[by];
    *tt_vec_push(&b->list->needs) = (tt_replay_need){t, of};
    if (of != TT_NONE) b->last_use.at[of] = by;
    if (t <= p->since) return;
    p->since = t;
    p->launched = launch;
}

/* The span of a thread at an instant: it contains the instant, ends before it, or begins there. */
static uint32_t span_at(replay_build *b, uint32_t thread, int64_t t)
{
    thread_spans *h = &b->threads[thread];
    size_t lo, hi;
    TT_BISECT_NEAR(lo, hi, h->at.n, h->near, i, b->list->spans.at[h->at.at[i]].t <= t);
    h->near = lo;
    return lo ? h->at.at[lo - 1] : TT_NONE;
}

static void need_thread(replay_build *b, uint32_t by, uint32_t thread, int64_t t, bool launch)
{
    if (t > b->t0) add_need(b, by, thread == TT_NONE ? TT_NONE : span_at(b, thread, t), t, launch);
}

/* Span of device work; TT_NONE = none. */
static uint32_t span_of(const replay_build *b, uint32_t work)
{
    uint32_t of = work == TT_NONE ? TT_NONE : b->span_of_work[work];
    return of != TT_NONE && of >= b->first ? of : TT_NONE;
}

/* Add a dependency on an instant of device work. An instant outside the window, or after the waiting part by the
 * clocks, does not move. */
static void need_work(replay_build *b, uint32_t by, uint32_t work, int64_t t)
{
    uint32_t of = span_of(b, work);
    if (of != TT_NONE && of < by && t > b->t0) add_need(b, by, of, t, false);
}

/* Add a need for the end of the work before it in its stream; false: that work began the window. */
static bool need_stream(replay_build *b, uint32_t by, uint32_t work)
{
    uint32_t of = span_of(b, work);
    if (of == TT_NONE) return false;
    tt_replay_span *p = &b->list->spans.at[by], *prev = &b->list->spans.at[of];
    bool ended = prev->t + prev->len < p->t;
    add_need(b, by, of, ended ? prev->t + prev->len : p->t, false);
    prev->followed = prev->followed || (prev->t + prev->len <= p->t && !p->cut);
    return true;
}

static void find_unseen(replay_build *b, uint32_t at, uint32_t device)
{
    tt_replay_span *p = &b->list->spans.at[at];
    int64_t from = p->since + tt_replay_on_its_way(p);
    const tt_ivs *unknown = from < p->t ? tt_path_unknown_from(&b->unknown, device, from) : NULL;
    int64_t ns = unknown ? tt_ivs_length_in(unknown, from, p->t) : 0;
    p->unseen = ns > 0;
    if (ns > 0) *tt_vec_push(&b->list->unseen) = ns;
}

static void put_work(replay_build *b, uint32_t at)
{
    tt_replay_span *p = &b->list->spans.at[at];
    uint32_t work = p->of;
    const tt_work *x = &b->in->work->at[work];
    int64_t end = x->end < b->t1 ? x->end : b->t1;
    p->len = end > p->t ? end - p->t : 0;
    p->cut = x->end > b->t1;
    if (x->start <= b->t0) { /* the work ran when the window began */
        add_need(b, at, TT_NONE, b->t0, false);
        return;
    }
    tt_path_before f = tt_path_before_of(b->in, work, x->start, NULL, &b->near);
    p->linked = f.track != TT_NONE;
    if (!need_stream(b, at, f.stream)) add_need(b, at, TT_NONE, b->t0, false);
    need_work(b, at, f.event, f.event_t);
    need_work(b, at, f.inferred, f.inferred_t);
    if (f.track == TT_NONE) return;
    need_thread(b, at, b->in->host.of_track[f.track], f.launch_t, true);
    find_unseen(b, at, b->in->work->streams[x->stream].device);
}

/* Add the dependencies of the thread before the edge: the edge before it, and device work or another thread. */
static void need_before_edge(replay_build *b, uint32_t at, uint32_t thread, uint32_t edge)
{
    const tt_host_thread *h = &b->in->host.threads[thread];
    const tt_host_edge *e = &h->at.at[edge], *prev = edge ? e - 1 : NULL;
    tt_replay_span *p = &b->list->spans.at[at];
    uint32_t before = prev ? span_at(b, thread, later(prev->t, b->t0)) : TT_NONE;
    const tt_replay_span *wait = before == TT_NONE ? NULL : &b->list->spans.at[before];
    p->after_wait = wait && wait->waits && wait->t == later(prev->t, b->t0); /* the pause is not an earlier one */
    if (!prev)
        add_need(b, at, TT_NONE, b->t0, false);
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

/* Time of the edge; at most the end of the window. */
static int64_t edge_time(const replay_build *b, const tt_host_thread *h, uint32_t edge)
{
    return edge < h->at.n && h->at.at[edge].t < b->t1 ? h->at.at[edge].t : b->t1;
}

static void put_edge(replay_build *b, uint32_t at)
{
    tt_replay_span *p = &b->list->spans.at[at];
    uint32_t thread = p->thread, edge = p->of;
    const tt_host_thread *h = &b->in->host.threads[thread];
    const tt_host_edge *e = &h->at.at[edge];
    p->len = edge_time(b, h, p->edges_end) - p->t;
    p->waits = has_bit(b->threads[thread].waits, edge);
    if (e->row != TT_NONE && p->waits) p->category = TT_WAIT_SYNC; /* as on the critical path */
    if (e->t <= b->t0)
        add_need(b, at, TT_NONE, b->t0, false);
    else
        need_before_edge(b, at, thread, edge);
}

/* Add the end of the window: as long after the last end as it was. Work that something follows ended before. */
static void put_end(replay_build *b, uint32_t at, const tt_path *path)
{
    tt_replay_span *spans = b->list->spans.at;
    spans[at].category = TT_WAIT_BETWEEN;
    spans[at].ends_run = true;
    add_need(b, at, TT_NONE, b->t0, false);
    for (uint32_t i = b->first; i < at; i++) {
        const tt_replay_span *p = &spans[i];
        if (tt_replay_is_work(p->category) && !p->followed && !p->cut) add_need(b, at, i, p->t + p->len, false);
    }
    for (uint32_t k = 0; k < b->in->host.n_threads; k++) {
        const tt_host_thread *h = &b->in->host.threads[k];
        uint32_t i = last_piece_end(h, edges_of(h, b->t0, b->t1));
        if (i) need_thread(b, at, k, h->at.at[i - 1].t, false);
    }
    /* where the path ends inside a piece, so does the window */
    const tt_path_segment *g = &path->at.at[tt_path_at(path, b->t1 - 1)];
    bool in_piece = g->category < TT_WAIT_BETWEEN || (g->category == TT_WAIT_UNKNOWN && g->row != TT_NONE);
    uint32_t thread = in_piece ? b->in->host.of_track[g->track] : TT_NONE;
    uint32_t last = thread == TT_NONE ? TT_NONE : span_at(b, thread, b->t1);
    if (last != TT_NONE) add_need(b, at, last, b->t1, false);
}

/* The edges of the thread's previous span end where this one begins. */
static void begin_edges(replay_build *b, uint32_t at)
{
    tt_replay_span *spans = b->list->spans.at;
    thread_spans *h = &b->threads[spans[at].thread];
    if (h->at.n) spans[h->at.at[h->at.n - 1]].edges_end = spans[at].of;
    spans[at].edges_end = h->end;
    *tt_vec_push(&h->at) = at;
}

/* Make the spans of the run from the items, which are given up; there are as many. */
static void begin_spans(replay_build *b)
{
    tt_replay_list *list = b->list;
    b->first = (uint32_t)list->spans.n;
    for (uint32_t k = 0; k < b->in->host.n_threads; k++) b->threads[k].at.n = b->threads[k].near = 0;
    tt_vec_reserve(&list->spans, b->first + b->items.n + 1);
    tt_vec_reserve(&b->last_use, b->first + b->items.n + 1);
    for (size_t i = 0; i < b->items.n; i++) {
        const item *x = &b->items.at[i];
        uint32_t at = (uint32_t)list->spans.n;
        tt_replay_span *p = tt_vec_push(&list->spans);
        *p = (tt_replay_span){.t = x->t, .since = INT64_MIN, .of = x->at};
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
    tt_replay_list *list = b->list;
    begin_spans(b);
    uint32_t end = (uint32_t)list->spans.n;
    *tt_vec_push(&list->spans) = (tt_replay_span){.t = b->t1, .since = INT64_MIN};
    *tt_vec_push(&b->last_use) = 0;
    for (uint32_t i = b->first; i < end; i++) {
        if (tt_replay_is_work(list->spans.at[i].category))
            put_work(b, i);
        else
            put_edge(b, i);
        list->spans.at[i].needs_end = (uint32_t)list->needs.n;
    }
    put_end(b, end, path);
    list->spans.at[end].needs_end = (uint32_t)list->needs.n;
}

/* Give result slots: a slot is free again behind the last span that needs it. */
static void give_slots(replay_build *b)
{
    tt_replay_list *list = b->list;
    TT_VEC(uint32_t) unused = {0};
    for (uint32_t i = 0, k = 0; i < list->spans.n; i++) {
        tt_replay_span *p = &list->spans.at[i];
        for (; k < p->needs_end; k++) {
            uint32_t of = list->needs.at[k].of;
            if (of == TT_NONE || b->last_use.at[of] != i) continue;
            *tt_vec_push(&unused) = list->spans.at[of].slot;
            b->last_use.at[of] = 0;
        }
        p->slot = unused.n ? unused.at[--unused.n] : list->n_slots++;
        if (!b->last_use.at[i]) *tt_vec_push(&unused) = p->slot;
    }
    tt_vec_free(&unused);
}

tt_replay_list *tt_replay_list_make(const tt_session *s, uint32_t trace, const tt_path *path)
{
    tt_replay_list *list = tt_calloc(1, sizeof *list);
    const tt_path_inputs *in = list->in = tt_path_inputs_get(s, trace);
    replay_build b = {.in = in, .list = list};
    b.unknown = tt_path_unknown_begin(s, trace, &path->account);
    b.threads = tt_calloc(in->host.n_threads + (size_t)1, sizeof *b.threads);
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        size_t bits = in->host.threads[k].at.n / 8 + 1;
        b.threads[k].waits = tt_calloc(bits, 1);
        b.threads[k].begins = tt_calloc(bits, 1);
    }
    mark_launches(&b);
    b.span_of_work = tt_malloc((in->work->n + (size_t)1) * sizeof *b.span_of_work);
    for (uint32_t i = 0; i < in->work->n; i++) b.span_of_work[i] = TT_NONE;
    for (size_t i = 0; i < path->runs.n; i++) {
        b.t0 = path->runs.at[i].t0;
        b.t1 = path->runs.at[i].t1;
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
    return list;
}

void tt_replay_list_free(tt_replay_list *list)
{
    if (!list) return;
    tt_vec_free(&list->spans);
    tt_vec_free(&list->needs);
    tt_vec_free(&list->unseen);
    free(list);
}

/* ---- names ---- */

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
