/* tui/timeline/navigate/pieces.c - see pieces.h. */
#include "tui/timeline/navigate/pieces.h"

#include <stdlib.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/device/device_work.h"
#include "model/tables/findings/evidence.h"

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }

/* Find the work of a stream with most time in a piece, if that is more than *most. Only work that starts in the piece,
 * and the last work before it, can reach into it. */
static void most_of_stream(const tt_device_work *w, const tt_work_stream *st, const tt_evidence_piece *p,
                           const tt_work **best, int64_t *most)
{
    uint32_t from = st->first, end = st->first + st->n;
    TT_BISECT(from, end, i, w->at[i].start <= p->t0);
    for (from -= from > st->first; from < st->first + st->n && w->at[from].start < p->t1; from++) {
        const tt_work *x = &w->at[from];
        int64_t ns = earlier(x->end, p->t1) - later(x->start, p->t0);
        bool tighter = *best && ns == *most && x->end - x->start < (*best)->end - (*best)->start;
        if (ns < 0 || (*best && ns <= *most && !tighter)) continue;
        *best = x;
        *most = ns;
    }
}

static tt_piece piece_of(const tt_session *s, uint32_t trace, uint32_t device, const tt_evidence_piece *p)
{
    const tt_trace *t = s->traces[trace];
    const tt_device_work *w = tt_device_work_get(s, trace);
    const tt_work_device *dev = &w->devices[device];
    tt_piece out = {p->t0 + s->offset_ns[trace], p->t1 + s->offset_ns[trace], p->ns, TT_NONE, p->track};
    const tt_work *work = NULL;
    int64_t most = 0;
    for (uint32_t i = 0; !p->idle && i < dev->n_streams; i++)
        most_of_stream(w, &w->streams[dev->first_stream + i], p, &work, &most);
    if (!work) return out;
    out.work = work->row;
    out.host = work->launch == TT_NONE ? TT_NONE : tt_row_track(t, work->launch);
    return out;
}

tt_pieces *tt_pieces_make(const tt_session *s, const tt_scope *scope, const tt_drilldown *o)
{
    tt_evidence_pieces found = tt_evidence_of(s, scope, o);
    tt_pieces *p = NULL;
    if (found.at.n) {
        p = tt_calloc(1, sizeof *p);
        p->trace = found.trace;
        p->device = found.device;
        for (size_t i = 0; i < found.at.n; i++)
            *tt_vec_push(&p->at) = piece_of(s, found.trace, found.device, &found.at.at[i]);
    }
    tt_vec_free(&found.at);
    return p;
}

void tt_pieces_free(tt_pieces *p)
{
    if (!p) return;
    tt_vec_free(&p->at);
    free(p);
}

size_t tt_pieces_after(const tt_pieces *p, int64_t t)
{
    size_t from = 0, to = p->at.n;
    TT_BISECT(from, to, i, p->at.at[i].t1 <= t);
    return from;
}

size_t tt_pieces_longest(const tt_pieces *p, int64_t t0, int64_t t1)
{
    size_t best = p->at.n, i = tt_pieces_after(p, t0), near = i < p->at.n ? i : p->at.n - 1;
    for (; i < p->at.n && p->at.at[i].t0 < t1; i++) {
        const tt_piece *x = &p->at.at[i];
        if (x->ns > p->at.at[near].ns) near = i;
        if (x->t0 < t0 || x->t1 > t1) continue;
        if (best == p->at.n || x->ns > p->at.at[best].ns) best = i;
    }
    return best < p->at.n ? best : near;
}
