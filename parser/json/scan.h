/* parser/json/scan.h - whether text is valid JSON. Pure; any thread; O(length). model/text/json_text.h walks through
 * it. */
#ifndef TT_PARSER_JSON_SCAN_H
#define TT_PARSER_JSON_SCAN_H

#include "model/text/json_text.h"

enum { TT_JSON_DEEPEST = 200 }; /* most levels that other tools read */

/* Length of the value that begins at p if it is completely valid JSON (no control characters in strings, valid UTF-8,
 * no nan) of at most TT_JSON_DEEPEST levels; else 0. */
size_t tt_json_valid(const char *p, const char *end);
/* Whether all of [p, e) is a number; whether it is true, false or null. */
bool tt_json_is_number(const char *p, const char *e);
bool tt_json_is_word(const char *p, const char *e);

#endif
