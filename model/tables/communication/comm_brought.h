/* model/tables/communication/comm_brought.h - rows of comm_steps and comm_ops from the profiler's own measurements,
 * which hold more than its events: tables cluster_steps and cluster_communication of a trace. */
#ifndef TT_MODEL_TABLES_COMMUNICATION_COMM_BROUGHT_H
#define TT_MODEL_TABLES_COMMUNICATION_COMM_BROUGHT_H

#include "model/tables/table_util.h"

/* Add the rows of the query's trace, with the columns of comm_steps; false when the trace has no such tables. */
bool tt_comm_steps_brought(const tt_query *q, tt_table *t);
/* Add the rows of the query's trace, with the columns of comm_ops. */
bool tt_comm_ops_brought(const tt_query *q, tt_table *t);

#endif
