/* model/tables/operators/roofline_work.h - what calls of an operator compute and move, and how long they take. */
#ifndef TT_MODEL_TABLES_OPERATORS_ROOFLINE_WORK_H
#define TT_MODEL_TABLES_OPERATORS_ROOFLINE_WORK_H

#include "model/tables/operators/peaks.h"

/* One call, or calls of one operator with equal shapes and types. */
typedef struct tt_roofline_work {
    const tt_peaks *peaks; /* peaks of the device; NULL = unknown, or several different ones */
    int64_t calls, device_ns;
    int64_t flops, bytes; /* sums over all calls; TT_UNKNOWN: bytes, and sums beyond 64 bits */
    tt_op_kind kind;
    tt_data_type type;
} tt_roofline_work;

#endif
