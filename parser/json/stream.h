/* parser/json/stream.h - JSON token by token from text that comes in pieces, whatever its size.
 *
 * For files of facts whose size nothing limits: memory is that of the longest token and a bit per level. The text has
 * to be valid JSON, but for NaN and Infinity, which are words here; where it is not, or ends too early, the tokens end
 * with TT_JSON_BROKEN, and what came before stands. O(length); one thread. */
#ifndef TT_PARSER_JSON_STREAM_H
#define TT_PARSER_JSON_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/base/err.h"
#include "model/base/mem.h"

typedef enum tt_json_token {
    TT_JSON_END,    /* behind the value that the text is */
    TT_JSON_BROKEN, /* no JSON from here on, or deeper or longer than anything sensible; again at every further call */
    TT_JSON_OBJECT, /* { */
    TT_JSON_OBJECT_END,
    TT_JSON_LIST, /* [ */
    TT_JSON_LIST_END,
    TT_JSON_KEY,    /* of a member: text without its quotes, not decoded; its value is next */
    TT_JSON_STRING, /* likewise */
    TT_JSON_NUMBER, /* text: as it stands */
    TT_JSON_WORD,   /* true, false, null, NaN, Infinity, -Infinity */
} tt_json_token;

enum { TT_JSON_LEVELS = 256, TT_JSON_LONGEST = 1 << 24 };

typedef struct tt_json_stream {
    /* Up to cap bytes into out, *got = 0 at the end. */
    tt_status (*read)(void *arg, char *out, size_t cap, size_t *got, tt_err *err);
    void *arg;
    tt_status status; /* what read() said last; an error ends the tokens with TT_JSON_BROKEN */
    tt_err err;

    /* the token */
    const char *text; /* valid until the next call; 8 bytes in front of it and behind it can be read */
    size_t len;
    uint64_t line;  /* of its beginning, from 1 */
    unsigned depth; /* containers that are open; those that a token opens or closes are not counted */

    /* private */
    tt_json_token ended; /* END or BROKEN once there; else 0 and not `over` */
    bool over, eof, behind_key, begun, after_value;
    char *memory;
    size_t at, n, cap;
    uint64_t next_line;
    unsigned levels;
    uint8_t object[TT_JSON_LEVELS / 8]; /* a bit a level: it is an object */
} tt_json_stream;

void tt_json_stream_init(tt_json_stream *s,
                         tt_status (*read)(void *arg, char *out, size_t cap, size_t *got, tt_err *err), void *arg);
void tt_json_stream_free(tt_json_stream *s);
tt_json_token tt_json_stream_next(tt_json_stream *s);
/* Behind the value that `token` begins: to the end of the object or list; behind a key over its value. False: the text
 * is broken on the way. */
bool tt_json_stream_skip(tt_json_stream *s, tt_json_token token);
/* Whether the token's text is this. */
bool tt_json_stream_is(const tt_json_stream *s, const char *text);

#endif
