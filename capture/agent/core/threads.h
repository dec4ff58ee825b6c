/* capture/agent/core/threads.h - the threads that make events, and their chunks of events. Private to the library. */
#ifndef TT_CAPTURE_AGENT_CORE_THREADS_H
#define TT_CAPTURE_AGENT_CORE_THREADS_H

#include "capture/agent/core/recorder.h"

tt_thread *tt_thread_self(tt_recorder *r); /* the calling thread's record; NULL without memory */
/* Append an event to the thread's chunk. False: no room (counted as dropped). */
bool tt_emit(tt_recorder *r, tt_thread *t, tt_op op, unsigned cat, uint32_t name, uint64_t value, unsigned depth,
             int64_t ts);
/* Free a chunk whose events are written. Writer thread. */
void tt_chunk_give(tt_recorder *r, tt_chunk *c);
void tt_threads_forget(tt_recorder *r); /* in a forked child: forget the parent's threads */

#endif
