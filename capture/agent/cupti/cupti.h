/* capture/agent/cupti/cupti.h - CUPTI's activity API inside the recorded process, loaded at run time. Private to the
 * library.
 *
 * CUPTI fills buffers and returns them on its own threads; only the writer thread translates them into spool records,
 * and it never calls a CUPTI function that may wait. What is missing or refused becomes a note in the control file and
 * in the spool, never an error of the program. */
#ifndef TT_CAPTURE_AGENT_CUPTI_CUPTI_H
#define TT_CAPTURE_AGENT_CUPTI_CUPTI_H

#include "capture/agent/core/recorder.h"

/* Find libcupti, subscribe, and enable the activity kinds once, so that later changes are cheap. Called when CUDA loads
 * the library; once per process; any thread. late: CUDA may already be initialised, so ask for its devices and
 * contexts. */
void tt_cupti_boot(tt_recorder *r, bool late);
/* Called by the writer thread. */
void tt_cupti_follow(tt_recorder *r);     /* let the kinds follow the recording state, soon */
void tt_cupti_take(void);                 /* take the completed buffers */
void tt_cupti_translate(tt_recorder *r);  /* write their records to the spool */
void tt_cupti_flush(tt_recorder *r);      /* ask for completed activities, soon */
void tt_cupti_hold(tt_recorder *r);       /* write what CUPTI holds, at once */
void tt_cupti_open_again(tt_recorder *r); /* at the begin of a ring's segment: write work that is open once more */
/* Device work that was launched and has not completed, as far as the buffers that were read tell, and that has
 * completed so far. */
void tt_cupti_progress(uint64_t *due, uint64_t *done);
uint32_t tt_cupti_caller(void); /* thread of the latest call of CUDA that was recorded; 0: none */
/* Ask for all activities at the end. Wait for tt_cupti_stopped() for a limited time while taking and translating
 * buffers; tt_cupti_end() then notes what is missing. */
void tt_cupti_stop(tt_recorder *r);
bool tt_cupti_stopped(void);
void tt_cupti_end(tt_recorder *r);
/* In a forked child: CUPTI is unusable if the parent had subscribed to it, else this process may boot it. */
void tt_cupti_forget(void);
/* Wait a moment until the kinds are enabled, if recording is on, so that a range that begins the recording does not
 * miss its first launches. Any thread other than the writer, not in a callback of CUPTI. */
void tt_cupti_await(tt_recorder *r);
/* Push an external correlation id; false: CUPTI does not record them. */
bool tt_cupti_push_external(uint64_t id);
void tt_cupti_pop_external(void);

#endif
