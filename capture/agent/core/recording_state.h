/* capture/agent/core/recording_state.h - when events are recorded: schedules of steps, times, orders, capture ranges.
 * Private to the library. */
#ifndef TT_CAPTURE_AGENT_CORE_RECORDING_STATE_H
#define TT_CAPTURE_AGENT_CORE_RECORDING_STATE_H

#include "capture/agent/core/recorder.h"

void tt_recording_state_init(tt_recorder *r);
void tt_recording_state_block(tt_recorder *r, uint32_t bit, bool on, int64_t ts);
/* Start counting delays from now, unless they are counted already: the process has begun, or its first CUDA context
 * exists. */
void tt_recording_state_begin(tt_recorder *r, int64_t ts);
bool tt_recording_state_is_marker(const tt_recorder *r, const char *name, size_t len);
/* A step begins / the step of a marker ends. */
void tt_recording_state_step(tt_recorder *r, tt_thread *t, int64_t ts);
void tt_recording_state_step_end(tt_recorder *r, tt_thread *t, int64_t ts, bool make_range);
/* A step ends and the next begins, without a marker. */
void tt_recording_state_next(tt_recorder *r, tt_thread *t, int64_t ts);
/* Check times and orders; the writer thread. True: flush was ordered (`tracetty ctl flush`). */
bool tt_recording_state_poll(tt_recorder *r);

#endif
