/* model/summary/stub.h - a trace that stands for a source of a summary file.
 *
 * It has the facts, steps and collectives of the recording, a slice each on two tracks of its own, so whatever compares
 * ranks works on it as on the recording itself. Everything else it has as rows of tables, read from the file when they
 * are asked for and kept. trace->path is the recording's. */
#ifndef TT_MODEL_SUMMARY_STUB_H
#define TT_MODEL_SUMMARY_STUB_H

#include "model/summary/calls.h"
#include "model/summary/tts.h"
#include "model/trace/imported.h"
#include "model/trace/session.h"

typedef struct tt_summary tt_summary;

/* worker, span: as it is called here; copied. The trace keeps the source's file open. TT_ERR_INPUT: damaged. */
tt_status tt_summary_trace(const tt_tts_source *source, const tt_format_info *format, const char *worker,
                           const char *span, tt_trace **out, tt_err *err);
/* The same in the place of the recording itself, called as that is. */
tt_status tt_summary_in_place_of(const tt_trace *s, const tt_tts_source *source, tt_trace **out, tt_err *err);
/* NULL: the trace is a recording itself. */
static inline const tt_summary *tt_summary_of(const tt_trace *s)
{
    return (const tt_summary *)(const void *)s->summary;
}
const tt_tts_source *tt_summary_source(const tt_summary *x);
const tt_tts_calls *tt_summary_calls(const tt_summary *x);
/* The rows that were stored under this key ("operators 0": table and grouping); NULL without any, *note then says why
 * (NULL: nothing is known). Times are those of tt_trace.origin_ns. The summary's. Any thread. */
const tt_imported *tt_summary_rows(const tt_summary *x, const char *key, const char **note);

#endif
