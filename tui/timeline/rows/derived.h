/* tui/timeline/rows/derived.h - values that no record has, which rows of a device show: why it waits, how much work is
 * queued, how fast memory is copied.
 *
 * They are computed once per trace, which may take seconds: the screen asks which values the rows in view need, has
 * them computed on the worker thread, and reports when they are there. Until then the rows are empty. The session owns
 * the values. */
#ifndef TT_TUI_TIMELINE_ROWS_DERIVED_H
#define TT_TUI_TIMELINE_ROWS_DERIVED_H

#include "tui/timeline/model/timeline.h"

typedef enum tt_derived {
    TT_DERIVED_IDLE,
    TT_DERIVED_QUEUES,
    TT_DERIVED_RATES,
    TT_DERIVED_BUSY,
    TT_DERIVED_SM,
    TT_DERIVED_MEMORY,
    TT_DERIVED_COUNT_
} tt_derived;

typedef struct tt_derived_want {
    uint32_t trace;
    tt_derived what;
} tt_derived_want;
typedef struct tt_derived_wants {
    TT_VEC(tt_derived_want) at;
} tt_derived_wants;

static inline bool tt_derived_ready(const tt_timeline *t, uint32_t trace, tt_derived what)
{
    return t->derived[trace] >> what & 1;
}
/* Append the data that rows on the screen need and that are not computed yet, without duplicates. */
void tt_derived_wanted(const tt_timeline *t, tt_derived_wants *out);
void tt_derived_build(const tt_session *s, tt_derived_want w);          /* on any thread: O(events of the trace) */
void tt_derived_done(tt_timeline *t, tt_derived_want w);                /* it is built: rows may use it */
bool tt_derived_known(const tt_timeline *t, const tt_timeline_node *n); /* everything that the row needs is built */

int64_t tt_derived_device_id(const tt_timeline *t, const tt_timeline_node *n); /* number of the device of a row */
/* The device of a row as an index into tt_device_work.devices; TT_NONE = it did nothing. Only for rows whose values are
 * known. */
uint32_t tt_derived_device(const tt_timeline *t, const tt_timeline_node *n);

/* On a screen of few rows the rows of the host say more than a curve beside the idle row: the curve shows when the
 * header of the other curves is open. */
bool tt_derived_gives_way(const tt_timeline *t, uint32_t node);

#endif
