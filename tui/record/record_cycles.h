/* tui/record/record_cycles.h - what happens while a recording grows, in a process of its own beside `tracetty record`:
 * the handler of --on-cycle, and the lines of --step-info.
 *
 * It reads the new blocks of the spools, so the recorded processes notice nothing, and a handler that fails, hangs
 * or is slow delays nothing but later handlers. The handler of a cycle runs when the cycle has ended and no work of
 * it came for two seconds (CUPTI delivers late), at the latest 30 s after the end; handlers run one after another,
 * in order of the cycles of a process. */
#ifndef TT_TUI_RECORD_RECORD_CYCLES_H
#define TT_TUI_RECORD_RECORD_CYCLES_H

#include "tui/record/record.h"

typedef struct tt_cycles {
    int to, from; /* pipes to the process; -1: there is none */
} tt_cycles;

/* Start the process, before the environment is the command's, where options want it. False with a reason. */
bool tt_cycles_begin(tt_cycles *c, const tt_cli *cli, const tt_launch *l, char *why, size_t cap);
/* The recording has begun: old files are gone from its folder. */
void tt_cycles_go(const tt_cycles *c);
/* The command has ended: wait until the last handlers have run. Ctrl-C ends the handler that runs, and leaves the
 * others out. */
void tt_cycles_end(tt_cycles *c, tt_stops *stops);

#endif
