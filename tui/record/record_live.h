/* tui/record/record_live.h - `tracetty record --live`: the explorer has the terminal while the command runs. See
 * record.h.
 *
 * There are two processes. The process that the shell started owns the terminal and shows the screen. Its child
 * records and is the parent of the command. The command reads nothing and prints into output.txt of the recording.
 * Messages of the child wait until the screen is gone. */
#ifndef TT_TUI_RECORD_RECORD_LIVE_H
#define TT_TUI_RECORD_RECORD_LIVE_H

#include "tui/record/record.h"

typedef struct tt_live_shared tt_live_shared;

typedef struct tt_live {
    tt_live_shared *shared; /* NULL = no --live: every function here does nothing */
    /* terminal: stderr as it was; held: file that replaces it while the screen is shown; -1 = none */
    int terminal, held;
    pid_t parent;
    char output[640];
} tt_live;

/* Fork. In the child, set up *live and return -1: it records. In the parent, wait and return the exit status of the
 * recording after its screen was closed. Without --live return -1. */
int tt_live_begin(const tt_cli *cli, const tt_record_views *views, tt_live *live);
/* The folder of the recording exists: send the command's output into it. */
void tt_live_prepare(tt_live *live, tt_launch *l);
void tt_live_show(tt_live *live, const tt_launch *l); /* The command runs: show its screen. */
/* Print waiting messages if the screen was closed. wait: wait for that. Call it often. */
void tt_live_look(tt_live *live, bool wait);
void tt_live_end(tt_live *live, const tt_cli *cli); /* print the last lines of the command's output */

#endif
