/* The level of detail index against a scan of all slices, cell by cell, on random traces at many zoom levels. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/index/lod_union.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

typedef struct rnd {
    uint64_t s;
} rnd;
static uint64_t next(rnd *r) { return random_next(&r->s); }
static int64_t below(rnd *r, int64_t n) { return n > 0 ? (int64_t)(next(r) % (uint64_t)n) : 0; }

enum { MAX = 40000, CATS = 5, NAMES = 7 };
typedef struct fixture {
    tt_trace s;
    tt_track tracks[4];
    const tt_lod_filter *filter; /* filter of the index, NULL = every slice passes */
    const char *names[NAMES];
    bool classified; /* the index uses length_class() */
} fixture;

static void fixture_init(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->s.start = tt_calloc(MAX, sizeof *f->s.start);
    f->s.dur = tt_calloc(MAX, sizeof *f->s.dur);
    f->s.cat = tt_calloc(MAX, 1);
    f->s.name = tt_calloc(MAX, sizeof *f->s.name);
    f->s.depth = tt_calloc(MAX, sizeof *f->s.depth);
    static const char *const names[NAMES] = {"a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"};
    memcpy(f->names, names, sizeof names);
    f->s.strings.text.at = f->names;
    f->s.strings.text.n = NAMES;
    f->s.tracks = f->tracks;
    static const uint8_t kinds[CATS] = {TT_KIND_CPU_OP, TT_KIND_RUNTIME, TT_KIND_KERNEL, TT_KIND_MEMCPY,
                                        TT_KIND_CPU_OP};
    memcpy(f->s.kind_of, kinds, sizeof kinds);
}

static void fixture_free(fixture *f)
{
    free(f->s.start);
    free(f->s.dur);
    free(f->s.cat);
    free(f->s.name);
    free(f->s.depth);
}

static void add(fixture *f, int64_t start, int64_t dur, unsigned depth, unsigned cat)
{
    tt_track *k = &f->tracks[f->s.n_tracks - 1];
    uint32_t r = f->s.n++;
    f->s.start[r] = start;
    f->s.dur[r] = dur;
    f->s.depth[r] = (uint16_t)depth;
    f->s.cat[r] = (uint8_t)cat;
    f->s.name[r] = (r * 2654435761u >> 8) % NAMES;
    k->n++;
    k->depths = depth + 1 > k->depths ? depth + 1 : k->depths;
}

static void track(fixture *f)
{
    f->tracks[f->s.n_tracks] = (tt_track){.first = f->s.n};
    f->s.n_tracks++;
}

/* Grow a tree of slices in order of (start, -duration). */
static void grow(fixture *f, rnd *r, int64_t t0, int64_t t1, unsigned depth, uint32_t limit)
{
    int64_t t = t0;
    while (t < t1 && f->s.n < limit) {
        t += below(r, 4) ? below(r, 1 + (t1 - t0) / 8) : 0;
        int64_t d = below(r, 6) == 0 ? 0 : 1 + below(r, 1 + (t1 - t0) / (1 + below(r, 40)));
        if (t >= t1) {
            break;
        }
        d = t + d > t1 ? t1 - t : d;
        add(f, t, d, depth, (unsigned)below(r, CATS));
        if (d > 1 && depth < 6 && below(r, 3)) {
            grow(f, r, t, t + d, depth + 1, limit);
        }
        t += d;
    }
}

/* Class of a slice: length of the name modulo 3 for kernels, the kind for others. */
static uint8_t length_class(tt_kind kind, const char *name)
{
    return kind == TT_KIND_KERNEL ? (uint8_t)(TT_KIND_COUNT_ + strlen(name) % 3) : (uint8_t)kind;
}

static uint8_t class_of(const fixture *f, tt_row r)
{
    tt_kind kind = (tt_kind)f->s.kind_of[f->s.cat[r]];
    return f->classified ? length_class(kind, f->names[f->s.name[r]]) : (uint8_t)kind;
}

static int64_t clipped_end(const tt_trace *s, const tt_row *lane, uint32_t i, uint32_t n)
{
    int64_t end = s->start[lane[i]] + s->dur[lane[i]];
    return i + 1 < n && s->start[lane[i + 1]] < end ? s->start[lane[i + 1]] : end;
}

static int64_t edge(int64_t t0, int64_t t1, uint32_t c, uint32_t cols)
{
    return t0 + (int64_t)((__int128)(t1 - t0) * c / cols);
}

/* Compute a cell by a scan, as the header defines it. */
static tt_lod_cell scan(const fixture *f, const tt_row *lane, uint32_t n, int64_t t0, int64_t t1, uint32_t c,
                        uint32_t cols)
{
    const tt_trace *s = &f->s;
    int64_t a = edge(t0, t1, c, cols), b = edge(t0, t1, c + 1, cols), busy[TT_LOD_CLASSES] = {0}, best = -1;
    bool again = c > 0 && edge(t0, t1, c - 1, cols) == a;
    tt_lod_cell out = {.longest = TT_NONE};
    b = b > a ? b : a + 1;
    for (uint32_t i = 0; i < n; i++) {
        int64_t from = s->start[lane[i]], to = clipped_end(s, lane, i, n);
        bool point = from == to;
        if (point ? (from < a || from >= b || again) : (to <= a || from >= b)) {
            continue;
        }
        int64_t in = (to < b ? to : b) - (from > a ? from : a);
        out.count++;
        out.busy_ns += in;
        busy[class_of(f, lane[i])] += in;
        if (s->dur[lane[i]] > best) {
            best = s->dur[lane[i]];
            out.longest = lane[i];
        }
    }
    if (out.count) {
        int64_t most = 0;
        out.class = class_of(f, out.longest);
        for (unsigned k = 0; k < TT_LOD_CLASSES; k++) {
            if (busy[k] > most) {
                most = busy[k];
                out.class = (uint8_t)k;
            }
        }
        out.class_ns = most;
    }
    return out;
}

static bool same(const tt_lod_cell *a, const tt_lod_cell *b)
{
    return a->busy_ns == b->busy_ns && a->count == b->count && a->longest == b->longest && a->class == b->class &&
           a->class_ns == b->class_ns;
}

static void compare(fixture *f, tt_lod *l, uint32_t t, uint32_t depth, int64_t t0, int64_t t1, uint32_t cols)
{
    static tt_row lane[MAX];
    static tt_lod_cell got[2000];
    const tt_track *k = &f->tracks[t];
    uint32_t n = 0;
    int64_t reach = INT64_MIN;
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        int64_t end = f->s.start[r] + f->s.dur[r];
        if (!tt_lod_passes(f->filter, &f->s, r)) continue;
        if (depth == TT_NONE ? f->s.start[r] >= reach || end > reach : f->s.depth[r] == depth) {
            lane[n++] = r;
            reach = end > reach ? end : reach;
        }
    }
    if (depth == TT_NONE) {
        tt_lod_query_track(l, t, t0, t1, cols, got);
    } else {
        tt_lod_query(l, t, depth, t0, t1, cols, got);
    }
    uint32_t wrong = 0;
    for (uint32_t c = 0; c < cols; c++) {
        tt_lod_cell want = scan(f, lane, n, t0, t1, c, cols);
        if (!same(&want, &got[c]) && wrong++ == 0) {
            printf(
                "track %u depth %d [%lld, %lld) cell %u of %u: busy %lld/%lld count %u/%u longest %u/%u class %u/%u\n",
                t, (int)depth, (long long)t0, (long long)t1, c, cols, (long long)got[c].busy_ns,
                (long long)want.busy_ns, got[c].count, want.count, got[c].longest, want.longest, got[c].class,
                want.class);
        }
    }
    CHECK_INT(wrong, 0);
}

/* Compare the busy time of the lanes' union by marking every nanosecond of a small window. */
static void compare_union(fixture *f, tt_lod *l, uint32_t t, int64_t t0, int64_t t1)
{
    enum { SPAN = 4096, COLS = 64 };
    static uint8_t covered[SPAN];
    tt_lod_cell got[COLS];
    t1 = t1 - t0 > SPAN ? t0 + SPAN : t1;
    memset(covered, 0, sizeof covered);
    const tt_track *k = &f->tracks[t];
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        int64_t a = f->s.start[r], b = a + f->s.dur[r];
        b = tt_lod_passes(f->filter, &f->s, r) ? b : a;
        for (int64_t x = a > t0 ? a : t0; x < b && x < t1; x++) {
            covered[x - t0] = 1;
        }
    }
    tt_lod_query_track(l, t, t0, t1, COLS, got);
    uint32_t wrong = 0;
    for (uint32_t c = 0; c < COLS; c++) {
        int64_t a = edge(t0, t1, c, COLS), b = edge(t0, t1, c + 1, COLS), busy = 0;
        b = b > a ? b : a + 1;
        for (int64_t x = a; x < b; x++) {
            busy += covered[x - t0];
        }
        wrong += busy != got[c].busy_ns;
    }
    CHECK_INT(wrong, 0);
}

static void check_neighbours(fixture *f, tt_lod *l, rnd *r)
{
    for (unsigned i = 0; i < 200; i++) {
        uint32_t t = (uint32_t)below(r, f->s.n_tracks);
        const tt_track *k = &f->tracks[t];
        if (k->n == 0) {
            continue;
        }
        tt_row row = k->first + (tt_row)below(r, k->n), want_next = TT_NONE, want_prev = TT_NONE;
        uint32_t offset = 0, of = 0, got_of;
        for (tt_row x = k->first; x < k->first + k->n; x++) {
            if (f->s.depth[x] != f->s.depth[row] || !tt_lod_passes(f->filter, &f->s, x)) {
                continue;
            }
            of++;
            if (x < row) {
                want_prev = x;
                offset++;
            } else if (x > row && want_next == TT_NONE) {
                want_next = x;
            }
        }
        CHECK_INT(tt_lod_next(l, row), want_next);
        CHECK_INT(tt_lod_prev(l, row), want_prev);
        CHECK_INT(tt_lod_position(l, row, &got_of), offset);
        CHECK_INT(got_of, of);
        CHECK(tt_lod_has(l, t, f->s.depth[row]) == (of > 0));
        if (tt_lod_passes(f->filter, &f->s, row)) {
            CHECK_INT(f->s.start[tt_lod_nearest(l, t, f->s.depth[row], f->s.start[row])], f->s.start[row]);
        } else if (of == 0) {
            CHECK_INT(tt_lod_nearest(l, t, f->s.depth[row], f->s.start[row]), TT_NONE);
        }
    }
}

static void check_random(uint64_t seed, uint32_t limit, int64_t span, bool overrun, bool filtered)
{
    rnd r = {seed * 0x9e3779b97f4a7c15u + 1};
    fixture f;
    uint32_t names[NAMES] = {0};
    tt_lod_filter filter = {.names = names};
    fixture_init(&f);
    if (filtered) { /* filter by a category or none, and by some names of some kinds */
        filter.cats[below(&r, CATS)] = seed % 3 > 0;
        for (unsigned i = 0; i < NAMES; i++) {
            names[i] = (uint32_t)next(&r) & (uint32_t)next(&r);
        }
        f.filter = &filter;
    }
    track(&f);
    grow(&f, &r, -span / 4, span, 0, limit / 2);
    track(&f); /* one depth, as streams usually have */
    for (int64_t t = 0; f.s.n < limit;) {
        int64_t d = below(&r, 1 + span / limit);
        add(&f, t, d, 0, (unsigned)below(&r, CATS));
        t += below(&r, 3) ? d : d + below(&r, 1 + span / limit);
        t -= overrun && d > 2 && below(&r, 9) == 0 ? d / 2 : 0;
    }
    track(&f); /* a track without slices */
    tt_lod *l = tt_lod_new_filtered(&f.s, f.filter, NULL);
    static const tt_lod_classifier by_length = {length_class, 1u << TT_KIND_KERNEL};
    f.classified = seed % 2;
    if (f.classified) tt_lod_classify(l, &by_length);
    for (unsigned i = 0; i < 60; i++) {
        int64_t width = span >> below(&r, 40);
        width = (width > 0 ? width : 1) + below(&r, 7);
        int64_t t0 = below(&r, span) - span / 4 + (i == 0 ? -span : 0);
        uint32_t cols = 1 + (uint32_t)below(&r, i % 5 ? 250 : 1900);
        t0 = i < 3 ? -span / 4 : t0;
        width = i < 3 ? span * 2 : width;
        for (uint32_t t = 0; t < f.s.n_tracks; t++) {
            for (uint32_t d = 0; d <= f.tracks[t].depths; d++) {
                compare(&f, l, t, d, t0, t0 + width, cols);
            }
            compare(&f, l, t, TT_NONE, t0, t0 + width, cols);
            compare_union(&f, l, t, t0, t0 + width);
        }
    }
    check_neighbours(&f, l, &r);
    CHECK(tt_lod_memory(l) > 0);
    tt_lod_free(l);
    fixture_free(&f);
}

/* Times at the ends of their range must not overflow. */
static void check_extremes(void)
{
    fixture f;
    fixture_init(&f);
    track(&f);
    add(&f, 0, 10, 0, 0);
    add(&f, INT64_MAX / 2, 10, 0, 2);
    tt_lod *l = tt_lod_new(&f.s);
    atomic_bool stop = false;
    tt_lod_build(l, 2, &stop);
    compare(&f, l, 0, 0, 0, INT64_MAX - 1, 1999);
    compare(&f, l, 0, 0, INT64_MAX / 2, INT64_MAX / 2 + 3, 1000);
    CHECK_INT(tt_lod_nearest(l, 0, 0, 5), 0);
    CHECK_INT(tt_lod_nearest(l, 0, 0, 1000), 0);
    CHECK_INT(tt_lod_nearest(l, 0, 0, INT64_MAX / 2 + 9), 1);
    CHECK_INT(tt_lod_nearest(l, 0, 0, INT64_MAX - 5), 1);
    CHECK_INT(tt_lod_nearest(l, 0, 3, 0), TT_NONE);
    tt_lod_free(l);
    fixture_free(&f);
}

/* Compare the union over tracks with a map of every nanosecond. */
static void check_group(uint64_t seed, uint32_t limit, int64_t span)
{
    enum { MEMBERS = 3, COLS = 97 };
    rnd r = {seed * 0x9e3779b97f4a7c15u + 1};
    fixture f;
    fixture_init(&f);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        track(&f);
        grow(&f, &r, 0, span, 0, limit * (i + 1) / MEMBERS);
    }
    tt_lod *l = tt_lod_new(&f.s);
    tt_lod_member members[MEMBERS];
    uint8_t *covered = tt_calloc((size_t)span + 64, 1);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        members[i] = (tt_lod_member){l, &f.s, i, (int64_t)i * 7};
        const tt_track *k = &f.tracks[i];
        for (tt_row row = k->first; row < k->first + k->n; row++) {
            memset(covered + f.s.start[row] + members[i].offset_ns, 1, (size_t)f.s.dur[row]);
        }
    }
    tt_lod_union *g = tt_lod_union_new(members, MEMBERS);
    CHECK(!tt_lod_union_ready(g));
    for (unsigned i = 0; i < 40; i++) {
        int64_t width = (span >> below(&r, 16)) + 1 + below(&r, 5), t0 = below(&r, span) - (i % 4 ? 0 : span / 2),
                got[COLS];
        tt_lod_union_query(g, t0, t0 + width, COLS, got);
        uint32_t wrong = 0;
        for (uint32_t c = 0; c < COLS; c++) {
            int64_t a = edge(t0, t0 + width, c, COLS), b = edge(t0, t0 + width, c + 1, COLS), busy = 0;
            b = b > a ? b : a + 1;
            for (int64_t x = a < 0 ? 0 : a; x < b && x < span + 64; x++) {
                busy += covered[x];
            }
            wrong += busy != got[c];
        }
        CHECK_INT(wrong, 0);
    }
    CHECK(tt_lod_union_ready(g));
    tt_lod_union_free(g);
    tt_lod_free(l);
    free(covered);
    fixture_free(&f);
}

static void *ask(void *arg)
{
    tt_lod_cell cell[50];
    tt_lod_query(arg, 1, 0, 0, 1000, 50, cell);
    tt_lod_build(arg, 3, NULL);
    tt_lod_query_track(arg, 0, 0, 1000, 50, cell);
    return NULL;
}

/* Several threads ask for an index that does not exist yet; several threads build the index of a large track. */
static void check_threads(void)
{
    enum { N = 1200000, THREADS = 4 };
    fixture f;
    pthread_t threads[THREADS];
    fixture_init(&f);
    free(f.s.start);
    free(f.s.dur);
    free(f.s.cat);
    free(f.s.name);
    free(f.s.depth);
    f.s.start = tt_calloc(N, sizeof *f.s.start);
    f.s.dur = tt_calloc(N, sizeof *f.s.dur);
    f.s.cat = tt_calloc(N, 1);
    f.s.name = tt_calloc(N, sizeof *f.s.name);
    f.s.depth = tt_calloc(N, sizeof *f.s.depth);
    for (int t = 0; t < 2; t++) {
        track(&f);
        for (int64_t i = 0; i < N / 4; i++) {
            add(&f, i * 10, 8, 0, 0);
            add(&f, i * 10 + 1, 5, 1, 1);
        }
    }
    tt_lod *l = tt_lod_new(&f.s);
    for (int i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, ask, l), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    tt_lod_cell cell;
    tt_lod_query(l, 1, 1, 0, N / 4 * 10, 1, &cell);
    CHECK_INT(cell.count, N / 4);
    CHECK_INT(cell.busy_ns, N / 4 * 5);
    tt_lod_query_track(l, 0, 0, N / 4 * 10, 1, &cell);
    CHECK_INT(cell.busy_ns, N / 4 * 8);
    tt_lod_free(l);
    fixture_free(&f);
}

/* A range around kernels does not make a stream busy, unless the stream has nothing else. */
static void check_stream(void)
{
    fixture f;
    tt_lod_cell cell;
    fixture_init(&f);
    track(&f);
    f.tracks[0].kind = TT_TRACK_STREAM;
    f.s.kind_of[4] = TT_KIND_GPU_ANNOTATION;
    add(&f, 0, 1000, 0, 4);
    add(&f, 100, 50, 1, 2);
    add(&f, 300, 50, 1, 2);
    track(&f);
    f.tracks[1].kind = TT_TRACK_STREAM;
    add(&f, 0, 1000, 0, 4);
    tt_lod *l = tt_lod_new(&f.s);
    tt_lod_query_track(l, 0, 0, 1000, 1, &cell);
    CHECK_INT(cell.busy_ns, 100);
    CHECK_INT(cell.count, 2);
    CHECK_INT(cell.class, TT_KIND_KERNEL);
    tt_lod_query(l, 0, 0, 0, 1000, 1, &cell);
    CHECK_INT(cell.busy_ns, 1000);
    tt_lod_query_track(l, 1, 0, 1000, 1, &cell);
    CHECK_INT(cell.busy_ns, 1000);
    tt_lod_free(l);
    fixture_free(&f);
}

int main(void)
{
    check_stream();
    check_random(1, 100, 500, false, false);
    check_random(2, 3000, 100000, false, false);
    check_random(3, 3000, 100000, true, false);
    check_random(4, 8000, 1000000000, false, false);
    for (uint64_t seed = 5; seed < 30; seed++) {
        check_random(seed, 300 + (uint32_t)seed * 13, 1000 * (int64_t)seed, seed % 2 == 0, false);
        check_random(seed, 300 + (uint32_t)seed * 13, 1000 * (int64_t)seed, seed % 2 == 0, true);
    }
    check_extremes();
    for (uint64_t seed = 40; seed < 46; seed++) {
        check_group(seed, seed % 2 ? 1500 : 60, 50000);
    }
    check_threads();
    return check_done();
}
