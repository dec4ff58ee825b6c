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
    tt_live_shared *shared; /* NULL = no --live, and every function here does nothing */
    int terminal, held;     /* stderr as it was; the file that stands for it while there is a screen; -1 = none */
    pid_t parent;
    char output[640];
} tt_live;

/* Part in two. In the child *live is set up, and the return value -1: go on and record. In the parent it is the exit
 * status of the recording, when that is over and its screen closed. Without --live -1, too. */
int tt_live_begin(const tt_cli *cli, const tt_record_views *views, tt_live *live);
/* The folder is there: where the command is to print to. */
void tt_live_prepare(tt_live *live, tt_launch *l);
void tt_live_show(tt_live *live, const tt_launch *l); /* the command runs: its screen may come */
/* Often: what waited is said when the screen has gone. wait: return no sooner. */
void tt_live_look(tt_live *live, bool wait);
void tt_live_end(tt_live *live, const tt_cli *cli); /* the last lines that the command printed */

#endif
