/* tui/output/export/export_merge.h - rewrites the text of an event for a file that holds several workers: the event
 * gets a pid and ids that no other worker has, and a time on the common axis.
 *
 * Any thread. Every worker has a block of pids, as many as the stride; a pid keeps its last digits within the block.
 * A pid that is larger than a block gets a free number at the end of the block. Ids of worker k grow by k * 2^32. So
 * ids that differ stay different, and equal ids of one worker stay equal. */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_MERGE_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_MERGE_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

typedef struct tt_move {
    uint32_t worker;  /* 0, 1, ...; worker 0 keeps its ids, and its pids below the stride */
    const char *name; /* name of the worker */
    int64_t stride;
    TT_VEC(int64_t) own; /* pids of the worker, ascending */
    TT_VEC(int64_t) as;  /* by index in `own`: the number within a block that stands for the pid */
} tt_move;

/* Size of a block of pids: a power of ten. The pids of all workers stay below 2^31, as viewers expect. */
int64_t tt_move_stride(uint32_t workers);
/* Rewrite events of this trace's worker from now on. */
void tt_move_worker(tt_move *m, const tt_trace *s);
void tt_move_free(tt_move *m);
/* The pid or the id (correlation, External id, ...) of a worker's event in the common file. */
int64_t tt_move_pid(const tt_move *m, int64_t pid);
uint64_t tt_move_id(const tt_move *m, uint64_t id);
/* Rewrite the event p[0..n), valid JSON, into *out, which is cleared first. ts: its new time; NULL: it keeps its
 * time. */
void tt_move_event(const tt_move *m, const char *p, size_t n, const char *ts, tt_text *out);

#endif
