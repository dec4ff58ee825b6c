/* parser/json/repair_value.c - repairs a value with a stack of open brackets. See repair_value.h. The hard part is the
 * end of a string. A quote ends it when the text behind goes on as JSON must at this place: in an object with another
 * key (in an event, with a key of events) or with the closing bracket and a valid continuation behind that. */
#include "parser/json/repair_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/text_safety.h"
#include "parser/json/number.h"
#include "parser/json/scan.h"
#include "parser/json/string.h"

#define KEY_MOST 200u /* most bytes of a key that is recognised */

typedef struct mender {
    const char *e;
    unsigned how, faults;
    tt_text *out;
    TT_VEC(char) open; /* open brackets, outermost first */
} mender;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *skip_blank(const mender *m, const char *p) { return tt_json_blanks(p, m->e); }

static void append_bytes(mender *m, const char *p, size_t n) { tt_text_put(m->out, p, n); }
static void put_char(mender *m, char c) { append_bytes(m, &c, 1); }

static char top(const mender *m, size_t below) { return below < m->open.n ? m->open.at[m->open.n - 1 - below] : 0; }

static bool event_key(const char *p, size_t n)
{
    static const char *const keys[] = {
        "ph",  "name",   "cat",    "pid",           "tid",    "ts", "dur",   "id",  "id2",     "args",    "bp",
        "s",   "scope",  "tts",    "tdur",          "cname",  "sf", "stack", "esf", "bind_id", "flow_in", "flow_out",
        "dev", "stream", "ext_id", "use_async_tts", "tidelta"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strlen(keys[i]) == n && !memcmp(keys[i], p, n)) return true;
    }
    return false;
}

/* Whether a key, with or without quotes, and a colon are at p. */
static bool key_ahead(const mender *m, const char *p, bool of_event)
{
    const char *from, *to, *stop = (size_t)(m->e - p) > KEY_MOST ? p + KEY_MOST : m->e;
    bool quoted = p < stop && (*p == '"' || *p == '\'');
    char quote = quoted ? *p : '"';
    from = p += quoted;
    if (quoted && !of_event) {
        while (p < stop && *p != quote && *p != '\n') p += *p == '\\' && p + 1 < stop ? 2 : 1;
    } else {
        while (p < stop && is_word(*p)) p++;
    }
    to = p;
    if (to == from && !quoted) return false;
    if (p < stop && (*p == '"' || *p == '\'')) p++;
    p = skip_blank(m, p);
    if (p >= m->e || *p != ':') return false;
    return !of_event || event_key(from, (size_t)(to - from));
}

/* Whether the text at p continues correctly behind a value in the innermost open container. */
static bool goes_on(const mender *m, const char *p)
{
    for (size_t below = 0;; below++) {
        p = skip_blank(m, p);
        char in = top(m, below);
        bool event = (m->how & TT_MEND_EVENT) && m->open.n - below == 1;
        if (!in) { /* behind the whole value: a comma, or the list's end */
            while (p < m->e && (tt_is_blank(*p) || *p == ',')) p++;
            if (p == m->e || *p == ']') return true;
            const char *inside = *p == '{' ? skip_blank(m, p + 1) : m->e; /* Paddle ends its list with {} */
            return *p == '{' && ((inside < m->e && *inside == '}') || key_ahead(m, p + 1, true));
        }
        if (p == m->e) return (m->how & TT_MEND_CLOSE) != 0;
        if (*p == ',') {
            p = skip_blank(m, p + 1);
            if (p == m->e) return true;
            if (in == '[') return is_word(*p) || strchr("\"'-{[", *p);
            return *p == '}' || *p == ',' || key_ahead(m, p, event);
        }
        if (event && *p == '"' && key_ahead(m, p, true)) return true; /* a comma is missing */
        if (*p != (in == '{' ? '}' : ']')) return false;
        p++;
    }
}

/* ---- strings ---- */

/* Write one byte or sequence of a string's inside; returns the bytes read. */
static size_t put_inside(mender *m, const char *p, const char *e)
{
    unsigned char c = (unsigned char)*p;
    bool strict = m->how & TT_MEND_STRICT;
    if (c == '\\') {
        size_t n = tt_json_escape_length(p, e);
        if (!n) m->faults |= TT_MEND_ESCAPE;
        if (!n && (strict || e - p < 2)) {
            append_bytes(m, "\\\\", 2);
            return 1;
        }
        n += !n;
        append_bytes(m, p, n);
        return n;
    }
    if (c == '"') {
        append_bytes(m, "\\\"", 2);
        return 1;
    }
    if (c < 0x20) {
        m->faults |= TT_MEND_CONTROL;
        char text[8] = "\xEF\xBF\xBD"; /* a NUL is replaced, as it is no text (string.h) */
        if (c) tt_sanitize_json(text, sizeof text, p, 1);
        append_bytes(m, text, strlen(text));
        return 1;
    }
    size_t n = tt_utf8_length(p, (size_t)(e - p));
    if (!n) m->faults |= TT_MEND_UTF8;
    if (!n && strict) {
        append_bytes(m, "\xEF\xBF\xBD", 3);
    } else {
        append_bytes(m, p, n ? n : 1);
    }
    return n ? n : 1;
}

static void put_string(mender *m, const char *p, const char *e)
{
    put_char(m, '"');
    while (p < e) p += put_inside(m, p, e);
    put_char(m, '"');
}

/* Closing quote of the string value whose inside begins at p; NULL = none. */
static const char *value_end(mender *m, const char *p, char quote)
{
    bool inner = false;
    for (; p < m->e; p++) {
        if (*p == '\\' && p + 1 < m->e) {
            /* "C:\dir\", "ph": in valid text the key's quotes would be escaped too */
            const char *next = skip_blank(m, p + 2);
            if (p[1] == quote && top(m, 0) == '{' && next < m->e && strchr(",}", *next) && *next && goes_on(m, next)) {
                m->faults |= TT_MEND_ESCAPE;
                return p + 1;
            }
            p++;
        } else if (*p == quote) {
            if (goes_on(m, p + 1)) {
                if (inner) m->faults |= TT_MEND_QUOTE;
                return p;
            }
            inner = true;
        }
    }
    return NULL;
}

static const char *string_value(mender *m, const char *p)
{
    const char *end = value_end(m, p + 1, *p);
    if (!end) return NULL;
    if (*p == '\'') m->faults |= TT_MEND_KEY;
    put_string(m, p + 1, end);
    return end + 1;
}

/* Write the key at p with both quotes; returns the place behind its colon, NULL when no key is there. */
static const char *key(mender *m, const char *p)
{
    const char *from = p, *to, *colon = NULL;
    char quote = *p;
    if (quote == '"' || quote == '\'') {
        for (from = to = p + 1; to < m->e && *to != quote; to++) {
            if (*to == ':' && !colon) colon = to;
            if (*to == '\\' && to + 1 < m->e) to++;
        }
        p = to < m->e ? skip_blank(m, to + 1) : m->e;
        if (quote == '\'') m->faults |= TT_MEND_KEY;
        if (p == m->e || *p != ':') { /* the closing quote is missing */
            if (!colon) return NULL;
            p = to = colon;
            m->faults |= TT_MEND_KEY;
        }
    } else {
        while (p < m->e && (is_word(*p) || *p == ' ')) p++;
        if (p == from) return NULL;
        to = p;
        while (to > from && to[-1] == ' ') to--;
        if (p < m->e && (*p == '"' || *p == '\'')) p++;
        p = skip_blank(m, p);
        if (p == m->e || *p != ':') return NULL;
        m->faults |= TT_MEND_KEY;
    }
    put_string(m, from, to);
    put_char(m, ':');
    return p + 1;
}

/* ---- other values ---- */

/* Write +12, 007, .5 or 3. with its digits unchanged, which a double could not guarantee. False when that gives no JSON
 * number. */
static bool put_decimal(mender *m, const char *p, const char *e)
{
    char text[80];
    size_t n = 0;
    if (e - p > 70 || p == e) return false;
    if (*p == '-') text[n++] = *p;
    p += *p == '-' || *p == '+';
    while (e - p > 1 && *p == '0' && tt_is_digit(p[1])) p++;
    if (p < e && *p == '.') text[n++] = '0';
    for (; p < e; p++) {
        bool bare = *p == '.' && (e - p == 1 || !tt_is_digit(p[1]));
        if (!bare) text[n++] = *p;
    }
    if (!tt_json_is_number(text, text + n)) return false;
    append_bytes(m, text, n);
    return true;
}

static const char *scalar(mender *m, const char *p)
{
    const char *from = p;
    while (p < m->e && !tt_is_blank(*p) && !strchr(",}]{[\":", *p ? *p : ',')) p++;
    size_t n = (size_t)(p - from);
    if (!n) return NULL;
    for (const char *q = from; q < p; q++) {
        if ((unsigned char)*q >= ' ') continue;
        m->faults |= TT_MEND_CONTROL; /* no value contains a control character */
        append_bytes(m, "null", 4);
        return p;
    }
    if (!(m->how & TT_MEND_STRICT) || tt_json_is_word(from, p) || tt_json_is_number(from, p)) {
        append_bytes(m, from, n);
        return p;
    }
    char text[64];
    double v = n < 60 ? tt_parse_double(from, p) : __builtin_nan("");
    m->faults |= TT_MEND_NUMBER;
    if (put_decimal(m, from, p)) return p;
    int len = v == v ? snprintf(text, sizeof text, "%.17g", v) : snprintf(text, sizeof text, "null");
    append_bytes(m, text, (size_t)len);
    return p;
}

static void opening(mender *m, char c)
{
    *tt_vec_push(&m->open) = c;
    put_char(m, c);
}

static void closing(mender *m)
{
    while (m->out->n && m->out->at[m->out->n - 1] == ',') m->out->n--;
    if (m->out->n && m->out->at[m->out->n - 1] == ':') append_bytes(m, "null", 4);
    put_char(m, m->open.at[--m->open.n] == '{' ? '}' : ']');
}

/* Close the innermost container, or an outer one with all inside it; false: no open bracket matches. */
static bool close_bracket(mender *m, char c)
{
    char open = c == '}' ? '{' : '[';
    size_t below = 0;
    while (below < m->open.n && top(m, below) != open) below++;
    if (below) m->faults |= TT_MEND_BRACKET;
    if (below == m->open.n) return false; /* a surplus bracket */
    for (; below; below--) closing(m);
    closing(m);
    return true;
}

/* Replace a value too deep for other tools by null; returns the place behind it. */
static const char *too_deep(mender *m, const char *p)
{
    m->faults |= TT_MEND_DEEP;
    append_bytes(m, "null", 4);
    p = tt_json_value_end(p, m->e);
    return p ? p : m->e;
}

typedef enum state { VALUE, KEY, AFTER } state;

static const char *step(mender *m, const char *p, state *s)
{
    char c = *p, in = top(m, 0);
    if (*s == AFTER) {
        if (c == ',') {
            put_char(m, ',');
            *s = in == '{' ? KEY : VALUE;
            return p + 1;
        }
        if (c == '}' || c == ']') {
            (void)close_bracket(m, c);
            return p + 1;
        }
        if (in == '{' ? !key_ahead(m, p, false) : !strchr("\"{[-0123456789", c)) return NULL;
        m->faults |= TT_MEND_BRACKET; /* a comma is missing */
        put_char(m, ',');
        *s = in == '{' ? KEY : VALUE;
        return p;
    }
    if (c == '}' || c == ']') {
        char last = m->out->n ? m->out->at[m->out->n - 1] : 0;
        if (last == ',' || last == ':') m->faults |= TT_MEND_BRACKET;
        if (close_bracket(m, c)) *s = AFTER;
        return p + 1;
    }
    if (c == ',') { /* a surplus comma, or no value behind a colon */
        m->faults |= TT_MEND_BRACKET;
        if (*s == VALUE && in == '{') {
            append_bytes(m, "null,", 5);
            *s = KEY;
        }
        return p + 1;
    }
    if (*s == KEY) {
        *s = VALUE;
        return key(m, p);
    }
    if (c == '{' || c == '[') {
        if ((m->how & TT_MEND_STRICT) && m->open.n >= TT_JSON_DEEPEST) {
            *s = AFTER;
            return too_deep(m, p);
        }
        opening(m, c);
        *s = c == '{' ? KEY : VALUE;
        return p + 1;
    }
    *s = AFTER;
    return c == '"' || c == '\'' ? string_value(m, p) : scalar(m, p);
}

size_t tt_repair_value(const char *text, size_t len, unsigned how, tt_text *out, unsigned *faults)
{
    size_t before = out->n;
    mender m = {.e = text + len, .how = how, .out = out};
    const char *p = skip_blank(&m, text);
    size_t valid = tt_json_valid(p, m.e);
    state s = VALUE;
    if (valid && (!(how & TT_MEND_EVENT) || goes_on(&m, p + valid))) { /* the value is valid as it is */
        append_bytes(&m, text, (size_t)(p + valid - text));
        *faults = 0;
        return (size_t)(p + valid - text);
    }
    bool begun = false;
    while (p && (!begun || m.open.n)) {
        p = skip_blank(&m, p);
        if (p == m.e) break;
        p = step(&m, p, &s);
        begun = true;
    }
    if (p == m.e && m.open.n && (how & TT_MEND_CLOSE)) {
        m.faults |= TT_MEND_BRACKET;
        while (m.open.n) closing(&m);
    }
    bool whole = p && begun && !m.open.n && out->n > before;
    tt_vec_free(&m.open);
    *faults = m.faults;
    return whole ? (size_t)(p - text) : 0;
}
