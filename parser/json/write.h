/* parser/json/write.h - the one JSON writer: puts commas, escapes strings, never writes NaN. Not thread-safe; writes
 * to a FILE. */
#ifndef TT_PARSER_JSON_WRITE_H
#define TT_PARSER_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tt_json {
    FILE *f;
    uint32_t depth;     /* open objects and arrays, at most 64 */
    uint64_t has_items; /* bit d: something was written at depth d */
    uint64_t inline_at; /* bit d: members at depth d stay on the line of their parent */
    bool after_key;
} tt_json;

void tt_json_init(tt_json *j, FILE *f);
/* what: '{' or '['. one_line: everything inside on one line, else one member a line, indented. */
void tt_json_open(tt_json *j, char what, bool one_line);
void tt_json_close(tt_json *j, char what); /* '}' or ']'; at depth 0 ends the line */
void tt_json_key(tt_json *j, const char *key);
void tt_json_string(tt_json *j, const char *s, size_t n); /* raw bytes of the trace are welcome; s NULL = null */
void tt_json_text(tt_json *j, const char *s);             /* NUL-terminated; NULL = null */
void tt_json_int(tt_json *j, int64_t v);
void tt_json_double(tt_json *j, double v); /* not finite = null; else the shortest text of 15 digits */
void tt_json_bool(tt_json *j, bool v);
void tt_json_null(tt_json *j);

#endif
