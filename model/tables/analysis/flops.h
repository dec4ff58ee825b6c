/* model/tables/analysis/flops.h - floating point operations of an operator call, and the bytes it must move, from
 * its input shapes. */
#ifndef TT_MODEL_TABLES_ANALYSIS_FLOPS_H
#define TT_MODEL_TABLES_ANALYSIS_FLOPS_H

#include "model/trace/trace.h"

typedef struct tt_flops tt_flops; /* remembers the answers by name and arguments; not thread-safe */

/* torch_only: what PyTorch's own tables count; else also attention, norms and what else has a formula. */
tt_flops *tt_flops_new(const tt_trace *s, bool torch_only);
void tt_flops_free(tt_flops *f);
/* Of the call in this row; 0 for operators that are not counted, TT_UNKNOWN when its shapes were not recorded. */
int64_t tt_flops_of(tt_flops *f, tt_row r);
/* Bytes of its inputs and its result, each once; TT_UNKNOWN for operators that are not counted or without shapes or
 * types. */
int64_t tt_bytes_of(tt_flops *f, tt_row r);

#endif
