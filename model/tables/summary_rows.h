/* model/tables/summary_rows.h - rows of a table for a trace that stands for a recording inside a summary file.
 *
 * The rows were computed over the whole recording when it was summarised. Only tables that name the step of each row
 * can be limited to a part of its time. */
#ifndef TT_MODEL_TABLES_SUMMARY_ROWS_H
#define TT_MODEL_TABLES_SUMMARY_ROWS_H

#include "model/tables/table.h"

enum { TT_SUMMARY_KEY_CAP = 96 };
/* Key of a table in one of its groupings inside a summary: "operators name". Returns out. */
const char *tt_summary_key(const tt_table_desc *d, uint8_t group, char out[TT_SUMMARY_KEY_CAP]);
/* Whether summaries have rows of the table in this grouping; if not, *why says why. */
bool tt_summary_keeps(const tt_table_desc *d, uint8_t group, const char **why);

/* Whether a finding compares the ranks of a run: a summary looks for it when opened, among all ranks. Other findings
 * were made with the summary and are stored in it. */
bool tt_summary_asks_again(const char *finding);

/* When the trace of the query stands for a recording whose events would be needed: add the stored rows, or the note
 * that says why there are none. False: compute() has to be called. */
bool tt_summary_put(const tt_query *q, tt_table *t);

#endif
