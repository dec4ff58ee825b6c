/* tui/output/export/export_merge.h - the text of an event for a file that holds several workers: its own pid, its own
 * ids, a time on the common axis.
 *
 * Any thread. Every worker has a block of pids as large as the stride, in which its own keep their last digits; one
 * that is larger than a block gets a free number at its end. Ids of worker k move by k * 2^32. What was different
 * between two workers stays different, what was equal within one stays equal. */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_MERGE_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_MERGE_H

#include "model/base/mem.h"
#include "model/trace/trace.h"

typedef struct tt_move {
    uint32_t worker;  /* 0, 1, ...: 0 keeps ids, and pids that are smaller than the stride */
    const char *name; /* name of the worker */
    int64_t stride;
    TT_VEC(int64_t) own; /* pids of the worker, ascending: those that do not fit a block become ... */
    TT_VEC(int64_t) as;  /* ... these numbers of it */
} tt_move;

/* A power of ten: so many workers stay within 31 bits, which viewers like. */
int64_t tt_move_stride(uint32_t workers);
/* The worker of this trace is moved from here on. */
void tt_move_worker(tt_move *m, const tt_trace *s);
void tt_move_free(tt_move *m);
/* What a pid or an id (correlation, External id, ...) of the worker is in the common file. */
int64_t tt_move_pid(const tt_move *m, int64_t pid);
uint64_t tt_move_id(const tt_move *m, uint64_t id);
/* The event p[0..n), valid JSON, with `ts` (NULL: its own) in the place of its time, into *out (cleared first). */
void tt_move_event(const tt_move *m, const char *p, size_t n, const char *ts, tt_text *out);

#endif
