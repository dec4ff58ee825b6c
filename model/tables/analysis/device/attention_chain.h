/* model/tables/analysis/device/attention_chain.h - attention that is computed as two matrix products with a softmax
 * between them, instead of by one kernel.
 *
 * A chain is, of the operators of a thread in the order of their launches: a product (aten::bmm, aten::baddbmm), one
 * aten::_softmax, and the next product, twelve operators at most, of which those between the products launch nothing
 * but kernels of class elementwise, copy or norm/reduce, copies and sets. The operator of a launch is the innermost
 * one around it; launches outside of any operator count as one each. A product ends one chain at most and begins
 * none then. Work whose launch is not known is in no chain. */
#ifndef TT_MODEL_TABLES_ANALYSIS_ATTENTION_CHAIN_H
#define TT_MODEL_TABLES_ANALYSIS_ATTENTION_CHAIN_H

#include "model/tables/analysis/device/device_work.h"

enum { TT_CHAIN_OPERATORS_MAX = 12 };

typedef enum tt_chain_role {
    TT_CHAIN_PRODUCT, /* of the first and of the last operator: what remains with one kernel for all of it */
    TT_CHAIN_SOFTMAX,
    TT_CHAIN_BETWEEN, /* of other operators between the products */
} tt_chain_role;

typedef struct tt_chain_work {
    uint32_t work; /* index into tt_device_work.at */
    tt_chain_role role;
} tt_chain_work;

typedef struct tt_attention_chain {
    tt_row first_op, softmax, last_op; /* the operators: product, softmax, product */
    uint32_t operators;                /* all of them: 3 to TT_CHAIN_OPERATORS_MAX */
    uint32_t first, n;                 /* its work in works[]; no work is in two chains */
} tt_attention_chain;

typedef struct tt_attention_chains {
    TT_VEC(tt_attention_chain) at; /* by thread, as the trace has its tracks, then by time */
    TT_VEC(tt_chain_work) works;   /* by chain, then by launch; in no order within a launch */
} tt_attention_chains;

/* Built once per trace and kept. O(launches); a trace without such operators costs nothing. */
const tt_attention_chains *tt_attention_chains_get(const tt_session *s, uint32_t trace);

#endif
