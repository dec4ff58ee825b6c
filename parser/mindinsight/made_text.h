/* parser/mindinsight/made_text.h - the text of slices that are in no timeline: steps, and device work from other
 * files. Private to parser/mindinsight. */
#ifndef TT_PARSER_MINDINSIGHT_MADE_TEXT_H
#define TT_PARSER_MINDINSIGHT_MADE_TEXT_H

#include "model/trace/trace.h"

enum { TT_MI_STEP_TEXT = 512 }; /* length of one event, padded with blanks */

/* Made slice k has the offset at + k * TT_MI_STEP_TEXT; there are n of them. Their text is appended to the trace's:
 * after a timeline as a continuation, without one as single events. */
void tt_mi_add_text(tt_trace *s, uint64_t at, uint64_t n);

#endif
