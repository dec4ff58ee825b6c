/* model/tables/analysis/calls/line_of.h - the line of the program that a row of any table, or a slice, is about. */
#ifndef TT_MODEL_TABLES_ANALYSIS_LINE_OF_H
#define TT_MODEL_TABLES_ANALYSIS_LINE_OF_H

#include "model/tables/table.h"

/* "train.py(31): step": of a Python frame that frame, also one of a library; of device work the line that launched it
 * (most of it, where it is many pieces); of host calls the line they were made on; of a window the line at its
 * beginning, on the thread of the memory record or step that is there. False: unknown; out is "" then. May look at
 * every slice of a trace: not on the drawing thread. */
bool tt_line_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, char *out, size_t cap);

#endif
