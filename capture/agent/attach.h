/* capture/agent/attach.h - attaching the recorder to this process, leaving it, forking. Private to the library. */
#ifndef TT_CAPTURE_AGENT_ATTACH_H
#define TT_CAPTURE_AGENT_ATTACH_H

#include "capture/agent/core/recorder.h"

/* Attach this process once, by the control file that the environment names, else by dir (may be NULL). False: nothing
 * will be recorded. */
bool tt_recorder_attach(const char *dir);
/* The same when CUDA begins in this process: a forked child that stayed silent so far is recorded from here on, unless
 * --children none. */
bool tt_recorder_attach_cuda(void);
void tt_recorder_leave(void); /* write the remaining records and end; idempotent */
/* Register leaving at exit once more, so that it runs before the exit handlers registered so far (they run in
 * reverse order). Called when CUDA loads the library and at the first context: a program attached before CUDA came
 * would otherwise leave after the driver was torn down, when CUPTI delivers nothing. */
void tt_recorder_leave_early(void);
/* This process is attached, and is not a forked child that stays silent. A forked child that is recorded attaches in
 * this call. */
bool tt_recorder_ready(tt_recorder *r);

#endif
