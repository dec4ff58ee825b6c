/* model/index/clip_to_window.c - slices that touch a window: those that start in it are found by start; those open
 * at its begin by an index of the latest end per block of rows, which skips all other blocks. */
#include "model/index/clip_to_window.h"

#include <stdlib.h>

#include "model/trace/analysis_cache.h"

enum { NEAR_BITS = 8, FAR_BITS = 16 };

typedef struct reach { /* latest end of the rows in a block */
    int64_t *near, *far;
} reach;

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    reach *x = tt_calloc(1, sizeof *x);
    x->near = tt_malloc(((size_t)(s->n >> NEAR_BITS) + 1) * sizeof *x->near);
    x->far = tt_malloc(((size_t)(s->n >> FAR_BITS) + 1) * sizeof *x->far);
    for (uint32_t i = 0; i <= s->n >> NEAR_BITS; i++) x->near[i] = INT64_MIN;
    for (uint32_t i = 0; i <= s->n >> FAR_BITS; i++) x->far[i] = INT64_MIN;
    for (tt_row r = 0; r < s->n; r++) {
        int64_t end = tt_row_end(s, r);
        if (end > x->near[r >> NEAR_BITS]) x->near[r >> NEAR_BITS] = end;
        if (end > x->far[r >> FAR_BITS]) x->far[r >> FAR_BITS] = end;
    }
    return x;
}

static void release(void *value)
{
    reach *x = value;
    free(x->near);
    free(x->far);
    free(x);
}

typedef struct walker {
    const tt_trace *s;
    const reach *reach;
    void (*visit)(void *arg, const tt_clipped *part);
    void *arg;
} walker;

/* Visit a row that touches [t0, t1); before: end of the previous window. */
static void give(const walker *w, tt_row r, uint32_t track, int64_t t0, int64_t t1, int64_t before)
{
    int64_t start = w->s->start[r], end = tt_row_end(w->s, r);
    tt_clipped part = {.row = r, .track = track, .t0 = start > t0 ? start : t0, .t1 = end < t1 ? end : t1};
    part.again = start < before;
    w->visit(w->arg, &part);
}

static tt_row next_block(tt_row r, int bits, tt_row end)
{
    uint64_t next = (((uint64_t)r >> bits) + 1) << bits;
    return next < end ? (tt_row)next : end;
}

/* Visit the rows of [first, end), which start before t0, that are still open at t0. */
static void give_open(const walker *w, uint32_t track, tt_row first, tt_row end, int64_t t0, int64_t t1, int64_t before)
{
    for (tt_row r = first; r < end;) {
        if (w->reach->far[r >> FAR_BITS] <= t0) {
            r = next_block(r, FAR_BITS, end);
        } else if (w->reach->near[r >> NEAR_BITS] <= t0) {
            r = next_block(r, NEAR_BITS, end);
        } else {
            for (tt_row stop = next_block(r, NEAR_BITS, end); r < stop; r++)
                if (tt_row_end(w->s, r) > t0) give(w, r, track, t0, t1, before);
        }
    }
}

void tt_clipped_walk(const tt_session *session, uint32_t trace, const tt_windows *w, int64_t track,
                     void (*visit)(void *arg, const tt_clipped *part), void *arg)
{
    static const tt_analysis_kind kind = {"reach", build, release};
    const tt_trace *s = session->traces[trace];
    walker k = {s, tt_analysis_get(session, trace, &kind), visit, arg};
    uint32_t first = track == TT_ALL ? 0 : (uint32_t)track, end = track == TT_ALL ? s->n_tracks : first + 1;
    for (uint32_t t = first; t < end && t < s->n_tracks; t++) {
        tt_row rows_end = s->tracks[t].first + s->tracks[t].n;
        for (uint32_t i = 0; i < w->n; i++) {
            int64_t t0 = w->at[i].t0, t1 = w->at[i].t1, before = i ? w->at[i - 1].t1 : INT64_MIN;
            tt_row r = tt_track_lower_bound(s, t, t0);
            give_open(&k, t, s->tracks[t].first, r, t0, t1, before);
            for (; r < rows_end && s->start[r] < t1; r++) give(&k, r, t, t0, t1, before);
        }
    }
}

int64_t tt_clipped_length(const tt_trace *s, const tt_windows *w)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        int64_t t0 = w->at[i].t0 > 0 ? w->at[i].t0 : 0, t1 = w->at[i].t1 < s->end ? w->at[i].t1 : s->end;
        if (t1 > t0) sum += t1 - t0;
    }
    return sum;
}
