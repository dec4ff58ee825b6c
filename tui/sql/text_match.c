/* tui/sql/text_match.c - LIKE and GLOB without recursion. Only the last star of a pattern is tried at several places:
 * the part behind an earlier star was found at the first place possible, and no later place can be better. */
#include "tui/sql/text_match.h"

#include <stddef.h>

enum { BAD_CHARACTER = 0xFFFD };

/* Read the character at *at as SQLite does, also where it is no UTF-8, and go behind it; at the end return 0 and
 * stay. */
static uint32_t read_character(const unsigned char **at)
{
    const unsigned char *p = *at;
    uint32_t c = *p;
    if (!c) return 0;
    p++;
    if (c >= 0xC0) {
        c &= c < 0xE0 ? 0x1F : c < 0xF0 ? 0x0F : c < 0xF8 ? 0x07 : c < 0xFC ? 0x03 : c < 0xFE ? 0x01 : 0x00;
        while ((*p & 0xC0) == 0x80) c = (c << 6) + (*p++ & 0x3F);
        if (c < 0x80 || (c & 0xFFFFF800) == 0xD800 || (c & 0xFFFFFFFE) == 0xFFFE) c = BAD_CHARACTER;
    }
    *at = p;
    return c;
}

static uint32_t lower(uint32_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/* Go behind the set that follows '['; whether c is in it. An unclosed set has no characters. */
static bool is_in_set(const unsigned char **at, uint32_t c)
{
    bool seen = false, invert = false;
    uint32_t before = 0, x = read_character(at);
    if (x == '^') {
        invert = true;
        x = read_character(at);
    }
    if (x == ']') {
        seen = c == ']';
        x = read_character(at);
    }
    while (x && x != ']') {
        if (x == '-' && **at != ']' && **at != 0 && before > 0) {
            x = read_character(at);
            if (c >= before && c <= x) seen = true;
            before = 0;
        } else {
            if (c == x) seen = true;
            before = x;
        }
        x = read_character(at);
    }
    return x && seen != invert;
}

typedef struct pattern {
    bool glob;
    uint32_t escape;
} pattern;

static bool is_star(const pattern *how, uint32_t c) { return how->glob ? c == '*' : c == '%' && how->escape != '%'; }

/* Go behind the next item of the pattern, which is no star; whether character c of the text meets it. c == 0: end. */
static bool item_meets(const pattern *how, const unsigned char **at, uint32_t c)
{
    uint32_t p = read_character(at);
    if (!c || !p) return false;
    if (how->glob) return p == '[' ? is_in_set(at, c) : p == '?' || p == c;
    if (p == how->escape) {
        p = read_character(at);
        return p && (p == c || (p < 0x80 && c < 0x80 && lower(p) == lower(c)));
    }
    return p == '_' || p == c || (p < 0x80 && c < 0x80 && lower(p) == lower(c));
}

tt_sql_matched tt_sql_match(tt_sql_clock *clock, const char *pattern_text, const char *text, bool glob, uint32_t escape)
{
    const pattern how = {glob, escape};
    const unsigned char *p = (const unsigned char *)pattern_text, *t = (const unsigned char *)text;
    const unsigned char *behind_star = NULL,
                        *star_text =
                            NULL; /* the pattern behind the last star, and the place in the text where it is tried */
    for (;;) {
        if (tt_sql_step_ends(clock)) return TT_SQL_MATCH_ENDED;
        if (is_star(&how, *p)) {
            behind_star = ++p;
            star_text = t;
            if (!*p) return TT_SQL_MATCH;
            continue;
        }
        if (!*p && !*t) return TT_SQL_MATCH;
        const unsigned char *next = p, *after = t;
        uint32_t c = read_character(&after);
        if (*p && item_meets(&how, &next, c)) {
            p = next;
            t = after;
            continue;
        }
        if (!behind_star || !*star_text) return TT_SQL_NO_MATCH;
        read_character(&star_text);
        p = behind_star;
        t = star_text;
    }
}
