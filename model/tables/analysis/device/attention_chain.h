/* model/tables/analysis/device/attention_chain.h - attention computed as two matrix products with a softmax between
 * them, instead of by one kernel.
 *
 * A chain is a sequence of operators of one thread, in the order of their launches: a product (aten::bmm,
 * aten::baddbmm), one aten::_softmax, and the next product; at most twelve operators. Operators between the products
 * launch only kernels of class elementwise, copy or norm/reduce, copies and sets. The operator of a launch is the
 * innermost one around it; a launch outside all operators counts as one. A product that ends a chain begins none.
 * Work whose launch is unknown is in no chain. */
#ifndef TT_MODEL_TABLES_ANALYSIS_DEVICE_ATTENTION_CHAIN_H
#define TT_MODEL_TABLES_ANALYSIS_DEVICE_ATTENTION_CHAIN_H

#include "model/tables/analysis/device/device_work.h"

enum { TT_CHAIN_OPERATORS_MAX = 12 };

typedef enum tt_chain_role {
    TT_CHAIN_PRODUCT, /* work of the first and the last operator, which remains when one kernel does everything */
    TT_CHAIN_SOFTMAX,
    TT_CHAIN_BETWEEN, /* work of other operators between the products */
} tt_chain_role;

typedef struct tt_chain_work {
    uint32_t work; /* index into tt_device_work.at */
    tt_chain_role role;
} tt_chain_work;

typedef struct tt_attention_chain {
    tt_row first_op, softmax, last_op; /* operators of the chain: product, softmax, product */
    uint32_t operators;                /* number of operators: 3 to TT_CHAIN_OPERATORS_MAX */
    uint32_t first, n;                 /* work of the chain in works[]; chains share no work */
} tt_attention_chain;

typedef struct tt_attention_chains {
    TT_VEC(tt_attention_chain) at; /* chains by thread, in the order of the trace's tracks, then by time */
    TT_VEC(tt_chain_work) works;   /* work by chain, then by launch; in no order within a launch */
} tt_attention_chains;

/* Built once per trace and kept. O(launches); a trace without such operators costs nothing. */
const tt_attention_chains *tt_attention_chains_get(const tt_session *s, uint32_t trace);

#endif
