/* model/tables/analysis/names/flops.h - floating point operations of an operator call, and the bytes it must move, from
 * its input shapes. */
#ifndef TT_MODEL_TABLES_ANALYSIS_FLOPS_H
#define TT_MODEL_TABLES_ANALYSIS_FLOPS_H

#include "model/tables/analysis/names/element_type.h"
#include "model/trace/trace.h"

typedef struct tt_flops tt_flops; /* remembers the answers by name and arguments; not thread-safe */

typedef enum tt_flops_of_what {
    TT_FLOPS_TABLES,   /* also attention, norms and what else has a formula */
    TT_FLOPS_TORCH,    /* what PyTorch's own tables count */
    TT_FLOPS_ROOFLINE, /* all formulas: backward passes with their bytes, and more element-wise operators */
} tt_flops_of_what;

tt_flops *tt_flops_new(const tt_trace *s, tt_flops_of_what what);
void tt_flops_free(tt_flops *f);
/* Of the call in this row; 0 for operators that are not counted, TT_UNKNOWN when its shapes were not recorded. */
int64_t tt_flops_of(tt_flops *f, tt_row r);
/* Bytes of its inputs and its result, each once; TT_UNKNOWN for operators that are not counted or without shapes or
 * types. */
int64_t tt_bytes_of(tt_flops *f, tt_row r);
/* The sum of two of either; TT_UNKNOWN when one is not known, or it is beyond 64 bits. */
int64_t tt_flops_plus(int64_t a, int64_t b);

typedef enum tt_op_kind { /* what bounds an operator: matrix units run the first three */
                          TT_OP_NONE,
                          TT_OP_GEMM,
                          TT_OP_CONV,
                          TT_OP_ATTENTION,
                          TT_OP_NORM, /* and softmax */
                          TT_OP_ELEMENTWISE,
                          TT_OP_KIND_COUNT_,
} tt_op_kind;
extern const char *const tt_op_kind_name[TT_OP_KIND_COUNT_]; /* "gemm" ...; NULL of NONE */

typedef struct tt_op_work {
    int64_t flops, bytes; /* flops > 0; bytes TT_UNKNOWN */
    tt_op_kind kind;      /* NONE: no formula, a shape that it needs was not recorded, or nothing is computed */
    tt_data_type type;    /* of the inputs that count */
    bool inner;           /* the inside of another operator with a formula, where it is called by one */
} tt_op_work;
/* What the call in this row does. */
tt_op_work tt_op_work_of(tt_flops *f, tt_row r);
/* Whether operators of the trace have a formula at all. O(formulas). */
bool tt_flops_any(const tt_trace *s);

#endif
