/* model/tables/analysis/names/flops.h - floating point operations of an operator call and the bytes that it must
 * move, from the shapes of its inputs. */
#ifndef TT_MODEL_TABLES_ANALYSIS_NAMES_FLOPS_H
#define TT_MODEL_TABLES_ANALYSIS_NAMES_FLOPS_H

#include "model/tables/analysis/names/element_type.h"
#include "model/trace/trace.h"

typedef struct tt_flops tt_flops; /* remembers answers by name and arguments; not thread-safe */

typedef enum tt_flops_of_what {
    TT_FLOPS_TABLES,   /* operators of the tables: also attention, norms and others with a formula */
    TT_FLOPS_TORCH,    /* operators that PyTorch's own tables count */
    TT_FLOPS_ROOFLINE, /* all formulas: also backward passes with their bytes, and more element-wise operators */
} tt_flops_of_what;

tt_flops *tt_flops_new(const tt_trace *s, tt_flops_of_what what);
void tt_flops_free(tt_flops *f);
/* Operations of the call in this row; 0 for an operator that is not counted, TT_UNKNOWN when its shapes were not
 * recorded. */
int64_t tt_flops_of(tt_flops *f, tt_row r);
/* Bytes of its inputs and its result, each once; TT_UNKNOWN for an operator that is not counted, or without shapes
 * or types. */
int64_t tt_bytes_of(tt_flops *f, tt_row r);
/* Sum of two numbers of operations or bytes; TT_UNKNOWN when one is unknown or the sum exceeds 64 bits. */
int64_t tt_flops_plus(int64_t a, int64_t b);
/* That number for several calls; TT_UNKNOWN likewise. */
int64_t tt_flops_times(int64_t one, int64_t calls);

typedef enum tt_op_kind { /* what bounds an operator; matrix units run the first three kinds */
                          TT_OP_NONE,
                          TT_OP_GEMM,
                          TT_OP_CONV,
                          TT_OP_ATTENTION,
                          TT_OP_NORM, /* norms and softmax */
                          TT_OP_ELEMENTWISE,
                          TT_OP_KIND_COUNT_,
} tt_op_kind;
extern const char *const tt_op_kind_name[TT_OP_KIND_COUNT_]; /* "gemm" ...; NULL for NONE */

typedef struct tt_op_work {
    int64_t flops, bytes; /* flops > 0; bytes TT_UNKNOWN */
    tt_op_kind kind;   /* NONE: no formula, a shape that the formula needs was not recorded, or nothing is computed */
    tt_data_type type; /* type of the inputs that count */
    bool inner;        /* another operator with a formula calls it to do the work */
} tt_op_work;
/* What the call in this row computes. */
tt_op_work tt_op_work_of(tt_flops *f, tt_row r);
/* Whether any operator of the trace has a formula. O(formulas). */
bool tt_flops_any(const tt_trace *s);

#endif
