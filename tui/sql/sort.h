/* tui/sql/sort.h - sorting the values of aggregates in place; the clock can end a sort. Private to tui/sql. */
#ifndef TT_TUI_SQL_SORT_H
#define TT_TUI_SQL_SORT_H

#include "model/base/interval_set.h"
#include "tui/sql/clock.h"

/* Put the number with index k in ascending order at place k, with no larger number before it and no smaller behind it.
 * O(n), k < n. False: the query has to end. */
bool tt_sql_select(tt_sql_clock *clock, int64_t *at, size_t n, size_t k);
/* Sort by t0. O(n log n). False: the query has to end. */
bool tt_sql_sort_intervals(tt_sql_clock *clock, tt_iv *at, size_t n);

#endif
