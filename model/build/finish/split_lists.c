/* model/build/finish/split_lists.c - deals the lists of a trace to its parts. Each list is walked once, in order, so
 * the parts keep the order of the whole. `dealt` says of each list which part an item goes to and which ids it
 * holds. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/build/finish/split_internal.h"
#include "model/build/passes/finish_internal.h"
#include "model/trace/trace_lists.h"

/* ---- the part of an item ---- */

static int text_order(const void *a, const void *b)
{
    const tt_split_moment *x = a, *y = b;
    return (x->text > y->text) - (x->text < y->text);
}

static void list_rows_by_text(tt_split *x)
{
    for (tt_row r = 0; r < x->s->n; r++)
        *tt_vec_push(&x->by_text) = (tt_split_moment){tt_row_text(x->s, r), x->of_row[r]};
    /* all rows of the file: keys of tt_sort_by() take twice as long */
    if (x->by_text.n) qsort(x->by_text.at, x->by_text.n, sizeof *x->by_text.at, text_order);
}

/* The part of the event written just before or after a place. */
static uint32_t part_beside(tt_split *x, uint64_t text)
{
    if (!x->by_text.n) list_rows_by_text(x);
    size_t lo = 0, hi = x->by_text.n;
    TT_BISECT(lo, hi, m, x->by_text.at[m].text <= text);
    return x->by_text.n ? x->by_text.at[lo ? lo - 1 : 0].part : 0;
}

/* The part of a track; the first part for an event without a track. */
static uint32_t part_of_track(tt_split *x, uint32_t track) { return track < x->s->n_tracks ? x->of_track[track] : 0; }

/* On a shared stream the flow goes to the part of the slice that begins then. */
static uint32_t part_of_launch_flow(tt_split *x, const void *item)
{
    const tt_launch_flow *f = item;
    const tt_trace *s = x->s;
    if (f->track >= s->n_tracks || s->tracks[f->track].kind != TT_TRACK_STREAM) return part_of_track(x, f->track);
    tt_row r = tt_track_lower_bound(s, f->track, f->ts);
    bool begins = r < s->tracks[f->track].first + s->tracks[f->track].n && s->start[r] == f->ts;
    return begins ? x->of_row[r] : x->of_track[f->track];
}

/* The pair goes to the part of the row whose text begins at the first event. */
static uint32_t part_of_pair(tt_split *x, const void *item) { return part_beside(x, ((const tt_ends *)item)->begin); }

static uint32_t part_of_captured(tt_split *x, const void *item)
{
    return x->of_row[((const tt_captured_call *)item)->row];
}

static uint32_t part_of_other(tt_split *x, const void *item)
{
    const tt_other *o = item;
    return o->track < x->s->n_tracks ? x->of_track[o->track] : part_beside(x, o->text);
}

static uint32_t part_of_series(tt_split *x, const void *item)
{
    uint32_t process = ((const tt_series *)item)->process;
    uint32_t part = process < x->s->n_processes ? x->of_process[process] : TT_NONE;
    return part != TT_NONE ? part : 0;
}

/* The peaks of the file go to the first part. */
static uint32_t first_part(tt_split *x, const void *item)
{
    (void)x;
    (void)item;
    return 0;
}

/* ---- the ids of an item ---- */

static void renumber_instant(tt_split_filling *f, void *item)
{
    tt_instant *i = item;
    i->name = tt_split_text(f, i->name);
}

/* A thread belongs to one part, with all calls of a capture. */
static void renumber_captured(tt_split_filling *f, void *item)
{
    tt_captured_call *c = item;
    c->row = f->x->now[c->row];
    c->begin = f->x->now[c->begin];
    c->end = f->x->now[c->end];
    c->kernel = tt_split_text(f, c->kernel);
}

static void renumber_launch_flow(tt_split_filling *f, void *item)
{
    tt_launch_flow *l = item;
    if (l->track < f->s->n_tracks) l->track = tt_split_track(f, l->track);
}

static void renumber_memory(tt_split_filling *f, void *item)
{
    tt_memory_record *m = item;
    m->maker = tt_maker_bits(tt_split_text(f, m->maker));
}

/* The samples of the series come along. */
static void renumber_series(tt_split_filling *f, void *item)
{
    tt_series *v = item;
    tt_trace *to = f->to;
    uint32_t process = v->process < f->s->n_processes ? f->process.to[v->process] : TT_NONE;
    if (v->n) memcpy(to->samples + to->n_samples, f->s->samples + v->first, v->n * sizeof *to->samples);
    v->first = to->n_samples;
    to->n_samples += v->n;
    v->pid = tt_split_text(f, v->pid);
    v->name = tt_split_text(f, v->name);
    v->id = tt_split_text(f, v->id);
    v->key = tt_split_text(f, v->key);
    v->process = process != TT_NONE ? process : 0;
}

/* ---- the lists ---- */

#define NO_TRACK SIZE_MAX

/* Tracks and texts of a part are numbered in this order. */
static const struct {
    tt_trace_list list;
    size_t track;                                      /* offset of the track in an item; NO_TRACK */
    uint32_t (*part)(tt_split *x, const void *item);   /* part of an item; NULL = that of its track */
    void (*renumber)(tt_split_filling *f, void *item); /* sets the other ids; NULL = an item has none */
} dealt[] = {
    {TT_LIST_captured, NO_TRACK, part_of_captured, renumber_captured},
    {TT_LIST_graph_nodes, offsetof(tt_graph_node, track), NULL, NULL},
    {TT_LIST_flows, offsetof(tt_flow, track), NULL, NULL},
    {TT_LIST_instants, offsetof(tt_instant, track), NULL, renumber_instant},
    {TT_LIST_launch_flows, NO_TRACK, part_of_launch_flow, renumber_launch_flow},
    {TT_LIST_memory, offsetof(tt_memory_record, track), NULL, renumber_memory},
    {TT_LIST_others, offsetof(tt_other, track), part_of_other, NULL},
    {TT_LIST_series, NO_TRACK, part_of_series, renumber_series},
    {TT_LIST_pairs, NO_TRACK, part_of_pair, NULL},
    {TT_LIST_peaks, NO_TRACK, first_part, NULL},
};
enum { N_DEALT = sizeof dealt / sizeof *dealt };

static uint32_t *track_at(void *item, int i) { return (uint32_t *)(void *)((char *)item + dealt[i].track); }

/* Copy the items of a list to their parts, into arrays of exact size. */
static void deal(tt_split *x, int i)
{
    tt_trace_list list = dealt[i].list;
    uint32_t n = *tt_trace_list_n(x->s, list), *part = tt_malloc(n * sizeof *part);
    uint32_t *has = tt_calloc(x->n, sizeof *has);
    size_t bytes = tt_trace_list_item(list);
    char *item = *tt_trace_list_at(x->s, list);
    for (uint32_t k = 0; k < n; k++, item += bytes) {
        part[k] = dealt[i].part ? dealt[i].part(x, item) : part_of_track(x, *track_at(item, i));
        has[part[k]]++;
    }
    for (uint32_t p = 0; p < x->n; p++) tt_trace_list_alloc(x->part[p], list, has[p]);
    item = *tt_trace_list_at(x->s, list);
    for (uint32_t k = 0; k < n; k++, item += bytes) {
        uint32_t *at = tt_trace_list_n(x->part[part[k]], list);
        memcpy((char *)*tt_trace_list_at(x->part[part[k]], list) + (*at)++ * bytes, item, bytes);
    }
    free(has);
    free(part);
}

void tt_split_deal(tt_split *x)
{
    for (int i = 0; i < N_DEALT; i++) deal(x, i);
    tt_vec_free(&x->by_text);
}

void tt_split_renumber(tt_split_filling *f)
{
    uint32_t samples = 0;
    for (uint32_t i = 0; i < f->to->n_series; i++) samples += f->to->series[i].n;
    tt_trace_list_alloc(f->to, TT_LIST_samples, samples);
    for (int i = 0; i < N_DEALT; i++) {
        char *item = *tt_trace_list_at(f->to, dealt[i].list);
        uint32_t n = *tt_trace_list_n(f->to, dealt[i].list);
        for (uint32_t k = 0; k < n; k++, item += tt_trace_list_item(dealt[i].list)) {
            uint32_t *track = dealt[i].track == NO_TRACK ? NULL : track_at(item, i);
            if (track && *track < f->s->n_tracks) *track = tt_split_track(f, *track);
            if (dealt[i].renumber) dealt[i].renumber(f, item);
        }
    }
}

/* ---- times ---- */

typedef struct extent { /* extent of a part's times, or the shift to apply */
    int64_t t0, t1, by;
} extent;

static void see_time(extent *x, int64_t *ts, int64_t dur)
{
    *ts -= x->by;
    if (*ts < x->t0) x->t0 = *ts;
    if (*ts + dur > x->t1) x->t1 = *ts + dur;
}

/* Lists whose items begin with their time. */
static const tt_trace_list timed[] = {TT_LIST_flows,   TT_LIST_launch_flows, TT_LIST_instants,
                                      TT_LIST_samples, TT_LIST_memory,       TT_LIST_graph_nodes};
_Static_assert(!offsetof(tt_flow, ts) && !offsetof(tt_launch_flow, ts) && !offsetof(tt_instant, ts) &&
                   !offsetof(tt_sample, ts) && !offsetof(tt_memory_record, ts) && !offsetof(tt_graph_node, start),
               "the time comes first");

static extent each_time(tt_trace *to, int64_t by)
{
    extent x = {INT64_MAX, INT64_MIN, by};
    for (tt_row r = 0; r < to->n; r++) see_time(&x, &to->start[r], to->dur[r]);
    for (size_t i = 0; i < sizeof timed / sizeof *timed; i++) {
        char *item = *tt_trace_list_at(to, timed[i]);
        for (uint32_t k = *tt_trace_list_n(to, timed[i]); k; k--, item += tt_trace_list_item(timed[i]))
            see_time(&x, (int64_t *)(void *)item, 0);
    }
    return x;
}

void tt_split_set_time(tt_trace *to)
{
    extent x = each_time(to, 0);
    if (x.t0 > x.t1) return;
    to->end = x.t1;
    if (!to->absolute || !x.t0) return;
    to->end -= x.t0;
    to->origin_ns += x.t0;
    (void)each_time(to, x.t0);
    for (uint32_t i = 0; i < to->n_peaks; i++) to->peaks[i].allocated_at -= x.t0;
    for (uint32_t i = 0; i < to->n_others; i++)
        if (to->others[i].ts != TT_ANY_TIME && to->others[i].ts != TT_NO_TIME) to->others[i].ts -= x.t0;
}
