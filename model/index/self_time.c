/* model/index/self_time.c - one pass over a track with a stack of slices that have not ended. */
#include "model/index/self_time.h"

#include <stdlib.h>
#include <string.h>

void tt_self_begin(tt_self_walk *w, const tt_trace *s)
{
    w->rounding = s->resolution_ns > 1 ? s->resolution_ns : 0;
    w->open.n = 0;
}

/* Start of the time that [start, end) adds to the children so far; their starts come in order. */
static int64_t adds_from(tt_self_open *o, int64_t rounding, int64_t start, int64_t end)
{
    int64_t until = o->covered;
    if (end <= until) return end;
    o->covered = end;
    bool crosses = start < until && until - start > rounding && end - until > rounding;
    return crosses ? until : start;
}

uint32_t tt_self_next(tt_self_walk *w, uint32_t id, int64_t start, int64_t end, int64_t *from)
{
    size_t n = w->open.n;
    while (n && (w->open.at[n - 1].end <= start || w->open.at[n - 1].end < end)) n--;
    w->open.n = n;
    uint32_t around = TT_NONE;
    *from = end;
    if (n) {
        around = w->open.at[n - 1].id;
        *from = adds_from(&w->open.at[n - 1], w->rounding, start, end);
    }
    *tt_vec_push(&w->open) = (tt_self_open){end, start, id};
    return around;
}

void tt_self_end(tt_self_walk *w) { tt_vec_free(&w->open); }

static int64_t not_negative(int64_t ns) { return ns > 0 ? ns : 0; }

int64_t tt_row_self_ns(const tt_trace *s, tt_row row, uint32_t most)
{
    const tt_track *k = &s->tracks[tt_row_track(s, row)];
    int64_t self = s->dur[row], end = tt_row_end(s, row), from;
    tt_row last = k->first + k->n, r = row + 1;
    bool counts = tt_self_counts(tt_row_kind(s, row));
    tt_self_walk w = {0};
    tt_self_begin(&w, s);
    (void)tt_self_next(&w, row, s->start[row], end, &from);
    for (; r < last && r - row <= most && s->start[r] < end; r++) {
        if (!counts) {
            self -= s->parent[r] == row ? s->dur[r] : 0;
        } else if (tt_self_counts(tt_row_kind(s, r)) &&
                   tt_self_next(&w, r, s->start[r], tt_row_end(s, r), &from) == row) {
            self -= tt_row_end(s, r) - from;
        }
    }
    tt_self_end(&w);
    return r < last && s->start[r] < end ? TT_UNKNOWN : not_negative(self);
}

int64_t *tt_trace_self_ns(const tt_trace *s)
{
    int64_t *self = tt_malloc(s->n * sizeof *self);
    if (s->n) memcpy(self, s->dur, s->n * sizeof *self);
    tt_self_walk w = {0};
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        const tt_track *k = &s->tracks[t];
        tt_self_begin(&w, s);
        for (tt_row r = k->first; r < k->first + k->n; r++) {
            int64_t from;
            tt_row parent = s->parent[r];
            if (parent != TT_NONE && !tt_self_counts(tt_row_kind(s, parent))) self[parent] -= s->dur[r];
            if (!tt_self_counts(tt_row_kind(s, r))) continue;
            uint32_t around = tt_self_next(&w, r, s->start[r], tt_row_end(s, r), &from);
            if (around != TT_NONE) self[around] -= tt_row_end(s, r) - from;
        }
    }
    tt_self_end(&w);
    for (tt_row r = 0; r < s->n; r++) self[r] = not_negative(self[r]);
    return self;
}
