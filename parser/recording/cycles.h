/* parser/recording/cycles.h - divides a recording of several cycles of a schedule (`record --steps ...,repeat=N`) into
 * one recording per cycle, as the profilers of PyTorch and Paddle write one file per cycle.
 *
 * A cycle begins with its first step and lasts until the next begins. Host events belong to the cycle in which they
 * began, device work to the cycle of the call that launched it, however much later it ran. Facts (devices, threads,
 * names) are in each file, losses in the file of the cycle during which they were reported, and the fact "cycle" has
 * its number, from 1. */
#ifndef TT_PARSER_RECORDING_CYCLES_H
#define TT_PARSER_RECORDING_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/format/spool.h"
#include "model/base/err.h"

typedef struct tt_cycle_count { /* begins as zeros */
    uint32_t n;                 /* cycles so far */
    uint32_t state;             /* state and number of the last step */
    uint64_t step;
    int64_t start; /* first step of the last cycle, ns */
} tt_cycle_count;

/* Count a step. True: it is the first one of a cycle. */
bool tt_cycle_begins(tt_cycle_count *c, const tt_spool_step *s);

typedef struct tt_cycles_out {                /* functions that write the files; called by one thread */
    void *(*begin)(void *arg, int64_t start); /* a new cycle's file; start: its first step, ns; NULL = failed */
    bool (*write)(void *file, const char *p, size_t n);
    bool (*end)(void *arg, void *file, bool good); /* close and free the file; good = false: remove it */
    void *arg;
} tt_cycles_out;

/* Divide the spool at paths, one file or the segments of a ring in order, which nobody writes any more. *n = number
 * of files: 0 when it has fewer than two cycles, or damaged blocks; such a spool is best read whole. On an error,
 * TT_ERR_INPUT, files that ended well stay; the caller removes them. Memory: the names, and 16 bytes for each CUDA
 * call. */
tt_status tt_spool_divide(const char *const *paths, uint32_t n_paths, const tt_cycles_out *out, uint32_t *n,
                          tt_err *err);
/* Write the file of one cycle, counted from 1, while the spool grows: from its first `bytes` bytes, which are whole
 * blocks. end: the end of the cycle's recording, ns; INT64_MAX: the process was killed within it. */
tt_status tt_spool_one_cycle(const char *path, uint64_t bytes, uint32_t number, int64_t end, const tt_cycles_out *out,
                             tt_err *err);

#endif
