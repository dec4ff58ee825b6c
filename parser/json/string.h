/* parser/json/string.h - decodes the text of a JSON string. */
#ifndef TT_PARSER_JSON_STRING_H
#define TT_PARSER_JSON_STRING_H

#include <stdbool.h>
#include <stddef.h>

/* Decode the bytes between the quotes of a JSON string; returns the number of bytes written to out, which must hold len
 * (decoding never makes a string longer; out may be in). Writes no terminating NUL, and the output has none: \u0000
 * becomes C0 80, a raw NUL byte FF (shown as U+FFFD like any byte that is no UTF-8). A surrogate without its other half
 * becomes U+FFFD. An invalid escape stays as it is spelt and sets *bad (may be NULL; never cleared here). Other bytes,
 * valid UTF-8 or not, are copied. O(len), any thread. */
size_t tt_json_unescape(const char *in, size_t len, char *out, bool *bad);
/* Length of the escape whose backslash is at p; 0 when it is invalid. */
size_t tt_json_escape_length(const char *p, const char *end);

#endif
