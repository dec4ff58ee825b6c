/* model/build/passes/track_parts.h - the slices of a track on their way into the columns, in parts filled by several
 * threads. Private to model/build.
 *
 * A large track is divided by time into parts of some ten thousand rows, merged and copied independently. Nesting
 * depends on all earlier rows: the thread that fills the next part nests it, and all filled parts behind it. Usually
 * a part is nested while its rows are in the cache. */
#ifndef TT_MODEL_BUILD_PASSES_TRACK_PARTS_H
#define TT_MODEL_BUILD_PASSES_TRACK_PARTS_H

#include <stdatomic.h>

#include "model/build/passes/finish_internal.h"
#include "model/build/passes/merge_runs.h"
#include "model/build/passes/nesting.h"

typedef struct tt_track_part {
    tt_row first;
    uint32_t n;
    bool filled;
    struct tt_track_rows rows;
} tt_track_part;

typedef struct tt_block_group { /* group of blocks in which one thread finds runs */
    uint32_t from, to;
    tt_run_list *runs; /* by part */
} tt_block_group;

typedef struct tt_track_parts {
    tt_finish *fin;
    uint32_t track;
    uint32_t n_blocks;
    const tt_rec_block **block;
    uint32_t *owner;        /* builder of each block */
    _Atomic uint32_t *left; /* slices of each block not copied yet */
    int64_t *cut;           /* start time of each part except the first */
    tt_track_part *part;
    uint32_t n_parts;
    tt_block_group *group;
    uint32_t n_groups;
    /* Guarded by the lock of the stock: */
    tt_row fed;      /* rows that have been offered pages */
    uint32_t nested; /* number of nested parts */
    bool nesting;    /* some thread is nesting */
    /* Owned by the nesting thread: */
    tt_nest *nest;
} tt_track_parts;

/* join_tracks.c: join the slices of all tracks into the columns, and in parallel the other events. */
void tt_finish_rows(tt_finish *fin);

/* fill_columns.c: merge the runs of a part into its rows. */
void tt_part_fill(tt_track_parts *t, uint32_t part);
/* Nest the next part; all parts before it must be nested. */
void tt_part_nest(tt_track_parts *t, uint32_t part);
/* Finish nesting after the last part. */
void tt_parts_nested(tt_track_parts *t);

#endif
