/* tui/timeline/model/derived.h - rows of the timeline that show what no record says: why a device waits, how much work
 * is queued, how fast memory is copied.
 *
 * What they show is worked out once per trace, which may take seconds, so not while a frame is drawn: the screen
 * asks what the rows in view need, has it built on the worker thread, and says when it is there. Until then the rows
 * are empty. Values are the session's. */
#ifndef TT_TUI_TIMELINE_DERIVED_H
#define TT_TUI_TIMELINE_DERIVED_H

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
tt_derived tt_derived_of(const tt_timeline_node *n); /* what a row shows; TT_DERIVED_COUNT_ = nothing of it */
/* Add what the rows on screen need and is not there, once each. */
void tt_derived_wanted(const tt_timeline *t, tt_derived_wants *out);
/* On any thread: O(events of the trace). */
void tt_derived_build(const tt_session *s, tt_derived_want w);
/* It is built: rows may ask. On the drawing thread. */
void tt_derived_done(tt_timeline *t, tt_derived_want w);

int64_t tt_derived_device_id(const tt_timeline *t, const tt_timeline_node *n); /* at any time; as processes have it */
/* The device that a row is of: index into tt_device_work.devices; TT_NONE = it did nothing. Once something about it
 * is there. */
uint32_t tt_derived_device(const tt_timeline *t, const tt_timeline_node *n);

/* Time of the cursor, and the edges of its cell, in the time of a row's trace. false = it is not on the screen. */
bool tt_derived_cell(const tt_timeline *t, const tt_timeline_node *n, int64_t *at, int64_t *a, int64_t *b);
/* Put the cursor at a common time that a person chose, bringing it onto the screen. */
void tt_derived_place(tt_timeline *t, int64_t at);

/* The stretch of time that the row at the cursor shows there when it has no slices: a gap, a segment of the critical
 * path. Common axis. */
bool tt_derived_span(const tt_timeline *t, int64_t *a, int64_t *b);

#endif
