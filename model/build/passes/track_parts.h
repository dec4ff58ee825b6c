/* model/build/passes/track_parts.h - the slices of a track on their way into the columns, in parts that several threads
 * fill. Private to model/build.
 *
 * A large track is divided by time into parts of some ten thousand rows, each of which is merged and copied on its
 * own; none waits for another. How slices nest depends on all that came before: whoever has filled the next part
 * nests it, and what others have filled behind it. A part is nested while its rows are still in the cache, if all
 * goes well. */
#ifndef TT_MODEL_BUILD_TRACK_PARTS_H
#define TT_MODEL_BUILD_TRACK_PARTS_H

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

typedef struct tt_block_group { /* blocks that one thread looks for runs in */
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
    int64_t *cut;           /* when each part but the first begins */
    tt_track_part *part;
    uint32_t n_parts;
    tt_block_group *group;
    uint32_t n_groups;
    /* Under the lock of the stock: */
    tt_row fed;      /* rows before this one have been offered pages */
    uint32_t nested; /* parts that are */
    bool nesting;    /* a thread is at it */
    /* Of the thread that is at it: */
    tt_nest *nest;
} tt_track_parts;

/* join_tracks.c: the slices of all tracks into the columns, and beside them what is no slice. */
void tt_finish_rows(tt_finish *fin);

/* fill_columns.c: merge the runs of a part into its rows. */
void tt_part_fill(tt_track_parts *t, uint32_t part);
/* The next part of the track, after all before it. */
void tt_part_nest(tt_track_parts *t, uint32_t part);
/* After the last one. */
void tt_parts_nested(tt_track_parts *t);

#endif
