/* model/index/bands.c - see bands.h.
 *
 * One pass over the slices of a track, in the order of (start, -duration): each band keeps the current end of each
 * lane. A slice goes below the deepest slice around it in its band, on the first free lane from there. A name is
 * classified once, whatever the number of its slices. */
#include "model/index/bands.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"

enum {
    LOCKS = 64,
    LANES = 4096,    /* lanes per band: further crossing slices overlap on the last one */
    BAND_SHIFT = 13, /* while a track is processed, a lane value holds band << BAND_SHIFT | lane */
    MOST_OF = 80,    /* percent of a slice that count as nearly all of it */
    ROOT = 1,        /* marks an outermost function until its row is reached */
};

typedef enum name_class { NAME_UNKNOWN, NAME_WRAPPER, NAME_FORWARD, NAME_SHOWN } name_class;

typedef struct track_bands {
    uint32_t first[TT_BAND_COUNT_ + 1];
    atomic_bool ready;
    bool banded;
} track_bands;

struct tt_bands {
    const tt_trace *trace;
    bool (*is_user)(const char *frame);
    atomic_uchar *names; /* by string: its name_class as a Python function */
    uint16_t *lane;      /* lane by row */
    track_bands *tracks;
    pthread_mutex_t locks[LOCKS];
};

static const uint8_t band_of_kind[TT_KIND_COUNT_] = {
    [TT_KIND_OTHER] = TT_BAND_OPERATORS,
    [TT_KIND_CPU_OP] = TT_BAND_OPERATORS,
    [TT_KIND_ANNOTATION] = TT_BAND_STEPS,
    [TT_KIND_STEP] = TT_BAND_STEPS,
    [TT_KIND_ENGINE_STEP] = TT_BAND_STEPS,
    [TT_KIND_PYTHON] = TT_BAND_MODULES,
    [TT_KIND_MODULE] = TT_BAND_MODULES,
    [TT_KIND_RUNTIME] = TT_BAND_RUNTIME,
    [TT_KIND_DRIVER] = TT_BAND_RUNTIME,
    [TT_KIND_OVERHEAD] = TT_BAND_RUNTIME,
    [TT_KIND_TRACE] = TT_BAND_STEPS,
    [TT_KIND_KERNEL] = TT_BAND_OPERATORS,
    [TT_KIND_MEMCPY] = TT_BAND_OPERATORS,
    [TT_KIND_MEMSET] = TT_BAND_OPERATORS,
    [TT_KIND_COLLECTIVE] = TT_BAND_OPERATORS,
    [TT_KIND_SYNC] = TT_BAND_OPERATORS,
    [TT_KIND_TASK] = TT_BAND_OPERATORS,
    [TT_KIND_DERIVED] = TT_BAND_RUNTIME,
    [TT_KIND_UNFINISHED] = TT_BAND_OPERATORS,
    [TT_KIND_GPU_ANNOTATION] = TT_BAND_RUNTIME,
    [TT_KIND_DATALOADER] = TT_BAND_STEPS,
    [TT_KIND_FORWARD] = TT_BAND_MODULES,
    [TT_KIND_BACKWARD] = TT_BAND_STEPS,
    [TT_KIND_OPTIMIZATION] = TT_BAND_STEPS,
    [TT_KIND_COMMUNICATION] = TT_BAND_OPERATORS,
    [TT_KIND_OP_INNER] = TT_BAND_OPERATORS,
    [TT_KIND_PYTHON_OP] = TT_BAND_OPERATORS,
};

tt_band tt_band_of_kind(tt_kind k) { return (tt_band)band_of_kind[k]; }

bool tt_track_is_host(const tt_trace *s, uint32_t track)
{
    enum { LOOK = 16 };
    const tt_track *k = &s->tracks[track];
    if (k->kind != TT_TRACK_THREAD || k->n == 0) return false;
    if (s->processes[k->process].device < 0) return true;
    for (tt_row r = k->first; r < k->first + k->n && r < k->first + LOOK; r++) {
        tt_kind kind = tt_row_kind(s, r);
        if (!tt_kind_is_python(kind) && !tt_kind_is_launch(kind) && kind != TT_KIND_CPU_OP) return false;
    }
    return true;
}

/* ---- names of Python functions ---- */

/* The function in "file.py(12): function"; NULL = another form of name. */
static const char *function_of(const char *frame)
{
    for (const char *p = strchr(frame, '('); p; p = strchr(p + 1, '(')) {
        const char *d = p + 1;
        while (isdigit((unsigned char)*d)) d++;
        if (d > p + 1 && d[0] == ')' && d[1] == ':') return d + 2 + strspn(d + 2, " ");
    }
    return NULL;
}

static name_class look_at(const tt_bands *b, const char *name)
{
    const char *function = function_of(name);
    if (name[0] == '<' || (function && !b->is_user(name))) return NAME_WRAPPER;
    return strcmp(function ? function : name, "forward") == 0 ? NAME_FORWARD : NAME_SHOWN;
}

static name_class class_of(tt_bands *b, tt_sid id)
{
    unsigned char c = atomic_load_explicit(&b->names[id], memory_order_relaxed);
    if (c == NAME_UNKNOWN) {
        c = (unsigned char)look_at(b, tt_str(&b->trace->strings, id));
        atomic_store_explicit(&b->names[id], c, memory_order_relaxed);
    }
    return (name_class)c;
}

/* ---- the lanes of a track ---- */

typedef struct lane_top { /* last slice of a lane */
    int64_t end;
    tt_row row;
} lane_top;

typedef struct sweep {
    tt_bands *b;
    const tt_trace *s;
    int64_t tolerance; /* largest overlap that counts as rounding of the file's clock (build/nesting.h) */
    lane_top *lanes[TT_BAND_COUNT_];
    uint32_t open[TT_BAND_COUNT_]; /* number of lanes up to the deepest that has not ended */
    uint32_t used[TT_BAND_COUNT_];
} sweep;

static bool over(const sweep *w, const lane_top *l, int64_t start, int64_t end)
{
    return l->end <= start || (end > l->end && l->end - start <= w->tolerance);
}

/* The lane below the deepest lane whose slice contains [start, end). */
static uint32_t lane_inside(sweep *w, tt_band band, int64_t start, int64_t end)
{
    const lane_top *l = w->lanes[band];
    while (w->open[band] > 0 && over(w, &l[w->open[band] - 1], start, end)) w->open[band]--;
    uint32_t in = w->open[band];
    while (in > 0 && (over(w, &l[in - 1], start, end) || end - l[in - 1].end > w->tolerance)) in--;
    return in;
}

static bool most_of(int64_t part, int64_t whole) { return (__int128)part * 100 >= (__int128)whole * MOST_OF; }

/* Whether a Python function is hidden below the slice `around` (TT_NONE: at the outside). */
static bool is_folded(const sweep *w, tt_row r, tt_row around)
{
    const tt_trace *s = w->s;
    name_class c = class_of(w->b, s->name[r]);
    if (c == NAME_WRAPPER) return true;
    if (around == TT_NONE || tt_row_kind(s, around) != TT_KIND_MODULE) return false;
    return c == NAME_FORWARD || most_of(s->dur[r], s->dur[around]);
}

static uint16_t place(sweep *w, tt_row r)
{
    const tt_trace *s = w->s;
    tt_kind kind = tt_row_kind(s, r);
    tt_band band = tt_band_of_kind(kind);
    int64_t start = s->start[r], end = tt_row_end(s, r);
    uint32_t lane = lane_inside(w, band, start, end);
    if (kind == TT_KIND_PYTHON && is_folded(w, r, lane > 0 ? w->lanes[band][lane - 1].row : TT_NONE)) {
        return TT_LANE_NONE;
    }
    while (lane < w->open[band] && !over(w, &w->lanes[band][lane], start, end)) lane++;
    if (lane >= LANES) lane = LANES - 1;
    w->lanes[band][lane] = (lane_top){end, r};
    if (lane >= w->open[band]) w->open[band] = lane + 1;
    if (lane >= w->used[band]) w->used[band] = lane + 1;
    return (uint16_t)((unsigned)band << BAND_SHIFT | lane);
}

/* Whether a Python slice is shown, judged by its name. */
static bool is_shown(tt_bands *b, tt_row r)
{
    tt_kind kind = tt_row_kind(b->trace, r);
    return kind == TT_KIND_MODULE || (kind == TT_KIND_PYTHON && class_of(b, b->trace->name[r]) != NAME_WRAPPER);
}

/* Follow an outermost function inwards while each inner one takes nearly all of its time, down to a module: mark all
 * but the innermost. Returns the first row not examined. */
static tt_row mark_root(tt_bands *b, tt_row root, tt_row end)
{
    const tt_trace *s = b->trace;
    int64_t latest =
        s->start[root] + s->dur[root] / 100 * (100 - MOST_OF); /* an inner slice that takes most of it begins by then */
    tt_row inner = root, r = root + 1;
    for (; r < end && s->start[r] <= latest && tt_row_kind(s, inner) == TT_KIND_PYTHON; r++) {
        if (!is_shown(b, r) || !most_of(s->dur[r], s->dur[root]) || tt_row_end(s, r) > tt_row_end(s, inner)) continue;
        b->lane[inner] = ROOT;
        inner = r;
    }
    return r;
}

static void mark_roots(tt_bands *b, const tt_track *k)
{
    const tt_trace *s = b->trace;
    for (tt_row r = k->first, end = k->first + k->n; r < end;) {
        if (!is_shown(b, r)) {
            r++;
            continue;
        }
        int64_t over = tt_row_end(s, r);
        r = mark_root(b, r, end);
        while (r < end && s->start[r] < over) r++;
    }
}

static void build_banded(tt_bands *b, uint32_t track)
{
    const tt_trace *s = b->trace;
    const tt_track *k = &s->tracks[track];
    track_bands *t = &b->tracks[track];
    sweep w = {.b = b, .s = s, .tolerance = s->resolution_ns > 1 ? s->resolution_ns : 0};
    lane_top *lanes = tt_malloc((size_t)TT_BAND_COUNT_ * LANES * sizeof *lanes);
    for (int i = 0; i < TT_BAND_COUNT_; i++) w.lanes[i] = lanes + (size_t)i * LANES;
    mark_roots(b, k);
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        b->lane[r] = b->lane[r] == ROOT ? TT_LANE_NONE : place(&w, r);
    }
    for (int i = 0; i < TT_BAND_COUNT_; i++) t->first[i + 1] = t->first[i] + w.used[i];
    for (tt_row r = k->first; r < k->first + k->n; r++) {
        unsigned at = b->lane[r];
        if (at == TT_LANE_NONE) continue;
        b->lane[r] = (uint16_t)(t->first[at >> BAND_SHIFT] + (at & ((1u << BAND_SHIFT) - 1)));
    }
    free(lanes);
}

static track_bands *get(tt_bands *b, uint32_t track)
{
    track_bands *t = &b->tracks[track];
    if (!t->banded || atomic_load_explicit(&t->ready, memory_order_acquire)) return t;
    pthread_mutex_t *lock = &b->locks[track % LOCKS];
    pthread_mutex_lock(lock);
    if (!atomic_load_explicit(&t->ready, memory_order_acquire)) {
        build_banded(b, track);
        atomic_store_explicit(&t->ready, true, memory_order_release);
    }
    pthread_mutex_unlock(lock);
    return t;
}

tt_bands *tt_bands_new(const tt_trace *s, bool (*is_user)(const char *frame))
{
    tt_bands *b = tt_calloc(1, sizeof *b);
    b->trace = s;
    b->is_user = is_user;
    b->names = tt_calloc(s->strings.text.n + (size_t)1, sizeof *b->names);
    b->lane = tt_calloc(s->n + (size_t)1, sizeof *b->lane); /* pages never written cost nothing */
    b->tracks = tt_calloc(s->n_tracks + (size_t)1, sizeof *b->tracks);
    for (uint32_t i = 0; i < s->n_tracks; i++) {
        b->tracks[i].banded = (s->tracks[i].kind == TT_TRACK_STREAM && s->tracks[i].n > 0) || tt_track_is_host(s, i);
    }
    for (unsigned i = 0; i < LOCKS; i++) pthread_mutex_init(&b->locks[i], NULL);
    return b;
}

void tt_bands_free(tt_bands *b)
{
    if (!b) return;
    for (unsigned i = 0; i < LOCKS; i++) pthread_mutex_destroy(&b->locks[i]);
    free(b->names);
    free(b->lane);
    free(b->tracks);
    free(b);
}

bool tt_bands_ready(const tt_bands *b, uint32_t track)
{
    const track_bands *t = &b->tracks[track];
    return !t->banded || atomic_load_explicit(&((track_bands *)t)->ready, memory_order_acquire);
}

const uint16_t *tt_bands_folded(const tt_bands *b)
{
    for (uint32_t i = 0; i < b->trace->n_tracks; i++) {
        if (!tt_bands_ready(b, i)) return NULL;
    }
    return b->lane;
}

const uint32_t *tt_bands_of(tt_bands *b, uint32_t track)
{
    const track_bands *t = get(b, track);
    return t->banded ? t->first : NULL;
}

uint32_t tt_bands_lanes(tt_bands *b, uint32_t track)
{
    const uint32_t *first = tt_bands_of(b, track);
    return first ? first[TT_BAND_COUNT_] : b->trace->tracks[track].depths;
}

const uint16_t *tt_bands_lane(tt_bands *b, uint32_t track) { return get(b, track)->banded ? b->lane : b->trace->depth; }

typedef struct build_job {
    tt_bands *b;
    const atomic_bool *stop;
} build_job;

static void build_one(void *arg, size_t track)
{
    build_job *j = arg;
    if (!j->stop || !atomic_load(j->stop)) get(j->b, (uint32_t)track);
}

void tt_bands_build(tt_bands *b, unsigned threads, const atomic_bool *stop)
{
    build_job j = {b, stop};
    tt_parallel(threads ? threads : tt_threads(), b->trace->n_tracks, build_one, &j);
}
