/* capture/agent/cupti/nvml.h - NVML counters of the GPUs that this process uses; NVML is loaded at the first one.
 * Private to the library.
 *
 * The writer thread only. One process of a run samples a GPU: the first that uses it and holds a socket name as lock;
 * when that process ends another takes over. Devices have CUDA's ordinals; the UUID maps them to NVML's. */
#ifndef TT_CAPTURE_AGENT_CUPTI_NVML_H
#define TT_CAPTURE_AGENT_CUPTI_NVML_H

#include "capture/agent/core/recorder.h"

void tt_nvml_start(void);
/* tt_nvml_device: CUPTI describes a device (part: a MIG part of a GPU). tt_nvml_use: the process has a context on
 * it. */
void tt_nvml_device(uint32_t id, const uint8_t uuid[16], bool part);
void tt_nvml_use(uint32_t id);
/* Sample the GPUs whose time has come. Reads tt_recorder.all_gpus. */
void tt_nvml_poll(tt_recorder *r, int64_t now);
void tt_nvml_stop(void);
/* In a forked child: drop the locks, which belong to the parent. */
void tt_nvml_forget(void);

#endif
