/* model/tables/path/host_pieces.c - one sweep over the slices of each thread with a stack of open slices. */
#include "model/tables/path/host_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/base/sort.h"

typedef struct sweep {
    const tt_trace *s;
    const tt_name_classes *names;
    tt_host_thread *out;
    TT_VEC(tt_host_edge) open; /* open slices, innermost last; t: end of the slice */
    int64_t at;                /* edges are complete up to this time */
    tt_wait_memo memo;
} sweep;

/* The thread is in this slice from t on. A stretch without length is dropped. */
static void put_edge(sweep *w, int64_t t, tt_row row, uint8_t cause)
{
    tt_host_thread *h = w->out;
    if (h->at.n && h->at.at[h->at.n - 1].t == t) h->at.n--;
    *tt_vec_push(&h->at) = (tt_host_edge){t, row, cause};
}

/* Close the slices that end at or before t, with an edge at each end. */
static void close_until(sweep *w, int64_t t)
{
    while (w->open.n && w->open.at[w->open.n - 1].t <= t) {
        int64_t end = w->open.at[--w->open.n].t;
        if (end <= w->at) continue; /* the slice ended under a slice that crosses it */
        w->at = end;
        while (w->open.n && w->open.at[w->open.n - 1].t <= end) w->open.n--;
        const tt_host_edge *under = w->open.n ? &w->open.at[w->open.n - 1] : NULL;
        put_edge(w, end, under ? under->row : TT_NONE, under ? under->cause : TT_WAIT_BETWEEN);
    }
}

static void sweep_thread(sweep *w)
{
    const tt_trace *s = w->s;
    const tt_track *tr = &s->tracks[w->out->track];
    w->at = INT64_MIN;
    for (tt_row r = tr->first; r < tr->first + tr->n; r++) {
        if (s->dur[r] <= 0) continue;
        uint8_t cause = tt_wait_cause_memo(&w->memo, s, w->names, r) & 0xffu;
        if (cause == TT_WAIT_COUNT_) continue;
        close_until(w, s->start[r]);
        w->at = s->start[r];
        put_edge(w, s->start[r], r, cause);
        *tt_vec_push(&w->open) = (tt_host_edge){tt_row_end(s, r), r, cause};
    }
    close_until(w, INT64_MAX);
}

typedef struct piece_build {
    const tt_trace *s;
    const tt_name_classes *names;
    tt_host_thread *by_track;
} piece_build;

static void make_thread(void *arg, size_t track)
{
    const piece_build *b = arg;
    tt_track_kind kind = b->s->tracks[track].kind;
    b->by_track[track].track = (uint32_t)track;
    if (kind == TT_TRACK_ASYNC || kind == TT_TRACK_META) return;
    sweep w = {.s = b->s, .names = b->names, .out = &b->by_track[track]};
    sweep_thread(&w);
    tt_vec_free(&w.open);
}

static int by_first(const void *a, const void *b)
{
    const tt_host_thread *x = a, *y = b;
    if (x->at.at[0].t != y->at.at[0].t) return x->at.at[0].t < y->at.at[0].t ? -1 : 1;
    return (x->track > y->track) - (x->track < y->track);
}

static int by_time(const void *a, const void *b)
{
    const tt_host_pause *x = a, *y = b;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return (x->thread < y->thread) - (x->thread > y->thread);
}

static void collect_pauses(tt_host_pieces *h)
{
    for (uint32_t k = 0; k < h->n_threads; k++) {
        const tt_host_thread *t = &h->threads[k];
        for (uint32_t i = 0; i < t->at.n; i++)
            if (t->at.at[i].row == TT_NONE) *tt_vec_push(&h->pauses) = (tt_host_pause){t->at.at[i].t, k, i};
    }
    tt_sort_runs(h->pauses.at, h->pauses.n, sizeof *h->pauses.at, by_time);
}

tt_host_pieces tt_host_pieces_make(const tt_trace *s, const tt_name_classes *names)
{
    piece_build b = {s, names, tt_calloc(s->n_tracks + (size_t)1, sizeof *b.by_track)};
    tt_host_pieces h = {.threads = b.by_track, .of_track = tt_calloc(s->n_tracks + (size_t)1, sizeof *h.of_track)};
    tt_parallel(tt_threads(), s->n_tracks, make_thread, &b);
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        h.of_track[i] = TT_NONE;
        if (b.by_track[i].at.n) h.threads[h.n_threads++] = b.by_track[i];
    }
    if (h.n_threads) qsort(h.threads, h.n_threads, sizeof *h.threads, by_first);
    for (uint32_t k = 0; k < h.n_threads; k++) h.of_track[h.threads[k].track] = k;
    collect_pauses(&h);
    return h;
}

/* Begin a new edge at t with the cause of the piece around it. */
static void cut_piece(tt_host_pieces *h, uint32_t thread, uint32_t edge, int64_t t)
{
    tt_host_thread *k = &h->threads[thread];
    (void)tt_vec_push(&k->at);
    memmove(&k->at.at[edge + 2], &k->at.at[edge + 1], (k->at.n - edge - 2) * sizeof *k->at.at);
    k->at.at[edge + 1] = k->at.at[edge];
    k->at.at[edge + 1].t = t;
    for (size_t i = 0; i < h->pauses.n; i++)
        if (h->pauses.at[i].thread == thread && h->pauses.at[i].edge > edge) h->pauses.at[i].edge++;
}

void tt_host_pieces_forget(tt_host_pieces *h, tt_wait_cause cause, int64_t t)
{
    for (uint32_t k = 0; k < h->n_threads; k++) {
        const tt_host_thread *of = &h->threads[k];
        for (uint32_t i = 0; i < of->at.n && of->at.at[i].t < t; i++) {
            if (of->at.at[i].row == TT_NONE || of->at.at[i].cause != cause) continue;
            if (of->at.at[i + 1].t > t) cut_piece(h, k, i, t); /* the last edge begins a pause */
            of->at.at[i].cause = TT_WAIT_UNKNOWN;
        }
    }
}

void tt_host_pieces_free(tt_host_pieces *h)
{
    for (uint32_t k = 0; k < h->n_threads; k++) tt_vec_free(&h->threads[k].at);
    free(h->threads);
    free(h->of_track);
    tt_vec_free(&h->pauses);
}

uint32_t tt_host_edge_before(const tt_host_thread *h, int64_t t)
{
    uint32_t lo = 0, hi = h ? (uint32_t)h->at.n : 0;
    TT_BISECT(lo, hi, i, h->at.at[i].t < t);
    return lo ? lo - 1 : TT_NONE;
}

uint32_t tt_host_edge_near(const tt_host_thread *h, int64_t t, uint32_t near)
{
    uint32_t lo, hi;
    if (near && near < h->at.n && h->at.at[near - 1].t < t && t <= h->at.at[near].t) return near - 1;
    TT_BISECT_NEAR(lo, hi, (uint32_t)h->at.n, near, i, h->at.at[i].t < t);
    return lo ? lo - 1 : TT_NONE;
}

const tt_host_pause *tt_host_finished_last(const tt_host_pieces *h, uint32_t track, int64_t after, int64_t t,
                                           size_t *n_before)
{
    size_t lo, hi;
    TT_BISECT_NEAR(lo, hi, h->pauses.n, *n_before, i, h->pauses.at[i].t <= t);
    *n_before = lo;
    while (lo-- > 0 && h->pauses.at[lo].t > after) {
        const tt_host_pause *p = &h->pauses.at[lo];
        const tt_host_thread *k = &h->threads[p->thread];
        if (k->track != track && (p->edge + 1 == k->at.n || k->at.at[p->edge + 1].t >= t)) return p;
    }
    return NULL;
}
