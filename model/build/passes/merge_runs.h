/* model/build/passes/merge_runs.h - the slices of one track in the order of the trace: by start, longer first, then
 * offset in the file.
 *
 * Slices lie in blocks as they were read, in sorted runs: a thread's operators and its API calls, one stretch per
 * reading thread. Runs that follow each other are chained without a comparison of their slices: those of a file in the
 * order of time, and those of one in the order of ends, where what a slice encloses lies in front of it. The chains are
 * merged from where they lie: a chain takes part from its first slice on. So a file costs a comparison or two a slice,
 * and no memory but for the list of runs. n slices in r runs, in c chains of which at most a overlap:
 * O(n log a + r log n + c log c), and O(r log n) for one chain.
 *
 * Large tracks are merged in parts: from one time to the next, each on its own. Runs are cut at these times while
 * they are looked for, so slices of one start are never in two parts. */
#ifndef TT_MODEL_BUILD_MERGE_RUNS_H
#define TT_MODEL_BUILD_MERGE_RUNS_H

#include "model/build/builder.h"

typedef struct tt_merge_run {
    const tt_rec *head; /* the next slice */
    uint32_t block;     /* where it lies */
    uint32_t n;         /* slices left, the head included, all in this block */
    uint32_t next;      /* run of the same chain, or TT_NONE */
} tt_merge_run;
typedef TT_VEC(tt_merge_run) tt_run_list;

/* Append the runs of blocks[from] to blocks[to - 1] to the lists of n_cuts + 1 parts: list k is of the slices that
 * start before cut[k], and not before cut[k - 1]. cut: ascending. As they lie in the blocks. */
void tt_runs_find(tt_run_list *parts, const tt_rec_block *const *blocks, uint32_t from, uint32_t to, const int64_t *cut,
                  uint32_t n_cuts);

typedef struct tt_merge_chain {
    const tt_rec *head;
    uint32_t run; /* the first one */
} tt_merge_chain;

typedef struct tt_merge_head { /* of a chain that takes part */
    int64_t ts;
    uint32_t run; /* the first one that has slices left */
} tt_merge_head;

typedef struct tt_merge {
    const tt_rec_block *const *blocks; /* the caller's */
    tt_run_list runs;
    TT_VEC(tt_merge_chain) chains; /* by their first slice */
    size_t begun;                  /* chains that take part or are over */
    TT_VEC(tt_merge_head) heap;    /* earliest first */
} tt_merge;

typedef struct tt_stretch { /* slices that follow each other, in one block */
    uint32_t block, from, n;
} tt_stretch;

/* Merge these runs, which are taken over, best as they lie in the file. Blocks may be empty. They may not change
 * until the merge is over; a block is not read again once all its slices were given out. */
void tt_merge_begin(tt_merge *m, const tt_rec_block *const *blocks, tt_run_list runs);
/* The next stretch in order; false when there is none. */
bool tt_merge_next(tt_merge *m, tt_stretch *out);
void tt_merge_free(tt_merge *m);

#endif
