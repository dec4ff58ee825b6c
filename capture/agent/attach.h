/* capture/agent/attach.h - attaching the recorder to this process, leaving it, forking. Private to the library. */
#ifndef TT_CAPTURE_AGENT_ATTACH_H
#define TT_CAPTURE_AGENT_ATTACH_H

#include "capture/agent/recorder.h"

/* Attach this process once: with the control file named by the environment, else into dir (may be NULL). False when
 * this process is not recorded. */
bool tt_recorder_attach(const char *dir);
void tt_recorder_leave(void); /* write the remaining events and end; idempotent */
/* True when attached. A forked child that is recorded attaches here; one that is not stays silent. */
bool tt_recorder_ready(tt_recorder *r);

#endif
