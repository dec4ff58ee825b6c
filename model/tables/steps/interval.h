/* model/tables/steps/interval.h - the request for table interval, besides its grouping. */
#ifndef TT_MODEL_TABLES_STEPS_INTERVAL_H
#define TT_MODEL_TABLES_STEPS_INTERVAL_H

#include "model/tables/table.h"

/* options.arg: [0] and [1] are the interval [t0, t1) on the common axis, limited to the scope (t0 == t1: the whole
 * scope); [2] is the one track that counts, 0 = all tracks. */
#define TT_INTERVAL_TRACK(trace, track) ((int64_t)(((uint64_t)(trace) << 32 | (track)) + 1))

enum { TT_INTERVAL_CATEGORY, TT_INTERVAL_DEVICE, TT_INTERVAL_KERNEL, TT_INTERVAL_OPERATOR, TT_INTERVAL_GROUPS };

#endif
