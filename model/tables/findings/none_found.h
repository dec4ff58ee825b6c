/* model/tables/findings/none_found.h - the sentence for traces in which no rule has found anything. */
#ifndef TT_MODEL_TABLES_FINDINGS_NONE_FOUND_H
#define TT_MODEL_TABLES_FINDINGS_NONE_FOUND_H

#include "model/tables/table.h"

/* "No findings. GPU 0 is busy 97.7% of the step time; largest idle cause: queued 1.1%": the least busy device (ties
 * by name) of all traces in scope, and its largest row of idle_causes. NULL: no device worked. In the arena of t. */
const char *tt_none_found(const tt_query *q, tt_table *t);

#endif
