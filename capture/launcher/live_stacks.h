/* capture/launcher/live_stacks.h - writes the call stacks of a process that runs, hangs, or is stopped, as text. */
#ifndef TT_CAPTURE_LAUNCHER_LIVE_STACKS_H
#define TT_CAPTURE_LAUNCHER_LIVE_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Write the Python stack of every thread of a process:
 *     process 41 (python3)
 *       thread 42 (loader)
 *         train.py(12): step
 * A process without Python, or with a version that is not read, has a line that says so, and the C frames of every
 * thread that waits. False: it cannot be read; why
 * has a sentence that names the process and the cause. */
bool tt_live_stacks_write(uint32_t pid, FILE *out, char *why, size_t cap);

#endif
