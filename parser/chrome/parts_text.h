/* parser/chrome/parts_text.h - joins the texts of several files into the text of a trace that was read from parts.
 * Private to the reader. */
#ifndef TT_PARSER_CHROME_PARTS_TEXT_H
#define TT_PARSER_CHROME_PARTS_TEXT_H

#include "parser/input/input.h"

typedef struct tt_parts_text tt_parts_text;

tt_parts_text *tt_parts_text_new(void);
/* Add a text, taken over, whose first byte has offset base, above all offsets of the texts before it. */
void tt_parts_text_add(tt_parts_text *p, uint64_t base, tt_text_source *text);
void tt_parts_text_clear(tt_parts_text *p);
/* All texts as one, owned by the caller; NULL when there is none. p is empty afterwards. The text's read() stops at the
 * end of a part. */
tt_text_source *tt_parts_text_take(tt_parts_text *p);
void tt_parts_text_free(tt_parts_text *p);

#endif
