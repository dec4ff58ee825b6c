/* model/tables/analysis/calls/call_order.h - the order in which a walk through the calls meets them first.
 *
 * Tables whose rules say TT_TIE_FIRST_CALL use it: thread by thread, a call before the calls inside it, and of
 * several sibling calls the last one first. Paddle prints its summary in this order. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_CALL_ORDER_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_CALL_ORDER_H

#include "model/trace/session.h"

typedef struct tt_call_order {
    tt_row *row; /* host slices, without launches */
    uint32_t n;
} tt_call_order;

/* Built once per trace and kept. O(slices). */
const tt_call_order *tt_call_order_get(const tt_session *s, uint32_t trace);

#endif
