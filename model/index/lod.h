/* model/index/lod.h - level of detail: what lies in each column of a timeline row, at any zoom, without touching every
 * slice.
 *
 * A lane is one display row of a track (track, depth), as recorded or of its bands (bands.h); its slices do not
 * overlap. The index of a lane is built when it is first asked for; afterwards a query costs O(columns * log), whatever
 * the number of slices under a column, and is exact: equal to a scan over all slices, cell by cell. Thread-safe. */
#ifndef TT_MODEL_INDEX_LOD_H
#define TT_MODEL_INDEX_LOD_H

#include "model/index/bands.h"

typedef struct tt_lod tt_lod;

typedef struct tt_lod_cell {
    int64_t busy_ns; /* time covered by slices inside the cell */
    uint32_t count;  /* slices that touch the cell; a slice without duration counts in the cell of its start */
    tt_row longest;  /* the slice among them with the longest duration (the first of equals); TT_NONE when count is 0 */
    uint8_t class;   /* the class with the most busy time in the cell (lowest of equals; of `longest` when nothing is
                        busy) */
    int64_t class_ns; /* that busy time: all of busy_ns = every slice of the cell is of the class */
} tt_lod_cell;

/* Classes of slices for tt_lod_cell: a number below TT_LOD_CLASSES by kind and name. name is NULL for kinds that are
 * not in by_name (bits, 1u << tt_kind): theirs must not depend on it. Called once per kind and distinct name, from any
 * thread. */
enum { TT_LOD_CLASSES = 32 };
typedef struct tt_lod_classifier {
    uint8_t (*of)(tt_kind kind, const char *name);
    uint32_t by_name;
} tt_lod_classifier;

/* Which slices are looked at: those of a category, or whose name may be shown with their kind. */
typedef struct tt_lod_filter {
    uint8_t cats[256]; /* by category of the trace: not 0 = all of its slices */
    uint32_t *names;   /* by name: bits of the kinds (1u << tt_kind) whose slices of this name pass */
} tt_lod_filter;
static inline bool tt_lod_passes(const tt_lod_filter *f, const tt_trace *s, tt_row r)
{
    return !f || f->cats[s->cat[r]] || (f->names[s->name[r]] >> s->kind_of[s->cat[r]] & 1);
}

tt_lod *tt_lod_new(const tt_trace *s); /* the trace must outlive it */
/* Of the slices that pass a filter only: everything below speaks of those. NULL = all slices.
 * bands: where a slice lies is its lane there, instead of the depth that it was recorded at: what is called depth
 * below is that. NULL = as recorded. Both must outlive it. */
tt_lod *tt_lod_new_filtered(const tt_trace *s, const tt_lod_filter *f, tt_bands *bands);
void tt_lod_free(tt_lod *l);
const tt_bands *tt_lod_bands(const tt_lod *l); /* that it was made with */
/* Before the first question, and to outlive the index. Without it the class of a slice is its kind. */
void tt_lod_classify(tt_lod *l, const tt_lod_classifier *c);
/* Cells 0..cols-1 of lane (track, depth): cell c is [e(c), max(e(c+1), e(c) + 1)) with e(c) = t0 +
 * floor((t1-t0)*c/cols), so a cell narrower than a nanosecond shows the nanosecond that it begins in; a slice
 * without duration counts in the first cell of its nanosecond. A slice that runs past the start of the next one of
 * its lane ends there. t1 > t0. */
void tt_lod_query(tt_lod *l, uint32_t track, uint32_t depth, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out);
/* The same for a whole track: busy is the union over all depths; count, longest and class are those of the outermost
 * slices (those that no earlier slice covers). Of a stream that has kernels, copies or sets only those count: ranges
 * and waits keep no device busy. For collapsed rows and the overview strip. */
void tt_lod_query_track(tt_lod *l, uint32_t track, int64_t t0, int64_t t1, uint32_t cols, tt_lod_cell *out);
/* The slices of a lane in order of time: the neighbour of r (which need not pass the filter) on its lane. TT_NONE =
 * none, also where r has no lane. */
tt_row tt_lod_next(tt_lod *l, tt_row r);
tt_row tt_lod_prev(tt_lod *l, tt_row r);
/* The slice of the lane around t, else the one whose edge is nearest to t. */
tt_row tt_lod_nearest(tt_lod *l, uint32_t track, uint32_t depth, int64_t t);
/* Place of r among the slices of its lane, from 0; *of (may be NULL): how many there are, 0 where r has no lane.
 * O(log n). */
uint32_t tt_lod_position(tt_lod *l, tt_row r, uint32_t *of);
/* Build what is missing of all tracks on up to `threads` threads (0 = one per processor, at most 16), so that no later
 * query has to. Returns early once *stop (may be NULL) becomes true. */
void tt_lod_build(tt_lod *l, unsigned threads, const atomic_bool *stop);
bool tt_lod_ready(const tt_lod *l,
                  uint32_t track); /* the index of the track is built: a question costs no more than it says */
bool tt_lod_has(tt_lod *l, uint32_t track, uint32_t depth); /* a slice lies on the lane; depth TT_NONE: on the track */
size_t tt_lod_memory(const tt_lod *l);                      /* bytes held by the index */

#endif
