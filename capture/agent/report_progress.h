/* capture/agent/report_progress.h - what a recorded process says to the recorder, and what it is told, through the control file. Private to the library. */
#ifndef TT_CAPTURE_AGENT_REPORT_PROGRESS_H
#define TT_CAPTURE_AGENT_REPORT_PROGRESS_H

#include <pthread.h>

#include "capture/shared/control_file.h"

typedef struct tt_recorder tt_recorder;

typedef struct tt_agent_reporting {
    tt_control control; /* not open when the program started the recording itself */
    char path[640];     /* of it */
    /* the writer thread's, or of the one that attaches */
    uint32_t orders[TT_ORDER_COUNT_], seen[TT_ORDER_COUNT_]; /* given so far, and followed */
    bool attached, ended;
    tt_control_record told; /* as the control file has it */
    off_t told_at;
    int64_t told_ns;
    uint32_t notes_told;
    /* under the lock */
    pthread_mutex_t lock;
    uint32_t n_notes;
    char notes[TT_CONTROL_NOTES][TT_CONTROL_NOTE];
} tt_agent_reporting;

/* A line for the person: what is missing and why. Shown by the recorder. Any thread. */
void tt_recorder_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What became of this process goes to the control file, new orders come from there. The writer thread, or before it is there. */
void tt_agent_report(tt_recorder *r);
void tt_agent_report_new(tt_recorder *r); /* this process begins: nothing was told, orders of before are not its own */

#endif
