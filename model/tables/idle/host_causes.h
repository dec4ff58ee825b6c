/* model/tables/idle/host_causes.h - the activity of a host thread at each instant, as a cause for which a device may
 * wait.
 *
 * If slices of several causes cover an instant, the first of input, sync, runtime, operator counts, in whatever
 * order they nest. An instant without such a slice is "between". */
#ifndef TT_MODEL_TABLES_IDLE_HOST_CAUSES_H
#define TT_MODEL_TABLES_IDLE_HOST_CAUSES_H

#include "model/base/interval_set.h"
#include "model/tables/analysis/device/wait_cause.h"

typedef struct tt_host_causes {
    tt_ivs of[TT_WAIT_BETWEEN]; /* disjoint sets, in trace time */
} tt_host_causes;

/* Causes of one track, from all of its slices: O(slices). Free with tt_host_causes_free(). */
tt_host_causes tt_host_causes_make(const tt_trace *s, const tt_name_classes *names, uint32_t track);
void tt_host_causes_free(tt_host_causes *c);

/* Add the time of each cause in [t0, t1), "between" included, to part[]: t1 - t0 in all. Does nothing when t1 <= t0. */
void tt_host_causes_in(const tt_host_causes *c, int64_t t0, int64_t t1, int64_t part[TT_WAIT_COUNT_]);

#endif
