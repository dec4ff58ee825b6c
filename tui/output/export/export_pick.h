/* tui/output/export/export_pick.h - which events of a trace an export holds.
 *
 * Steps: what belongs to them by the rule of model/trace/session.h (host events that start in them, the device work
 * that they launched), the flows between these, and what has only a time when that lies in their host ranges. A time
 * window: what lies in it at least in part. Metadata belongs to every part; what has no time only to the whole. Any
 * thread; O(events). */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_PICK_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_PICK_H

#include "model/trace/session.h"

typedef enum tt_pick_what {
    TT_PICK_SLICE,
    TT_PICK_END,         /* the second event of the slice `row` */
    TT_PICK_EVENT,       /* any other */
    TT_PICK_LAUNCH_FLOW, /* an end of a flow between a launch and its work, if its id is one of tt_picked.launches */
} tt_pick_what;

typedef struct tt_pick { /* an event to write */
    uint64_t text : 40;  /* its place */
    uint64_t what : 8;   /* tt_pick_what */
    int64_t ts;          /* trace time; TT_ANY_TIME, TT_NO_TIME */
    tt_row row;          /* TT_NONE: not of a slice */
} tt_pick;

typedef struct tt_picked {
    tt_windows windows;
    TT_VEC(tt_pick) at;        /* in the order of the text */
    TT_VEC(uint32_t) launches; /* correlation ids of launches whose work is in the steps, ascending; only with steps */
} tt_picked;

/* Zeroed or used before; tt_picked_free() at the end. */
void tt_export_pick(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_picked *out);
void tt_picked_free(tt_picked *p);
/* Is the slice in it? */
bool tt_picked_row(const tt_picked *p, const tt_trace *s, tt_row r);
/* Whether the time belongs to the pick, for an event that is not a slice. */
bool tt_picked_time(const tt_picked *p, int64_t ts);
/* Does the flow with this id in the text lead from a launch to work that are both in it? */
bool tt_picked_launch(const tt_picked *p, int64_t id);

#endif
