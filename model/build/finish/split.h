/* model/build/finish/split.h - splits a file of several separately profiled processes (merged ranks) into one trace
 * per process.
 *
 * Ids, launches and steps live within a process, and so do all tables: a worker is a process with the devices that
 * it launched on. Called once, after a file was read; without a split it costs a walk over the processes. */
#ifndef TT_MODEL_BUILD_FINISH_SPLIT_H
#define TT_MODEL_BUILD_FINISH_SPLIT_H

#include "model/trace/trace.h"

typedef struct tt_split_entry { /* entry of a merge */
    const char *name;           /* prefix of its process names */
    const char *worker, *span;  /* span NULL = that of the file */
} tt_split_entry;

/* Split s, which is taken over, into traces of workers: *n of them, in an array that the caller frees. s itself is
 * returned alone unless
 *  - `entries` names the entries of a merge (process_name "ENTRY" or "ENTRY: name") and at least two are present, or
 *  - at least two processes have profiler steps of their own, or a rank in their name.
 * A part is named after its entry, else its process_name if unique, else "rank N", else "pid N"; its processes lose
 * the entry's name again. Data without an owner goes to the first part. All parts share the text of the file.
 * Problems of the file belong to the first part. O(n log n). */
tt_trace **tt_trace_split(tt_trace *s, const tt_split_entry *entries, uint32_t n_entries, uint32_t *n);

/* The number after the word "rank" in a name: "rank 3", "Rank_3", "[rank3]"; -1 = none. */
int64_t tt_rank_in_name(const char *name);

#endif
