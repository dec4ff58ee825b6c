/* capture/agent/core/recorder.c - the recorder of this process and small functions that all files use. See
 * recorder.h. */
#include "capture/agent/core/recorder.h"

static tt_recorder recorder = {/* one per process: calls from NVTX and CUDA have no argument to carry it */
                               .gate = TT_GATE_OFF,
                               .tell = {.control = {.file = {.fd = -1}}, .lock = PTHREAD_MUTEX_INITIALIZER},
                               .spool = {.file = {.fd = -1}}};
__thread bool tt_inside;

tt_recorder *tt_recorder_get(void) { return &recorder; }

void tt_drop(tt_recorder *r, int cause, uint64_t n)
{
    atomic_fetch_add_explicit(&r->drops[cause], n, memory_order_relaxed);
}

void tt_recorder_wake(tt_recorder *r)
{
    pthread_mutex_lock(&r->wake_lock);
    r->woken = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->wake_lock);
}
