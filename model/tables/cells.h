/* model/tables/cells.h - reading cells of a table by the name of a column.
 *
 * A column of a table T is an enumerator TT_T_..., which stands beside the maker of T in columns.h of its folder. The
 * table may be missing, the row may not exist, the options may hide the column, and the cell may hold nothing: all of
 * that reads as unknown. */
#ifndef TT_MODEL_TABLES_CELLS_H
#define TT_MODEL_TABLES_CELLS_H

#include "model/tables/table.h"

enum { TT_CELL_LABEL = 24 };

/* A whole number: a count, a time, a duration, bytes or a truth value; else TT_UNKNOWN. */
int64_t tt_cell_i(const tt_table *t, uint32_t row, uint32_t column);
/* A percentage, a number, or a whole number as one; else NaN. */
double tt_cell_d(const tt_table *t, uint32_t row, uint32_t column);
/* A text; else "". */
const char *tt_cell_s(const tt_table *t, uint32_t row, uint32_t column);
/* A text as it stands or a whole number in digits; else "". Returns the text or out. */
const char *tt_cell_label(const tt_table *t, uint32_t row, uint32_t column, char out[TT_CELL_LABEL]);

/* The worker and the span of a row, wherever the table says them: in a column of its own or in front; else "". */
const char *tt_cell_worker(const tt_table *t, uint32_t row);
const char *tt_cell_span(const tt_table *t, uint32_t row);
bool tt_has_worker(const tt_table *t); /* it says which worker a row is of */
/* Both rows are of the same worker and span. */
bool tt_cells_same_run(const tt_table *a, uint32_t row_a, const tt_table *b, uint32_t row_b);

/* The column `depth` of a table in the order of a tree; -1 = it has none. */
int tt_depth_column(const tt_table *t);

/* The column that says what a row is called: `name`, else `operator`, else the first text that is neither worker nor
 * span, else the first text; TT_NONE = it has no text. */
uint32_t tt_name_column(const tt_table *t);

/* The same by the place of the column among t->cols, as tt_column_shown() and tt_table_column() say it; -1 reads as
 * unknown. */
int64_t tt_whole_at(const tt_table *t, uint32_t row, int place);
double tt_real_at(const tt_table *t, uint32_t row, int place);
const char *tt_text_at(const tt_table *t, uint32_t row, int place);

/* Where the column stands among t->cols; -1 = it is not shown. */
static inline int tt_column_shown(const tt_table *t, uint32_t column)
{
    return t && t->col_of && column < t->desc->n_cols && t->col_of[column] != TT_NONE ? (int)t->col_of[column] : -1;
}

#endif
