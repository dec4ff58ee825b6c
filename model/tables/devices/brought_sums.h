/* model/tables/devices/brought_sums.h - kernels and runtime calls of traces without such slices, from the profiler's
 * own sums. */
#ifndef TT_MODEL_TABLES_DEVICES_BROUGHT_SUMS_H
#define TT_MODEL_TABLES_DEVICES_BROUGHT_SUMS_H

#include "model/tables/table_util.h"

typedef const char *tt_brought_key(const char *text); /* maps a text to its group; the result lives as long as t */

/* Add the rows of the trace's brought table with t's id, one for each combination of texts in the columns `keys`,
 * mapped by `as` (can be NULL); nothing if it has none. calls: column of the calls, followed by total, mean, max,
 * min and ratio. The sums cover the whole recording: steps, ranges and threads have none, as a note says. */
void tt_brought_sums(const tt_query *q, tt_table *t, const uint32_t *keys, uint32_t n_keys, tt_brought_key *as,
                     uint32_t calls);

#endif
