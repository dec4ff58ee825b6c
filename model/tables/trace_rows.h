/* model/tables/trace_rows.h - rows of one trace in a table, for a table that is made from other tables' rows. */
#ifndef TT_MODEL_TABLES_TRACE_ROWS_H
#define TT_MODEL_TABLES_TRACE_ROWS_H

#include "model/tables/table.h"

typedef struct tt_row_list {
    const uint32_t *at; /* rows, ascending */
    uint32_t n;
} tt_row_list;

/* Rows of `from` that belong to the query's trace by the columns worker and span; a row without a value there may
 * belong to any trace. For the compute function of t, a table by trace with nothing else attached: the first call
 * finds the rows of all traces in O((rows + traces) log traces), and t keeps them. The session owns `from`
 * (tt_table_get()). */
tt_row_list tt_rows_of_trace(const tt_query *q, tt_table *t, const tt_table *from);

#endif
