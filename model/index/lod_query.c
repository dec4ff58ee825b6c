/* model/index/lod_query.c - queries of the level of detail index.
 *
 * A cell holds the slices from the first one that ends after its left edge to the last one that starts before its
 * right edge. Both are found by galloping over the blocks; sums are differences of two running sums and the longest
 * slice comes from the pyramid, so the cost does not depend on the number of slices in a cell. Small numbers of
 * slices are scanned. */
#include "model/index/lod.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/run/parallel.h"
#include "model/index/lod_index.h"

tt_lod *tt_lod_new(const tt_trace *s) { return tt_lod_new_filtered(s, NULL, NULL); }

tt_lod *tt_lod_new_filtered(const tt_trace *s, const tt_lod_filter *f, tt_bands *bands)
{
    tt_lod *l = tt_calloc(1, sizeof *l);
    l->trace = s;
    l->filter = f;
    l->bands = bands;
    l->threads = tt_threads();
    for (unsigned k = 0; k < TT_KIND_COUNT_; k++) l->of_kind[k] = (uint8_t)k;
    l->tracks = tt_calloc(s->n_tracks + (size_t)1, sizeof *l->tracks);
    for (unsigned i = 0; i < TT_LOD_LOCKS; i++) {
        pthread_mutex_init(&l->locks[i], NULL);
    }
    return l;
}

void tt_lod_classify(tt_lod *l, const tt_lod_classifier *c)
{
    l->classifier = c;
    l->by_name = c->by_name;
    for (unsigned k = 0; k < TT_KIND_COUNT_; k++) {
        if (!(c->by_name >> k & 1u)) l->of_kind[k] = c->of((tt_kind)k, NULL);
    }
    l->of_name = tt_calloc(l->trace->strings.text.n + 1, sizeof *l->of_name);
    atomic_fetch_add(&l->bytes, (l->trace->strings.text.n + 1) * sizeof *l->of_name);
}

uint8_t tt_lod_class_of_name(const tt_lod *l, tt_kind kind, tt_sid name)
{
    /* concurrent threads compute equal results */
    uint16_t known = atomic_load_explicit(&l->of_name[name], memory_order_relaxed);
    if (known >> 8 != kind + 1) {
        known = (uint16_t)((kind + 1) << 8 | l->classifier->of(kind, tt_str(&l->trace->strings, name)));
        atomic_store_explicit(&l->of_name[name], known, memory_order_relaxed);
    }
    return (uint8_t)known;
}

void tt_lod_free(tt_lod *l)
{
    if (!l) {
        return;
    }
    free(l->of_name);
    for (uint32_t i = 0; i < l->trace->n_tracks; i++) {
        tt_lod_track_free(atomic_load(&l->tracks[i]));
    }
    for (unsigned i = 0; i < TT_LOD_LOCKS; i++) {
        pthread_mutex_destroy(&l->locks[i]);
    }
    free(l->tracks);
    free(l);
}

const tt_bands *tt_lod_bands(const tt_lod *l) { return l->bands; }

size_t tt_lod_memory(const tt_lod *l)
{
    return sizeof *l + l->trace->n_tracks * sizeof *l->tracks + atomic_load(&((tt_lod *)l)->bytes);
}

static const tt_lod_lane *lane_of(tt_lod *l, uint32_t track, uint32_t lane)
{
    const tt_lod_track *t = tt_lod_track_get(l, track);
    return lane < t->n_lanes || lane == TT_NONE ? &t->lanes[lane == TT_NONE ? t->n_lanes : lane] : NULL;
}

/* The last block, at or after `from`, whose first slice starts before t; `from` if none. */
static uint32_t block_before(const tt_lod_lane *n, int64_t t, uint32_t from)
{
    uint32_t blocks = (n->n + TT_LOD_BLOCK - 1) / TT_LOD_BLOCK, lo = from, hi = from, step = 1;
    while (hi < blocks && n->block_start[hi] < t) { /* gallop to a block that starts at or after t */
        lo = hi;
        hi = hi + step < blocks ? hi + step : blocks;
        step *= 2;
    }
    lo++;
    TT_BISECT(lo, hi, i, n->block_start[i] < t);
    return lo - 1;
}

/* First slice of the lane that starts at or after t: in the block of block_before(), or the first one after it. */
static uint32_t lower_bound(const tt_trace *s, const tt_lod_lane *n, int64_t t, uint32_t block)
{
    uint32_t a = block * TT_LOD_BLOCK, b = a + TT_LOD_BLOCK < n->n ? a + TT_LOD_BLOCK : n->n;
    TT_BISECT(a, b, i, s->start[tt_lod_lane_row(n, i)] < t);
    return a;
}

uint32_t tt_lod_lane_lower_bound(const tt_trace *s, const tt_lod_lane *n, int64_t t)
{
    return lower_bound(s, n, t, block_before(n, t, 0));
}

enum { CHUNK = 32 }; /* number of columns prefetched together */

/* Find the blocks of n edges and prefetch the memory for the search and the sums in them: cache misses of all
 * columns then overlap; they are most of the frame time of a large trace. Returns the last block. */
static uint32_t find_blocks(const tt_lod *l, const tt_lod_lane *n, const int64_t *edge, uint32_t count, uint32_t from,
                            uint32_t *block)
{
    const tt_trace *s = l->trace;
    for (uint32_t i = 0; i < count; i++) {
        block[i] = from = block_before(n, edge[i], from);
        if (n->rows) {
            __builtin_prefetch(&n->rows[(size_t)from * TT_LOD_BLOCK]);
            __builtin_prefetch(&n->rows[(size_t)from * TT_LOD_BLOCK + TT_LOD_BLOCK / 2]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t a = block[i] * TT_LOD_BLOCK, b = a + TT_LOD_BLOCK < n->n ? a + TT_LOD_BLOCK : n->n;
        for (uint32_t k = a; k < b; k += 8) {
            tt_row r = tt_lod_lane_row(n, k);
            __builtin_prefetch(&s->start[r]);
            __builtin_prefetch(&s->dur[r]);
            __builtin_prefetch(&s->cat[r]);
            if (l->by_name) __builtin_prefetch(&s->name[r]);
        }
    }
    return from;
}

/* Busy time of slices [0, place) by class of the lane. */
typedef struct running {
    uint32_t offset;
    bool valid;
    int64_t busy[TT_LOD_CLASSES];
} running;

/* Add the busy time of slices [from, to), times sign, to their classes. */
static void add_busy(const tt_lod *l, const tt_lod_lane *n, uint32_t from, uint32_t to, int64_t sign, int64_t *busy)
{
    if (from >= to) {
        return;
    }
    const tt_trace *s = l->trace;
    tt_row r = tt_lod_lane_row(n, from);
    int64_t start = s->start[r];
    for (uint32_t i = from; i < to; i++) {
        tt_row after = i + 1 < n->n ? tt_lod_lane_row(n, i + 1) : r;
        int64_t next = i + 1 < n->n ? s->start[after] : INT64_MAX, end = start + s->dur[r];
        end = end < next ? end : next;
        busy[n->slot[tt_lod_class(l, r)]] += end > start ? sign * (end - start) : 0;
        r = after;
        start = next;
    }
}

static void run_to(const tt_lod *l, const tt_lod_lane *n, uint32_t offset, running *out)
{
    if (out->valid && out->offset == offset) {
        return;
    }
    uint32_t block = (offset + TT_LOD_BLOCK / 2) / TT_LOD_BLOCK; /* nearest block edge */
    uint32_t edge = block * TT_LOD_BLOCK < n->n ? block * TT_LOD_BLOCK : n->n;
    memcpy(out->busy, n->busy + (size_t)block * n->n_classes, n->n_classes * sizeof *out->busy);
    add_busy(l, n, edge, offset, 1, out->busy);
    add_busy(l, n, offset, edge, -1, out->busy);
    out->offset = offset;
    out->valid = true;
}

typedef struct longest {
    uint32_t at;
    int64_t dur; /* -1 = none yet */
} longest;

static inline void longer(longest *b, uint32_t i, int64_t dur)
{
    if (dur > b->dur || (dur == b->dur && i < b->at)) {
        b->dur = dur;
        b->at = i;
    }
}

/* The longest of [lo, hi) within one first-level node: examines slices only if needed. */
static void longest_leaf(const tt_trace *s, const tt_lod_lane *n, uint32_t lo, uint32_t hi, longest *b)
{
    uint32_t node = lo / TT_LOD_FAN;
    if (lo >= hi || n->top_dur[0][node] < b->dur) {
        return;
    }
    if (n->top[0][node] >= lo && n->top[0][node] < hi) {
        longer(b, n->top[0][node], n->top_dur[0][node]);
        return;
    }
    for (; lo < hi; lo++) {
        longer(b, lo, s->dur[tt_lod_lane_row(n, lo)]);
    }
}

/* The longest of [from, to), which spans several first-level nodes. */
static void longest_in(const tt_trace *s, const tt_lod_lane *n, uint32_t from, uint32_t to, longest *b)
{
    uint32_t lo = (from + TT_LOD_FAN - 1) / TT_LOD_FAN, hi = to / TT_LOD_FAN, first = lo, last = hi;
    for (unsigned l = 0; lo < hi; l++) {
        bool top = l + 1u >= n->n_levels;
        for (; lo < hi && (top || lo % TT_LOD_FAN); lo++) {
            longer(b, n->top[l][lo], n->top_dur[l][lo]);
        }
        for (; lo < hi && hi % TT_LOD_FAN; hi--) {
            longer(b, n->top[l][hi - 1], n->top_dur[l][hi - 1]);
        }
        lo /= TT_LOD_FAN;
        hi /= TT_LOD_FAN;
    }
    longest_leaf(s, n, from, first * TT_LOD_FAN, b);
    longest_leaf(s, n, last * TT_LOD_FAN, to, b);
}

/* Fill the cell [a, b), in which slices [lo, hi) start. left: running sums at lo, or invalid; on return at hi if
 * they were needed. */
static void fill_cell(const tt_lod *l, const tt_lod_lane *n, int64_t a, int64_t b, uint32_t lo, uint32_t hi,
                      running *left, tt_lod_cell *out)
{
    const tt_trace *s = l->trace;
    int64_t busy[TT_LOD_CLASSES];
    memset(busy, 0, n->n_classes * sizeof *busy);
    longest best = {TT_NONE, -1};
    uint32_t count = hi - lo;
    if (lo > 0 && tt_lod_lane_end(s, n, lo - 1) > a) { /* the previous slice reaches in from the left */
        int64_t end = tt_lod_lane_end(s, n, lo - 1);
        tt_row r = tt_lod_lane_row(n, lo - 1);
        busy[n->slot[tt_lod_class(l, r)]] += (end < b ? end : b) - a;
        longer(&best, lo - 1, s->dur[r]);
        count++;
    }
    if (hi - lo <= 2 * TT_LOD_BLOCK) {
        add_busy(l, n, lo, hi, 1, busy);
        for (uint32_t i = lo; i < hi; i++) {
            longer(&best, i, s->dur[tt_lod_lane_row(n, i)]);
        }
    } else {
        run_to(l, n, lo, left);
        for (unsigned k = 0; k < n->n_classes; k++) {
            busy[k] -= left->busy[k];
        }
        run_to(l, n, hi, left);
        for (unsigned k = 0; k < n->n_classes; k++) {
            busy[k] += left->busy[k];
        }
        longest_in(s, n, lo, hi, &best);
    }
    if (hi > lo) { /* the last slice can extend to the right */
        int64_t over = tt_lod_lane_end(s, n, hi - 1) - b;
        if (over > 0) {
            busy[n->slot[tt_lod_class(l, tt_lod_lane_row(n, hi - 1))]] -= over;
        }
    }
    if (count == 0) {
        return; /* out is already empty */
    }
    out->count = count;
    out->longest = tt_lod_lane_row(n, best.at);
    out->class = tt_lod_class(l, out->longest);
    int64_t most = 0;
    for (unsigned k = 0; k < n->n_classes; k++) {
        out->busy_ns += busy[k];
        if (busy[k] > most) {
            most = busy[k];
            out->class = n->class[k];
        }
    }
    out->class_ns = most;
}

/* Fill a further cell of a nanosecond that is wider than a cell: with the slice that covers it, not slices that only
 * begin there. */
static void fill_again(const tt_lod *l, const tt_lod_lane *n, int64_t a, uint32_t lo, uint32_t hi, tt_lod_cell *out)
{
    const tt_trace *s = l->trace;
    uint32_t i = hi > lo ? hi - 1 : lo > 0 ? lo - 1 : TT_NONE;
    if (i != TT_NONE && tt_lod_lane_end(s, n, i) > a) {
        tt_row r = tt_lod_lane_row(n, i);
        *out = (tt_lod_cell){.busy_ns = 1, .count = 1, .longest = r, .class = tt_lod_class(l, r), .class_ns = 1};
    }
}

static void query(tt_lod *l, uint32_t track, uint32_t which, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out)
{
    const tt_trace *s = l->trace;
    for (uint32_t c = 0; c < cols; c++) {
        out[c] = (tt_lod_cell){.longest = TT_NONE};
    }
    const tt_lod_lane *n = lane_of(l, track, which);
    if (!n || n->n == 0 || t1 <= t0) {
        return;
    }
    running sums = {0};
    int64_t a = t0, edge[CHUNK];
    bool again = false;
    uint32_t block[CHUNK], last = block_before(n, a, 0), lo = lower_bound(s, n, a, last);
    for (uint32_t c = 0; c < cols; c++) {
        if (c % CHUNK == 0) {
            uint32_t count = cols - c < CHUNK ? cols - c : CHUNK;
            for (uint32_t i = 0; i < count; i++) {
                int64_t from = tt_lod_edge(t0, t1, c + i, cols), to = tt_lod_edge(t0, t1, c + i + 1, cols);
                edge[i] = to > from ? to : from + 1;
            }
            last = find_blocks(l, n, edge, count, last, block);
        }
        int64_t next = tt_lod_edge(t0, t1, c + 1, cols), b = edge[c % CHUNK];
        uint32_t hi = lower_bound(s, n, b, block[c % CHUNK]);
        if (again) {
            fill_again(l, n, a, lo, hi, &out[c]);
        } else {
            fill_cell(l, n, a, b, lo, hi, &sums, &out[c]);
        }
        again = next == a;
        if (!again) {
            lo = hi;
            a = next;
        }
    }
}

void tt_lod_query(tt_lod *l, uint32_t track, uint32_t depth, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out)
{
    query(l, track, depth, t0, t1, cols, out);
}

void tt_lod_query_track(tt_lod *l, uint32_t track, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out)
{
    query(l, track, TT_NONE, t0, t1, cols, out);
}

bool tt_lod_ready(const tt_lod *l, uint32_t track)
{
    return atomic_load_explicit(&((tt_lod *)l)->tracks[track], memory_order_acquire) != NULL;
}

bool tt_lod_has(tt_lod *l, uint32_t track, uint32_t depth)
{
    const tt_lod_lane *n = lane_of(l, track, depth);
    return n && n->n > 0;
}

/* Lane of a slice (NULL = none), and its index on it or of the next one. */
static uint32_t place_of(tt_lod *l, tt_row r, const tt_lod_lane **lane)
{
    uint32_t track = tt_row_track(l->trace, r);
    uint16_t at = (l->bands ? tt_bands_lane(l->bands, track) : l->trace->depth)[r];
    const tt_lod_lane *n = *lane = at == TT_LANE_NONE ? NULL : lane_of(l, track, at);
    if (!n) {
        return 0;
    }
    if (!n->rows) {
        return r - n->first;
    }
    uint32_t a = 0, b = n->n;
    TT_BISECT(a, b, i, n->rows[i] < r);
    return a;
}

tt_row tt_lod_next(tt_lod *l, tt_row r)
{
    const tt_lod_lane *n;
    uint32_t i = place_of(l, r, &n);
    i += n && i < n->n && tt_lod_lane_row(n, i) == r;
    return n && i < n->n ? tt_lod_lane_row(n, i) : TT_NONE;
}

tt_row tt_lod_prev(tt_lod *l, tt_row r)
{
    const tt_lod_lane *n;
    uint32_t i = place_of(l, r, &n);
    return n && i > 0 ? tt_lod_lane_row(n, i - 1) : TT_NONE;
}

uint32_t tt_lod_position(tt_lod *l, tt_row r, uint32_t *of)
{
    const tt_lod_lane *n;
    uint32_t i = place_of(l, r, &n);
    if (of) {
        *of = n ? n->n : 0;
    }
    return i;
}

tt_row tt_lod_nearest(tt_lod *l, uint32_t track, uint32_t depth, int64_t t)
{
    const tt_lod_lane *n = lane_of(l, track, depth);
    if (!n || n->n == 0) {
        return TT_NONE;
    }
    uint32_t i = tt_lod_lane_lower_bound(l->trace, n, t);
    if (i == n->n) {
        return tt_lod_lane_row(n, i - 1);
    }
    tt_row after = tt_lod_lane_row(n, i);
    if (i == 0 || l->trace->start[after] == t) {
        return after;
    }
    int64_t end = tt_lod_lane_end(l->trace, n, i - 1);
    bool before = end > t || (uint64_t)t - (uint64_t)end < (uint64_t)l->trace->start[after] - (uint64_t)t;
    return before ? tt_lod_lane_row(n, i - 1) : after;
}
