/* model/index/lod_build.c - builds the level of detail index of a track.
 *
 * Rows of a track are distributed to its lanes by depth (a counting sort, which keeps time order), the outermost
 * slices are collected on the way, then every lane gets its blocks and its pyramid in one pass. Lanes are
 * independent: those of a large track are built by several threads. */
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "model/index/lod_index.h"

enum { PARALLEL_FROM = 1 << 18 };

static size_t blocks_of(uint32_t n) { return ((size_t)n + TT_LOD_BLOCK - 1) / TT_LOD_BLOCK; }

/* One allocation per lane: block_start, busy and top_dur (8 bytes each), then top (4 bytes each). */
static size_t lane_alloc(tt_lod_lane *lane)
{
    size_t nodes[TT_LOD_LEVELS], n_nodes = 0, levels = 0;
    for (size_t n = lane->n; n > 1 && levels < TT_LOD_LEVELS; n = nodes[levels++]) {
        nodes[levels] = (n + TT_LOD_FAN - 1) / TT_LOD_FAN;
        n_nodes += nodes[levels];
    }
    size_t blocks = blocks_of(lane->n), wide = blocks + (blocks + 1) * lane->n_classes + n_nodes;
    size_t bytes = wide * sizeof(int64_t) + n_nodes * sizeof(uint32_t);
    int64_t *at = tt_malloc(bytes);
    lane->block_start = at;
    lane->busy = at + blocks;
    int64_t *dur = lane->busy + (blocks + 1) * lane->n_classes;
    uint32_t *top = (uint32_t *)(dur + n_nodes);
    lane->n_levels = (uint8_t)levels;
    for (size_t l = 0; l < levels; l++) {
        lane->top_dur[l] = dur;
        lane->top[l] = top;
        lane->n_top[l] = (uint32_t)nodes[l];
        dur += nodes[l];
        top += nodes[l];
    }
    return bytes;
}

/* Find the occurring classes, and assign their columns. */
static void lane_classes(const tt_lod *l, tt_lod_lane *lane)
{
    uint32_t occur = 0;
    uint8_t n = 0;
    for (uint32_t i = 0; i < lane->n; i++) occur |= 1u << tt_lod_class(l, tt_lod_lane_row(lane, i));
    for (unsigned k = 0; k < TT_LOD_CLASSES; k++) {
        lane->slot[k] = 0;
        if (occur >> k & 1u) {
            lane->class[n] = (uint8_t)k;
            lane->slot[k] = n++;
        }
    }
    lane->n_classes = n;
}

/* Levels above the first: each node takes the longest of its children. */
static void lane_pyramid(tt_lod_lane *lane)
{
    for (unsigned l = 1; l < lane->n_levels; l++) {
        uint32_t n = lane->n_top[l - 1];
        for (uint32_t i = 0; i < lane->n_top[l]; i++) {
            uint32_t from = i * TT_LOD_FAN, best = from;
            for (uint32_t c = from + 1; c < n && c < from + TT_LOD_FAN; c++) {
                best = lane->top_dur[l - 1][c] > lane->top_dur[l - 1][best] ? c : best;
            }
            lane->top[l][i] = lane->top[l - 1][best];
            lane->top_dur[l][i] = lane->top_dur[l - 1][best];
        }
    }
}

/* Build blocks and the first pyramid level in one pass over the slices, after one for the classes. Returns the
 * allocated bytes. */
static size_t lane_build(const tt_lod *l, tt_lod_lane *lane)
{
    const tt_trace *s = l->trace;
    lane_classes(l, lane);
    size_t bytes = lane_alloc(lane);
    int64_t sum[TT_LOD_CLASSES] = {0}, best = -1;
    uint32_t nk = lane->n_classes;
    for (uint32_t i = 0; i < lane->n; i++) {
        tt_row r = tt_lod_lane_row(lane, i);
        int64_t start = s->start[r];
        if (i % TT_LOD_BLOCK == 0) {
            lane->block_start[i / TT_LOD_BLOCK] = start;
            memcpy(lane->busy + (size_t)(i / TT_LOD_BLOCK) * nk, sum, nk * sizeof *sum);
        }
        if (lane->n_levels > 0) {
            if (i % TT_LOD_FAN == 0 || s->dur[r] > best) {
                best = s->dur[r];
                lane->top[0][i / TT_LOD_FAN] = i;
                lane->top_dur[0][i / TT_LOD_FAN] = best;
            }
        }
        sum[lane->slot[tt_lod_class(l, r)]] += tt_lod_lane_end(s, lane, i) - start;
    }
    memcpy(lane->busy + blocks_of(lane->n) * nk, sum, nk * sizeof *sum);
    lane_pyramid(lane);
    return bytes;
}

/* Distribute the passing rows of a track to its lanes, lane[] by row. */
static void deal(const tt_trace *s, const tt_lod_filter *f, const tt_track *k, const uint16_t *lane, tt_lod_track *t)
{
    uint32_t *fill = tt_calloc(t->n_lanes + (size_t)1, sizeof *fill), total = 0, at = 0;
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        bool in = lane[r] != TT_LANE_NONE && tt_lod_passes(f, s, r);
        fill[in ? lane[r] : t->n_lanes] += in;
        total += in;
    }
    t->rows = tt_malloc(total * sizeof *t->rows);
    t->bytes += total * sizeof *t->rows;
    for (uint32_t d = 0; d < t->n_lanes; d++) {
        uint32_t n = fill[d];
        t->lanes[d].rows = t->rows + at;
        t->lanes[d].n = n;
        fill[d] = at;
        at += n;
    }
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        uint32_t d = lane[r];
        if (d == TT_LANE_NONE || !tt_lod_passes(f, s, r)) {
            continue;
        }
        t->rows[fill[d]++] = r;
    }
    free(fill);
}

/* Whether a slice counts for the whole track. On a stream with work only work does: ranges and waits keep no device
 * busy. */
static bool counts(const tt_trace *s, const tt_lod_filter *f, tt_row r, bool work_only)
{
    return (!work_only || tt_kind_is_work(tt_row_kind(s, r))) && tt_lod_passes(f, s, r);
}

static bool has_work(const tt_trace *s, const tt_lod_filter *f, const tt_track *k)
{
    for (tt_row r = k->first; k->kind == TT_TRACK_STREAM && r < k->first + k->n; r++) {
        if (counts(s, f, r, true)) {
            return true;
        }
    }
    return false;
}

/* Find the outermost slices: those that end after all slices before them. Counts them, or writes them to out; *same:
 * they are exactly the slices of lane 0. */
static uint32_t outermost(const tt_trace *s, const tt_lod_filter *f, const tt_track *k, const tt_lod_track *t,
                          tt_row *out, bool *same)
{
    bool work_only = has_work(s, f, k);
    const tt_lod_lane *lane0 = &t->lanes[0];
    int64_t reach = INT64_MIN;
    uint32_t n = 0;
    *same = true;
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        int64_t end = s->start[r] + s->dur[r];
        if ((s->start[r] < reach && end <= reach) || !counts(s, f, r, work_only)) {
            continue;
        }
        reach = end > reach ? end : reach;
        *same = *same && t->n_lanes > 0 && n < lane0->n && tt_lod_lane_row(lane0, n) == r;
        if (out) {
            out[n] = r;
        }
        n++;
    }
    *same = *same && t->n_lanes > 0 && n == lane0->n;
    return n;
}

/* Set up the union lane; it shares lane 0 if equal. */
static void pick_outer(const tt_trace *s, const tt_lod_filter *f, const tt_track *k, tt_lod_track *t)
{
    bool same;
    uint32_t n = outermost(s, f, k, t, NULL, &same);
    if (same) {
        return;
    }
    tt_lod_lane *whole = &t->lanes[t->n_lanes];
    t->outer = tt_malloc(n * sizeof *t->outer);
    t->bytes += n * sizeof *t->outer;
    outermost(s, f, k, t, t->outer, &same);
    whole->rows = t->outer;
    whole->n = n;
}

typedef struct lane_job {
    const tt_lod *lod;
    tt_lod_track *track;
    atomic_size_t bytes;
} lane_job;

static void build_lane(void *arg, size_t i)
{
    lane_job *j = arg;
    if (j->track->lanes[i].n > 0) {
        atomic_fetch_add(&j->bytes, lane_build(j->lod, &j->track->lanes[i]));
    }
}

/* Build the index of a track, with helper threads if large. Touches no shared data except the bands. */
static tt_lod_track *lod_track_build(const tt_lod *l, uint32_t track)
{
    const tt_trace *s = l->trace;
    const tt_lod_filter *f = l->filter;
    const tt_track *k = &s->tracks[track];
    const uint16_t *lane = l->bands && k->n > 0 ? tt_bands_lane(l->bands, track) : s->depth;
    tt_lod_track *t = tt_calloc(1, sizeof *t);
    t->n_lanes = k->n == 0 ? 0 : l->bands ? tt_bands_lanes(l->bands, track) : k->depths;
    t->lanes = tt_calloc((size_t)t->n_lanes + 1, sizeof *t->lanes);
    t->bytes = sizeof *t + ((size_t)t->n_lanes + 1) * sizeof *t->lanes;
    if (k->n == 0) {
        return t;
    }
    if (t->n_lanes == 1 && !f && lane == s->depth) {
        t->lanes[0].first = k->first;
        t->lanes[0].n = k->n;
    } else {
        deal(s, f, k, lane, t);
    }
    pick_outer(s, f, k, t);
    lane_job job = {.lod = l, .track = t};
    tt_parallel(k->n >= PARALLEL_FROM ? l->threads : 1, t->n_lanes + (t->outer != NULL), build_lane, &job);
    if (!t->outer) {
        t->lanes[t->n_lanes] = t->lanes[0];
    }
    t->bytes += atomic_load(&job.bytes);
    return t;
}

void tt_lod_track_free(tt_lod_track *t)
{
    if (!t) {
        return;
    }
    unsigned n = t->n_lanes + (t->outer != NULL);
    for (unsigned i = 0; i < n; i++) {
        free(t->lanes[i].block_start);
    }
    free(t->lanes);
    free(t->rows);
    free(t->outer);
    free(t);
}

tt_lod_track *tt_lod_track_get(tt_lod *l, uint32_t track)
{
    tt_lod_track *t = atomic_load_explicit(&l->tracks[track], memory_order_acquire);
    if (t) {
        return t;
    }
    pthread_mutex_t *lock = &l->locks[track % TT_LOD_LOCKS];
    pthread_mutex_lock(lock);
    t = atomic_load_explicit(&l->tracks[track], memory_order_acquire);
    if (!t) {
        t = lod_track_build(l, track);
        atomic_fetch_add(&l->bytes, t->bytes);
        atomic_store_explicit(&l->tracks[track], t, memory_order_release);
    }
    pthread_mutex_unlock(lock);
    return t;
}

typedef struct track_job {
    tt_lod *lod;
    const atomic_bool *stop;
} track_job;

static void build_track(void *arg, size_t i)
{
    track_job *j = arg;
    if (!j->stop || !atomic_load(j->stop)) {
        tt_lod_track_get(j->lod, (uint32_t)i);
    }
}

void tt_lod_build(tt_lod *l, unsigned threads, const atomic_bool *stop)
{
    track_job job = {.lod = l, .stop = stop};
    tt_parallel(threads ? threads : l->threads, l->trace->n_tracks, build_track, &job);
}
