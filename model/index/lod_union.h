/* model/index/lod_union.h - combined busy time of several tracks: their union, per column, at any zoom.
 *
 * Keeps the busy time before every 64th slice of the merged tracks (a quarter byte per slice) and merges the few
 * slices between such a checkpoint and a column's edge again, so the result is exact. Built on first use;
 * thread-safe. */
#ifndef TT_MODEL_INDEX_LOD_UNION_H
#define TT_MODEL_INDEX_LOD_UNION_H

#include "model/index/lod.h"

typedef struct tt_lod_member {
    tt_lod *lod;
    const tt_trace *trace;
    uint32_t track;
    int64_t offset_ns; /* added to times of the trace */
} tt_lod_member;

typedef struct tt_lod_union tt_lod_union;
/* The lods must outlive the group; the members are copied. */
tt_lod_union *tt_lod_union_new(const tt_lod_member *members, uint32_t n);
void tt_lod_union_free(tt_lod_union *g);
void tt_lod_union_build(tt_lod_union *g,
                        const atomic_bool *stop); /* build now, before a query does; stop can be NULL */
bool tt_lod_union_ready(const tt_lod_union *g);   /* whether a query needs no build */
/* Busy time of columns 0..cols-1, cut as tt_lod_query() does. */
void tt_lod_union_query(tt_lod_union *g, int64_t t0, int64_t t1, uint32_t cols, int64_t *busy_ns);

#endif
