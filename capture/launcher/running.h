/* capture/launcher/running.h - tells whether a recording still runs, from its folder: control files, names and sizes
 * of spools. It only reads; the recorded processes notice nothing.
 *
 * A process of this machine is looked up in /proc by pid and start time, since a killed process could not report its
 * end. Of a process of another machine (the ranks of `srun`) only its writing is seen: it counts as running while
 * its spool grows, and for TT_RUNNING_SILENT_S after that. */
#ifndef TT_CAPTURE_LAUNCHER_RUNNING_H
#define TT_CAPTURE_LAUNCHER_RUNNING_H

#include <stdbool.h>
#include <stdint.h>

enum { TT_RUNNING_SILENT_S = 120 };

typedef enum tt_running_state {
    TT_RUNNING_NO_RECORDING, /* the folder holds no file of a recorder */
    TT_RUNNING_LIVE,
    TT_RUNNING_ENDED,
    TT_RUNNING_KILLED, /* a process or the recorder ended without saying so */
} tt_running_state;

typedef struct tt_running {
    tt_running_state state;
    uint32_t spools, killed; /* killed: processes that ended without saying so, the recorder included */
    uint32_t open;           /* processes that record or may still do so */
    bool recorder_killed;    /* `tracetty record` is among the killed processes */
    uint64_t bytes;          /* size of the spools */
    uint64_t names;          /* hash of the spools' names: changes when files come or go */
} tt_running;

/* Call each() with the processes of the recording that run on this machine. */
void tt_running_here(const char *dir, void (*each)(void *arg, uint32_t pid), void *arg);

/* Look once: one listing of the folder and a few reads for each recorder. */
tt_running tt_running_look(const char *dir);

#endif
