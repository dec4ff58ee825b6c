/* model/tables/compare/list_rows.h - the rows of one list of names in two runs, matched by key.
 *
 * Both sides are computed at once, with their rows by step (model/tables/step_sums.h). Rows of matched workers with
 * equal keys form one row of the comparison, however many rows a side has: one per worker, and under --match short
 * one per full name. */
#ifndef TT_MODEL_TABLES_COMPARE_LIST_ROWS_H
#define TT_MODEL_TABLES_COMPARE_LIST_ROWS_H

#include "model/tables/compare/matching.h"

typedef enum tt_list_fold {
    TT_LIST_SUM,
    TT_LIST_MEAN,
    TT_LIST_MAX,
    TT_LIST_MIN
} tt_list_fold; /* How the values of several rows combine. */
/* How names are shortened; BY_SIDE: depends on column `side` of key_averages. */
typedef enum tt_list_name { TT_NAME_AS_IS, TT_NAME_KERNEL, TT_NAME_OPERATOR, TT_NAME_BY_SIDE } tt_list_name;

enum { TT_LIST_MOST = 16 }; /* most keys or values */

typedef struct tt_list_key {
    const char *key;
    tt_list_name names;
} tt_list_key;

typedef struct tt_list_value {
    const char *key;
    tt_list_fold fold; /* MEAN: mean over the value before it */
} tt_list_value;

typedef struct tt_list {                    /* list compared by a table diff_T: rows of a table T */
    const tt_table_desc *desc;              /* table diff_T */
    const tt_table_desc *of;                /* table T */
    const char *calls, *main, *device_main; /* keys of T's columns */
    tt_list_key keys[TT_LIST_MOST];
    tt_list_value values[TT_LIST_MOST];
    uint32_t n_keys, n_values;
} tt_list;

typedef struct tt_list_side {
    tt_table *table;
    tt_step_sums sums;
    uint32_t col_calls, col_main, col_device_main; /* column indices in the table; TT_NONE = not shown */
    uint32_t col_key[TT_LIST_MOST], col_value[TT_LIST_MOST];
    struct tt_list_known { /* whether a missing row counts as 0 on this side: some row has a value in the column, or
                              there are no rows. If all rows lack values, the kind was not recorded */
        bool calls, main, value[TT_LIST_MOST];
    } known[2];           /* [0]: any row; [1]: device rows */
    uint32_t *next;       /* by row: next row of the same comparison row, TT_NONE */
    uint32_t **sample_of; /* result of tt_matching_sample_of() */
    int64_t *ns;          /* buffer with a value per sample */
} tt_list_side;

typedef struct tt_list_row {
    uint32_t first[TT_SIDES], last[TT_SIDES]; /* first and last row of each side; TT_NONE = none */
    tt_cell key[TT_LIST_MOST];                /* key cells as shown; texts belong to the sides or the arena */
} tt_list_row;

typedef struct tt_list_rows {
    const tt_list *list;
    tt_matching matching;
    tt_list_side side[TT_SIDES];
    TT_VEC(tt_list_row) rows; /* rows in the order of the base, then rows only in the new run, in its order */
    tt_arena arena;
} tt_list_rows;

/* Compute both sides and match their rows. options: group and stack depth of the query, and the comparison. */
void tt_list_rows_make(tt_list_rows *l, const tt_list *list, const tt_session *new_run, const tt_scope *scope,
                       const tt_options *options);
void tt_list_rows_free(tt_list_rows *l);

/* Calls of a row on one side, over all its rows there: 0 if the side has other rows, TT_UNKNOWN if it recorded none
 * of the kind. */
int64_t tt_list_calls(const tt_list_rows *l, const tt_list_row *r, int side);
int64_t tt_list_main(const tt_list_rows *l, const tt_list_row *r, int side);
int64_t tt_list_value_of(const tt_list_rows *l, const tt_list_row *r, int side, uint32_t value);
/* Main time of a row by sample: mean over the matched workers, rounded down, in side->ns. Returns the number of
 * samples: 0 where the side cannot be judged. *calls: total of all workers and samples. */
uint32_t tt_list_samples(tt_list_rows *l, const tt_list_row *r, int side, int64_t *calls);

#endif
