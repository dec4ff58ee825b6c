/* tui/sql/row_index.h - the rows of a trace's slices, grouped by the value of a column.
 *
 * Takes four bytes for each slice, and a little for each distinct value. */
#ifndef TT_TUI_SQL_ROW_INDEX_H
#define TT_TUI_SQL_ROW_INDEX_H

#include "model/trace/trace.h"

typedef enum tt_indexed { /* columns with an index */
                          TT_BY_NAME,
                          TT_BY_CATEGORY,
                          TT_BY_KIND,
                          TT_BY_STEP,
                          TT_BY_DEVICE,
                          TT_BY_STREAM,
                          TT_INDEXED_COUNT
} tt_indexed;

typedef struct tt_row_value { /* the value of an indexed column; number TT_UNKNOWN = NULL */
    const char *text;         /* name, category or kind; of a device the text in front of its number */
    int64_t number;           /* number of a step, device or stream; 0 for texts */
} tt_row_value;

typedef struct tt_row_index { /* zeroed: not made */
    tt_row *rows;             /* bucket after bucket, ascending within one */
    uint32_t *first;          /* by bucket: index of its first row; n_buckets + 1 */
    uint32_t n_buckets;
    tt_row_value *values; /* by bucket, ascending, NULL first, all different */
    uint32_t low;         /* index of correlations, without values: the lowest id, and ... */
    unsigned shift;       /* ... bits of (id - low) that are dropped: a bucket may hold several ids */
    bool made;
} tt_row_index;

/* The value of a row. O(1), for steps O(log steps). */
tt_row_value tt_row_value_of(const tt_trace *s, tt_indexed by, tt_row r);
/* Compare as SQLite does: NULL first, devices as texts ("GPU10" before "GPU2"). */
int tt_row_value_compare(tt_indexed by, tt_row_value a, tt_row_value b);

/* Make an index of every slice, with buckets in the order of the values. O(slices + values log values). */
void tt_row_index_make(const tt_trace *s, tt_indexed by, tt_row_index *out);
/* Make an index of device work and launches. Rows of a bucket may have another correlation id. O(slices). */
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
