/* model/tables/summary/make.h - makes a source of a summary file (model/summary/tts.h) from a recording. */
#ifndef TT_MODEL_TABLES_SUMMARY_MAKE_H
#define TT_MODEL_TABLES_SUMMARY_MAKE_H

#include "model/summary/tts.h"

struct tt_keys;

/* Make the source of a trace: all its tables are computed, as if it were opened alone. The trace stays the caller's.
 * keys: of the session that the trace is part of (model/keys/keys.h), lent; NULL = none.
 * path: absolute path of its file; part: index of the recording in that file. The caller frees with
 * tt_tts_making_free(). */
void tt_summary_make(tt_trace *s, struct tt_keys *keys, const char *path, uint32_t part, tt_tts_making *out);

/* Replace a trace that does not fit into memory with the others by its summary, as if a summary file were opened.
 * Takes the trace over; a trace from a summary is returned unchanged. */
tt_trace *tt_summary_reduce(tt_trace *s);

#endif
