/* capture/launcher/launch.h - starting a command with the recorder loaded, and supervising it. Used by `tracetty
 * record`.
 *
 * Times are CLOCK_MONOTONIC ns. Functions that can fail return false with a message. */
#ifndef TT_CAPTURE_LAUNCHER_LAUNCH_H
#define TT_CAPTURE_LAUNCHER_LAUNCH_H

#include <sys/types.h>

#include "capture/shared/control_file.h"

/* Where libtracetty_capture.so is: TRACETTY_CAPTURE_LIB, beside the program, in its build folder, where LIBDIR of the
 * Makefile is from there, in its ../lib or ../libexec folders. */
bool tt_find_library(char *out, size_t cap);
/* Load it here, in a process of the machine or container in which it is to be loaded, and look for what CUDA and NVTX
 * look for; false with a sentence in why. */
bool tt_try_library(const char *path, char *why, size_t cap);
/* "%h-%Y..." -> a name: %h host, %p pid, %r rank, 0 without one, %% and strftime's letters. */
void tt_expand_output(const char *pattern, char *out, size_t cap);

typedef struct tt_launch {
    char dir[512];
    char capture_path[512]; /* of libtracetty_capture.so */
    long rank;              /* of this recorder among others that share the directory, -1 = it is alone */
    tt_capture_settings set;
    tt_control control;
    tt_totals totals; /* as tt_launch_look() found them */
    pid_t child;
    int status;         /* of the command, as a shell gives it */
    bool ended;         /* the command */
    off_t told_at;      /* where the control file says that this recorder runs */
    const char *output; /* file for what the command prints, which then reads nothing; NULL = the terminal */
} tt_launch;

/* Make the directory and those above it that are missing. *made: the last one was missing. False with errno. */
bool tt_launch_make_folders(const char *dir, bool *made);
/* Make the directory with the control file in it. force: an existing one that holds a recording is used again. */
bool tt_launch_prepare(tt_launch *l, const char *dir, const tt_capture_settings *set, bool force, char *why,
                       size_t cap);
/* The environment variable that another profiler has set, NULL when there is none. */
const char *tt_launch_holder(void);
/* Set the environment that the command gets; python_path goes in front of PYTHONPATH, NULL = nothing. */
bool tt_launch_environment(const tt_launch *l, const char *python_path);
bool tt_launch_start(tt_launch *l, char *const *argv, char *why, size_t cap);
/* Reap children. False once none is left. */
bool tt_launch_poll(tt_launch *l);
void tt_launch_look(tt_launch *l); /* read the status of the recorded processes */
/* Forward received signals to the command; called often. */
void tt_launch_forward(tt_launch *l);
/* True when pid is ancestor or a descendant of it, by /proc; false when it ended. */
bool tt_launch_descends(pid_t pid, pid_t ancestor);
/* Kill the command and everything that descends from it, now. */
void tt_launch_kill(void);
/* The recording is complete, with all files that it was to have: say so in the control file, and close it.
 * Again: nothing. */
void tt_launch_close(tt_launch *l);

/* Count termination signals instead of dying of them; tt_launch_start() calls it. Release: restore the handlers. */
void tt_launch_catch(void);
void tt_launch_release(void);
unsigned tt_launch_interrupts(void); /* Ctrl-C and SIGINT so far */
bool tt_launch_terminated(void);     /* SIGTERM, SIGHUP or SIGQUIT waits to be forwarded */

#endif
