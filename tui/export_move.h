/* tui/export_move.h - the text of an event for a file that holds several workers: its own pid, its own ids, a time on the common axis.
 *
 * Pure; any thread. Worker k moves by k: what was different between two workers stays different, what was equal within one stays equal. */
#ifndef TT_TUI_EXPORT_MOVE_H
#define TT_TUI_EXPORT_MOVE_H

#include "parser/mend.h"

typedef struct tt_move {
    uint32_t worker;  /* 0, 1, ...: 0 keeps pids and ids */
    const char *name; /* of the worker */
} tt_move;

/* What a pid or an id (correlation, External id, ...) of the worker is in the common file. */
int64_t tt_move_pid(const tt_move *m, int64_t pid);
uint64_t tt_move_id(const tt_move *m, uint64_t id);
/* The event p[0..n), valid JSON, with `ts` in the place of its time, into *out (cleared first). */
void tt_move_event(const tt_move *m, const char *p, size_t n, const char *ts, tt_mend_text *out);

#endif
