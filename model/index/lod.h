/* model/index/lod.h - level of detail: the content of each column of a timeline row, at any zoom, without visiting
 * every slice.
 *
 * A lane is one display row of a track (track, depth), as recorded or of its bands (bands.h); its slices do not
 * overlap. The index of a lane is built on first use; then a query costs O(columns * log), whatever the number of
 * slices under a column, and is exact: equal to a scan over all slices, cell by cell. Thread-safe. */
#ifndef TT_MODEL_INDEX_LOD_H
#define TT_MODEL_INDEX_LOD_H

#include "model/index/bands.h"

typedef struct tt_lod tt_lod;

typedef struct tt_lod_cell {
    int64_t busy_ns; /* time covered by slices inside the cell */
    uint32_t count; /* number of slices that touch the cell; a slice without duration counts in the cell of its start */
    tt_row longest; /* longest of these slices (on ties the first); TT_NONE if count is 0 */
    /* class with the most busy time in the cell (on ties the lowest; the class of `longest` if nothing is busy) */
    uint8_t class;
    int64_t class_ns; /* busy time of the class; equal to busy_ns if all slices of the cell have it */
} tt_lod_cell;

/* Classes of slices for tt_lod_cell: a number below TT_LOD_CLASSES by kind and name. name is NULL for kinds outside
 * of by_name (bits, 1u << tt_kind), whose class must not depend on it. Called once per kind and distinct name, from
 * any thread. */
enum { TT_LOD_CLASSES = 32 };
typedef struct tt_lod_classifier {
    uint8_t (*of)(tt_kind kind, const char *name);
    uint32_t by_name;
} tt_lod_classifier;

/* Filter of slices: by category, or by name together with the kind. */
typedef struct tt_lod_filter {
    uint8_t cats[256]; /* by category of the trace: not 0 = all its slices pass */
    uint32_t *names;   /* by name: bits of the kinds (1u << tt_kind) whose slices of this name pass */
} tt_lod_filter;
static inline bool tt_lod_passes(const tt_lod_filter *f, const tt_trace *s, tt_row r)
{
    return !f || f->cats[s->cat[r]] || (f->names[s->name[r]] >> s->kind_of[s->cat[r]] & 1);
}

tt_lod *tt_lod_new(const tt_trace *s); /* the trace must outlive the index */
/* Index of only the slices that pass a filter: all functions below refer to these. NULL = all slices. bands: slices
 * lie on its lanes, which replace depths below. NULL = as recorded. Both must outlive the index. */
tt_lod *tt_lod_new_filtered(const tt_trace *s, const tt_lod_filter *f, tt_bands *bands);
void tt_lod_free(tt_lod *l);
const tt_bands *tt_lod_bands(const tt_lod *l); /* bands it was made with */
/* Set the classifier before the first query; it must outlive the index. Without it the class of a slice is its kind. */
void tt_lod_classify(tt_lod *l, const tt_lod_classifier *c);
/* Cells 0..cols-1 of lane (track, depth): cell c is [e(c), max(e(c+1), e(c) + 1)) with e(c) = t0 +
 * floor((t1-t0)*c/cols), so a cell narrower than a nanosecond shows the nanosecond in which it begins; a slice
 * without duration counts in the first cell of its nanosecond. A slice ends at the start of the next one on its
 * lane. t1 > t0. */
void tt_lod_query(tt_lod *l, uint32_t track, uint32_t depth, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out);
/* Cells of a whole track, for collapsed rows and the overview strip: busy is the union over all depths; count,
 * longest and class refer to the outermost slices (not covered by an earlier one). On a stream with kernels, copies
 * or sets only these count: ranges and waits keep no device busy. */
void tt_lod_query_track(tt_lod *l, uint32_t track, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out);
/* The next slice of r's lane in time order; r need not pass the filter. TT_NONE = none, or r has no lane. */
tt_row tt_lod_next(tt_lod *l, tt_row r);
tt_row tt_lod_prev(tt_lod *l, tt_row r);
/* The slice of the lane around t, else the one with the edge nearest to t. */
tt_row tt_lod_nearest(tt_lod *l, uint32_t track, uint32_t depth, int64_t t);
/* Index of r among the slices of its lane; *of (can be NULL): their number, 0 if r has no lane. O(log n). */
uint32_t tt_lod_position(tt_lod *l, tt_row r, uint32_t *of);
/* Build all missing indices on up to `threads` threads (0 = one per processor, at most 16), so that later queries
 * need not. Returns early once *stop (can be NULL) is true. */
void tt_lod_build(tt_lod *l, unsigned threads, const atomic_bool *stop);
bool tt_lod_ready(const tt_lod *l,
                  uint32_t track); /* whether the index of the track is built: queries then have their stated cost */
bool tt_lod_has(tt_lod *l, uint32_t track, uint32_t depth); /* whether the lane has a slice; depth TT_NONE: the track */
size_t tt_lod_memory(const tt_lod *l);                      /* bytes held by the index */

#endif
