/* capture/agent/cupti/nvml.h - counters of the GPUs that this process works on, by NVML, loaded when the first is
 * known. Private to the library.
 *
 * The writer thread only. One process of a run samples a GPU: the first that uses it (it has the name of a
 * socket); when it ends another takes over. Devices have CUDA's ordinals; the UUID maps them to NVML's. */
#ifndef TT_CAPTURE_AGENT_NVML_H
#define TT_CAPTURE_AGENT_NVML_H

#include "capture/agent/core/recorder.h"

void tt_nvml_start(void);
/* CUPTI describes a device (part: it is one of those that a GPU was divided into, by MIG); the process has a context
 * on one. */
void tt_nvml_device(uint32_t id, const uint8_t uuid[16], bool part);
void tt_nvml_use(uint32_t id);
/* Also looks at tt_recorder.all_gpus. */
void tt_nvml_poll(tt_recorder *r, int64_t now);
void tt_nvml_stop(void);
/* In a forked child: drop the locks, they belong to the parent. */
void tt_nvml_forget(void);

#endif
