/* parser/summary/reader.h - opening a summary file (model/summary/tts.h): a trace for each of its sources. */
#ifndef TT_PARSER_SUMMARY_READER_H
#define TT_PARSER_SUMMARY_READER_H

#include "parser/input/reader.h"

/* The trace of the first source that is not damaged. */
tt_read_fn tt_read_summary;
/* The traces of all sources, this first one among them; NULL when it is of no summary file. What is damaged of the file
 * is a problem of the first. The array is the caller's. */
tt_trace **tt_summary_traces(tt_trace *first, uint32_t *n);

#endif
