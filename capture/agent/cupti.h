/* capture/agent/cupti.h - CUPTI's activity API inside the recorded process, loaded at run time. Private to the library.
 *
 * CUPTI fills buffers and gives them back on threads of its own; they are translated into spool records by the writer thread only. Whatever
 * is missing or refused becomes a note in the control file and in the spool, never an error of the program.             */
#ifndef TT_CAPTURE_AGENT_CUPTI_H
#define TT_CAPTURE_AGENT_CUPTI_H

#include "capture/agent/recorder.h"

/* CUDA loads us: find libcupti, subscribe, enable the kinds once (so that later changes are cheap). Once a process; any thread.
 * late: CUDA may be at work already, and its devices and contexts have to be asked for. */
void tt_cupti_boot(tt_recorder *r, bool late);
/* The writer thread. */
void tt_cupti_follow(tt_recorder *r);    /* enable or disable the kinds as the gate wants it */
void tt_cupti_take(void);                /* take the buffers that are complete now */
void tt_cupti_translate(tt_recorder *r); /* write the records of those */
void tt_cupti_flush(tt_recorder *r);     /* ask CUPTI for what is complete */
void tt_cupti_stop(tt_recorder *r);      /* ask for everything, and stop for good */
void tt_cupti_forget(void);              /* in a forked child */
/* Any other thread: wait a moment for the kinds to be enabled, when the gate wants them; so that a range that begins the recording does not miss
 * its first launches. */
void tt_cupti_await(tt_recorder *r);
/* External correlation: false when it is off. */
bool tt_cupti_push_external(uint64_t id);
void tt_cupti_pop_external(void);

#endif
