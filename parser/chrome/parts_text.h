/* parser/chrome/parts_text.h - the texts of several files as one: the text of a trace that was read from parts. Private
 * to the reader. */
#ifndef TT_PARSER_CHROME_PARTS_TEXT_H
#define TT_PARSER_CHROME_PARTS_TEXT_H

#include "parser/input/input.h"

typedef struct tt_parts_text tt_parts_text;

tt_parts_text *tt_parts_text_new(void);
/* A further text, whose first byte has offset base, above all of the one before it; taken over. */
void tt_parts_text_add(tt_parts_text *p, uint64_t base, tt_text_source *text);
void tt_parts_text_clear(tt_parts_text *p);
/* All of them as one text, which the caller owns; NULL when there is none. Nothing is left behind. Its read() stops at
 * the end of a part. */
tt_text_source *tt_parts_text_take(tt_parts_text *p);
void tt_parts_text_free(tt_parts_text *p);

#endif
