/* model/base/run/child.h - a program in the background (model/base/run/program.h): starts it, reads its output, ends
 * it.
 *
 * It has a process group of its own, so that keys on the terminal reach it only through us. It gets SIGTERM when the
 * thread that started it ends. Its standard input is empty. Both of its outputs are read here, and their last part
 * is kept for messages. One thread uses a child. */
#ifndef TT_MODEL_BASE_RUN_CHILD_H
#define TT_MODEL_BASE_RUN_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/base/run/program.h"

enum { TT_CHILD_WORDS = 800 };

typedef struct tt_child {
    pid_t pid; /* process and process group; -1 = none */
    int from;  /* pipe with its outputs; -1 = closed */
    char words[TT_CHILD_WORDS + 1];
    size_t n;
} tt_child;

/* Start a program; name, arguments and errors as for tt_program_start(). kept: a descriptor that the program
 * inherits as number 3; -1 = none. */
tt_status tt_child_start(tt_child *c, const char *name, const tt_argument *arguments, size_t n, int kept, tt_err *err);
/* Wait at most `ms` for output. False: none came. */
bool tt_child_listen(tt_child *c, int ms);
/* The program has ended: then `words` holds the kept part of its output, and *status its exit status (128 + N after
 * signal N). */
bool tt_child_over(tt_child *c, int *status);
/* Ask the process group to end, and kill it when it still runs two seconds later. */
void tt_child_end(tt_child *c);
void tt_child_close(tt_child *c);
/* The last line of its output, for a message. */
const char *tt_child_last_line(tt_child *c);

#endif
