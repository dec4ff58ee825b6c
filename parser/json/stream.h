/* parser/json/stream.h - reads JSON token by token from text in pieces, of any size.
 *
 * For files of facts of unlimited size: memory is that of the longest token and a bit per level. The text must be valid
 * JSON, except that NaN and Infinity are words; where it is invalid, or ends too early, tokens end with TT_JSON_BROKEN,
 * and earlier tokens stand. O(length); one thread. */
#ifndef TT_PARSER_JSON_STREAM_H
#define TT_PARSER_JSON_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef enum tt_json_token {
    TT_JSON_END,    /* behind the text's single value */
    TT_JSON_BROKEN, /* invalid JSON from here on, or absurdly deep or long; repeated at every further call */
    TT_JSON_OBJECT, /* { */
    TT_JSON_OBJECT_END,
    TT_JSON_LIST, /* [ */
    TT_JSON_LIST_END,
    TT_JSON_KEY,    /* a member's key: text without its quotes, not decoded; the value is the next token */
    TT_JSON_STRING, /* a string: text without its quotes, not decoded */
    TT_JSON_NUMBER, /* a number: text as it stands */
    TT_JSON_WORD,   /* true, false, null, NaN, Infinity, -Infinity */
} tt_json_token;

enum { TT_JSON_LEVELS = 256, TT_JSON_LONGEST = 1 << 24 };

typedef struct tt_json_stream {
    /* Read up to cap bytes into out; *got = 0 at the end. */
    tt_status (*read)(void *arg, char *out, size_t cap, size_t *got, tt_err *err);
    void *arg;
    tt_status status; /* result of the last read(); an error ends the tokens with TT_JSON_BROKEN */
    tt_err err;

    /* ---- the current token ---- */
    const char *text; /* valid until the next call; 8 bytes in front of it and behind it can be read */
    size_t len;
    uint64_t line;  /* line where the token begins, from 1 */
    unsigned depth; /* open containers, without one that the token itself opens or closes */

    /* ---- private ---- */
    tt_json_token ended; /* END or BROKEN once reached; else 0 and `over` is not set */
    bool over, eof, behind_key, begun, after_value;
    char *memory;
    size_t at, n, cap;
    uint64_t next_line;
    unsigned levels;
    uint8_t object[TT_JSON_LEVELS / 8]; /* per level one bit: an object */
} tt_json_stream;

void tt_json_stream_init(tt_json_stream *s,
                         tt_status (*read)(void *arg, char *out, size_t cap, size_t *got, tt_err *err), void *arg);
void tt_json_stream_free(tt_json_stream *s);
tt_json_token tt_json_stream_next(tt_json_stream *s);
/* Skip the value that `token` begins: to the end of the object or list; for a key over its value. False: the text is
 * invalid on the way. */
bool tt_json_stream_skip(tt_json_stream *s, tt_json_token token);
/* Whether the token's text equals `text`. */
bool tt_json_stream_is(const tt_json_stream *s, const char *text);

#endif
