/* model/build/passes/merge_runs.h - merges the slices of one track into trace order: by start, longer first, then
 * offset in the file.
 *
 * Slices lie in blocks as read, in sorted runs: a thread's operators and its API calls, one stretch per reading
 * thread. Consecutive runs are chained without comparing their slices: in files in time order, and in files in order
 * of ends, where enclosed slices precede the enclosing one. Chains are merged in place: a chain becomes active at
 * its first slice. So a file costs one or two comparisons per slice, and no memory except the list of runs. n slices
 * in r runs, in c chains of which at most a overlap: O(n log a + r log n + c log c), and O(r log n) for one chain.
 *
 * Large tracks are merged in parts, each from one cut time to the next. Runs are cut at these times as they are
 * found, so slices with one start are never in two parts. */
#ifndef TT_MODEL_BUILD_PASSES_MERGE_RUNS_H
#define TT_MODEL_BUILD_PASSES_MERGE_RUNS_H

#include "model/build/builder.h"

typedef struct tt_merge_run {
    const tt_rec *head; /* the next slice */
    uint32_t block;     /* block that holds it */
    uint32_t n;         /* remaining slices, head included, all in this block */
    uint32_t next;      /* next run of the chain, or TT_NONE */
} tt_merge_run;
typedef TT_VEC(tt_merge_run) tt_run_list;

/* Append the runs of blocks[from] to blocks[to - 1] to the lists of n_cuts + 1 parts: list k has the slices that
 * start before cut[k], and not before cut[k - 1]. cut: ascending. Runs keep block order. */
void tt_runs_find(tt_run_list *parts, const tt_rec_block *const *blocks, uint32_t from, uint32_t to, const int64_t *cut,
                  uint32_t n_cuts);

typedef struct tt_merge_chain {
    const tt_rec *head;
    uint32_t run; /* first run */
} tt_merge_chain;

typedef struct tt_merge_head { /* head of an active chain */
    int64_t ts;
    uint32_t run; /* first run with slices left */
} tt_merge_head;

typedef struct tt_merge {
    const tt_rec_block *const *blocks; /* borrowed from the caller */
    tt_run_list runs;
    TT_VEC(tt_merge_chain) chains; /* chains by first slice */
    size_t begun;                  /* number of chains that are active or finished */
    TT_VEC(tt_merge_head) heap;    /* active chains, earliest first */
} tt_merge;

typedef struct tt_stretch { /* consecutive slices in one block */
    uint32_t block, from, n;
} tt_stretch;

/* Begin to merge runs, which are taken over, ideally in file order. Blocks can be empty, and must not change during
 * the merge; a block is not read again once all its slices were returned. */
void tt_merge_begin(tt_merge *m, const tt_rec_block *const *blocks, tt_run_list runs);
/* Get the next stretch in order; false at the end. */
bool tt_merge_next(tt_merge *m, tt_stretch *out);
void tt_merge_free(tt_merge *m);

#endif
