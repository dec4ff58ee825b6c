/* tui/sql/row_index.h - the slices of a trace by name, and by correlation id: which rows, without a copy of them.
 *
 * Four bytes for each slice that is in it, and a little for each distinct value. */
#ifndef TT_TUI_SQL_ROW_INDEX_H
#define TT_TUI_SQL_ROW_INDEX_H

#include "model/trace/trace.h"

typedef struct tt_row_index { /* zeroed: not made */
    tt_row *rows;             /* bucket after bucket, ascending within one */
    uint32_t *first;          /* n_buckets + 1 */
    uint32_t n_buckets;
    tt_sid *names;  /* of buckets, by name: which one */
    uint32_t *rank; /* by name: sid -> bucket, TT_NONE = no slice has it; n_sids of them */
    size_t n_sids;
    uint32_t low;   /* by correlation: the lowest, and ... */
    unsigned shift; /* ... how many bits of what is above it do not count: buckets may hold several ids */
    bool made;
} tt_row_index;

/* Buckets in the order of the names' bytes. O(slices + names log names). */
void tt_row_index_names(const tt_trace *s, tt_row_index *out);
/* Device work and launches. Rows of a bucket may have another correlation id. O(slices). */
void tt_row_index_correlations(const tt_trace *s, tt_row_index *out);
void tt_row_index_free(tt_row_index *i);

typedef struct tt_row_list {
    const tt_row *rows;
    uint32_t n;
} tt_row_list;
tt_row_list tt_row_index_name(const tt_row_index *i, tt_sid name);
tt_row_list tt_row_index_correlation(const tt_row_index *i, int64_t correlation);

#endif
