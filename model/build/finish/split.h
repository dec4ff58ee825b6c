/* model/build/finish/split.h - a file of several processes that were profiled each for itself (merged ranks) as one
 * trace a process.
 *
 * Ids, launches and steps live within a process, and so do all tables: a worker is a process with the devices that
 * it launched on. Called once, after a file was read; what is not split costs a look at the processes. */
#ifndef TT_MODEL_BUILD_SPLIT_H
#define TT_MODEL_BUILD_SPLIT_H

#include "model/trace/trace.h"

typedef struct tt_split_entry { /* of a merge */
    const char *name;           /* what the names of its processes begin with */
    const char *worker, *span;  /* span NULL = that of the file */
} tt_split_entry;

/* The traces of the workers in s, which is taken over: *n of them, in an array that the caller frees. One, s itself,
 * unless
 *   - `entries` names the entries of a merge (process_name "ENTRY" or "ENTRY: name") and at least two are there, or
 *   - at least two processes have profiler steps, or a rank in their name, of their own.
 * A part is called as its entry, else by its process_name when no other part has the same, else "rank N", else "pid
 * N"; its processes lose the name of the entry again. What no part owns goes to the first. All share the text of the
 * file. Problems of the file are the first part's. O(n log n). */
tt_trace **tt_trace_split(tt_trace *s, const tt_split_entry *entries, uint32_t n_entries, uint32_t *n);

/* The number behind the word "rank" in a name: "rank 3", "Rank_3", "[rank3]"; -1 = none. */
int64_t tt_rank_in_name(const char *name);

#endif
