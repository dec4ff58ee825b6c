/* parser/json/escape.h - valid JSON on its way out: characters that drive a terminal become escapes, which mean the
 * same.
 *
 * In valid JSON, DEL, C1 and bidirectional controls, line and paragraph separators can only stand inside strings (C0
 * stands nowhere). The text may come in any pieces. */
#ifndef TT_PARSER_JSON_ESCAPE_H
#define TT_PARSER_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct tt_json_escape {
    char held[4]; /* the beginning of a character whose rest comes with the next piece */
    unsigned n;
} tt_json_escape;

typedef bool tt_json_write(void *arg, const char *p, size_t n);

/* Hand the text on, escaped. False = write() said so. O(n) */
bool tt_json_escape_write(tt_json_escape *e, const char *p, size_t n, tt_json_write *write, void *arg);
/* What is held, at the end of the text. */
bool tt_json_escape_end(tt_json_escape *e, tt_json_write *write, void *arg);

#endif
