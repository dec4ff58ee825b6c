/* parser/walk_inline.h - steps over the index that are taken for every value of a file. Private to the walker's files. */
#ifndef TT_PARSER_WALK_INLINE_H
#define TT_PARSER_WALK_INLINE_H

#include <string.h>

#include "parser/walk.h"

static inline char tt_walk_char(const tt_walker *w, uint32_t i) { return i < w->n ? w->text[w->at[i]] : 0; }

static inline bool tt_is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/* The scalar at index i (below w->n); type 0 when there is none. A string's closing quote is the last byte before the blanks in front of
 * the next index entry. */
static inline tt_span tt_walk_value(const char *text, const uint32_t *at, uint32_t i)
{
    const char *p = text + at[i], *e = text + at[i + 1];
    char c = *p;
    while (e > p + 1 && tt_is_blank(e[-1])) e--;
    if (c == '"') {
        if (e - p < 2 || e[-1] != '"') return (tt_span){0};
        return (tt_span){p + 1, (uint32_t)(e - p - 2), '"'};
    }
    if (c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':') return (tt_span){0};
    return (tt_span){p, (uint32_t)(e - p), c};
}

static inline tt_span tt_walk_scalar(const tt_walker *w, uint32_t i)
{
    return i < w->n ? tt_walk_value(w->text, w->at, i) : (tt_span){0};
}

/* Past the value at index i. False when it does not end in this window. */
static inline bool tt_walk_skip(const tt_walker *w, uint32_t i, uint32_t *next)
{
    char c = tt_walk_char(w, i);
    if (c != '{' && c != '[') {
        *next = i + 1;
        return c && c != '}' && c != ']' && c != ',' && c != ':';
    }
    const char *text = w->text;
    const uint32_t *at = w->at, n = w->n;
    int64_t depth = 0;
    for (; i < n; i++) {
        c = text[at[i]];
        if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && !--depth) {
            *next = i + 1;
            return true;
        }
    }
    return false;
}

/* Equal bytes, for short texts; seven bytes behind both must be readable. */
static inline bool tt_walk_same(const char *a, const char *b, uint32_t len)
{
    uint64_t x, y;
    for (; len >= 8; len -= 8, a += 8, b += 8) {
        memcpy(&x, a, 8);
        memcpy(&y, b, 8);
        if (x != y) return false;
    }
    if (!len) return true;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return !((x ^ y) << (64 - 8 * len));
}

#endif
