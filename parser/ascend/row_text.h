/* parser/ascend/row_text.h - rows of a csv file as the text of events. Private to parser/ascend. */
#ifndef TT_PARSER_ASCEND_ROW_TEXT_H
#define TT_PARSER_ASCEND_ROW_TEXT_H

#include "parser/input/input.h"

/* The text of a trace whose events are what `timeline` (NULL = nothing) has and, from `base` on, rows of the first part
 * with this role: base + the place of the row in the csv text gives the row as a JSON event, its cells as arguments by
 * the names of the columns. Takes timeline over; NULL when the part cannot be read, then timeline stays. */
tt_text_source *tt_ascend_row_text(tt_text_source *timeline, uint64_t base, tt_input *in, const char *role);

#endif
