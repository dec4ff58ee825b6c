/* parser/json/escape.h - escapes characters that drive a terminal in valid JSON on its way out; the meaning stays.
 *
 * In valid JSON, DEL, C1 and bidirectional controls, line and paragraph separators occur inside strings only (C0
 * nowhere). The text may come in any pieces. */
#ifndef TT_PARSER_JSON_ESCAPE_H
#define TT_PARSER_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tt_json_escape {
    char held[4]; /* start of a character that the next piece completes */
    unsigned n;
} tt_json_escape;

typedef bool tt_json_write(void *arg, const char *p, size_t n);

/* Write the text, escaped. False: write() failed. O(n) */
bool tt_json_escape_write(tt_json_escape *e, const char *p, size_t n, tt_json_write *write, void *arg);
/* Write the held bytes at the end of the text. */
bool tt_json_escape_end(tt_json_escape *e, tt_json_write *write, void *arg);

#endif
