/* tui/output/paddle_perf.h - the Perf Summary that Paddle's Profiler prints when it stops: how long a batch and reading
 * it took, and steps a second. */
#ifndef TT_TUI_OUTPUT_PADDLE_PERF_H
#define TT_TUI_OUTPUT_PADDLE_PERF_H

#include <stdio.h>

#include "model/tables/table.h"

/* From the table `throughput`. False: it has no rows, and nothing was written. */
bool tt_out_paddle_perf(FILE *f, const tt_table *throughput);

#endif
