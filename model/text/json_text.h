/* model/text/json_text.h - walking through JSON text without building anything. Pure; any thread; O(length).
 *
 * Traces may be damaged: quotes inside names that were not escaped, a quote lost from a key, objects that the end of
 * the text cuts off. Nothing here fails on them; in valid JSON everything is exact. */
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

/* Does the quote at p, inside a string, end it? Only when JSON goes on behind it, or the text ends: true of every quote
 * that ends a string of valid JSON, and rarely true of quotes in names that were written without escapes. */
static inline bool tt_json_ends_string(const char *p, const char *end)
{
    p = tt_json_blanks(p + 1, end);
    return p == end || tt_json_goes_on(*p);
}

/* Behind the string whose opening quote is at p; NULL when the text ends in it. */
const char *tt_json_string_end(const char *p, const char *end);
/* Behind the value at p, by its quotes and brackets alone; p itself when there is none in front of a comma or closing
 * bracket; NULL when the text ends before it is certain that the value does. */
const char *tt_json_value_end(const char *p, const char *end);

typedef struct tt_json_member {
    const char *key, *value; /* the key without its quotes, not decoded; NULL in a list */
    size_t key_n, value_n;   /* 0: there is nothing where the value should be */
} tt_json_member;
/* The next member of an object, the next item of a list; *p begins behind the opening bracket and moves on. False at
 * the end, or where the text makes no sense. A value that the end of the text cuts off reaches up to there. */
bool tt_json_next(const char **p, const char *end, tt_json_member *m);
bool tt_json_item(const char **p, const char *end, tt_json_member *m);
bool tt_json_is(const tt_json_member *m, const char *key);
/* The member of the object at p, the last one of several of that name; false when it has none, or p is no object. */
bool tt_json_find(const char *p, const char *end, const char *key, tt_json_member *m);
/* Behind the colon of the next member with this key (quotes and all) from p on, at any depth and by its text alone: for
 * beginnings of files, whose structure need not be whole. NULL. */
const char *tt_json_seek(const char *p, const char *end, const char *key);

#endif
