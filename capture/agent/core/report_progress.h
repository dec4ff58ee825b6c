/* capture/agent/core/report_progress.h - status of a recorded process to the launcher, and orders back, through the
 * control file. Private to the library. */
#ifndef TT_CAPTURE_AGENT_CORE_REPORT_PROGRESS_H
#define TT_CAPTURE_AGENT_CORE_REPORT_PROGRESS_H

#include "capture/agent/core/recorder.h"

/* Note a line for the user: what is missing and why. `tracetty record` shows it. Any thread. */
void tt_recorder_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Write the status of this process to the control file and read new orders from it. Writer thread, or before it
 * exists. */
void tt_agent_report(tt_recorder *r);
void tt_agent_report_new(
    tt_recorder *r); /* at the start of a process: nothing is reported yet, and earlier orders are ignored */
/* Tell the launcher of a dump; writer thread. */
void tt_agent_report_dump(tt_recorder *r, const tt_control_dump *d);

#endif
