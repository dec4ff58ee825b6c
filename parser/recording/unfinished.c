/* parser/recording/unfinished.c - device work that was launched and never ended while it was recorded.
 *
 * Such work has an OPEN record that no later one replaces. A stream runs its work in the order of the launches: if
 * work that was launched later on the stream has ended, this has ended too, and only its times are lost. */
#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "parser/recording/reader_internal.h"

static stream_end *end_of_stream(spool *s, uint32_t device, uint32_t context, uint32_t stream)
{
    for (size_t i = s->work.streams.n; i-- > 0;) {
        stream_end *e = &s->work.streams.at[i];
        if (e->stream == stream && e->device == device && e->context == context) return e;
    }
    *tt_vec_push(&s->work.streams) = (stream_end){device, context, stream, 0};
    return &s->work.streams.at[s->work.streams.n - 1];
}

bool tt_spool_work_ended(spool *s, const open_work *w, unsigned flags)
{
    if (flags & TT_SPOOL_WORK_OPEN) {
        *tt_vec_push(&s->work.open) = *w;
        return false;
    }
    if (flags & TT_SPOOL_WORK_WAS_OPEN) *tt_vec_push(&s->work.ended) = w->key;
    stream_end *e = end_of_stream(s, w->device, w->context, w->stream);
    if (w->key.correlation > e->correlation) e->correlation = w->key.correlation;
    return true;
}

static int key_order(const work_key *a, const work_key *b)
{
    if (a->correlation != b->correlation) return a->correlation < b->correlation ? -1 : 1;
    if (a->node != b->node) return a->node < b->node ? -1 : 1;
    return (a->type > b->type) - (a->type < b->type);
}

static bool is_ended(const spool *s, const work_key *k)
{
    size_t lo = 0, hi = s->work.ended.n;
    TT_BISECT(lo, hi, i, key_order(&s->work.ended.at[i], k) < 0);
    return lo < s->work.ended.n && !key_order(&s->work.ended.at[lo], k);
}

/* Keep the open work that nothing replaces, in the order of the launches; count lost times. */
static void keep_open(spool *s)
{
    size_t kept = 0;
    TT_SORT_BY(s->work.ended.at, s->work.ended.n, TT_ASC(work_key, correlation), TT_ASC(work_key, node),
               TT_ASC(work_key, type));
    TT_SORT_BY(s->work.open.at, s->work.open.n, TT_ASC(open_work, key.correlation), TT_ASC(open_work, key.node),
               TT_ASC(open_work, key.type));
    for (size_t i = 0; i < s->work.open.n; i++) {
        const open_work *w = &s->work.open.at[i];
        if ((kept && !key_order(&w->key, &s->work.open.at[kept - 1].key)) || is_ended(s, &w->key)) continue;
        if (end_of_stream(s, w->device, w->context, w->stream)->correlation > w->key.correlation) {
            s->drops[TT_SPOOL_DROP_TIMES]++;
        } else {
            s->work.open.at[kept++] = *w;
        }
    }
    s->work.open.n = kept;
}

/* Set the start of the call that launched each piece of open work. */
static void find_launches(spool *s)
{
    for (uint32_t t = 0; t < s->b.tracks.n; t++) {
        for (const tt_rec_block *k = s->b.tracks.at[t].first; k; k = k->next) {
            for (uint32_t i = 0; i < k->n; i++) {
                const tt_rec *r = &k->at[i];
                if (!r->correlation || !tt_kind_is_launch(s->b.cats[tt_rec_cat(r)].kind)) continue;
                uint64_t correlation = tt_build_id_value(&s->b, r->correlation);
                size_t lo = 0, hi = s->work.open.n;
                TT_BISECT(lo, hi, at, s->work.open.at[at].key.correlation < correlation);
                for (; lo < s->work.open.n && s->work.open.at[lo].key.correlation == correlation; lo++)
                    s->work.open.at[lo].launched = r->ts;
            }
        }
    }
}

/* The work of an earlier launch on the same stream is open, too. */
static bool waits_for_another(const spool *s, size_t i)
{
    const open_work *w = &s->work.open.at[i];
    for (size_t k = 0; k < i; k++) {
        const open_work *o = &s->work.open.at[k];
        if (o->stream == w->stream && o->device == w->device && o->context == w->context) return true;
    }
    return false;
}

void tt_spool_add_unfinished(spool *s)
{
    int64_t end = s->b.max_ts;
    if (!s->work.open.n) return;
    keep_open(s);
    find_launches(s);
    for (size_t i = 0; i < s->work.open.n; i++) {
        const open_work *w = &s->work.open.at[i];
        tt_spool_unfinished u = {w->offset, w->launched && w->launched < end ? w->launched : end, end};
        if (waits_for_another(s, i)) u.end = u.start;
        *tt_vec_push(&s->f.unfinished) = u;
        tt_spool_add_device(s,
                            &(piece){.cat = TT_SPOOL_UNFINISHED,
                                     .name = w->name,
                                     .device = w->device,
                                     .stream = w->stream,
                                     .correlation = w->key.correlation,
                                     .start = u.start,
                                     .end = u.end,
                                     .bytes = TT_UNKNOWN,
                                     .unfinished = true},
                            w->offset);
    }
    TT_SORT_BY(s->f.unfinished.at, s->f.unfinished.n, TT_ASC(tt_spool_unfinished, offset));
}
