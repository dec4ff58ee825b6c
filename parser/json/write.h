/* parser/json/write.h - the only JSON writer: puts commas, escapes strings, never writes NaN. Not thread-safe; writes
 * to a FILE or into a text. */
#ifndef TT_PARSER_JSON_WRITE_H
#define TT_PARSER_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/base/mem.h"

typedef struct tt_json {
    FILE *f;
    tt_text *text;      /* output text if f is NULL */
    uint32_t depth;     /* open objects and arrays, at most 64 */
    uint64_t has_items; /* bit d: depth d has an item already */
    uint64_t inline_at; /* bit d: members at depth d stay on the line of their parent */
    bool after_key;
} tt_json;

void tt_json_init(tt_json *j, FILE *f);
/* Append to the text, without a final line end. */
void tt_json_init_text(tt_json *j, tt_text *text);
/* Open '{' or '['. one_line: write all items on one line, else one member a line, indented. */
void tt_json_open(tt_json *j, char what, bool one_line);
void tt_json_close(tt_json *j, char what); /* writes '}' or ']'; at depth 0 ends the line of a file */
void tt_json_key(tt_json *j, const char *key);
void tt_json_key_bytes(tt_json *j, const char *key, size_t n); /* a key as raw bytes */
void tt_json_string(tt_json *j, const char *s, size_t n);      /* s: raw bytes of the trace; NULL = null */
void tt_json_text(tt_json *j, const char *s);                  /* NUL-terminated; NULL = null */
void tt_json_int(tt_json *j, int64_t v);
void tt_json_uint(tt_json *j, uint64_t v);
void tt_json_double(tt_json *j, double v); /* the shortest text of 15 digits; null if not finite */
void tt_json_exact(tt_json *j, double v);  /* as many digits as reading back exactly needs; null if not finite */
void tt_json_us(tt_json *j, int64_t ns);   /* microseconds with exactly three decimals */
void tt_json_bool(tt_json *j, bool v);
void tt_json_null(tt_json *j);
void tt_json_raw(tt_json *j, const char *p, size_t n); /* a value that is JSON text already */
/* Write a number in the given format. */
void tt_json_number(tt_json *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Write a key and its value. */
void tt_json_key_text(tt_json *j, const char *key, const char *s);
void tt_json_key_int(tt_json *j, const char *key, int64_t v);
void tt_json_key_uint(tt_json *j, const char *key, uint64_t v);
/* Write the member unless the value is unknown (the minimum of its type). */
void tt_json_key_known(tt_json *j, const char *key, int64_t v);
void tt_json_key_known3(tt_json *j, const char *key, const int64_t v[3]);
void tt_json_key_us(tt_json *j, const char *key, int64_t ns);

#endif
