/* capture/agent/enter.h - one call at a time per thread: guards against signal handlers that interrupt the recorder.
 * Private to the library. */
#ifndef TT_CAPTURE_AGENT_ENTER_H
#define TT_CAPTURE_AGENT_ENTER_H

#include "capture/agent/core/recorder.h"

/* Around every call from the program, NVTX or CUDA. False in a signal handler that interrupted this thread inside the
 * recorder: the handler must turn back (counted), or it would wait for locks of its own thread. */
static inline bool tt_enter(void)
{
    if (tt_inside) {
        tt_drop(tt_recorder_get(), TT_SPOOL_DROP_SIGNALS, 1);
        return false;
    }
    tt_inside = true;
    atomic_signal_fence(memory_order_seq_cst); /* from here on a handler on this thread sees tt_inside */
    return true;
}

static inline void tt_exit(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    tt_inside = false;
}

#endif
