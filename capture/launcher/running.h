/* capture/launcher/running.h - whether a recording still runs, by what lies in its folder. Only reads: the control
 * files, the names and sizes of the spools. The recorded processes notice nothing of it.
 *
 * A process of this machine is asked for in /proc, by its number and its start: who was killed could not say so. Of
 * another machine (the ranks of `srun`) it is only known what it wrote: it counts as running while its spool grows,
 * and for TT_RUNNING_SILENT_S after that. */
#ifndef TT_CAPTURE_LAUNCHER_RUNNING_H
#define TT_CAPTURE_LAUNCHER_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

enum { TT_RUNNING_SILENT_S = 120 };

typedef enum tt_running_state {
    TT_RUNNING_NO_RECORDING, /* nothing of the recorder lies there */
    TT_RUNNING_LIVE,
    TT_RUNNING_ENDED,
    TT_RUNNING_KILLED, /* a process or the recorder is gone without having said that it ended */
} tt_running_state;

typedef struct tt_running {
    tt_running_state state;
    uint32_t spools, killed; /* killed: processes of which the last word is missing, the recorder too */
    uint32_t open;           /* processes that record or may yet do so */
    bool recorder_killed;    /* `tracetty record` is among them */
    uint64_t bytes;          /* of the spools */
    uint64_t names;          /* of the spools, as a number: another one when files came or went */
} tt_running;

/* Costs one listing of the folder and a few reads for each recorder. */
tt_running tt_running_look(const char *dir);

#endif
