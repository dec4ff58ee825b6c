/* model/tables/imported_rows.h - turns rows of the tables that a trace brings into rows of a computed table.
 *
 * Columns are matched by key. A cell of another type is converted if only digits are lost (a count to a number, a
 * number to its text); else it is unknown. */
#ifndef TT_MODEL_TABLES_IMPORTED_ROWS_H
#define TT_MODEL_TABLES_IMPORTED_ROWS_H

#include "model/tables/table_util.h"
#include "model/trace/imported.h"

/* Add the rows that are in scope. A row with a value in the column `step` is in scope when that step is, if the
 * trace has the step; else when the row's first time is; a row without either always is. Enter leads to the step, or
 * to the first time for as long as the first duration. */
void tt_imported_put(const tt_query *q, const tt_imported *from, tt_table *t);
/* Add the rows of all brought tables that have the id of t, a table with TT_TABLE_BROUGHT. False: the trace brings
 * none with rows. */
bool tt_imported_take(const tt_query *q, tt_table *t);
/* Whether tt_imported_put() would add the row. */
bool tt_imported_in_scope(const tt_query *q, const tt_imported *from, uint32_t row);
/* Let Enter on `row`, which is made of the brought row, lead where tt_imported_put() would lead. */
void tt_imported_show(const tt_query *q, const tt_imported *from, uint32_t from_row, tt_table *t, uint32_t row);

/* Cell of the column with this key, as this type; unknown where there is no such column or the cell cannot be
 * converted. t owns texts that are made. */
tt_cell tt_imported_cell(const tt_imported *from, uint32_t row, const char *key, tt_type type, tt_table *t);

/* compute() of a table that has brought rows and nothing else. */
void tt_imported_rows(const tt_query *q, tt_table *t);

#endif
