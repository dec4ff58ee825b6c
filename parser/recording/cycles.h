/* parser/recording/cycles.h - a recording of several cycles of a schedule (`record --steps ...,repeat=N`) as one
 * recording for each, as the profilers of PyTorch and Paddle write one file for each.
 *
 * A cycle begins with its first step and lasts until the next one begins. What the host did belongs to the cycle in
 * which it began, device work to that of the call which launched it, however much later it ran. Facts (devices,
 * threads, names) are in each file, losses in that of the cycle during which they were told, and the fact "cycle" has
 * its number, from 1. */
#ifndef TT_PARSER_RECORDING_CYCLES_H
#define TT_PARSER_RECORDING_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/base/err.h"

typedef struct tt_cycles_out {                /* where they are written; called by one thread */
    void *(*begin)(void *arg, int64_t start); /* the cycle whose first step begins then, in ns; NULL = it cannot */
    bool (*write)(void *file, const char *p, size_t n);
    bool (*end)(void *arg, void *file, bool good); /* frees the file; good = false: it is to leave nothing */
    void *arg;
} tt_cycles_out;

/* The spool at path, which nobody writes any more, as several. *n = how many were written: 0 when it has fewer than two
 * cycles, or blocks that are damaged; then it is best read as it is. On an error, TT_ERR_INPUT, those that had ended
 * well stay, and it is the caller's to take them away. The memory that it takes: that of the names, and 16 bytes for
 * each call of CUDA. */
tt_status tt_spool_divide(const char *path, const tt_cycles_out *out, uint32_t *n, tt_err *err);

#endif
