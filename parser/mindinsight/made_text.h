/* parser/mindinsight/made_text.h - the text of slices that no timeline has: steps, and device work of other files.
 * Private to parser/mindinsight. */
#ifndef TT_PARSER_MINDINSIGHT_MADE_TEXT_H
#define TT_PARSER_MINDINSIGHT_MADE_TEXT_H

#include "model/trace/trace.h"

enum { TT_MI_STEP_TEXT = 512 }; /* bytes of one, blanks behind it */

/* Slice k that was made has the offset at + k * TT_MI_STEP_TEXT; n of them. Their text is put behind that of the
 * trace: with a timeline as one that goes on, without one as single events. */
void tt_mi_add_text(tt_trace *s, uint64_t at, uint64_t n);

#endif
