/* model/text/text_safety.c - strict decoding of UTF-8, and three ways to neutralise characters: for terminals, JSON
 * and CSV. Each walks the text once and appends small pieces to a bounded buffer, so none can cut a character in
 * half. */
#include "model/text/text_safety.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "model/base/mem.h"

uint32_t tt_utf8_next(const char *s, size_t n, size_t *used)
{
    const unsigned char *p = (const unsigned char *)s;
    *used = 1;
    if (p[0] < 0x80) return p[0];
    if (p[0] == 0xC0 && n > 1 && p[1] == 0x80) { /* C0 80 stands for a NUL of the trace */
        *used = 2;
        return 0;
    }
    size_t len = p[0] >= 0xC2 && p[0] < 0xE0   ? 2
                 : p[0] >= 0xE0 && p[0] < 0xF0 ? 3
                 : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                               : 0;
    if (!len) return TT_BAD_BYTE;
    /* the second byte decides about overlong forms, surrogates and the end of Unicode */
    unsigned lo = p[0] == 0xE0   ? 0xA0
                  : p[0] == 0xF0 ? 0x90
                                 : 0x80,
             hi = p[0] == 0xED   ? 0x9F
                  : p[0] == 0xF4 ? 0x8F
                                 : 0xBF;
    uint32_t cp = p[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (i >= n || p[i] < lo || p[i] > hi) {
            *used = i;
            return TT_BAD_BYTE;
        }
        cp = cp << 6 | (p[i] & 0x3F);
        lo = 0x80;
        hi = 0xBF;
    }
    *used = len;
    return cp;
}

size_t tt_utf8_length(const char *s, size_t n)
{
    size_t used;
    if ((unsigned char)*s < 0x80) return 1;
    return (unsigned char)*s == 0xC0 || tt_utf8_next(s, n, &used) == TT_BAD_BYTE ? 0 : used;
}

size_t tt_utf8_put(char out[4], uint32_t cp)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (size_t i = len - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (cp & 0x3F));
        cp >>= 6;
    }
    out[0] = (char)((0xF00u >> len & 0xFF) | cp);
    return len;
}

static bool is_bidi(uint32_t cp)
{
    return cp == 0x061C || cp == 0x200E || cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2066 && cp <= 0x2069);
}

bool tt_is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x2028 || cp == 0x2029 || is_bidi(cp);
}

uint32_t tt_visible(uint32_t cp)
{
    if (cp != TT_BAD_BYTE && !tt_is_control(cp)) return cp;
    return cp < 0x20 ? 0x2400 + cp : cp == 0x7F ? 0x2421 : 0xFFFD; /* one cell each, so columns stay straight */
}

int tt_char_width(uint32_t cp)
{
    if (cp < 0x7F) return 1;
    int w = cp == TT_BAD_BYTE || tt_is_control(cp) ? 1 : wcwidth((wchar_t)cp);
    return w < 0 ? 1 : w;
}

size_t tt_text_width(const char *s, size_t n)
{
    size_t width = 0;
    for (size_t i = 0, used; i < n; i += used) {
        uint32_t cp = tt_utf8_next(s + i, n - i, &used);
        width += (size_t)tt_char_width(cp);
    }
    return width;
}

/* ---- a bounded buffer: pieces go in whole or not at all ---- */

typedef struct sink {
    char *out;
    size_t cap, put; /* put: bytes written, without the NUL */
    size_t need;
    bool full;
} sink;

static void append_bytes(sink *k, const char *bytes, size_t n)
{
    k->need += n;
    if (k->full || k->put + n + 1 > k->cap) {
        k->full = true;
        return;
    }
    memcpy(k->out + k->put, bytes, n);
    k->put += n;
}

static size_t finish(sink *k)
{
    if (k->cap) k->out[k->put] = '\0';
    return k->need;
}

static void put_char(sink *k, uint32_t cp)
{
    char bytes[4];
    append_bytes(k, bytes, tt_utf8_put(bytes, cp));
}

/* One character as a visible mark when it may not be shown as it is. */
static void put_visible(sink *k, uint32_t cp)
{
    if (cp <= 0x7F || cp == TT_BAD_BYTE || !tt_is_control(cp)) {
        put_char(k, tt_visible(cp));
    } else { /* the mark names the code point, which U+FFFD would hide */
        char mark[16];
        int n = snprintf(mark, sizeof mark, "<U+%04X>", (unsigned)cp);
        append_bytes(k, mark, (size_t)n);
    }
}

/* Length of the leading run of plain ASCII that every output takes as it is. */
static size_t plain_run(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= 0x20 && s[i] < 0x7F && s[i] != '"' && s[i] != '\\') i++;
    return i;
}

static void put_run(sink *k, const char *s, size_t n)
{
    if (!k->full && k->put + n + 1 <= k->cap) {
        append_bytes(k, s, n);
    } else {
        for (size_t i = 0; i < n; i++) append_bytes(k, s + i, 1);
    }
}

size_t tt_sanitize_term(char *out, size_t cap, const char *s, size_t n)
{
    sink k = {.out = out, .cap = cap};
    for (size_t i = 0, used; i < n; i += used) {
        if ((used = plain_run(s + i, n - i))) {
            put_run(&k, s + i, used);
        } else {
            put_visible(&k, tt_utf8_next(s + i, n - i, &used));
        }
    }
    return finish(&k);
}

char *tt_sanitize_term_new(const char *s)
{
    size_t n = strlen(s), need = tt_sanitize_term(NULL, 0, s, n);
    char *out = tt_malloc(need + 1);
    tt_sanitize_term(out, need + 1, s, n);
    return out;
}

static void put_json(sink *k, uint32_t cp)
{
    if (cp == TT_BAD_BYTE) {
        put_char(k, 0xFFFD);
    } else if (cp == '"' || cp == '\\') {
        char pair[2] = {'\\', (char)cp};
        append_bytes(k, pair, 2);
    } else if (tt_is_control(cp)) {
        char escape[8];
        int n = snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(cp & 0xFFFF));
        append_bytes(k, escape, (size_t)n);
    } else {
        put_char(k, cp);
    }
}

size_t tt_sanitize_json(char *out, size_t cap, const char *s, size_t n)
{
    sink k = {.out = out, .cap = cap};
    for (size_t i = 0, used; i < n; i += used) {
        if ((used = plain_run(s + i, n - i))) {
            put_run(&k, s + i, used);
        } else {
            put_json(&k, tt_utf8_next(s + i, n - i, &used));
        }
    }
    return finish(&k);
}

size_t tt_sanitize_csv(char *out, size_t cap, const char *s, size_t n, bool guard)
{
    sink k = {.out = out, .cap = cap};
    guard = guard && n && s[0] && strchr("=+-@", s[0]);
    bool quoted = n && (s[0] == ' ' || s[n - 1] == ' ');
    for (size_t i = 0; i < n && !quoted; i++) quoted = s[i] && strchr(",\"\n\t", s[i]);
    if (quoted) append_bytes(&k, "\"", 1);
    if (guard) append_bytes(&k, "'", 1);
    for (size_t i = 0, used; i < n; i += used) {
        uint32_t cp = tt_utf8_next(s + i, n - i, &used);
        if (cp == '"') {
            append_bytes(&k, "\"\"", 2);
        } else if (cp == '\n' || cp == '\t') {
            put_char(&k, cp);
        } else {
            put_visible(&k, cp);
        }
    }
    if (quoted) append_bytes(&k, "\"", 1);
    return finish(&k);
}
