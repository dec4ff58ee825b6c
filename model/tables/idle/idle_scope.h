/* model/tables/idle/idle_scope.h - the time that a scope is about, as tables of device time and idle time count it,
 * so that their numbers agree to the nanosecond.
 *
 * Nothing asked for: of each device the time from its first start to its last end. Steps: the time of their rows in
 * step_breakdown, which reach to the end of their device work. A time window: the window, as far as the trace goes;
 * with steps, the part of their time that lies in it. */
#ifndef TT_MODEL_TABLES_IDLE_IDLE_SCOPE_H
#define TT_MODEL_TABLES_IDLE_IDLE_SCOPE_H

#include "model/base/interval_set.h"
#include "model/tables/idle/idle_gaps.h"
#include "model/tables/table_util.h"

/* The time of the query's trace that a device is counted in, in trace time. Caller frees with tt_vec_free(). */
tt_ivs tt_idle_time(const tt_query *q, const tt_work_device *device);

/* Every gap of every device in the scope. by_step: of each step of step_breakdown in scope by itself, in order, where
 * a gap that crosses the border of two steps counts in both with its parts; else step is NULL. */
typedef void tt_idle_visit(void *arg, const tt_step *step, const tt_idle_gap *gap);
void tt_idle_visit_scope(const tt_query *q, bool by_step, tt_idle_visit *visit, void *arg);

/* What a table without rows says where no device did anything; NULL where one did. Lives as long as t. */
const char *tt_idle_note(const tt_query *q, tt_table *t);

#endif
