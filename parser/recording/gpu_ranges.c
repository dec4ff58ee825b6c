/* parser/recording/gpu_ranges.c - links calls to ranges, and projects ranges on streams (gpu_user_annotation): per
 * range and stream a slice from the start of the first to the end of the last device work launched inside the range.
 *
 * One pass over the calls of a thread in the order of time, with a stack of open ranges: work counts for the innermost
 * range, and for the one around it when the inner range ends. Operators and Python functions are not projected, as
 * there are too many. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "parser/recording/reader_internal.h"

typedef struct call {
    uint32_t track;
    const tt_rec *r;
} call;

typedef struct work {
    uint32_t correlation, device, stream;
    int64_t start, end;
} work;

typedef struct extent { /* extent of one range on one stream */
    uint32_t device, stream, next;
    int64_t start, end;
} extent;

typedef struct open_shade {
    const tt_rec *of;
    uint32_t track, extents; /* extents: first of a list, TT_NONE = no work yet */
} open_shade;

typedef struct projector {
    spool *s;
    TT_VEC(call) calls, ranges;
    TT_VEC(work) work;
    TT_VEC(open_shade) stack;
    TT_VEC(extent) extents;
    uint32_t spare; /* list of free extents */
} projector;

/* ---- collecting ---- */

static void sort_in(projector *p, uint32_t track, const tt_rec *r)
{
    const spool *s = p->s;
    uint64_t offset = tt_rec_offset(r);
    tt_kind kind = s->b.cats[tt_rec_cat(r)].kind;
    if (tt_kind_is_work(kind)) {
        const tt_activity *d = &s->b.dev.at[r->detail];
        if (r->correlation)
            *tt_vec_push(&p->work) =
                (work){r->correlation, (uint32_t)d->device, (uint32_t)d->stream, r->ts, r->ts + r->dur};
    } else if (kind == TT_KIND_RUNTIME || kind == TT_KIND_DRIVER) {
        if (r->correlation) *tt_vec_push(&p->calls) = (call){track, r};
    } else if (!tt_kind_is_device(kind) && kind != TT_KIND_OVERHEAD) {
        bool pair = TT_SORTED_FIND(s->pairs.at, s->pairs.n, offset) < s->pairs.n;
        if (!pair) *tt_vec_push(&p->ranges) = (call){track, r};
    }
}

/* Sort by thread and start; of equal starts the longer range is the outer one. */
static int by_time(const void *a, const void *b)
{
    const call *x = a, *y = b;
    if (x->track != y->track) return x->track < y->track ? -1 : 1;
    if (x->r->ts != y->r->ts) return x->r->ts < y->r->ts ? -1 : 1;
    return (x->r->dur < y->r->dur) - (x->r->dur > y->r->dur);
}

static void collect(projector *p)
{
    spool *s = p->s;
    TT_SORT_UP(s->pairs.at, s->pairs.n);
    for (uint32_t t = 0; t < s->b.tracks.n; t++) {
        for (const tt_rec_block *k = s->b.tracks.at[t].first; k; k = k->next) {
            for (uint32_t i = 0; i < k->n; i++) sort_in(p, t, &k->at[i]);
        }
    }
    TT_SORT_BY(p->work.at, p->work.n, TT_ASC(work, correlation));
    if (p->calls.n) qsort(p->calls.at, p->calls.n, sizeof *p->calls.at, by_time);
    if (p->ranges.n) qsort(p->ranges.at, p->ranges.n, sizeof *p->ranges.at, by_time);
}

/* ---- ranges on streams ---- */

static uint64_t external_of(const spool *s, const tt_rec *r)
{
    return r->external_id ? tt_build_id_value(&s->b, r->external_id) : tt_spool_external(tt_rec_offset(r));
}

static void extend(projector *p, open_shade *o, const extent *by)
{
    for (uint32_t i = o->extents; i != TT_NONE; i = p->extents.at[i].next) {
        extent *e = &p->extents.at[i];
        if (e->device != by->device || e->stream != by->stream) continue;
        if (by->start < e->start) e->start = by->start;
        if (by->end > e->end) e->end = by->end;
        return;
    }
    uint32_t at = p->spare;
    if (at == TT_NONE) {
        at = (uint32_t)p->extents.n;
        (void)tt_vec_push(&p->extents);
    } else {
        p->spare = p->extents.at[at].next;
    }
    p->extents.at[at] = *by;
    p->extents.at[at].next = o->extents;
    o->extents = at;
}

static void cast(projector *p, const tt_rec *of, const extent *e)
{
    spool *s = p->s;
    tt_kind kind = s->b.cats[tt_rec_cat(of)].kind;
    if (kind == TT_KIND_CPU_OP || kind == TT_KIND_PYTHON) return;
    const char *name = tt_str(&s->b.names, of->name);
    uint64_t offset = TT_SPOOL_GPU_RANGE + s->f.shades.n, external = external_of(s, of);
    *tt_vec_push(&s->f.shades) = (tt_spool_gpu_range){
        e->start, e->end, tt_strings_put(&s->f.text, name, strlen(name)), e->device, e->stream, external};
    tt_spool_add_device(s,
                        &(piece){.cat = "gpu_user_annotation",
                                 .name = of->name,
                                 .device = e->device,
                                 .stream = e->stream,
                                 .start = e->start,
                                 .end = e->end,
                                 .bytes = TT_UNKNOWN,
                                 .external = external},
                        offset);
}

static void pop(projector *p)
{
    open_shade top = p->stack.at[--p->stack.n];
    while (top.extents != TT_NONE) {
        uint32_t at = top.extents;
        extent e = p->extents.at[at];
        top.extents = e.next;
        p->extents.at[at].next = p->spare;
        p->spare = at;
        cast(p, top.of, &e);
        if (p->stack.n) extend(p, &p->stack.at[p->stack.n - 1], &e);
    }
}

/* Close the ranges of a thread that are over at a time. */
static void pop_until(projector *p, uint32_t track, int64_t ts)
{
    while (p->stack.n) {
        const open_shade *top = &p->stack.at[p->stack.n - 1];
        if (top->track == track && top->of->ts + top->of->dur > ts) return;
        pop(p);
    }
}

static void launched(projector *p, uint32_t correlation)
{
    size_t lo = 0, hi = p->work.n;
    TT_BISECT(lo, hi, i, p->work.at[i].correlation < correlation);
    for (; lo < p->work.n && p->work.at[lo].correlation == correlation; lo++) {
        const work *w = &p->work.at[lo];
        extend(p, &p->stack.at[p->stack.n - 1],
               &(extent){.device = w->device, .stream = w->stream, .start = w->start, .end = w->end});
    }
}

void tt_spool_gpu_ranges(spool *s)
{
    projector p = {.s = s, .spare = TT_NONE};
    size_t next = 0;
    if (s->saw_device_work) collect(&p);
    for (size_t i = 0; i < p.calls.n; i++) {
        const call *c = &p.calls.at[i];
        for (; next < p.ranges.n; next++) {
            const call *h = &p.ranges.at[next];
            if (h->track > c->track || (h->track == c->track && h->r->ts > c->r->ts)) break;
            pop_until(&p, h->track, h->r->ts);
            *tt_vec_push(&p.stack) = (open_shade){h->r, h->track, TT_NONE};
        }
        pop_until(&p, c->track, c->r->ts);
        uint64_t external = p.stack.n && !c->r->external_id ? external_of(s, p.stack.at[p.stack.n - 1].of)
                                                            : tt_build_id_value(&s->b, c->r->external_id);
        if (external) *tt_vec_push(&s->f.launchers) = (tt_spool_launcher){c->r->correlation, external};
        if (p.stack.n) launched(&p, c->r->correlation);
    }
    while (p.stack.n) pop(&p);
    TT_SORT_BY(s->f.launchers.at, s->f.launchers.n, TT_ASC(tt_spool_launcher, correlation));
    tt_vec_free(&p.calls);
    tt_vec_free(&p.ranges);
    tt_vec_free(&p.work);
    tt_vec_free(&p.stack);
    tt_vec_free(&p.extents);
}
