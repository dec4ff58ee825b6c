/* capture/agent/triggers.h - what freezes the recording: an order, a signal, a slow step, a stall, the end of the
 * process. Private to the library.
 *
 * At a trigger CUPTI is asked for what it holds, the stacks of the threads are written, and a moment later the reasons
 * and the time (TT_SPOOL_TRIGGER) and, of a ring, a dump: a folder of its own with what the ring keeps. Triggers that
 * come in that moment are reasons of the same dump. The program goes on meanwhile. A process makes at most
 * TT_TRIGGERS_MOST dumps, the last TT_TRIGGERS_KEPT of which are for orders, signals and its end. */
#ifndef TT_CAPTURE_AGENT_TRIGGERS_H
#define TT_CAPTURE_AGENT_TRIGGERS_H

#include "capture/agent/core/recorder.h"

enum { TT_TRIGGERS_MOST = 16, TT_TRIGGERS_KEPT = 4 };

/* Any thread, and signal handlers: the number of the signal that ends the process; a signal that asks for a dump. */
void tt_triggers_deadly(tt_recorder *r, int sig);
void tt_triggers_ask(tt_recorder *r);

/* Called by the writer thread. */
void tt_triggers_begin(tt_recorder *r);
/* A step began. */
void tt_triggers_step(tt_recorder *r, uint32_t tid, int64_t start, uint64_t number);
/* A range of the program ended in order; it may be the step's. */
void tt_triggers_range(tt_recorder *r, uint32_t tid, int64_t start, int64_t end);
/* After a pass: look for triggers, and do what is due. */
void tt_triggers_poll(tt_recorder *r);
/* At the end: before CUPTI is asked for its last records, and when they and all ranges are written. */
void tt_triggers_end(tt_recorder *r);
void tt_triggers_last(tt_recorder *r);

#endif
