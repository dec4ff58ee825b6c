/* parser/summary/reader.h - opens a summary file (model/summary/tts.h) as one trace per source. */
#ifndef TT_PARSER_SUMMARY_READER_H
#define TT_PARSER_SUMMARY_READER_H

#include "parser/input/reader.h"

/* Reads the first undamaged source's trace. */
tt_read_fn tt_read_summary;
/* Traces of all sources, `first` among them; NULL when `first` comes from no summary file. Damage of the file is
 * reported in the first. The caller owns the array. */
tt_trace **tt_summary_traces(tt_trace *first, uint32_t *n);

#endif
