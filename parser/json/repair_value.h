/* parser/json/repair_value.h - rewrites one damaged JSON value as valid JSON.
 *
 * Used for events that the parser refuses, and for `tracetty repair`. Repairs unescaped quotes inside strings (a string
 * ends only where valid JSON follows), keys without one or both quotes, single quotes, backslashes in front of a
 * closing quote, and missing or surplus brackets and commas. Iterative: depth costs memory, not stack. O(length),
 * except for strings full of quotes, where each looks ahead a little. */
#ifndef TT_PARSER_JSON_REPAIR_VALUE_H
#define TT_PARSER_JSON_REPAIR_VALUE_H

#include "model/base/mem.h"

#include <stdbool.h>

enum { /* faults that were found */
       TT_MEND_QUOTE = 1,
       TT_MEND_KEY = 2,
       TT_MEND_CONTROL = 4,
       TT_MEND_UTF8 = 8,
       TT_MEND_ESCAPE = 16,
       TT_MEND_NUMBER = 32,
       TT_MEND_BRACKET = 64,
       TT_MEND_DEEP = 128,
};

enum {                    /* modes */
       TT_MEND_EVENT = 1, /* the value is an event: only keys of events may follow its own strings */
       TT_MEND_CLOSE = 2, /* other text follows: containers still open at the end are closed */
       TT_MEND_STRICT =
           4, /* the output must be valid for every tool: no raw control characters, no invalid UTF-8, no nan */
};

/* Append the value that begins at p to out. Returns the bytes used of [p, p + len), 0 when the text makes no sense or
 * ends too early (out then has garbage behind its former end). Adds bits to *faults. */
size_t tt_repair_value(const char *p, size_t len, unsigned how, tt_text *out, unsigned *faults);

#endif
