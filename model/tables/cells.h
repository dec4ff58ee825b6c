/* model/tables/cells.h - reading cells of a table by the name of a column.
 *
 * A column of a table T is an enumerator TT_T_..., which stands beside the maker of T in columns.h of its folder. The
 * table may be missing, the row may not exist, the options may hide the column, and the cell may hold nothing: all of
 * that reads as unknown. */
#ifndef TT_MODEL_TABLES_CELLS_H
#define TT_MODEL_TABLES_CELLS_H

#include "model/tables/table.h"

enum { TT_CELL_LABEL = 24 };

/* A count, time, duration, number of bytes or truth value; TT_UNKNOWN for any other cell. */
int64_t tt_cell_i(const tt_table *t, uint32_t row, uint32_t column);
/* A percentage, a number, or a whole number as a double; NaN for any other cell. */
double tt_cell_d(const tt_table *t, uint32_t row, uint32_t column);
/* A text; "" for any other cell. */
const char *tt_cell_s(const tt_table *t, uint32_t row, uint32_t column);
/* A text as it is, or a whole number in digits; "" for any other cell. Returns the text or out. */
const char *tt_cell_label(const tt_table *t, uint32_t row, uint32_t column, char out[TT_CELL_LABEL]);

/* Worker and span of a row, from a column of the table or the column in front; "" = the table has none. */
const char *tt_cell_worker(const tt_table *t, uint32_t row);
const char *tt_cell_span(const tt_table *t, uint32_t row);
bool tt_has_worker(const tt_table *t); /* whether rows have a worker */
/* Whether both rows have the same worker and span. */
bool tt_cells_same_run(const tt_table *a, uint32_t row_a, const tt_table *b, uint32_t row_b);

/* Indices of the columns `depth` and `path` in a table ordered as a tree; -1 = there is none. */
int tt_depth_column(const tt_table *t);
int tt_path_column(const tt_table *t);

/* The column with the name of a row: `name`, else `operator`, else the first text that is neither worker nor span,
 * else the first text; TT_NONE = the table has no text. */
uint32_t tt_name_column(const tt_table *t);

/* Read a cell by the place of its column in t->cols (tt_column_shown(), tt_table_column()); place -1 reads as
 * unknown. */
int64_t tt_whole_at(const tt_table *t, uint32_t row, int place);
double tt_real_at(const tt_table *t, uint32_t row, int place);
const char *tt_text_at(const tt_table *t, uint32_t row, int place);

/* Place of the column in t->cols; -1 = it is not shown. */
static inline int tt_column_shown(const tt_table *t, uint32_t column)
{
    return t && t->col_of && column < t->desc->n_cols && t->col_of[column] != TT_NONE ? (int)t->col_of[column] : -1;
}

#endif
