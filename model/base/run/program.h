/* model/base/run/program.h - the one place that starts other programs (tests/lint/run forbids exec, fork, popen, system
 * and posix_spawn elsewhere).
 *
 * A program gets a vector of arguments, through no shell. Paths may come out of a trace: they are marked as paths
 * and become absolute here, so that no name of a file can be an option ("-x") or a command ("+!x") of the program.
 * It gets the descriptors it is given and no others, and starts with default signal dispositions and an empty signal
 * mask. */
#ifndef TT_MODEL_BASE_RUN_PROGRAM_H
#define TT_MODEL_BASE_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/base/err.h"

/* One argument: the text, then the absolute path of an existing file, then the tail; each may be NULL. */
typedef struct tt_argument {
    const char *text, *path, *tail;
} tt_argument;

enum { TT_PROGRAM_DESCRIPTORS = 4 };

typedef struct tt_program {
    const char *name; /* name of the program, found by tt_program_find() unless it has a '/' */
    const tt_argument *arguments;
    size_t n_arguments;
    int descriptors[TT_PROGRAM_DESCRIPTORS]; /* our descriptors that become its 0, 1, ...; -1 = /dev/null, for the last
                                                one: closed */
    bool apart; /* it gets a process group of its own, and SIGTERM when the thread that starts it ends */
} tt_program;

/* Find a program in the absolute folders of $PATH; relative ones depend on the current folder and are skipped. */
bool tt_program_find(const char *name, char *out, size_t cap);
/* TT_ERR_USAGE: the program cannot be run. TT_ERR_INPUT: a path does not exist. */
tt_status tt_program_start(const tt_program *p, pid_t *pid, tt_err *err);

#endif
