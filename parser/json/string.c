/* parser/json/string.c - decodes JSON strings.
 *
 * Writers of traces get escapes wrong (Windows paths, names cut in the middle), so nothing here fails: an invalid
 * escape stays as it is spelt. Runs without a backslash are copied as a whole. */
#include "parser/json/string.h"

#include <stdint.h>
#include <string.h>

#include "model/text/text_safety.h"

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Value of \uXXXX at p, -1 when it is invalid. */
static int32_t unicode_escape(const char *p, const char *end)
{
    int32_t v = 0;

    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') return -1;
    for (int i = 2; i < 6; i++) {
        int d = hex_digit(p[i]);

        if (d < 0) return -1;
        v = v << 4 | d;
    }
    return v;
}

static char *put_utf8(char *o, uint32_t c)
{
    if (c) return o + tt_utf8_put(o, c);
    *o++ = (char)0xC0; /* a NUL becomes C0 80, as it would end a C string */
    *o++ = (char)0x80;
    return o;
}

/* The byte of a two-character escape, 0 for an unknown one. */
static char simple_escape(char c)
{
    switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

size_t tt_json_escape_length(const char *p, const char *end)
{
    return end - p >= 2 && simple_escape(p[1]) ? 2 : unicode_escape(p, end) >= 0 ? 6 : 0;
}

/* Decode the escape at p into *o; returns the place behind it. */
static const char *escape(const char *p, const char *end, char **o, bool *bad)
{
    char simple = end - p >= 2 ? simple_escape(p[1]) : 0;
    int32_t unit = unicode_escape(p, end), low;

    if (simple) {
        *(*o)++ = simple;
        return p + 2;
    }
    if (unit < 0) {
        if (bad) *bad = true;
        *(*o)++ = '\\'; /* the rest is copied like other text */
        return p + 1;
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        *o = put_utf8(*o, (uint32_t)unit);
        return p + 6;
    }
    low = unit < 0xDC00 ? unicode_escape(p + 6, end) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF) {
        *o = put_utf8(*o, 0x10000 + ((uint32_t)(unit - 0xD800) << 10 | (uint32_t)(low - 0xDC00)));
        return p + 12;
    }
    *o = put_utf8(*o, 0xFFFD);
    return p + 6;
}

size_t tt_json_unescape(const char *in, size_t len, char *out, bool *bad)
{
    const char *p = in, *end = in + len;
    char *o = out;

    while (p < end) {
        const char *stop = memchr(p, '\\', (size_t)(end - p));
        size_t run = (size_t)((stop ? stop : end) - p);
        char *nul, *from = o;

        memmove(o, p, run);
        o += run;
        while (from < o && (nul = memchr(from, 0, (size_t)(o - from))) != NULL) {
            *nul = (char)0xFF;
            from = nul + 1;
        }
        p += run;
        if (stop) p = escape(p, end, &o, bad);
    }
    return (size_t)(o - out);
}
