/* model/tables/idle/idle_gaps.c - gaps lie between the members of a device's busy set. One pass over each stream
 * finds the work that starts where a gap ends; the sets of the thread that launched it say what the host did. */
#include "model/tables/idle/idle_gaps.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"
#include "model/tables/analysis/device/unfinished_since.h"
#include "model/tables/idle/host_causes.h"
#include "model/tables/steps/account.h"
#include "model/trace/analysis_cache.h"

enum {
    SUM_EVERY = 32, /* gaps between two kept sums */
    STRETCH = 4096, /* gaps of a task: a multiple of SUM_EVERY */
};
#define EXPLAINING_KINDS                                                                                               \
    ((1u << TT_KIND_CPU_OP) | (1u << TT_KIND_PYTHON_OP) | (1u << TT_KIND_COMMUNICATION) | (1u << TT_KIND_ANNOTATION) | \
     (1u << TT_KIND_DATALOADER))

typedef struct cause_sum {
    int64_t part[TT_WAIT_COUNT_];
} cause_sum;

typedef struct annotation {
    tt_row row;
    tt_row op; /* innermost slice that explains a wait, from the annotation outwards; TT_NONE */
} annotation;

typedef struct idle { /* gaps and sets that are cached for a trace */
    const tt_trace *s;
    const tt_device_work *w;
    const tt_name_classes *names;
    tt_idle_gaps gaps;
    uint32_t *head;        /* per device the work at its beginning, as if a gap ended there */
    uint32_t *tail;        /* per device the thread that launched its last work; TT_NONE */
    uint32_t *n_early;     /* per device the number of gaps that begin before it has run TT_EARLY_NS */
    int64_t *stuck;        /* per device since when unfinished work may occupy it; INT64_MAX = none does */
    int64_t from;          /* start of the account of the whole trace; INT64_MAX = the account is empty */
    uint32_t host;         /* track charged with trailing gaps, as in tt_idle_window */
    tt_host_causes *hosts; /* causes by track, for threads that are charged with a gap */
    bool *has_host;
    TT_VEC(annotation) annotations; /* ascending */
    cause_sum *sums;                /* sums over the gaps before gap i * SUM_EVERY */
    /* per device the leading and the trailing gap in the account of the trace; empty gaps are no gaps */
    tt_idle_gap *edges;
} idle;

/* ---- gaps, and the work that ends them ---- */

typedef struct device_gaps { /* one task per device */
    const tt_ivs *blocks;    /* union of its work; work without length that stands alone is a member of length 0 */
    tt_ivs own;              /* the device's blocks, if they differ from its busy set */
    uint32_t *next;          /* per block the work that begins it */
} device_gaps;

typedef struct gap_build {
    idle *x;
    device_gaps *devices;
    uint32_t *tracks; /* threads whose causes are needed */
    size_t n_tracks;
} gap_build;

static int by_start(const void *a, const void *b)
{
    const tt_iv *x = a, *y = b;
    return (x->t0 > y->t0) - (x->t0 < y->t0);
}

/* Find the blocks. The busy set has no members without length. */
static void find_blocks(const tt_device_work *w, const tt_work_device *dev, device_gaps *out)
{
    tt_ivs all = {0};
    for (const tt_work *x = w->at + dev->first, *end = x + dev->n; x < end; x++)
        if (x->end <= x->start) tt_ivs_add(&all, x->start, x->start);
    out->blocks = all.n ? &out->own : &dev->busy;
    if (!all.n) return;
    for (size_t i = 0; i < dev->busy.n; i++) tt_ivs_add(&all, dev->busy.at[i].t0, dev->busy.at[i].t1);
    /* the input is one sorted run per stream, and the busy set */
    tt_sort_runs(all.at, all.n, sizeof *all.at, by_start);
    for (size_t i = 0; i < all.n; i++) tt_ivs_extend(&out->own, all.at[i].t0, all.at[i].t1);
    tt_vec_free(&all);
}

/* Whether a, of two pieces of work that start at once, ends the gap. */
static bool rather(const tt_trace *s, const tt_work *a, const tt_work *b)
{
    if ((a->launch == TT_NONE) != (b->launch == TT_NONE)) return a->launch != TT_NONE;
    if (a->launch != TT_NONE && s->start[a->launch] != s->start[b->launch])
        return s->start[a->launch] < s->start[b->launch];
    return a->row < b->row;
}

/* First block from `at` on that begins at or after t: a search in growing steps, as the answer is mostly near. */
static size_t block_from(const tt_ivs *blocks, size_t at, int64_t t)
{
    size_t lo = at, hi = at;
    for (size_t step = 1; hi < blocks->n && blocks->at[hi].t0 < t; step *= 2) {
        lo = hi + 1;
        hi = hi + step < blocks->n ? hi + step : blocks->n;
    }
    TT_BISECT(lo, hi, i, blocks->at[i].t0 < t);
    return lo;
}

static void find_next(void *arg, size_t device)
{
    const gap_build *b = arg;
    const tt_device_work *w = b->x->w;
    const tt_work_device *dev = &w->devices[device];
    device_gaps *out = &b->devices[device];
    find_blocks(w, dev, out);
    out->next = tt_malloc((out->blocks->n + 1) * sizeof *out->next);
    for (size_t i = 0; i < out->blocks->n; i++) out->next[i] = TT_NONE;
    for (uint32_t i = dev->first_stream; i < dev->first_stream + dev->n_streams; i++) {
        size_t at = 0;
        for (uint32_t k = w->streams[i].first; k < w->streams[i].first + w->streams[i].n; k++) {
            at = block_from(out->blocks, at, w->at[k].start);
            if (at == out->blocks->n) break;
            if (out->blocks->at[at].t0 != w->at[k].start) continue;
            if (out->next[at] == TT_NONE || rather(b->x->s, &w->at[k], &w->at[out->next[at]])) out->next[at] = k;
        }
    }
}

static uint32_t thread_of(const idle *x, uint32_t work)
{
    tt_row launch = x->w->at[work].launch;
    return launch == TT_NONE ? TT_NONE : tt_row_track(x->s, launch);
}

static size_t stretch_end(const idle *x, size_t stretch)
{
    size_t end = (stretch + 1) * STRETCH;
    return end < x->gaps.at.n ? end : x->gaps.at.n;
}

/* One task per stretch of gaps: the time between the blocks of their devices. */
static void fill_stretch(void *arg, size_t stretch)
{
    const gap_build *b = arg;
    tt_idle_gaps *g = &b->x->gaps;
    uint32_t device = 0;
    for (size_t i = stretch * STRETCH; i < stretch_end(b->x, stretch); i++) {
        while (g->first.at[device + 1] <= i) device++;
        const device_gaps *from = &b->devices[device];
        size_t block = i - g->first.at[device] + 1;
        g->at.at[i] = (tt_idle_gap){.t0 = from->blocks->at[block - 1].t1,
                                    .t1 = from->blocks->at[block].t0,
                                    .device = device,
                                    .next = from->next[block],
                                    .track = thread_of(b->x, from->next[block]),
                                    .op = TT_NONE};
    }
}

/* Number of gaps of a device that begin before it has worked for TT_EARLY_NS. */
static uint32_t count_early(const tt_ivs *blocks)
{
    uint32_t n = 0;
    int64_t busy = 0;
    while (n + 1 < blocks->n && (busy += blocks->at[n].t1 - blocks->at[n].t0) < TT_EARLY_NS) n++;
    return n;
}

static void put_gaps(gap_build *b)
{
    idle *x = b->x;
    size_t n = 0;
    for (uint32_t i = 0; i < x->w->n_devices; i++) {
        *tt_vec_push(&x->gaps.first) = (uint32_t)n;
        x->head[i] = b->devices[i].next[0];
        x->n_early[i] = count_early(b->devices[i].blocks);
        n += b->devices[i].blocks->n - 1;
    }
    *tt_vec_push(&x->gaps.first) = (uint32_t)n;
    tt_vec_reserve(&x->gaps.at, n);
    x->gaps.at.n = n;
    tt_parallel(tt_threads(), (n + STRETCH - 1) / STRETCH, fill_stretch, b);
    for (uint32_t i = 0; i < x->w->n_devices; i++) {
        tt_vec_free(&b->devices[i].own);
        free(b->devices[i].next);
    }
}

/* Thread that launched the device's last work; TT_NONE = not known. */
static uint32_t last_thread(const idle *x, const tt_work_device *dev)
{
    uint32_t last = dev->first;
    for (uint32_t i = dev->first + 1; i < dev->first + dev->n; i++) {
        const tt_work *a = &x->w->at[i], *b = &x->w->at[last];
        if (a->end > b->end || (a->end == b->end && b->launch == TT_NONE)) last = i;
    }
    return dev->n ? thread_of(x, last) : TT_NONE;
}

/* ---- what the host did ---- */

static void make_host(void *arg, size_t i)
{
    const gap_build *b = arg;
    uint32_t track = b->tracks[i];
    b->x->hosts[track] = tt_host_causes_make(b->x->s, b->x->names, track);
}

static void need_host(gap_build *b, uint32_t track)
{
    if (track == TT_NONE || b->x->has_host[track]) return;
    b->x->has_host[track] = true;
    b->tracks[b->n_tracks++] = track;
}

/* Make the causes of threads that launch work behind a gap, that launch last, or that run the steps. */
static void make_hosts(gap_build *b)
{
    const tt_trace *s = b->x->s;
    b->x->hosts = tt_calloc(s->n_tracks + (size_t)1, sizeof *b->x->hosts);
    b->x->has_host = tt_calloc(s->n_tracks + (size_t)1, sizeof *b->x->has_host);
    b->tracks = tt_calloc(s->n_tracks + (size_t)1, sizeof *b->tracks);
    for (size_t i = 0; i < b->x->gaps.at.n; i++) need_host(b, b->x->gaps.at.at[i].track);
    for (uint32_t i = 0; i < b->x->w->n_devices; i++) {
        b->x->tail[i] = last_thread(b->x, &b->x->w->devices[i]);
        need_host(b, b->x->tail[i]);
        need_host(b, thread_of(b->x, b->x->head[i]));
    }
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].row != TT_NONE) need_host(b, tt_row_track(s, s->steps[i].row));
    tt_parallel(tt_threads(), b->n_tracks, make_host, b);
    free(b->tracks);
}

/* Charge [t0, t1), the host's part of a gap, with the activity of a thread. */
static void charge_host(const idle *x, uint32_t track, int64_t t0, int64_t t1, int64_t part[TT_WAIT_COUNT_])
{
    if (t1 <= t0) return;
    if (x->has_host[track]) {
        tt_host_causes_in(&x->hosts[track], t0, t1, part);
        return;
    }
    tt_host_causes c = tt_host_causes_make(x->s, x->names, track);
    tt_host_causes_in(&c, t0, t1, part);
    tt_host_causes_free(&c);
}

/* ---- parts ---- */

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* End of the host's part of a gap [g0, g1) whose next work has a known launch; g0 when the host has no part. */
static int64_t host_end(const idle *x, int64_t g0, int64_t g1, tt_row launch)
{
    return later(g0, earlier(g1, tt_row_end(x->s, launch)));
}

typedef struct whole_gap { /* a whole gap, of which parts may be looked at */
    int64_t g0, g1;
    uint32_t next;
    tt_idle_edge edge;
} whole_gap;

/* The causes of [t0, t1), inside the gap, as if the gap were no edge. */
static void charge_plain(const idle *x, const whole_gap *g, tt_iv in, int64_t part[TT_WAIT_COUNT_])
{
    int64_t g0 = g->g0, g1 = g->g1;
    tt_row launch = x->w->at[g->next].launch;
    if (launch == TT_NONE) {
        part[TT_WAIT_UNKNOWN] += in.t1 - in.t0;
        return;
    }
    if (tt_row_end(x->s, launch) <= g0) {
        part[TT_WAIT_QUEUE] += in.t1 - in.t0;
        return;
    }
    int64_t h = host_end(x, g0, g1, launch), arrives = g1 - h > TT_LAUNCH_NS ? h + TT_LAUNCH_NS : g1;
    charge_host(x, tt_row_track(x->s, launch), in.t0, earlier(h, in.t1), part);
    part[TT_WAIT_LAUNCH] += later(0, earlier(arrives, in.t1) - later(h, in.t0));
    part[TT_WAIT_QUEUE] += later(0, in.t1 - later(arrives, in.t0));
}

static void make_unknown(int64_t part[TT_WAIT_COUNT_], tt_wait_cause cause)
{
    part[TT_WAIT_UNKNOWN] += part[cause];
    part[cause] = 0;
}

static void add_parts(int64_t to[TT_WAIT_COUNT_], const int64_t part[TT_WAIT_COUNT_])
{
    for (int k = 0; k < TT_WAIT_COUNT_; k++) to[k] += part[k];
}

/* Add the causes of [t0, t1), inside the gap, to part[]. */
static void charge(const idle *x, const whole_gap *g, tt_iv in, int64_t part[TT_WAIT_COUNT_])
{
    int64_t own[TT_WAIT_COUNT_] = {0};
    charge_plain(x, g, in, own);
    if (g->edge != TT_EDGE_NONE) make_unknown(own, TT_WAIT_QUEUE);
    if (g->edge == TT_EDGE_LEADING) make_unknown(own, TT_WAIT_SYNC);
    add_parts(part, own);
}

/* Whether an early gap has a long queue while no other device works: the device may wait for work that is not in the
 * file. */
static bool is_unseen(const idle *x, uint32_t device, const whole_gap *g)
{
    int64_t part[TT_WAIT_COUNT_] = {0};
    charge_plain(x, g, (tt_iv){g->g0, g->g1}, part);
    if (part[TT_WAIT_QUEUE] <= TT_UNSEEN_NS) return false;
    for (uint32_t i = 0; i < x->w->n_devices; i++)
        if (i != device && tt_ivs_length_in(&x->w->devices[i].busy, g->g1 - part[TT_WAIT_QUEUE], g->g1)) return false;
    return true;
}

/* Innermost slice that explains a wait, from r outwards. An annotation explains a wait only when it loads data. */
static tt_row explaining(const idle *x, tt_row r)
{
    if (r == TT_NONE || tt_row_kind(x->s, r) != TT_KIND_ANNOTATION) return r;
    size_t lo = 0, hi = x->annotations.n;
    TT_BISECT(lo, hi, i, x->annotations.at[i].row < r);
    return x->annotations.at[lo].op;
}

static void list_annotations(idle *x)
{
    for (tt_row r = 0; r < x->s->n; r++) {
        if (tt_row_kind(x->s, r) != TT_KIND_ANNOTATION) continue;
        bool explains = tt_wait_cause_of(x->s, x->names, r) != TT_WAIT_COUNT_;
        tt_row op = explains ? r : explaining(x, tt_row_ancestor(x->s, r, EXPLAINING_KINDS));
        *tt_vec_push(&x->annotations) = (annotation){r, op};
    }
}

/* Explain the part of a gap that is cut out: its causes, and what ran on the thread in the middle of the host's
 * time. */
static void explain(const idle *x, tt_idle_gap *g, uint32_t track, int64_t host_t1)
{
    g->track = track;
    g->cause = (tt_wait_cause)0;
    for (int k = 1; k < TT_WAIT_COUNT_; k++)
        if (g->part[k] > g->part[g->cause]) g->cause = (tt_wait_cause)k;
    if (track == TT_NONE || host_t1 <= g->t0) return;
    g->op = explaining(x, tt_track_slice_at(x->s, track, g->t0 + (host_t1 - g->t0) / 2, EXPLAINING_KINDS));
}

/* Charge what lies after the beginning of unfinished work on the device as unknown: whether the device waited is not.
 * Cuts it off the part. */
static void charge_stuck(const idle *x, tt_idle_gap *g, tt_iv *in)
{
    int64_t stuck = earlier(in->t1, later(in->t0, x->stuck[g->device]));
    g->part[TT_WAIT_UNKNOWN] += in->t1 - stuck;
    in->t1 = stuck;
}

/* The part `in` of a gap. */
static tt_idle_gap cut_gap(const idle *x, uint32_t device, const whole_gap *of, tt_iv in)
{
    tt_idle_gap g = {.t0 = in.t0, .t1 = in.t1, .device = device, .next = of->next, .track = TT_NONE, .op = TT_NONE};
    tt_row launch = x->w->at[of->next].launch;
    g.edge = of->edge;
    charge_stuck(x, &g, &in);
    charge(x, of, in, g.part);
    if (launch == TT_NONE)
        explain(x, &g, TT_NONE, in.t0);
    else
        explain(x, &g, tt_row_track(x->s, launch), earlier(host_end(x, of->g0, of->g1, launch), in.t1));
    return g;
}

static whole_gap whole_of(const tt_idle_gap *g) { return (whole_gap){g->t0, g->t1, g->next, g->edge}; }

/* At first each sum covers SUM_EVERY gaps alone and is stored behind them. */
static void explain_stretch(void *arg, size_t stretch)
{
    const gap_build *b = arg;
    tt_idle_gaps *g = &b->x->gaps;
    for (size_t i = stretch * STRETCH; i < stretch_end(b->x, stretch); i++) {
        tt_idle_gap *p = &g->at.at[i];
        whole_gap of = whole_of(p);
        if (p->t0 == b->x->from) /* the gap is behind work before the first step */
            of.edge = TT_EDGE_LEADING;
        else if (i - g->first.at[p->device] < b->x->n_early[p->device] && is_unseen(b->x, p->device, &of))
            of.edge = TT_EDGE_EARLY;
        *p = cut_gap(b->x, p->device, &of, (tt_iv){p->t0, p->t1});
        add_parts(b->x->sums[i / SUM_EVERY + 1].part, p->part);
    }
}

static void explain_all(gap_build *b)
{
    idle *x = b->x;
    size_t n = x->gaps.at.n;
    x->sums = tt_calloc(n / SUM_EVERY + 2, sizeof *x->sums);
    tt_parallel(tt_threads(), (n + STRETCH - 1) / STRETCH, explain_stretch, b);
    for (size_t i = 1; i < n / SUM_EVERY + 2; i++) add_parts(x->sums[i].part, x->sums[i - 1].part);
}

/* The gap from the end of the device's last work to the end of the window. */
static tt_idle_gap tail_gap(const idle *x, uint32_t device, tt_iv in, uint32_t host)
{
    tt_idle_gap g = {.t0 = in.t0, .t1 = in.t1, .device = device, .next = TT_NONE, .track = TT_NONE, .op = TT_NONE};
    g.edge = TT_EDGE_TRAILING;
    charge_stuck(x, &g, &in);
    if (host == TT_NONE) host = x->tail[device];
    if (host == TT_NONE)
        g.part[TT_WAIT_UNKNOWN] += in.t1 - in.t0;
    else
        charge_host(x, host, in.t0, in.t1, g.part);
    explain(x, &g, host, in.t1);
    return g;
}

static whole_gap leading_of(const idle *x, uint32_t device, int64_t from)
{
    return (whole_gap){from, x->w->devices[device].start, x->head[device], TT_EDGE_LEADING};
}

static void explain_edges(idle *x, const tt_account *a)
{
    x->edges = tt_calloc(2 * ((size_t)x->w->n_devices + 1), sizeof *x->edges);
    if (x->from == INT64_MAX) return;
    int64_t end = a->time.at[a->time.n - 1].t1;
    for (uint32_t i = 0; i < x->w->n_devices; i++) {
        const tt_work_device *dev = &x->w->devices[i];
        whole_gap g = leading_of(x, i, x->from);
        if (g.g0 < g.g1) x->edges[2 * i] = cut_gap(x, i, &g, (tt_iv){g.g0, g.g1});
        if (dev->end < end) x->edges[2 * i + 1] = tail_gap(x, i, (tt_iv){later(dev->end, x->from), end}, x->host);
    }
}

static void find_stuck(idle *x)
{
    x->stuck = tt_malloc((x->w->n_devices + (size_t)1) * sizeof *x->stuck);
    for (uint32_t i = 0; i < x->w->n_devices; i++) x->stuck[i] = INT64_MAX;
    for (uint32_t k = 0; x->s->problems.of[TT_PROBLEM_UNFINISHED].count && k < x->s->n_dev; k++) {
        const tt_activity *d = &x->s->dev[k];
        /* work without length was launched behind other unfinished work */
        if (tt_row_kind(x->s, d->row) != TT_KIND_UNFINISHED || !x->s->dur[d->row]) continue;
        for (uint32_t i = 0; i < x->w->n_devices; i++)
            if (x->w->devices[i].id == d->device) x->stuck[i] = earlier(x->stuck[i], tt_unfinished_since(x->s, d));
    }
}

/* ---- kept by trace ---- */

static void *build(const tt_session *session, uint32_t trace)
{
    idle *x = tt_calloc(1, sizeof *x);
    x->s = session->traces[trace];
    x->w = tt_device_work_get(session, trace);
    x->names = tt_name_classes_get(session, trace);
    x->head = tt_calloc(x->w->n_devices + (size_t)1, sizeof *x->head);
    x->tail = tt_calloc(x->w->n_devices + (size_t)1, sizeof *x->tail);
    x->n_early = tt_calloc(x->w->n_devices + (size_t)1, sizeof *x->n_early);
    find_stuck(x);
    tt_account account = tt_account_make(session, &tt_scope_all, trace);
    x->from = account.time.n && !account.clocks_differ ? account.time.at[0].t0 : INT64_MAX;
    x->host = account.host;
    gap_build b = {.x = x, .devices = tt_calloc(x->w->n_devices + (size_t)1, sizeof *b.devices)};
    tt_parallel(tt_threads(), x->w->n_devices, find_next, &b);
    put_gaps(&b);
    free(b.devices);
    make_hosts(&b);
    list_annotations(x);
    explain_all(&b);
    explain_edges(x, &account);
    tt_account_free(&account);
    return x;
}

static void release(void *value)
{
    idle *x = value;
    for (uint32_t t = 0; t < x->s->n_tracks; t++) tt_host_causes_free(&x->hosts[t]);
    tt_idle_gaps_free(&x->gaps);
    free(x->head);
    free(x->tail);
    free(x->n_early);
    free(x->stuck);
    free(x->hosts);
    free(x->has_host);
    tt_vec_free(&x->annotations);
    free(x->sums);
    free(x->edges);
    free(x);
}

static const idle *idle_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"idle gaps", build, release};
    return tt_analysis_get(s, trace, &kind);
}

const tt_idle_gaps *tt_idle_gaps_get(const tt_session *s, uint32_t trace) { return &idle_get(s, trace)->gaps; }

void tt_idle_gaps_free(tt_idle_gaps *g)
{
    tt_vec_free(&g->at);
    tt_vec_free(&g->first);
}

/* ---- windows ---- */

/* First gap of a device that ends after t. */
static uint32_t gap_after(const idle *x, uint32_t device, int64_t t)
{
    uint32_t lo = x->gaps.first.at[device], hi = x->gaps.first.at[device + 1];
    TT_BISECT(lo, hi, i, x->gaps.at.at[i].t1 <= t);
    return lo;
}

/* Visit the gaps of a device in a window. */
static void visit_device(const idle *x, uint32_t device, const tt_idle_window *w, tt_idle_gap_visit *visit, void *arg)
{
    int64_t t0 = w->t0, t1 = w->t1;
    const tt_work_device *dev = &x->w->devices[device];
    whole_gap g = leading_of(x, device, earlier(w->from, t0));
    tt_idle_gap part;
    if (t0 < t1 && t0 < dev->start) {
        part = cut_gap(x, device, &g, (tt_iv){t0, earlier(t1, g.g1)});
        visit(arg, &part);
    }
    for (uint32_t k = gap_after(x, device, t0); k < x->gaps.first.at[device + 1] && x->gaps.at.at[k].t0 < t1; k++) {
        const tt_idle_gap *p = &x->gaps.at.at[k];
        bool whole = p->t0 >= t0 && p->t1 <= t1;
        g = whole_of(p);
        if (!whole) part = cut_gap(x, device, &g, (tt_iv){later(t0, p->t0), earlier(t1, p->t1)});
        visit(arg, whole ? p : &part);
    }
    if (t0 < t1 && t1 > dev->end) {
        part = tail_gap(x, device, (tt_iv){later(t0, dev->end), t1}, w->host);
        visit(arg, &part);
    }
}

void tt_idle_gaps_visit(const tt_session *s, uint32_t trace, uint32_t device, const tt_idle_window *w,
                        tt_idle_gap_visit *visit, void *arg)
{
    visit_device(idle_get(s, trace), device, w, visit, arg);
}

static void collect(void *arg, const tt_idle_gap *g) { *tt_vec_push(&((tt_idle_gaps *)arg)->at) = *g; }

tt_idle_gaps tt_idle_gaps_in(const tt_session *s, uint32_t trace, const tt_idle_window *w)
{
    const idle *x = idle_get(s, trace);
    tt_idle_gaps out = {0};
    for (uint32_t i = 0; i < x->w->n_devices; i++) {
        *tt_vec_push(&out.first) = (uint32_t)out.at.n;
        visit_device(x, i, w, collect, &out);
    }
    *tt_vec_push(&out.first) = (uint32_t)out.at.n;
    return out;
}

/* ---- when a cause holds ---- */

typedef struct stretch_list {
    uint32_t causes; /* bits of the causes asked for */
    tt_idle_edge edge;
    tt_ivs *out;
} stretch_list;

static void put_stretch(const stretch_list *l, tt_wait_cause cause, int64_t t0, int64_t t1)
{
    if (l->edge != TT_EDGE_NONE && l->edge != TT_EDGE_TRAILING && cause == TT_WAIT_QUEUE) cause = TT_WAIT_UNKNOWN;
    if (l->edge == TT_EDGE_LEADING && cause == TT_WAIT_SYNC) cause = TT_WAIT_UNKNOWN;
    if (t0 < t1 && l->causes >> cause & 1) tt_ivs_extend(l->out, t0, t1);
}

/* Bits of the causes in the host's part of the gap. */
static uint32_t host_causes_of(const tt_idle_gap *g)
{
    uint32_t causes = 0;
    for (int k = 0; k <= TT_WAIT_BETWEEN; k++)
        if (g->part[k]) causes |= 1u << k;
    return causes;
}

/* Append the stretches of a thread's causes in [t0, t1): the sets are disjoint, and time outside them is "between". */
static void put_host(const tt_host_causes *c, int64_t t0, int64_t t1, const stretch_list *l)
{
    size_t at[TT_WAIT_BETWEEN];
    for (int k = 0; k < TT_WAIT_BETWEEN; k++) {
        size_t lo = 0, hi = c->of[k].n;
        TT_BISECT(lo, hi, i, c->of[k].at[i].t1 <= t0);
        at[k] = lo;
    }
    while (t0 < t1) {
        int64_t next = t1;
        tt_wait_cause cause = TT_WAIT_BETWEEN;
        for (int k = 0; k < TT_WAIT_BETWEEN; k++) {
            while (at[k] < c->of[k].n && c->of[k].at[at[k]].t1 <= t0) at[k]++;
            if (at[k] == c->of[k].n) continue;
            tt_iv own = c->of[k].at[at[k]];
            if (own.t0 <= t0) cause = (tt_wait_cause)k;
            next = earlier(next, own.t0 <= t0 ? own.t1 : own.t0);
        }
        put_stretch(l, cause, t0, next);
        t0 = next;
    }
}

/* Append the stretches of the host's part of the gap. */
static void put_thread(const idle *x, const tt_idle_gap *g, uint32_t track, int64_t t1, const stretch_list *l)
{
    int64_t t0 = g->t0;
    uint32_t causes = host_causes_of(g);
    if (t1 <= t0) return;
    if (g->edge != TT_EDGE_LEADING && !(causes & l->causes)) return;
    if (g->edge != TT_EDGE_LEADING && !(causes & ~l->causes)) {
        tt_ivs_extend(l->out, t0, t1);
        return;
    }
    if (x->has_host[track]) {
        put_host(&x->hosts[track], t0, t1, l);
        return;
    }
    tt_host_causes c = tt_host_causes_make(x->s, x->names, track);
    put_host(&c, t0, t1, l);
    tt_host_causes_free(&c);
}

/* Start of the gap that this gap is a part of, or all of; most gaps are shown as they are kept. */
static int64_t start_of_gap(const idle *x, const tt_idle_gap *g)
{
    uintptr_t at = (uintptr_t)g, first = (uintptr_t)x->gaps.at.at;
    if (at >= first && at < first + x->gaps.at.n * sizeof *g) return g->t0;
    return x->gaps.at.at[gap_after(x, g->device, g->t0)].t0;
}

void tt_idle_stretches(const tt_session *s, uint32_t trace, const tt_idle_gap *g, int64_t from, uint32_t causes,
                       tt_ivs *out)
{
    const idle *x = idle_get(s, trace);
    stretch_list l = {causes, g->edge, out};
    if (causes == (1u << TT_WAIT_COUNT_) - 1) {
        tt_ivs_extend(out, g->t0, g->t1);
        return;
    }
    tt_row launch = g->next == TT_NONE ? TT_NONE : x->w->at[g->next].launch;
    if (g->edge == TT_EDGE_TRAILING && g->track != TT_NONE) {
        put_thread(x, g, g->track, g->t1, &l);
        return;
    }
    if (launch == TT_NONE) {
        put_stretch(&l, TT_WAIT_UNKNOWN, g->t0, g->t1);
        return;
    }
    int64_t g0 = g->edge == TT_EDGE_LEADING ? earlier(from, g->t0) : start_of_gap(x, g), g1 = x->w->at[g->next].start;
    int64_t h = tt_row_end(x->s, launch) <= g0 ? g0 : host_end(x, g0, g1, launch);
    int64_t arrives = h == g0 ? g0 : g1 - h > TT_LAUNCH_NS ? h + TT_LAUNCH_NS : g1;
    put_thread(x, g, tt_row_track(x->s, launch), earlier(h, g->t1), &l);
    put_stretch(&l, TT_WAIT_LAUNCH, later(h, g->t0), earlier(arrives, g->t1));
    put_stretch(&l, TT_WAIT_QUEUE, later(arrives, g->t0), g->t1);
}

tt_idle_gap tt_idle_gap_plain(const tt_session *s, uint32_t trace, const tt_idle_gap *g)
{
    whole_gap of = whole_of(g);
    if (g->edge == TT_EDGE_NONE) return *g;
    of.edge = TT_EDGE_NONE;
    return cut_gap(idle_get(s, trace), g->device, &of, (tt_iv){g->t0, g->t1});
}

typedef struct longest {
    tt_idle_gap *gap;
    bool any;
} longest;

static void keep_longest(void *arg, const tt_idle_gap *g)
{
    longest *l = arg;
    if (!l->any || g->t1 - g->t0 > l->gap->t1 - l->gap->t0) *l->gap = *g;
    l->any = true;
}

bool tt_idle_longest_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1, tt_idle_gap *out)
{
    const idle *x = idle_get(s, trace);
    longest l = {out, false};
    visit_device(x, device, &(tt_idle_window){t0, t1, x->from, x->host}, keep_longest, &l);
    return l.any;
}

/* ---- lanes ---- */

tt_idle_lane tt_idle_lane_of(const tt_session *s, uint32_t trace, uint32_t device)
{
    const idle *x = idle_get(s, trace);
    const tt_idle_gap *head = &x->edges[2 * device], *tail = head + 1;
    uint32_t from = x->gaps.first.at[device], n = x->gaps.first.at[device + 1] - from;
    tt_idle_lane l = {.at = n ? &x->gaps.at.at[from] : NULL};
    l.head = head->t1 > head->t0 ? head : NULL;
    l.tail = tail->t1 > tail->t0 ? tail : NULL;
    l.n = n + (l.head ? 1 : 0) + (l.tail ? 1 : 0);
    return l;
}

uint32_t tt_idle_lane_after(const tt_idle_lane *l, int64_t t)
{
    uint32_t from = 0, to = l->n;
    TT_BISECT(from, to, i, tt_idle_lane_at(l, i)->t1 <= t);
    return from;
}

/* Idle time of [t0, t1) at the ends of a device's work. */
static void edge_parts(const idle *x, uint32_t device, int64_t t0, int64_t t1, int64_t part[TT_WAIT_COUNT_])
{
    const tt_idle_gap *head = &x->edges[2 * device], *tail = head + 1;
    tt_iv in = {later(t0, head->t0), earlier(t1, head->t1)};
    whole_gap leading = whole_of(head);
    if (in.t1 > in.t0) charge(x, &leading, in, part);
    in = (tt_iv){later(t0, tail->t0), earlier(t1, tail->t1)};
    if (in.t1 <= in.t0) return;
    if (tail->track == TT_NONE)
        part[TT_WAIT_UNKNOWN] += in.t1 - in.t0;
    else
        charge_host(x, tail->track, in.t0, in.t1, part);
}

/* Sum of the parts of the gaps before gap i. */
static cause_sum sum_before(const idle *x, uint32_t i)
{
    cause_sum sum = x->sums[i / SUM_EVERY];
    for (uint32_t k = i / SUM_EVERY * SUM_EVERY; k < i; k++) add_parts(sum.part, x->gaps.at.at[k].part);
    return sum;
}

void tt_idle_parts_in(const tt_session *s, uint32_t trace, uint32_t device, int64_t t0, int64_t t1,
                      int64_t part[TT_WAIT_COUNT_])
{
    const idle *x = idle_get(s, trace);
    if (t1 <= t0) return;
    edge_parts(x, device, t0, t1, part);
    uint32_t first = gap_after(x, device, t0), end = first, hi = x->gaps.first.at[device + 1];
    TT_BISECT(end, hi, i, x->gaps.at.at[i].t0 < t1);
    for (uint32_t i = first; i < end; i++) { /* whole gaps between those that an edge cuts, by their sums */
        const tt_idle_gap *g = &x->gaps.at.at[i];
        uint32_t whole = g->t0 >= t0 && end - i > 1 ? end - 1 : i;
        if (whole > i) {
            cause_sum a = sum_before(x, i), b = sum_before(x, whole);
            for (int k = 0; k < TT_WAIT_COUNT_; k++) part[k] += b.part[k] - a.part[k];
            g = &x->gaps.at.at[i = whole];
        }
        whole_gap of = whole_of(g);
        charge(x, &of, (tt_iv){later(t0, g->t0), earlier(t1, g->t1)}, part);
    }
}
