/* parser/json/scan.h - walking through JSON text without building anything. Pure; any thread; O(length). */
#ifndef TT_PARSER_JSON_SCAN_H
#define TT_PARSER_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the value that begins at p when it is valid JSON throughout (no control characters in strings, valid
 * UTF-8, no nan), with at most 64 levels; else 0. */
size_t tt_json_valid(const char *p, const char *end);
/* Length of the value at p by its quotes and brackets alone; 0 when the text ends inside it. */
size_t tt_json_span(const char *p, const char *end);

typedef struct tt_json_member {
    const char *key, *value; /* the key without its quotes, not decoded */
    size_t key_n, value_n;
} tt_json_member;
/* The next member of an object in valid JSON; *p begins behind the '{' and moves on. False at the end. */
bool tt_json_next(const char **p, const char *end, tt_json_member *m);
bool tt_json_is(const tt_json_member *m, const char *key);

#endif
