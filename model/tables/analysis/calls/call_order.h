/* model/tables/analysis/calls/call_order.h - the order in which a walk through the calls first meets what was recorded.
 *
 * The order of tables whose rules say TT_TIE_FIRST_CALL: thread by thread, a call before what it contains, the last
 * of several calls first. Paddle prints its summary so, and its users know their tables in that order. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALL_ORDER_H
#define TT_MODEL_TABLES_ANALYSIS_CALL_ORDER_H

#include "model/trace/session.h"

typedef struct tt_call_order {
    tt_row *row; /* host slices that are no launches */
    uint32_t n;
} tt_call_order;

/* Built once per trace and kept. O(slices). */
const tt_call_order *tt_call_order_get(const tt_session *s, uint32_t trace);

#endif
