/* model/summary/stub.h - a trace that stands for a source of a summary file.
 *
 * It has the facts, steps and collectives of the recording, one slice each on two tracks of its own, so comparisons
 * of ranks work on it as on the recording. All else is rows of tables, read from the file on request and kept.
 * trace->path is the recording's. */
#ifndef TT_MODEL_SUMMARY_STUB_H
#define TT_MODEL_SUMMARY_STUB_H

#include "model/summary/calls.h"
#include "model/summary/tts.h"
#include "model/trace/imported.h"
#include "model/trace/session.h"

typedef struct tt_summary tt_summary;

/* Make the trace of a source. worker, span: its names here; copied. The trace keeps the source's file open.
 * TT_ERR_INPUT: damaged. */
tt_status tt_summary_trace(const tt_tts_source *source, const tt_format_info *format, const char *worker,
                           const char *span, tt_trace **out, tt_err *err);
/* Make a trace that replaces the recording s, with its names. */
tt_status tt_summary_in_place_of(const tt_trace *s, const tt_tts_source *source, tt_trace **out, tt_err *err);
/* The summary behind a trace; NULL: the trace is a recording itself. */
static inline const tt_summary *tt_summary_of(const tt_trace *s)
{
    return (const tt_summary *)(const void *)s->summary;
}
const tt_tts_source *tt_summary_source(const tt_summary *x);
const tt_tts_calls *tt_summary_calls(const tt_summary *x);
/* The rows stored under a key ("operators 0": table and grouping); NULL without any, and *note gives the reason
 * (NULL: unknown). Times are relative to tt_trace.origin_ns. Owned by the summary. Any thread. */
const tt_imported *tt_summary_rows(const tt_summary *x, const char *key, const char **note);

#endif
