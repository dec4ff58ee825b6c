/* model/tables/idle/idle_scope.h - idle time in the scope of a query.
 *
 * All tables of device time and idle time count it here, so that their numbers agree to the nanosecond. The scope is
 * the account of the worker (steps/account.h); by step, the windows of its steps; with the option device_window, the
 * time of each device from its first start to its last end of work, where idle time has no edges. */
#ifndef TT_MODEL_TABLES_IDLE_IDLE_SCOPE_H
#define TT_MODEL_TABLES_IDLE_IDLE_SCOPE_H

#include "model/tables/idle/idle_gaps.h"
#include "model/tables/steps/account.h"
#include "model/tables/table_util.h"

/* Time of the query's trace in which a device is counted, in trace time. The caller frees it with tt_vec_free(). */
tt_ivs tt_idle_time(const tt_query *q, const tt_account *a, const tt_work_device *device);

/* Windows of a query by step: the complete steps in scope, in order, as in step_breakdown. A trace without steps has
 * one window, the account. */
typedef struct tt_step_window {
    const tt_step *step;
    tt_iv at;
} tt_step_window;
typedef TT_VEC(tt_step_window) tt_step_windows; /* the caller frees it with tt_vec_free() */
tt_step_windows tt_idle_steps(const tt_query *q, const tt_account *a);

/* Visit every gap of every device in scope. by_step: visit each window of tt_idle_steps() separately, in order; a
 * gap that crosses the border of two steps counts in both with its parts. Otherwise step is NULL. */
typedef void tt_idle_visit(void *arg, const tt_step *step, const tt_idle_gap *gap);
void tt_idle_visit_scope(const tt_query *q, bool by_step, tt_idle_visit *visit, void *arg);

/* Visit the gaps of one device in an account, in the order of time. */
void tt_idle_visit_device(const tt_session *s, uint32_t trace, const tt_account *a, uint32_t device,
                          tt_idle_gap_visit *visit, void *arg);

/* Note of a table without rows where no device did anything; NULL where a device did. Lives as long as t. */
const char *tt_idle_note(const tt_query *q, tt_table *t);

#endif
