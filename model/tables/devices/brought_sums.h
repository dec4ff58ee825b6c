/* model/tables/devices/brought_sums.h - kernels and runtime calls of traces that have no slices of them, from sums that
 * the profiler made itself. */
#ifndef TT_MODEL_TABLES_DEVICES_BROUGHT_SUMS_H
#define TT_MODEL_TABLES_DEVICES_BROUGHT_SUMS_H

#include "model/tables/table_util.h"

typedef const char *tt_brought_key(const char *text); /* what the rows of a text are added up as; lasts as long as t */

/* Add the rows of the table of t's id that the trace brings, one for each combination of the texts in the columns
 * `keys`, as the function `as` has them, which may be NULL; nothing when it brings none. calls: the column of the
 * calls, which those of total, mean, max, min and ratio follow. The sums are of the whole recording: of a step, a range
 * or a thread there are none, which a note says. */
void tt_brought_sums(const tt_query *q, tt_table *t, const uint32_t *keys, uint32_t n_keys, tt_brought_key *as,
                     uint32_t calls);

#endif
