/* model/tables/trace_rows.h - which rows of a table are those of a trace, for a table that is made of the rows of
 * others. */
#ifndef TT_MODEL_TABLES_TRACE_ROWS_H
#define TT_MODEL_TABLES_TRACE_ROWS_H

#include "model/tables/table.h"

typedef struct tt_row_list {
    const uint32_t *at; /* ascending */
    uint32_t n;
} tt_row_list;

/* The rows of `from` that are of the query's trace by the columns worker and span; one without a value there may be of
 * any. For the compute function of t, a table by trace that has nothing else attached: its first call finds the rows of
 * all traces, in O((rows + traces) log traces), and t keeps them. `from` is the session's (tt_table_get). */
tt_row_list tt_rows_of_trace(const tt_query *q, tt_table *t, const tt_table *from);

#endif
