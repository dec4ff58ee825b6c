/* parser/json/scan.h - what is valid JSON. Pure; any thread; O(length). Walking through it: model/text/json_text.h. */
#ifndef TT_PARSER_JSON_SCAN_H
#define TT_PARSER_JSON_SCAN_H

#include "model/text/json_text.h"

enum { TT_JSON_DEEPEST = 200 }; /* levels that other tools still read */

/* Length of the value that begins at p when it is valid JSON throughout (no control characters in strings, valid UTF-8,
 * no nan), with at most TT_JSON_DEEPEST levels; else 0. */
size_t tt_json_valid(const char *p, const char *end);
/* Is all of [p, e) a number; or true, false, null? */
bool tt_json_is_number(const char *p, const char *e);
bool tt_json_is_word(const char *p, const char *e);

#endif
