/* model/tables/communication/comm_brought.h - rows of comm_steps and comm_ops from what a profiler measured itself,
 * which knows more than its events: tables cluster_steps and cluster_communication that a trace brings. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_BROUGHT_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_BROUGHT_H

#include "model/tables/table_util.h"

/* The rows of the trace of the query; false when it brings nothing to make them of. Columns as of table comm_steps. */
bool tt_comm_steps_brought(const tt_query *q, tt_table *t);
/* Columns as of table comm_ops. */
bool tt_comm_ops_brought(const tt_query *q, tt_table *t);

#endif
