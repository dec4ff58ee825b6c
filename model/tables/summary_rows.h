/* model/tables/summary_rows.h - rows of a table for a trace that stands for a source of a summary file.
 *
 * They are those that were computed when the recording was summarised, for all of it: a part of its time can be had
 * only of tables that name the step of each row. */
#ifndef TT_MODEL_TABLES_SUMMARY_ROWS_H
#define TT_MODEL_TABLES_SUMMARY_ROWS_H

#include "model/tables/table.h"

enum { TT_SUMMARY_KEY_CAP = 96 };
/* How the rows of a table in one of its groupings are called in a summary: "operators name". Returns out. */
const char *tt_summary_key(const tt_table_desc *d, uint8_t group, char out[TT_SUMMARY_KEY_CAP]);
/* Whether a summary has rows of the table, in this grouping. Without it `why` says why not. */
bool tt_summary_keeps(const tt_table_desc *d, uint8_t group, const char **why);

/* Findings that compare the ranks of a run: of a summary they are looked for when it is opened, among all of its ranks;
 * the others were when it was made, and are stored. */
bool tt_summary_asks_again(const char *finding);

/* The trace of the query stands for a source, and its events would be needed: the rows are put, or the note that says
 * why there are none. False: compute() has to be called. */
bool tt_summary_put(const tt_query *q, tt_table *t);

#endif
