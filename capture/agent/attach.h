/* capture/agent/attach.h - attaching the recorder to this process, leaving it, forking. Private to the library. */
#ifndef TT_CAPTURE_AGENT_ATTACH_H
#define TT_CAPTURE_AGENT_ATTACH_H

#include "capture/agent/core/recorder.h"

/* Attach this process once, by the control file that the environment names, else by dir (may be NULL). False: nothing
 * will be recorded. */
bool tt_recorder_attach(const char *dir);
void tt_recorder_leave(void); /* write the remaining records and end; idempotent */
/* Register leaving at exit ahead of the exit handlers that are registered before this call: exit handlers run in
 * reverse order. Called when CUDA loads the library and again at the first context: otherwise a program that was
 * attached before CUDA came would leave after the driver was torn down, when CUPTI delivers nothing. */
void tt_recorder_leave_early(void);
/* True when this process is attached and is no forked child that stays silent; a forked child that is recorded attaches
 * here. */
bool tt_recorder_ready(tt_recorder *r);

#endif
