/* tui/record/step_info.h - a line about the steps of a running recording, as Paddle's profiler.step_info() prints it:
 *
 *   step 20: reader_cost: 0.00123 s batch_cost: 0.04567 s ips: 700.657 samples/s
 *
 * Averages since the line before. batch_cost: from the begin of a step to the begin of the next. reader_cost: of the
 * ranges of category "dataloader" and of PyTorch's "enumerate(DataLoader)#", each; left out without any. ips: samples
 * by the time of the steps; steps/s once a step came without its samples. */
#ifndef TT_TUI_RECORD_STEP_INFO_H
#define TT_TUI_RECORD_STEP_INFO_H

#include <stdbool.h>
#include <stdlib.h>

#include "capture/format/spool.h"
#include "model/base/mem.h"

typedef struct tt_step_info { /* lines of one process; begins as zeros with `every` */
    uint32_t every;           /* steps between two lines */
    bool begun, without;      /* a step was seen; one came without samples */
    int64_t ts;               /* begin of the last step, ns */
    uint64_t step;            /* its number */
    uint64_t steps, reads, samples;
    int64_t batch_ns, reader_ns;
    TT_VEC(uint32_t) readers; /* ids of names of ranges that read data */
} tt_step_info;

/* Take in the next record. True: a line is due, and in out. */
bool tt_step_info_add(tt_step_info *i, const tt_spool_rec *r, char *out, size_t cap);
void tt_step_info_free(tt_step_info *i);

#endif
