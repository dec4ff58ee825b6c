/* tui/sql/row_index.h - the slices of a trace by the value of a column: which rows, without a copy of them.
 *
 * Four bytes for each slice that is in it, and a little for each distinct value. */
#ifndef TT_TUI_SQL_ROW_INDEX_H
#define TT_TUI_SQL_ROW_INDEX_H

#include "model/trace/trace.h"

typedef enum tt_indexed { /* columns that rows are found and ordered by */
                          TT_BY_NAME,
                          TT_BY_CATEGORY,
                          TT_BY_KIND,
                          TT_BY_STEP,
                          TT_BY_DEVICE,
                          TT_BY_STREAM,
                          TT_INDEXED_COUNT
} tt_indexed;

typedef struct tt_row_value { /* what a row has in such a column; number TT_UNKNOWN = NULL */
    const char *text;         /* of name, category, kind; of a device what stands before its number */
    int64_t number;           /* of step, device, stream; 0 of texts */
} tt_row_value;

typedef struct tt_row_index { /* zeroed: not made */
    tt_row *rows;             /* bucket after bucket, ascending within one */
    uint32_t *first;          /* n_buckets + 1 */
    uint32_t n_buckets;
    tt_row_value *values; /* of buckets, ascending, NULL first; no two are equal */
    uint32_t low;         /* by correlation, which has no values: the lowest, and ... */
    unsigned shift;       /* ... how many bits of what is above it do not count: buckets may hold several ids */
    bool made;
} tt_row_index;

/* The value of one row. O(1), of a step O(log steps). */
tt_row_value tt_row_value_of(const tt_trace *s, tt_indexed by, tt_row r);
/* In the order that SQLite has values of the column in: NULL first, devices as texts ("GPU10" before "GPU2"). */
int tt_row_value_compare(tt_indexed by, tt_row_value a, tt_row_value b);

/* Every slice, in buckets in the order of the values. O(slices + values log values). */
void tt_row_index_make(const tt_trace *s, tt_indexed by, tt_row_index *out);
/* Device work and launches. Rows of a bucket may have another correlation id. O(slices). */
void tt_row_index_correlations(const tt_trace *s, tt_row_index *out);
void tt_row_index_free(tt_row_index *i);

typedef struct tt_row_list {
    const tt_row *rows;
    uint32_t n;
} tt_row_list;
/* The rows with this value. O(log values). */
tt_row_list tt_row_index_find(const tt_row_index *i, tt_indexed by, tt_row_value v);
tt_row_list tt_row_index_correlation(const tt_row_index *i, int64_t correlation);

#endif
