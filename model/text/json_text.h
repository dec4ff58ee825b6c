/* model/text/json_text.h - walks through JSON text without building anything. Pure; any thread; O(length).
 *
 * Traces may be damaged: unescaped quotes inside names, a key that lost a quote, objects cut off at the end of the
 * text. No function here fails on them; for valid JSON every function is exact. */
#ifndef TT_MODEL_TEXT_JSON_TEXT_H
#define TT_MODEL_TEXT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

static inline bool tt_is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static inline const char *tt_json_blanks(const char *p, const char *end)
{
    while (p < end && tt_is_blank(*p)) p++;
    return p;
}

/* Whether the character can follow a whole string. */
static inline bool tt_json_goes_on(char c) { return c == ',' || c == ':' || c == '}' || c == ']'; }

/* The quote at p, inside a string, ends the string. True only if JSON continues behind it or the text ends: so for
 * every quote that ends a string of valid JSON, and rarely for an unescaped quote in a name. */
static inline bool tt_json_ends_string(const char *p, const char *end)
{
    p = tt_json_blanks(p + 1, end);
    return p == end || tt_json_goes_on(*p);
}

/* The position behind the string whose opening quote is at p; NULL: the text ends in the string. */
const char *tt_json_string_end(const char *p, const char *end);
/* The position behind the value at p, found by quotes and brackets alone. p itself: a comma or closing bracket
 * follows without a value. NULL: the text ends before the value certainly does. */
const char *tt_json_value_end(const char *p, const char *end);

typedef struct tt_json_member {
    const char *key, *value; /* the key without its quotes, not decoded; NULL in a list */
    size_t key_n, value_n;   /* value_n 0: no value follows the key */
} tt_json_member;
/* Read the next member of an object, or the next item of a list. *p begins behind the opening bracket and moves on.
 * False at the end, or where the text makes no sense. A value cut off by the end of the text reaches up to the end. */
bool tt_json_next(const char **p, const char *end, tt_json_member *m);
bool tt_json_item(const char **p, const char *end, tt_json_member *m);
bool tt_json_is(const tt_json_member *m, const char *key);
/* Find the member of the object at p; of several with this name the last one. False: it has none, or p is no object. */
bool tt_json_find(const char *p, const char *end, const char *key, tt_json_member *m);
/* The position behind the colon of the next member with this key (with quotes) from p on, at any depth, found by its
 * text alone: for beginnings of files, whose structure may be incomplete. NULL: not found. */
const char *tt_json_seek(const char *p, const char *end, const char *key);

#endif
