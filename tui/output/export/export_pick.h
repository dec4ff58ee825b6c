/* tui/output/export/export_pick.h - chooses the events of a trace that an export holds.
 *
 * With steps: host events that start in them, the device work that these launched (the rule of
 * model/trace/session.h), the flows between both, and instants in their host time. With a time window: events that
 * lie in it at least in part. Metadata is in every export; an event without a time only in an export of everything.
 * Any thread; O(events). */
#ifndef TT_TUI_OUTPUT_EXPORT_EXPORT_PICK_H
#define TT_TUI_OUTPUT_EXPORT_EXPORT_PICK_H

#include "model/trace/session.h"

typedef enum tt_pick_what {
    TT_PICK_SLICE,
    TT_PICK_END,   /* the second event of slice `row` */
    TT_PICK_EVENT, /* any other event */
    /* an end of a flow between a launch and its work; written if its id is in tt_picked.launches */
    TT_PICK_LAUNCH_FLOW,
} tt_pick_what;

typedef struct tt_pick { /* an event to write */
    uint64_t text : 40;  /* place of the event in the text */
    uint64_t what : 8;   /* tt_pick_what */
    int64_t ts;          /* time in the trace; TT_ANY_TIME, TT_NO_TIME */
    tt_row row;          /* the slice; TT_NONE: the event belongs to no slice */
} tt_pick;

typedef struct tt_picked {
    tt_windows windows;
    TT_VEC(tt_pick) at;        /* by place in the text */
    TT_VEC(uint32_t) launches; /* with steps: correlation ids of launches whose work is in the steps, ascending */
} tt_picked;

/* Choose the events. *out is zeroed or from an earlier call; free it with tt_picked_free(). */
void tt_export_pick(const tt_session *s, const tt_scope *scope, uint32_t trace, tt_picked *out);
void tt_picked_free(tt_picked *p);
/* The slice is in the pick. */
bool tt_picked_row(const tt_picked *p, const tt_trace *s, tt_row r);
/* The time is in the pick; for events that are not slices. */
bool tt_picked_time(const tt_picked *p, int64_t ts);
/* The flow with this id in the text leads from a launch to its work, and both are in the pick. */
bool tt_picked_launch(const tt_picked *p, int64_t id);

#endif
