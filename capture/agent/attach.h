/* capture/agent/attach.h - attaching the recorder to this process, leaving it, forking. Private to the library. */
#ifndef TT_CAPTURE_AGENT_ATTACH_H
#define TT_CAPTURE_AGENT_ATTACH_H

#include "capture/agent/core/recorder.h"

/* Attach this process once: by the control file that the environment names, else by dir (may be NULL). False:
 * nothing is to be recorded. */
bool tt_recorder_attach(const char *dir);
void tt_recorder_leave(void); /* write what is there and end; idempotent */
/* At the exit of the process, leave before whoever registers its exit handler before this call: the last one that
 * registers runs first. Called when CUDA loads us and again when it has a context: a program that was attached before
 * CUDA came would else leave when the driver has been torn down, and CUPTI delivers nothing then. */
void tt_recorder_leave_early(void);
/* Attached, and not a forked child that stays silent; a forked child that is recorded attaches here. */
bool tt_recorder_ready(tt_recorder *r);

#endif
