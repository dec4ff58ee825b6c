/* model/tables/imported_rows.h - the rows of tables that a trace brings, as rows of a table of the engine.
 *
 * Columns meet by key. A cell of another type is converted where that loses nothing but digits (a count to a number, a
 * number to its text); otherwise the cell is unknown. */
#ifndef TT_MODEL_TABLES_IMPORTED_ROWS_H
#define TT_MODEL_TABLES_IMPORTED_ROWS_H

#include "model/tables/table_util.h"
#include "model/trace/imported.h"

/* Add the rows that are in scope. A row is in scope when the step in its column `step` is, where the trace has that
 * step; else when its first time is; a row without either always is. Enter leads to the step, or to the first time for
 * as long as the first duration. */
void tt_imported_put(const tt_query *q, const tt_imported *from, tt_table *t);
/* The same for all tables of the trace that have the id of the table: of a table with TT_TABLE_BROUGHT. False: the
 * trace brings none with rows. */
bool tt_imported_take(const tt_query *q, tt_table *t);
/* A row of the kind that tt_imported_put() adds is in scope. */
bool tt_imported_in_scope(const tt_query *q, const tt_imported *from, uint32_t row);
/* Enter on a row that is made of this one leads to where tt_imported_put() would lead. */
void tt_imported_show(const tt_query *q, const tt_imported *from, uint32_t from_row, tt_table *t, uint32_t row);

/* The cell of a column by key, as this type: unknown where there is no such column or it cannot be converted. Text
 * that has to be made is the table's. */
tt_cell tt_imported_cell(const tt_imported *from, uint32_t row, const char *key, tt_type type, tt_table *t);

/* compute() of a table that has what traces bring and nothing else. */
void tt_imported_rows(const tt_query *q, tt_table *t);

#endif
