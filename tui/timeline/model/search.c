/* tui/timeline/model/search.c - slices whose names match: n and N step through them, drawing highlights them.
 *
 * A name is compared once, however many slices have it. The rows that match are kept in order, which is the order of
 * time inside a track, so that stepping and drawing are binary searches. */
#include "tui/timeline/model/search.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/layers.h"

enum { CHUNK = 1 << 17 }; /* rows that a thread compares in one go */

/* Matches of a track by lane: lane d has rows[from[d]] .. rows[from[d + 1] - 1]. */
typedef struct tt_track_hits {
    tt_row *rows;
    size_t *from; /* NULL = not made yet */
} tt_track_hits;

static void clear_matches(tt_timeline *t)
{
    for (uint32_t i = 0; t->search.hits && i < t->session->n_traces; i++) {
        for (uint32_t k = 0; k < t->session->traces[i]->n_tracks; k++) {
            free(t->search.track_hits[i][k].rows);
            free(t->search.track_hits[i][k].from);
        }
        free(t->search.track_hits[i]);
        tt_vec_free(&t->search.hits[i]);
        free(t->search.matches[i]);
    }
    free(t->search.track_hits);
    free(t->search.hits);
    t->search.track_hits = NULL;
    free(t->search.matches);
    free(t->search.pattern);
    t->search.hits = NULL;
    t->search.matches = NULL;
    t->search.pattern = NULL;
    t->search.n_hits = 0;
    t->search.hits_ns = 0;
    t->search.serial++;
}

typedef struct chunk { /* matches in a chunk of rows */
    tt_hits hits;
    int64_t ns;
} chunk;

typedef struct match_job {
    const tt_timeline *t;
    uint32_t trace;
    const uint16_t *folded;
    chunk *chunks;
} match_job;

/* Two threads may compare the same name: both write the same result. */
bool tt_timeline_matches(const tt_timeline *t, uint32_t trace, tt_row r)
{
    const tt_trace *s = t->session->traces[trace];
    atomic_uchar *match = (atomic_uchar *)t->search.matches[trace];
    tt_sid id = s->name[r];
    unsigned char is = atomic_load_explicit(&match[id], memory_order_relaxed);
    if (is == 0) {
        const char *name = tt_str(&s->strings, id);
        bool same =
            t->search.exact ? strcmp(name, t->search.pattern) == 0 : strcasestr(name, t->search.pattern) != NULL;
        is = same ? 2 : 1;
        atomic_store_explicit(&match[id], is, memory_order_relaxed);
    }
    if (is == 2 || t->search.exact) return is == 2;
    const char *whole = tt_row_whole_name(s, r);
    return whole && strcasestr(whole, t->search.pattern);
}

static void match_chunk(void *arg, size_t i)
{
    const match_job *j = arg;
    const tt_timeline *t = j->t;
    const tt_trace *s = t->session->traces[j->trace];
    chunk *out = &j->chunks[i];
    size_t end = (i + 1) * CHUNK < s->n ? (i + 1) * CHUNK : s->n;
    for (size_t r = i * CHUNK; r < end; r++) {
        bool shown = !j->folded || j->folded[r] != TT_LANE_NONE;
        if (shown && tt_timeline_matches(t, j->trace, (tt_row)r) &&
            tt_timeline_passes(t, (tt_slice_ref){j->trace, (tt_row)r})) {
            *tt_vec_push(&out->hits) = (tt_row)r;
            out->ns += s->dur[r];
        }
    }
}

/* folded: by row, TT_LANE_NONE = the row cannot match; NULL = all rows can. */
static void match_trace(tt_timeline *t, uint32_t trace, const uint16_t *folded)
{
    const tt_trace *s = t->session->traces[trace];
    size_t n = ((size_t)s->n + CHUNK - 1) / CHUNK;
    match_job j = {t, trace, folded, tt_calloc(n + 1, sizeof *j.chunks)};
    tt_hits *h = &t->search.hits[trace];
    t->search.matches[trace] = tt_calloc(s->strings.text.n + 1, 1);
    t->search.track_hits[trace] = tt_calloc(s->n_tracks + (size_t)1, sizeof **t->search.track_hits);
    if (t->search.only_trace != TT_NONE && t->search.only_trace != trace) n = 0;
    tt_parallel(n > 4 ? tt_threads() : 1, n, match_chunk, &j);
    for (size_t i = 0; i < n; i++) h->cap += j.chunks[i].hits.n;
    h->at = tt_malloc(h->cap * sizeof *h->at);
    for (size_t i = 0; i < n; i++) {
        const chunk *f = &j.chunks[i];
        if (f->hits.n > 0) memcpy(h->at + h->n, f->hits.at, f->hits.n * sizeof *h->at);
        h->n += f->hits.n;
        t->search.hits_ns += f->ns;
        tt_vec_free(&j.chunks[i].hits);
    }
    t->search.n_hits += h->n;
    free(j.chunks);
}

static void match_all(tt_timeline *t, bool any)
{
    char *pattern = t->search.pattern;
    t->search.pattern = NULL;
    clear_matches(t);
    if (!pattern) {
        return;
    }
    t->search.pattern = pattern;
    t->search.hits = tt_calloc(t->session->n_traces, sizeof *t->search.hits);
    t->search.track_hits = tt_calloc(t->session->n_traces, sizeof *t->search.track_hits);
    t->search.matches = tt_calloc(t->session->n_traces, sizeof *t->search.matches);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        match_trace(t, i, any ? NULL : tt_layers_folded(t, i));
    }
}

/* Search folded slices only where no other slice matches: a jump to one of them unfolds it. */
void tt_timeline_rematch(tt_timeline *t)
{
    match_all(t, false);
    if (t->search.pattern && t->search.n_hits == 0 && t->view == TT_VIEW_BANDS) match_all(t, true);
}

void tt_timeline_match(tt_timeline *t, const char *text, bool exact)
{
    t->search.dim_others = true;
    t->search.ranges.n = 0;
    if (t->search.pattern && text && exact == t->search.exact && strcmp(text, t->search.pattern) == 0) {
        return;
    }
    free(t->search.pattern);
    t->search.pattern = text && *text ? tt_strdup(text) : NULL;
    t->search.exact = exact;
    tt_timeline_rematch(t);
}

/* Index of the first hit at or behind a row. */
static size_t hit_from(const tt_hits *h, tt_row row)
{
    size_t a = 0, b = h->n;
    TT_BISECT(a, b, i, h->at[i] < row);
    return a;
}

/* Index of the first of the rows at[a .. b) that starts at or after t. */
static size_t hit_at(const tt_trace *s, const tt_row *at, size_t a, size_t b, int64_t t)
{
    TT_BISECT(a, b, i, s->start[at[i]] < t);
    return a;
}

static void deal_hits(tt_timeline *t, uint32_t trace, uint32_t track, tt_track_hits *out)
{
    const tt_trace *s = t->session->traces[trace];
    const tt_track *k = &s->tracks[track];
    const tt_hits *h = &t->search.hits[trace];
    const tt_timeline_node *n = &t->nodes.at[t->track_node[trace][track]];
    size_t lanes = tt_layers_lanes(t, n);
    size_t lo = hit_from(h, k->first), hi = hit_from(h, k->first + k->n);
    size_t *fill = tt_calloc(lanes + 2, sizeof *fill);
    for (size_t i = lo; i < hi; i++) {
        uint32_t lane = tt_layers_lane_on(t, n, h->at[i]);
        if (lane != TT_NONE) fill[lane + 1]++;
    }
    for (size_t d = 0; d < lanes; d++) {
        fill[d + 1] += fill[d];
    }
    out->from = tt_calloc(lanes + 2, sizeof *out->from);
    memcpy(out->from, fill, (lanes + 1) * sizeof *fill);
    out->rows = tt_malloc((hi - lo) * sizeof *out->rows);
    for (size_t i = lo; i < hi; i++) {
        uint32_t lane = tt_layers_lane_on(t, n, h->at[i]);
        if (lane != TT_NONE) out->rows[fill[lane]++] = h->at[i];
    }
    free(fill);
}

tt_lane_hits tt_timeline_hits_of(tt_timeline *t, uint32_t trace, uint32_t track, uint32_t depth)
{
    const tt_trace *s = t->session->traces[trace];
    const tt_hits *h = &t->search.hits[trace];
    if (depth == TT_NONE) {
        size_t lo = hit_from(h, s->tracks[track].first), hi = hit_from(h, s->tracks[track].first + s->tracks[track].n);
        return (tt_lane_hits){h->at + lo, hi - lo};
    }
    tt_track_hits *k = &t->search.track_hits[trace][track];
    if (!k->from) {
        deal_hits(t, trace, track, k);
    }
    return (tt_lane_hits){k->rows + k->from[depth], k->from[depth + 1] - k->from[depth]};
}

bool tt_timeline_hit_in(const tt_trace *s, const tt_lane_hits *h, size_t *next, int64_t a, int64_t b)
{
    size_t lo = *next, hi = lo, step = 1;
    while (hi < h->n && s->start[h->at[hi]] < a) { /* gallop to the first hit at or after a */
        lo = hi + 1;
        hi = h->n - hi > step ? hi + step : h->n;
        step *= 2;
    }
    *next = hit_at(s, h->at, lo, hi, a);
    return *next < h->n && s->start[h->at[*next]] < b;
}

typedef struct key { /* a slice in the order of time of all traces */
    int64_t at;
    tt_slice_ref r;
} key;

static bool key_less(const key *a, const key *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    return a->r.trace != b->r.trace ? a->r.trace < b->r.trace : a->r.row < b->r.row;
}

/* The nearest hit after `from` (dir > 0) or before it (dir < 0); inclusive: a hit at `from` counts. */
static bool nearest_hit(const tt_timeline *t, const key *from, int dir, bool inclusive, key *best)
{
    bool found = false;
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        const tt_trace *s = t->session->traces[i];
        const tt_hits *h = &t->search.hits[i];
        int64_t offset = t->session->offset_ns[i];
        for (uint32_t k = 0; k < s->n_tracks && h->n > 0; k++) {
            size_t lo = hit_from(h, s->tracks[k].first), hi = hit_from(h, s->tracks[k].first + s->tracks[k].n);
            size_t x = hit_at(s, h->at, lo, hi, from->at - offset);
            /* hits with the same start are ordered by row */
            for (; dir > 0 && x < hi; x++) {
                key c = {s->start[h->at[x]] + offset, {i, h->at[x]}};
                if (key_less(from, &c) || (inclusive && !key_less(&c, from))) {
                    break;
                }
            }
            for (; dir < 0 && x < hi; x++) {
                key c = {s->start[h->at[x]] + offset, {i, h->at[x]}};
                if (!key_less(&c, from)) {
                    break;
                }
            }
            if (dir < 0 ? x == lo : x == hi) {
                continue;
            }
            tt_row row = h->at[dir < 0 ? x - 1 : x];
            key c = {s->start[row] + offset, {i, row}};
            if (!found || (dir < 0 ? key_less(best, &c) : key_less(&c, best))) {
                *best = c;
                found = true;
            }
        }
    }
    return found;
}

uint64_t tt_timeline_hit_place(const tt_timeline *t)
{
    if (t->search.n_hits == 0 || !tt_timeline_has_sel(t)) return 0;
    const key own = {tt_timeline_start(t, t->sel), t->sel};
    uint64_t place = 0;
    bool is_hit = false;
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        const tt_trace *s = t->session->traces[i];
        const tt_hits *h = &t->search.hits[i];
        int64_t offset = t->session->offset_ns[i];
        for (uint32_t k = 0; k < s->n_tracks && h->n > 0; k++) {
            size_t lo = hit_from(h, s->tracks[k].first), hi = hit_from(h, s->tracks[k].first + s->tracks[k].n);
            size_t x = hit_at(s, h->at, lo, hi, own.at - offset);
            for (; x < hi; x++) { /* hits with the same start */
                key c = {s->start[h->at[x]] + offset, {i, h->at[x]}};
                is_hit |= i == own.r.trace && h->at[x] == own.r.row;
                if (!key_less(&c, &own)) break;
            }
            place += x - lo;
        }
    }
    return is_hit ? place + 1 : 0;
}

tt_slice_ref tt_timeline_next_match(tt_timeline *t, int dir, bool *wrapped)
{
    tt_slice_ref none = {0, TT_NONE};
    *wrapped = false;
    if (t->search.n_hits == 0) {
        return none;
    }
    bool sel = tt_timeline_has_sel(t);
    key from = {sel ? tt_timeline_start(t, t->sel) : t->at, sel ? t->sel : (tt_slice_ref){0, 0}}, best;
    if (nearest_hit(t, &from, dir < 0 ? -1 : 1, dir == 0 || !sel, &best)) {
        return best.r;
    }
    *wrapped = true;
    key edge = {dir < 0 ? INT64_MAX / 2 : INT64_MIN / 2, {0, 0}};
    return nearest_hit(t, &edge, dir < 0 ? -1 : 1, true, &best) ? best.r : none;
}
