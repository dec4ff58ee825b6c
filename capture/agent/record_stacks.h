/* capture/agent/record_stacks.h - call stacks of this process as records of the spool. Private to the library. */
#ifndef TT_CAPTURE_AGENT_RECORD_STACKS_H
#define TT_CAPTURE_AGENT_RECORD_STACKS_H

#include "capture/agent/core/recorder.h"

/* Write the Python stack of every thread, and the C frames of thread `tid` (0: of none), as STACK records. What cannot
 * be read is said by the META fact "python_stacks" and a note. Called by the writer thread, which it holds up for
 * about 0.1 ms a thread, and for STACKS_NS at most. */
void tt_stacks_record(tt_recorder *r, uint32_t tid);

#endif
