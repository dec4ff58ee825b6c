/* capture/agent/enter.h - one call at a time per thread: guards against signal handlers that interrupt the recorder.
 * Private to the library. */
#ifndef TT_CAPTURE_AGENT_ENTER_H
#define TT_CAPTURE_AGENT_ENTER_H

#include "capture/agent/core/recorder.h"

/* Around whatever the program, NVTX or CUDA calls: false when this thread is inside already, in a signal handler
 * that interrupted it and must turn back (counted): it would wait for locks that its own thread holds. */
static inline bool tt_enter(void)
{
    if (tt_inside) {
        tt_drop(tt_recorder_get(), TT_SPOOL_DROP_SIGNALS, 1);
        return false;
    }
    tt_inside = true;
    atomic_signal_fence(memory_order_seq_cst); /* from here on a handler on this thread sees it */
    return true;
}

static inline void tt_exit(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    tt_inside = false;
}

#endif
