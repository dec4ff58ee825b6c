/* parser/chrome/document_inline.h - steps over the index taken for every value of a file. Private to the parser's
 * files. */
#ifndef TT_PARSER_CHROME_DOCUMENT_INLINE_H
#define TT_PARSER_CHROME_DOCUMENT_INLINE_H

#include <string.h>

#include "model/text/json_text.h"
#include "parser/chrome/document.h"
#include "parser/json/number.h"

static inline char tt_chrome_char(const tt_chrome_parser *w, uint32_t i) { return i < w->n ? w->text[w->at[i]] : 0; }

/* End of the text [.., e) without trailing blanks; some byte must be no blank. Eight bytes in front of it are
 * readable. */
static inline const char *tt_chrome_trim(const char *e)
{
    for (;; e -= 8) {
        uint64_t v;
        memcpy(&v, e - 8, 8);
        /* high bit set in each byte above the blank */
        uint64_t solid =
            (v | ((v & UINT64_C(0x7F7F7F7F7F7F7F7F)) + UINT64_C(0x5F5F5F5F5F5F5F5F))) & UINT64_C(0x8080808080808080);
        if (solid) return e - (__builtin_clzll(solid) >> 3);
    }
}

/* Classes of a value, by its first byte. */
enum { TT_VALUE_NONE, TT_VALUE_STRING, TT_VALUE_NESTED, TT_VALUE_BARE };

static inline int tt_chrome_class(char c)
{
    switch (c) {
    case '"': return TT_VALUE_STRING;
    case '{':
    case '[': return TT_VALUE_NESTED;
    case 0:
    case '}':
    case ']':
    case ',':
    case ':': return TT_VALUE_NONE;
    default: return TT_VALUE_BARE;
    }
}

/* The string or bare scalar at index i, by its class; type 0 when a string lacks its closing quote, which must be the
 * last byte before the blanks in front of the next index entry. */
static inline tt_span tt_chrome_value(const char *text, const uint32_t *at, uint32_t i, int class)
{
    const char *p = text + at[i], *e = text + at[i + 1];
    if (__builtin_expect((unsigned char)e[-1] <= ' ', 0)) {
        e = tt_chrome_trim(e);
        if (e <= p) return (tt_span){0}; /* only control characters */
    }
    if (class == TT_VALUE_BARE) return (tt_span){p, (uint32_t)(e - p), *p};
    if (e - p < 2 || e[-1] != '"') return (tt_span){0};
    return (tt_span){p + 1, (uint32_t)(e - p - 2), '"'};
}

/* The key at index i with a colon behind it. Needs no bounds: the byte behind the window is 0. */
static inline bool tt_chrome_key(const char *text, const uint32_t *at, uint32_t i, tt_span *key)
{
    const char *p = text + at[i], *e;
    if (*p != '"') return false;
    e = text + at[i + 1];
    if (*e != ':') return false;
    if (__builtin_expect(e[-1] != '"', 0)) e = tt_chrome_trim(e);
    if (e - p < 2 || e[-1] != '"') return false;
    *key = (tt_span){p + 1, (uint32_t)(e - p - 2), '"'};
    return true;
}

static inline tt_span tt_chrome_scalar(const tt_chrome_parser *w, uint32_t i)
{
    int class = tt_chrome_class(tt_chrome_char(w, i));
    return class == TT_VALUE_STRING || class == TT_VALUE_BARE ? tt_chrome_value(w->text, w->at, i, class)
                                                              : (tt_span){0};
}

/* Skip the value at index i. False when its end is not in this window. */
static inline bool tt_chrome_skip(const tt_chrome_parser *w, uint32_t i, uint32_t *next)
{
    char c = tt_chrome_char(w, i);
    if (c != '{' && c != '[') {
        *next = i + 1;
        return c && c != '}' && c != ']' && c != ',' && c != ':';
    }
    const char *text = w->text;
    const uint32_t *at = w->at, n = w->n;
    int64_t depth = 0;
    for (; i < n; i++) {
        c = text[at[i]] | 0x20; /* maps [ to { and ] to }, which differ in this bit */
        depth += (c == '{') - (c == '}');
        if (!depth) {
            *next = i + 1;
            return true;
        }
    }
    return false;
}

/* Clear an event. Spans of arguments are meaningful only where `have` says so: clearing them would cost more than
 * reading the event. Done in pieces for which compilers make vector code; for the whole struct they choose an
 * instruction that is slow to start. */
static inline void tt_chrome_clear(tt_chrome_event *e)
{
    enum { PIECE = 64, ALL = offsetof(tt_chrome_event, arg), REST = ALL % PIECE };
    char *p = (char *)e;
    _Static_assert(ALL / PIECE == 3, "as many pieces as below");
    memset(p, 0, PIECE);
    memset(p + PIECE, 0, PIECE);
    memset(p + 2 * PIECE, 0, PIECE);
    memset(p + 3 * PIECE, 0, REST);
    e->args_at = 0;
    e->twice = false;
}

static inline bool tt_args_has(const tt_chrome_event *e, int arg) { return e->have >> arg & 1; }

/* An argument as an integer; false when absent or no integer. */
static inline bool tt_args_int(const tt_chrome_event *e, int arg, int64_t *out)
{
    return tt_args_has(e, arg) && tt_parse_int(e->arg[arg].p, e->arg[arg].p + e->arg[arg].len, out);
}

/* Compare short texts; seven bytes behind both must be readable. */
static inline bool tt_chrome_same(const char *a, const char *b, uint32_t len)
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
