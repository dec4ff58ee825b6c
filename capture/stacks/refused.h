/* capture/stacks/refused.h - why the memory of a process cannot be read. Private to the folder. */
#ifndef TT_CAPTURE_STACKS_REFUSED_H
#define TT_CAPTURE_STACKS_REFUSED_H

#include <stddef.h>
#include <stdint.h>

/* "Python stacks of process N: not read: Operation not permitted (ptrace_scope is 1, and this is not its parent)". */
void tt_live_stacks_say_refused(uint32_t pid, int error, char *out, size_t cap);

#endif
