/* capture/agent/cupti/sampler.h - utilisation of processor and GPUs as counters, sampled by the writer thread.
 * Private to the library. */
#ifndef TT_CAPTURE_AGENT_CUPTI_SAMPLER_H
#define TT_CAPTURE_AGENT_CUPTI_SAMPLER_H

#include "capture/agent/core/recorder.h"

/* Call before the writer thread starts; the other functions on it. */
void tt_sampler_start(tt_recorder *r);
void tt_sampler_poll(tt_recorder *r, int64_t now);
void tt_sampler_stop(void);

#endif
