/* model/tables/path/replay.c - a window as a list of spans in the order of time, each with what it waits for, which
 * lies before it in the list: device work, and the pieces and pauses of host threads. The list is made once; a replay
 * is one pass over it. */
#include "model/tables/path/replay.h"

#include <stdlib.h>

#include "model/base/sort.h"

typedef struct span {
    int64_t t, len;   /* in the window */
    uint32_t prev;    /* of a work the one before it in its stream; else the span of the thread that ends where this
                         one starts; TT_NONE: nothing but the beginning of the window */
    uint32_t name;    /* 0 = a pause */
    uint8_t category; /* tt_path_category */
    bool known;       /* of a work: something is known that it may have waited for */
    bool waits;       /* a pause, or the piece of a call that waited: only what follows that is its own */
    bool cut;         /* a work that goes on after the window */
} span;

typedef struct need { /* what a span waits for beside prev */
    uint32_t by;      /* the span */
    uint32_t of;      /* an instant of this span; TT_NONE: one that does not move */
    int64_t t;        /* the instant */
    bool launch;      /* the call that launched it */
} need;

struct tt_replay {
    const tt_trace *s;
    int64_t t0, t1;
    TT_VEC(span) spans; /* by time */
    TT_VEC(need) needs; /* by span */
    uint8_t *names;     /* made when asked for */
    uint32_t last;      /* the span that goes on where the window ends; TT_NONE: all that counts had ended */
};

/* ---- making it ---- */

typedef struct item { /* a work or an edge on its way into the order */
    int64_t t;
    uint32_t what : 2;    /* among equal times what ends before what begins: */
    uint32_t thread : 30; /* of an edge */
    uint32_t at;          /* edge of the thread; work */
} item;
enum { PAUSE, PIECE, WORK };

typedef struct replay_build {
    const tt_path_inputs *in;
    tt_replay *r;
    TT_VEC(item) items;
    uint32_t *edge_base;                   /* by thread: its first edge among those of all threads */
    uint32_t *span_of_edge, *span_of_work; /* TT_NONE: not in the window */
    uint32_t *near;                        /* by thread: the edge that was looked for last */
} replay_build;

static int by_time(const void *a, const void *b)
{
    const item *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    if (x->what != y->what) return x->what < y->what ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void collect(replay_build *b)
{
    const tt_path_inputs *in = b->in;
    const tt_replay *r = b->r;
    for (uint32_t k = 0; k < in->host.n_threads; k++) {
        const tt_host_thread *h = &in->host.threads[k];
        uint32_t i = tt_host_edge_before(h, r->t0 + 1);
        for (i = i == TT_NONE ? 0 : i; i < h->at.n && h->at.at[i].t < r->t1 + 1; i++)
            *tt_vec_push(&b->items) = (item){.t = h->at.at[i].t > r->t0 ? h->at.at[i].t : r->t0,
                                             .what = h->at.at[i].row == TT_NONE ? PAUSE : PIECE,
                                             .thread = k & 0x3fffffffu,
                                             .at = i};
    }
    for (uint32_t i = 0; i < in->work->n; i++) {
        const tt_work *x = &in->work->at[i];
        if (x->start >= r->t1 || x->end < r->t0 || (x->end == r->t0 && x->start < r->t0)) continue;
        *tt_vec_push(&b->items) = (item){.t = x->start > r->t0 ? x->start : r->t0, .what = WORK, .at = i};
    }
    tt_sort_runs(b->items.at, b->items.n, sizeof *b->items.at, by_time); /* a run a thread and a stream */
}

static void add_need(replay_build *b, uint32_t by, uint32_t of, int64_t t, bool launch)
{
    if (t > b->r->t0) *tt_vec_push(&b->r->needs) = (need){by, of, t, launch};
}

/* An instant of a thread: the span that is there, or the one that begins there. */
static uint32_t span_at(replay_build *b, uint32_t thread, int64_t t)
{
    const tt_host_thread *h = &b->in->host.threads[thread];
    uint32_t i = b->near[thread] = tt_host_edge_near(h, t, b->near[thread]);
    if (i == TT_NONE) return h->at.at[0].t == t ? b->span_of_edge[b->edge_base[thread]] : TT_NONE;
    if (i + 1 < h->at.n && h->at.at[i + 1].t == t) i++;
    return b->span_of_edge[b->edge_base[thread] + i];
}

/* The instant of a work; one that the window does not have, or that clocks put after what waited for it, is none. */
static void need_work(replay_build *b, uint32_t by, uint32_t work, int64_t t)
{
    uint32_t of = b->span_of_work[work];
    if (of != TT_NONE && of < by) add_need(b, by, of, t, false);
}

static void put_work(replay_build *b, uint32_t at, uint32_t work)
{
    const tt_work *x = &b->in->work->at[work];
    span *p = &b->r->spans.at[at];
    int64_t end = x->end < b->r->t1 ? x->end : b->r->t1;
    p->len = end > p->t ? end - p->t : 0;
    p->cut = x->end > b->r->t1;
    p->name = b->in->s->name[x->row];
    p->category = (TT_PATH_COMPUTATION + x->of_class) & 0xffu;
    if (x->start <= b->r->t0) return; /* it ran when the window began */
    tt_path_before f = tt_path_before_of(b->in, work, x->start, NULL);
    p->known = f.stream != TT_NONE || f.event != TT_NONE || f.track != TT_NONE;
    if (f.stream != TT_NONE) p->prev = b->span_of_work[f.stream];
    if (f.event != TT_NONE) need_work(b, at, f.event, f.event_t);
    if (f.inferred != TT_NONE) need_work(b, at, f.inferred, f.inferred_t);
    if (f.track == TT_NONE) return;
    uint32_t thread = b->in->host.of_track[f.track];
    add_need(b, at, thread == TT_NONE ? TT_NONE : span_at(b, thread, f.launch_t), f.launch_t, true);
}

/* What the piece before the edge waited for, or what went on before the thread did. */
static void put_edge(replay_build *b, uint32_t at, uint32_t thread, uint32_t edge)
{
    const tt_path_inputs *in = b->in;
    const tt_host_thread *h = &in->host.threads[thread];
    const tt_host_edge *e = &h->at.at[edge], *prev = edge ? e - 1 : NULL;
    int64_t end = edge + 1 < h->at.n && e[1].t < b->r->t1 ? e[1].t : b->r->t1;
    span *p = &b->r->spans.at[at];
    p->len = end - p->t;
    p->name = e->row == TT_NONE ? 0 : in->s->name[e->row];
    p->category = e->cause;
    p->waits = e->row == TT_NONE;
    if (e->t <= b->r->t0) return;
    if (prev) p->prev = b->span_of_edge[b->edge_base[thread] + edge - 1];
    if (prev && prev->row != TT_NONE) {
        uint32_t work =
            tt_kind_is_launch(tt_row_kind(in->s, prev->row)) ? tt_call_waited_for(&in->waits, prev->row) : TT_NONE;
        const tt_work *w = work == TT_NONE ? NULL : &in->work->at[work];
        if (!w || w->start >= e->t || w->end <= in->s->start[prev->row]) return;
        need_work(b, at, work, w->end < e->t ? w->end : e->t);
        b->r->spans.at[p->prev].waits = true;
        b->r->spans.at[p->prev].category = TT_WAIT_SYNC; /* as on the path */
        return;
    }
    size_t hint = in->host.pauses.n;
    const tt_host_pause *k = tt_host_finished_last(&in->host, h->track, prev ? prev->t : b->r->t0, e->t, &hint);
    if (k) add_need(b, at, b->span_of_edge[b->edge_base[k->thread] + k->edge], k->t, false);
}

static void make_spans(replay_build *b)
{
    tt_replay *r = b->r;
    tt_vec_reserve(&r->spans, b->items.n);
    for (uint32_t i = 0; i < b->items.n; i++) {
        const item *x = &b->items.at[i];
        *tt_vec_push(&r->spans) = (span){.t = x->t, .prev = TT_NONE};
        if (x->what == WORK)
            b->span_of_work[x->at] = i;
        else
            b->span_of_edge[b->edge_base[x->thread] + x->at] = i;
    }
    for (uint32_t i = 0; i < b->items.n; i++) {
        const item *x = &b->items.at[i];
        if (x->what == WORK)
            put_work(b, i, x->at);
        else
            put_edge(b, i, x->thread, x->at);
    }
}

/* The path ends inside of a piece: so does the window. */
static void find_last(replay_build *b, const tt_path *path)
{
    const tt_path_segment *g = path->at.n ? &path->at.at[path->at.n - 1] : NULL;
    uint32_t thread = g && g->category < TT_WAIT_BETWEEN ? b->in->host.of_track[g->track] : TT_NONE;
    b->r->last = thread == TT_NONE ? TT_NONE : span_at(b, thread, path->t1);
}

static uint32_t *none(size_t n)
{
    uint32_t *at = tt_malloc((n + 1) * sizeof *at);
    for (size_t i = 0; i <= n; i++) at[i] = TT_NONE;
    return at;
}

tt_replay *tt_replay_make(const tt_path_inputs *in, const tt_path *path)
{
    tt_replay *r = tt_calloc(1, sizeof *r);
    replay_build b = {.in = in, .r = r};
    r->s = in->s;
    r->t0 = path->t0;
    r->t1 = path->t1;
    b.edge_base = tt_calloc(in->host.n_threads + (size_t)1, sizeof *b.edge_base);
    b.near = tt_calloc(in->host.n_threads + (size_t)1, sizeof *b.near);
    for (uint32_t k = 0; k < in->host.n_threads; k++)
        b.edge_base[k + 1] = b.edge_base[k] + (uint32_t)in->host.threads[k].at.n;
    b.span_of_edge = none(b.edge_base[in->host.n_threads]);
    b.span_of_work = none(in->work->n);
    collect(&b);
    make_spans(&b);
    find_last(&b, path);
    tt_vec_free(&b.items);
    free(b.edge_base);
    free(b.near);
    free(b.span_of_edge);
    free(b.span_of_work);
    return r;
}

void tt_replay_free(tt_replay *r)
{
    if (!r) return;
    tt_vec_free(&r->spans);
    tt_vec_free(&r->needs);
    free(r->names);
    free(r);
}

const uint8_t *tt_replay_names(tt_replay *r)
{
    if (r->names) return r->names;
    r->names = tt_calloc(r->s->strings.text.n, 1);
    for (size_t i = 0; i < r->spans.n; i++) r->names[r->spans.at[i].name] = 1;
    return r->names;
}

/* ---- running it ---- */

/* What a span waits for is the same in every replay, so several run side by side, a lane each. Most spans keep their
 * length in all of them: what does not is `hot`. */
enum { LANES = TT_REPLAY_LANES };

typedef struct run {
    const tt_replay *r;
    const tt_replay_change *change[LANES];
    uint8_t *hot_work, *hot_host; /* by tt_sid: a lane changes what has the name */
    bool hot_category[TT_PATH_COUNT_];
    int64_t (*now)[LANES]; /* by span: its new start */
    int64_t removed[LANES];
    int64_t since, end[LANES]; /* the last of all ends so far: when it was, when it is */
} run;

#define EACH_LANE(k) for (unsigned k = 0; k < LANES; k++)

static int64_t scaled(int64_t len, uint32_t factor)
{
    if (factor >= TT_REPLAY_WHOLE) return len;
    return len / TT_REPLAY_WHOLE * factor + len % TT_REPLAY_WHOLE * factor / TT_REPLAY_WHOLE;
}

static bool is_hot(const run *x, const span *p)
{
    const uint8_t *names = p->category >= TT_WAIT_COUNT_ ? x->hot_work : x->hot_host;
    return x->hot_category[p->category] || names[p->name];
}

/* Of a length within a span. */
static int64_t length_now(const run *x, unsigned lane, const span *p, int64_t len)
{
    const tt_replay_change *c = x->change[lane];
    const uint8_t *classes = p->category >= TT_WAIT_COUNT_ ? c->work_class : c->host_class;
    return scaled(scaled(len, c->factor[p->name ? classes[p->name] : 0]), c->category[p->category]);
}

/* A length within a span is taken away where it is not what it was. */
static void remove_length(run *x, const span *p, int64_t len)
{
    if (!is_hot(x, p)) return;
    EACH_LANE(k) x->removed[k] += len - length_now(x, k, p, len);
}

static void add_length(const run *x, const span *p, int64_t len, int64_t now[LANES])
{
    if (is_hot(x, p)) {
        EACH_LANE(k) now[k] += length_now(x, k, p, len);
    } else {
        EACH_LANE(k) now[k] += len;
    }
}

static void add_wait(run *x, int64_t len, tt_wait_cause cause, int64_t now[LANES])
{
    EACH_LANE(k)
    {
        int64_t wait = x->hot_category[cause] ? scaled(len, x->change[k]->category[cause]) : len;
        x->removed[k] += len - wait;
        now[k] += wait;
    }
}

/* The latest of *now and the new time of an instant of a span, or of one that does not move. */
static void put_instant(const run *x, uint32_t of, int64_t t, int64_t now[LANES])
{
    const span *p = of == TT_NONE ? NULL : &x->r->spans.at[of];
    int64_t at[LANES];
    EACH_LANE(k) at[k] = p ? x->now[of][k] + (p->waits ? t - p->t : 0) : t;
    if (p && !p->waits) add_length(x, p, t - p->t, at);
    EACH_LANE(k) now[k] = at[k] > now[k] ? at[k] : now[k];
}

/* How long a work still waits after the last thing that it may have waited for. */
static void add_delay(run *x, const span *p, int64_t since, bool launch, int64_t now[LANES])
{
    int64_t len = p->t - since, on_its_way = !launch ? 0 : len < TT_LAUNCH_NS ? len : TT_LAUNCH_NS;
    if (!p->known) {
        add_wait(x, len, TT_WAIT_UNKNOWN, now);
        return;
    }
    add_wait(x, on_its_way, TT_WAIT_LAUNCH, now);
    add_wait(x, len - on_its_way, TT_WAIT_QUEUE, now);
}

/* New start of span i; *need_at is the first of its needs, and then of the next one's. */
static void start_span(run *x, uint32_t i, size_t *need_at)
{
    const tt_replay *r = x->r;
    const span *p = &r->spans.at[i], *prev = p->prev == TT_NONE ? NULL : &r->spans.at[p->prev];
    bool work = p->category >= TT_WAIT_COUNT_, launch = false;
    int64_t since = r->t0, *now = x->now[i]; /* original and new times of the latest of what it waited for */
    EACH_LANE(k) now[k] = prev && p->t > r->t0 ? INT64_MIN : r->t0;
    if (p->t <= r->t0) return;
    if (prev) {
        since = work && prev->t + prev->len < p->t ? prev->t + prev->len : work ? p->t : prev->t;
        put_instant(x, p->prev, since, now);
    }
    for (; *need_at < r->needs.n && r->needs.at[*need_at].by == i; ++*need_at) {
        const need *n = &r->needs.at[*need_at];
        put_instant(x, n->of, n->t, now);
        if (n->t > since) {
            since = n->t;
            launch = n->launch;
        }
    }
    if (work) {
        add_delay(x, p, since, launch, now);
    } else if (prev) {
        add_length(x, prev, p->t - since, now);
        if (prev->waits) remove_length(x, prev, p->t - since);
    } else {
        add_wait(x, p->t - since, TT_WAIT_BETWEEN, now);
    }
}

/* The window ends as long after the last of all ends as it did. */
static void end_span(run *x, uint32_t i)
{
    const tt_replay *r = x->r;
    const span *p = &r->spans.at[i];
    bool work = p->category >= TT_WAIT_COUNT_;
    if (!p->waits) remove_length(x, p, p->len);
    if (work && !p->cut) {
        put_instant(x, i, p->t + p->len, x->end);
        if (p->t + p->len > x->since) x->since = p->t + p->len;
    } else if (!work && p->prev != TT_NONE &&
               r->spans.at[p->prev].category != TT_WAIT_BETWEEN) { /* of the piece before */
        EACH_LANE(k) x->end[k] = x->now[i][k] > x->end[k] ? x->now[i][k] : x->end[k];
        if (p->t > x->since) x->since = p->t;
    }
}

/* What the changes touch. */
static void find_hot(run *x)
{
    size_t n = x->r->s->strings.text.n;
    x->hot_work = tt_calloc(n + 1, 1);
    x->hot_host = tt_calloc(n + 1, 1);
    EACH_LANE(k)
    {
        const tt_replay_change *c = x->change[k];
        for (int i = 0; i < TT_PATH_COUNT_; i++) x->hot_category[i] |= c->category[i] < TT_REPLAY_WHOLE;
        for (size_t i = 0; i < n; i++) {
            x->hot_work[i] |= c->factor[i ? c->work_class[i] : 0] < TT_REPLAY_WHOLE;
            x->hot_host[i] |= c->factor[i ? c->host_class[i] : 0] < TT_REPLAY_WHOLE;
        }
    }
}

void tt_replay_run(const tt_replay *r, const tt_replay_change *const *changes, unsigned n, tt_replay_result *out)
{
    run x = {.r = r, .now = tt_malloc((r->spans.n + 1) * sizeof *x.now), .since = r->t0};
    size_t need_at = 0;
    EACH_LANE(k)
    {
        x.change[k] = changes[k < n ? k : 0]; /* idle lanes do what the first one does */
        x.end[k] = r->t0;
    }
    find_hot(&x);
    for (uint32_t i = 0; i < r->spans.n; i++) {
        start_span(&x, i, &need_at);
        end_span(&x, i);
    }
    if (r->last != TT_NONE) {
        put_instant(&x, r->last, r->t1, x.end);
        x.since = r->t1;
    }
    add_wait(&x, r->t1 - x.since, TT_WAIT_BETWEEN, x.end);
    for (unsigned k = 0; k < n; k++) out[k] = (tt_replay_result){r->t1 - x.end[k], x.removed[k]};
    free(x.hot_work);
    free(x.hot_host);
    free(x.now);
}
