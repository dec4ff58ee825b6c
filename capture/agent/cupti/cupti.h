/* capture/agent/cupti/cupti.h - CUPTI's activity API inside the recorded process, loaded at run time. Private to the
 * library.
 *
 * CUPTI fills buffers and returns them on its own threads; only the writer thread translates them into spool
 * records, and it never calls anything of CUPTI that may wait. Whatever is missing or refused becomes a note in the
 * control file and in the spool, never an error of the program. */
#ifndef TT_CAPTURE_AGENT_CUPTI_H
#define TT_CAPTURE_AGENT_CUPTI_H

#include "capture/agent/core/recorder.h"

/* Called when CUDA loads the library: find libcupti, subscribe, enable the activity kinds once, so that later
 * changes are cheap. Once a process; any thread. late: CUDA may already be initialised; ask for its devices and
 * contexts. */
void tt_cupti_boot(tt_recorder *r, bool late);
/* The writer thread. */
void tt_cupti_follow(tt_recorder *r);    /* have the kinds follow the recording state, soon */
void tt_cupti_take(void);                /* take the completed buffers */
void tt_cupti_translate(tt_recorder *r); /* write their records to the spool */
void tt_cupti_flush(tt_recorder *r);     /* have completed activities flushed, soon */
/* The end: have all activities flushed. They have come when tt_cupti_stopped(), which is to be waited for with
 * patience, not for ever, while buffers are taken and translated; then say what is missing. */
void tt_cupti_stop(tt_recorder *r);
bool tt_cupti_stopped(void);
void tt_cupti_end(tt_recorder *r);
void tt_cupti_forget(void); /* in a forked child */
/* Any other thread, not in a callback of CUPTI: wait a moment until the kinds are enabled, if recording is on, so that
 * what begins the recording does not miss its first launches. */
void tt_cupti_await(tt_recorder *r);
/* External correlation: false when it is off. */
bool tt_cupti_push_external(uint64_t id);
void tt_cupti_pop_external(void);

#endif
