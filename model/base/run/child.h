/* model/base/run/child.h - a program (model/base/run/program.h) in the background: started, listened to, asked to end.
 *
 * It has a process group of its own, so that keys on the terminal do not reach it but through us; when the thread that
 * started it ends, it is asked to end (SIGTERM). Its standard input is empty; what it says on both outputs is read
 * here, and the end of that kept for messages. One thread uses a child. */
#ifndef TT_MODEL_BASE_CHILD_H
#define TT_MODEL_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/base/run/program.h"

enum { TT_CHILD_WORDS = 800 };

typedef struct tt_child {
    pid_t pid; /* of its group too; -1 = none */
    int from;  /* what it says; -1 = closed */
    char words[TT_CHILD_WORDS + 1];
    size_t n;
} tt_child;

/* name, arguments and failures as of tt_program_start(). kept: a descriptor that it inherits as number 3; -1 = none. */
tt_status tt_child_start(tt_child *c, const char *name, const tt_argument *arguments, size_t n, int kept, tt_err *err);
/* Wait at most so long for something that it says. False: nothing came. */
bool tt_child_listen(tt_child *c, int ms);
/* Whether it has ended: then all that it said is in words, and *status is its exit status, 128 + N after signal N. */
bool tt_child_over(tt_child *c, int *status);
/* Ask the whole group to end, and end it when it is still there two seconds later. */
void tt_child_end(tt_child *c);
void tt_child_close(tt_child *c);
/* The last line of its words, for a message. */
const char *tt_child_last_line(tt_child *c);

#endif
