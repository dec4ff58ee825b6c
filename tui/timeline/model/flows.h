/* tui/timeline/model/flows.h - slices that launches and flows of a trace tie together. */
#ifndef TT_TUI_TIMELINE_MODEL_FLOWS_H
#define TT_TUI_TIMELINE_MODEL_FLOWS_H

#include "model/trace/trace.h"

/* Launches with device work inside a host slice, itself included: [*from, *to) of trace->launch_row. */
void tt_timeline_launches(const tt_trace *s, tt_row r, uint32_t *from, uint32_t *to);
/* The slice at the other end of a forward-backward flow, TT_NONE = none. O(flows). */
tt_row tt_timeline_flow_partner(const tt_trace *s, tt_row r);
bool tt_timeline_has_flow(const tt_trace *s, tt_row r); /* a flow begins or ends at the slice */

#endif
