/* model/tables/summary/make.h - a recording becomes a source of a summary file (model/summary/tts.h). */
#ifndef TT_MODEL_TABLES_SUMMARY_MAKE_H
#define TT_MODEL_TABLES_SUMMARY_MAKE_H

#include "model/summary/tts.h"

/* The source of a trace: all of its tables are computed, as if it were opened alone. The trace stays the caller's,
 * `path` is what it was read from, as an absolute path; part: which recording of that file. Freed by the caller with
 * tt_tts_making_free(). */
void tt_summary_make(tt_trace *s, const char *path, uint32_t part, tt_tts_making *out);

/* What stands for a trace that does not fit into memory with the others: the trace of its source, as if a summary file
 * had been opened. The trace is taken over; it stays where it is of a summary already. */
tt_trace *tt_summary_reduce(tt_trace *s);

#endif
