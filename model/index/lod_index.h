/* model/index/lod_index.h - the index behind model/index/lod.h: private to lod.c and lod_build.c.
 *
 * A lane is an ordered list of slices, disjoint once each is clipped to the start of the next. Per block of
 * TT_LOD_BLOCK slices it keeps the start of the first and the busy time before the block for each class in the lane;
 * per TT_LOD_FAN slices, and again per TT_LOD_FAN of those, the longest one. The outermost slices of a track,
 * clipped the same way, cover exactly the union of all its slices, so the whole track is one more lane. */
#ifndef TT_MODEL_INDEX_LOD_INDEX_H
#define TT_MODEL_INDEX_LOD_INDEX_H

#include <pthread.h>

#include "model/index/lod.h"

enum { TT_LOD_BLOCK = 32, TT_LOD_FAN = 16, TT_LOD_LEVELS = 8, TT_LOD_LOCKS = 64 };

typedef struct tt_lod_lane {
    const tt_row *rows; /* slices by start; NULL = first, first + 1, ... */
    tt_row first;
    uint32_t n;
    uint8_t n_classes; /* number of occurring classes */
    uint8_t n_levels;
    uint8_t slot[TT_LOD_CLASSES];    /* class -> column of busy */
    uint8_t class[TT_LOD_CLASSES];   /* column of busy -> class, ascending */
    int64_t *block_start;            /* [blocks] start of the first slice */
    int64_t *busy;                   /* [blocks + 1][n_classes] busy time of all slices before the block */
    uint32_t *top[TT_LOD_LEVELS];    /* by node: index in the lane of its longest slice (on ties the first) ... */
    int64_t *top_dur[TT_LOD_LEVELS]; /* ... and its duration */
    uint32_t n_top[TT_LOD_LEVELS];
} tt_lod_lane;

typedef struct tt_lod_track {
    uint32_t n_lanes;   /* number of lanes: depths of the track, or lanes of its bands */
    tt_lod_lane *lanes; /* n_lanes, then the union lane */
    tt_row *rows;       /* row lists of all lanes; NULL when the track has one depth, all of it shown */
    tt_row *outer;      /* row list of the union lane; NULL when it is lane 0 */
    size_t bytes;
} tt_lod_track;

struct tt_lod {
    const tt_trace *trace;
    const tt_lod_filter *filter;     /* NULL = all slices */
    tt_bands *bands;                 /* NULL = lanes are depths */
    unsigned threads;                /* threads for building */
    _Atomic(tt_lod_track *) *tracks; /* NULL = not built yet */
    pthread_mutex_t locks[TT_LOD_LOCKS];
    atomic_size_t bytes;
    const tt_lod_classifier *classifier; /* NULL = classes are kinds */
    uint8_t of_kind[TT_KIND_COUNT_];     /* class by kind, for kinds independent of the name */
    uint32_t by_name;                    /* bits of the kinds that depend on the name */
    _Atomic uint16_t *of_name;           /* by name: (kind + 1) << 8 | class, 0 = not classified yet */
};

/* The class of a slice by kind and name, for kinds in by_name. */
uint8_t tt_lod_class_of_name(const tt_lod *l, tt_kind kind, tt_sid name);
static inline uint8_t tt_lod_class(const tt_lod *l, tt_row r)
{
    tt_kind kind = tt_row_kind(l->trace, r);
    return l->by_name >> kind & 1u ? tt_lod_class_of_name(l, kind, l->trace->name[r]) : l->of_kind[kind];
}

void tt_lod_track_free(tt_lod_track *t);
/* The index of a track, built on first use. */
tt_lod_track *tt_lod_track_get(tt_lod *l, uint32_t track);

static inline tt_row tt_lod_lane_row(const tt_lod_lane *n, uint32_t i) { return n->rows ? n->rows[i] : n->first + i; }

/* First slice of the lane that starts at or after t; n->n = none. */
uint32_t tt_lod_lane_lower_bound(const tt_trace *s, const tt_lod_lane *n, int64_t t);

/* t0 + floor((t1 - t0) * c / cols) without overflow: the left edge of cell c. */
static inline int64_t tt_lod_edge(int64_t t0, int64_t t1, uint32_t c, uint32_t cols)
{
    uint64_t span = (uint64_t)t1 - (uint64_t)t0;
    return (int64_t)((uint64_t)t0 + span / cols * c + span % cols * c / cols);
}

/* End of slice i of the lane, clipped to the start of the next one; never before its own start. */
static inline int64_t tt_lod_lane_end(const tt_trace *s, const tt_lod_lane *n, uint32_t i)
{
    tt_row r = tt_lod_lane_row(n, i);
    int64_t start = s->start[r], end = start + s->dur[r];
    if (i + 1 < n->n) {
        int64_t next = s->start[tt_lod_lane_row(n, i + 1)];
        end = end < next ? end : next;
    }
    return end > start ? end : start;
}

#endif
