/* capture/agent/report_progress.h - what a recorded process says to the recorder, and what it is told, through the control file. Private to the library. */
#ifndef TT_CAPTURE_AGENT_REPORT_PROGRESS_H
#define TT_CAPTURE_AGENT_REPORT_PROGRESS_H

#include "capture/agent/recorder.h"

/* A line for the person: what is missing and why. Shown by the recorder. Any thread. */
void tt_recorder_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What became of this process goes to the control file, new orders come from there. The writer thread, or before it is there. */
void tt_agent_report(tt_recorder *r);
void tt_agent_report_new(tt_recorder *r); /* this process begins: nothing was told, orders of before are not its own */

#endif
