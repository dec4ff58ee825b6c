/* capture/launcher/launch.h - starts a command with the recorder loaded, and supervises it. Used by `tracetty record`.
 *
 * Times are CLOCK_MONOTONIC ns. Functions that can fail return false with a message. */
#ifndef TT_CAPTURE_LAUNCHER_LAUNCH_H
#define TT_CAPTURE_LAUNCHER_LAUNCH_H

#include <sys/types.h>

#include "capture/shared/control_file.h"

/* Variable that names the profiler plugin of NCCL and RCCL; one that the user has set stays. */
#define TT_NCCL_ENV "NCCL_PROFILER_PLUGIN"

/* The folder that holds this program, without a slash at its end; links to the program are followed. */
bool tt_program_folder(char *out, size_t cap);
/* Find libtracetty_capture.so: TRACETTY_CAPTURE_LIB, the program's folder, its build folder, LIBDIR of the Makefile
 * relative to the program, ../lib or ../libexec. */
bool tt_find_library(char *out, size_t cap);
/* Load the library in this process, which must run in the machine or container of the recording, and look for the
 * functions that CUDA and NVTX call; false with a sentence in why. */
bool tt_try_library(const char *path, char *why, size_t cap);
/* Expand a pattern such as "%h-%Y" to a name: %h host, %p pid, %r rank (0 without one), %% and strftime's letters. */
void tt_expand_output(const char *pattern, char *out, size_t cap);

typedef struct tt_launch {
    char dir[512];
    char capture_path[512]; /* path of libtracetty_capture.so */
    long rank;              /* rank of this recorder among others that share the directory, -1 = single recorder */
    tt_capture_settings set;
    tt_control control;
    tt_totals totals; /* totals at the last tt_launch_look() */
    pid_t child;
    int status;         /* exit status of the command, as a shell gives it */
    bool ended;         /* the command has ended */
    off_t told_at;      /* offset of the launcher's record in the control file */
    const char *output; /* file for the command's output, with empty input; NULL = the terminal */
} tt_launch;

/* Make the directory and missing parents. *made: the last directory was missing. False with errno. */
bool tt_launch_make_folders(const char *dir, bool *made);
/* Make the directory with the control file in it. force: reuse a directory that holds a recording. */
bool tt_launch_prepare(tt_launch *l, const char *dir, const tt_capture_settings *set, bool force, char *why,
                       size_t cap);
/* Name of the environment variable that another profiler has set, NULL = none. */
const char *tt_launch_holder(void);
/* Set the command's environment; python_path goes in front of PYTHONPATH, NULL = unchanged. */
bool tt_launch_environment(const tt_launch *l, const char *python_path);
bool tt_launch_start(tt_launch *l, char *const *argv, char *why, size_t cap);
/* Reap children. False once none is left. */
bool tt_launch_poll(tt_launch *l);
void tt_launch_look(tt_launch *l); /* update totals from the control file */
/* Forward received signals to the command; call often. */
void tt_launch_forward(tt_launch *l);
/* True when pid is ancestor or descends from it, by /proc; false when pid has ended. */
bool tt_launch_descends(pid_t pid, pid_t ancestor);
/* Kill the command and all its descendants at once. */
void tt_launch_kill(void);
/* Mark the recording as complete, with all its files, in the control file, and close that. A second call does
 * nothing. */
void tt_launch_close(tt_launch *l);

/* Catch and count termination signals instead of dying; tt_launch_start() calls it. Release restores the handlers. */
void tt_launch_catch(void);
void tt_launch_release(void);
unsigned tt_launch_interrupts(void); /* number of Ctrl-C and SIGINT so far */
bool tt_launch_terminated(void);     /* SIGTERM, SIGHUP or SIGQUIT waits to be forwarded */

#endif
