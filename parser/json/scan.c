/* parser/json/scan.c - a strict check of JSON values, and their members one by one. */
#include "parser/json/scan.h"

#include <string.h>

#include "model/base/text_safety.h"

enum { DEEPEST = 64 };

static const char *blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
    return p;
}

static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/* Behind the string at p (its opening quote); NULL = it is not valid. */
static const char *string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"';) {
        if ((unsigned char)*p < 0x20) return NULL;
        if (*p == '\\') {
            if (++p >= end || !strchr("\"\\/bfnrtu", *p)) return NULL;
            for (int i = 0; *p == 'u' && i < 4; i++) {
                if (p + 1 + i >= end || !is_hex(p[1 + i])) return NULL;
            }
            p++;
        } else if ((unsigned char)*p < 0x80) {
            p++;
        } else {
            size_t used;
            if (tt_utf8_next(p, (size_t)(end - p), &used) == TT_BAD_BYTE) return NULL;
            p += used;
        }
    }
    return p < end ? p + 1 : NULL;
}

static const char *digits(const char *p, const char *end)
{
    const char *from = p;
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p > from ? p : NULL;
}

static const char *number(const char *p, const char *end)
{
    if (p < end && *p == '-') p++;
    if (p < end && *p == '0') {
        p++;
    } else if (!(p = digits(p, end))) {
        return NULL;
    }
    if (p < end && *p == '.' && !(p = digits(p + 1, end))) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        p = digits(p, end);
    }
    return p;
}

static const char *value(const char *p, const char *end, int depth);

/* Behind the object or list at p. */
static const char *container(const char *p, const char *end, int depth)
{
    char close = *p == '{' ? '}' : ']';
    if (depth >= DEEPEST) return NULL;
    p = blanks(p + 1, end);
    if (p < end && *p == close) return p + 1;
    for (;;) {
        if (close == '}') {
            if (p >= end || *p != '"' || !(p = string(p, end))) return NULL;
            p = blanks(p, end);
            if (p >= end || *p != ':') return NULL;
            p = blanks(p + 1, end);
        }
        if (!(p = value(p, end, depth + 1))) return NULL;
        p = blanks(p, end);
        if (p >= end) return NULL;
        if (*p == close) return p + 1;
        if (*p != ',') return NULL;
        p = blanks(p + 1, end);
    }
}

static const char *value(const char *p, const char *end, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (p >= end) return NULL;
    if (*p == '"') return string(p, end);
    if (*p == '{' || *p == '[') return container(p, end, depth);
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(end - p) >= n && memcmp(p, words[i], n) == 0) return p + n;
    }
    return number(p, end);
}

size_t tt_json_valid(const char *p, const char *end)
{
    const char *to = value(p, end, 0);
    return to ? (size_t)(to - p) : 0;
}

size_t tt_json_span(const char *p, const char *end)
{
    size_t depth = 0;
    for (const char *q = p; q < end; q++) {
        if (*q == '"') {
            for (q++; q < end && *q != '"'; q++) q += *q == '\\';
            if (q >= end) return 0;
        } else if (*q == '{' || *q == '[') {
            depth++;
            continue;
        } else if (*q == '}' || *q == ']') {
            if (!depth) return (size_t)(q - p);
            depth--;
        } else if (depth || !strchr(", \t\n\r", *q)) {
            continue;
        } else {
            return (size_t)(q - p);
        }
        if (!depth) return (size_t)(q + 1 - p);
    }
    return 0;
}

bool tt_json_next(const char **p, const char *end, tt_json_member *m)
{
    const char *q = *p;
    while (q < end && *q != '"' && *q != '}') q++;
    if (q >= end || *q == '}') return false;
    size_t n = tt_json_span(q, end);
    if (n < 2) return false;
    m->key = q + 1;
    m->key_n = n - 2;
    for (q += n; q < end && strchr(": \t\n\r", *q); q++) continue;
    m->value = q;
    m->value_n = tt_json_span(q, end);
    *p = q + m->value_n;
    return m->value_n > 0;
}

bool tt_json_is(const tt_json_member *m, const char *key)
{
    return m->key_n == strlen(key) && memcmp(m->key, key, m->key_n) == 0;
}
