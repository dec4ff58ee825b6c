/* capture/agent/events.h - ranges, marks, counters and steps, as NVTX and the C API make them. Private to the
 * library. */
#ifndef TT_CAPTURE_AGENT_EVENTS_H
#define TT_CAPTURE_AGENT_EVENTS_H

#include "capture/agent/core/recorder.h"

/* A label of a range, mark or counter, as NVTX and the C API pass it. The name need not be terminated. In a domain
 * (NULL = none), "name" is kept as "domain:name"; steps and the capture range are known by the name alone. */
typedef struct tt_event_label {
    const char *name;
    size_t len;
    const tt_name *domain;
    int cat; /* category of the range; -1: derived from the name */
} tt_event_label;
void tt_range_push(const tt_event_label *l);
/* End the innermost open range of the domain; each domain has its own stack per thread. Returns the depth after it, -1
 * = no range was open. */
int tt_range_pop(const tt_name *domain);
uint64_t tt_range_start(const tt_event_label *l);
void tt_range_end(uint64_t id);
void tt_mark(const tt_event_label *l);
void tt_counter(const char *name, size_t len, double value);
void tt_name_thread(uint32_t tid, const char *name, size_t len);
void tt_recorder_step(int64_t samples);

#endif
