/* model/tables/analysis/calls/line_of.h - the line of the program behind a row of any table, or behind a slice. */
#ifndef TT_MODEL_TABLES_ANALYSIS_CALLS_LINE_OF_H
#define TT_MODEL_TABLES_ANALYSIS_CALLS_LINE_OF_H

#include "model/tables/table.h"

/* Write "train.py(31): step": for a Python frame the frame itself, also in a library; for device work the line that
 * launched it (most of it, for several pieces); for host calls the line that made them; for a window the line at its
 * beginning, on the thread of the memory record or step there. False: unknown, out is "". May look at every slice of
 * a trace: do not call on the drawing thread. */
bool tt_line_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, char *out, size_t cap);

#endif
