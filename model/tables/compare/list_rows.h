/* model/tables/compare/list_rows.h - the rows of one list of names in two runs, and which of them meet.
 *
 * Both sides are computed at once, with their rows by step (model/tables/step_sums.h). Rows of matched workers with
 * the same keys are one row of the comparison, however many a side has of them: one of each worker, and under --match
 * short one of each full name. */
#ifndef TT_MODEL_TABLES_COMPARE_LIST_ROWS_H
#define TT_MODEL_TABLES_COMPARE_LIST_ROWS_H

#include "model/tables/compare/matching.h"

typedef enum tt_list_fold { TT_LIST_SUM, TT_LIST_MEAN, TT_LIST_MAX, TT_LIST_MIN } tt_list_fold; /* of several rows */
/* How names are shortened; BY_SIDE: by the column `side` of key_averages. */
typedef enum tt_list_name { TT_NAME_AS_IS, TT_NAME_KERNEL, TT_NAME_OPERATOR, TT_NAME_BY_SIDE } tt_list_name;

enum { TT_LIST_MOST = 16 }; /* keys or values */

typedef struct tt_list_key {
    const char *key;
    tt_list_name names;
} tt_list_key;

typedef struct tt_list_value {
    const char *key;
    tt_list_fold fold; /* MEAN: of the value before it */
} tt_list_value;

typedef struct tt_list {                    /* what a table diff_T compares: the rows of a table T */
    const tt_table_desc *desc;              /* of diff_T */
    const tt_table_desc *of;                /* T */
    const char *calls, *main, *device_main; /* keys of T's columns */
    tt_list_key keys[TT_LIST_MOST];
    tt_list_value values[TT_LIST_MOST];
    uint32_t n_keys, n_values;
} tt_list;

typedef struct tt_list_side {
    tt_table *table;
    tt_step_sums sums;
    uint32_t col_calls, col_main, col_device_main; /* of the table; TT_NONE = not shown */
    uint32_t col_key[TT_LIST_MOST], col_value[TT_LIST_MOST];
    struct tt_list_known { /* whether a row that this side does not have counts as 0: some row has a value in the
                              column, or there are no rows. Rows without any value: nothing of the kind was recorded */
        bool calls, main, value[TT_LIST_MOST];
    } known[2];           /* of any row; of rows of the device */
    uint32_t *next;       /* by row: the next one of the same row of the comparison, TT_NONE */
    uint32_t **sample_of; /* tt_matching_sample_of() */
    int64_t *ns;          /* room for a value of each sample */
} tt_list_side;

typedef struct tt_list_row {
    uint32_t first[TT_SIDES], last[TT_SIDES]; /* rows of the sides; TT_NONE = has none */
    tt_cell key[TT_LIST_MOST];                /* as shown; texts are the sides' or the arena's */
} tt_list_row;

typedef struct tt_list_rows {
    const tt_list *list;
    tt_matching matching;
    tt_list_side side[TT_SIDES];
    TT_VEC(tt_list_row) rows; /* in the order of the base, then what only the new run has in its order */
    tt_arena arena;
} tt_list_rows;

/* Both sides computed and joined. options: group and stack depth of the query, and what to compare with. */
void tt_list_rows_make(tt_list_rows *l, const tt_list *list, const tt_session *new_run, const tt_scope *scope,
                       const tt_options *options);
void tt_list_rows_free(tt_list_rows *l);

/* Of a row on one side, over all its rows there: 0 where it has none but the side has others, TT_UNKNOWN where nothing
 * of the kind was recorded. */
int64_t tt_list_calls(const tt_list_rows *l, const tt_list_row *r, int side);
int64_t tt_list_main(const tt_list_rows *l, const tt_list_row *r, int side);
int64_t tt_list_value_of(const tt_list_rows *l, const tt_list_row *r, int side, uint32_t value);
/* Its main time by sample: mean over the matched workers, rounded down. side->ns, as many as are returned: 0 where
 * the side cannot be judged. *calls: of all workers in all samples. */
uint32_t tt_list_samples(tt_list_rows *l, const tt_list_row *r, int side, int64_t *calls);

#endif
