/* parser/json/scan.c - checks JSON values strictly. */
#include "parser/json/scan.h"

#include <string.h>

#include "model/text/text_safety.h"
#include "parser/json/number.h"
#include "parser/json/string.h"

/* The place behind the string whose opening quote is at p; NULL = invalid. */
static const char *string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"';) {
        size_t n = *p == '\\'                 ? tt_json_escape_length(p, end)
                   : (unsigned char)*p < 0x20 ? 0
                                              : tt_utf8_length(p, (size_t)(end - p));
        if (!n) return NULL;
        p += n;
    }
    return p < end ? p + 1 : NULL;
}

static const char *digits(const char *p, const char *e)
{
    const char *from = p;
    while (p < e && tt_is_digit(*p)) p++;
    return p > from ? p : NULL;
}

bool tt_json_is_number(const char *p, const char *e)
{
    if (p < e && *p == '-') p++;
    if (e - p > 1 && *p == '0' && tt_is_digit(p[1])) return false;
    if (!(p = digits(p, e))) return false;
    if (p < e && *p == '.' && !(p = digits(p + 1, e))) return false;
    if (p < e && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < e && (*p == '+' || *p == '-')) p++;
        p = digits(p, e);
    }
    return p == e;
}

bool tt_json_is_word(const char *p, const char *e)
{
    return (e - p == 4 && (!memcmp(p, "true", 4) || !memcmp(p, "null", 4))) || (e - p == 5 && !memcmp(p, "false", 5));
}

static const char *scalar(const char *p, const char *end)
{
    const char *from = p;
    while (p < end && !tt_is_blank(*p) && !tt_json_goes_on(*p)) p++;
    return tt_json_is_word(from, p) || tt_json_is_number(from, p) ? p : NULL;
}

static const char *value(const char *p, const char *end, int depth);

/* The place behind the object or list at p; NULL = invalid. */
static const char *container(const char *p, const char *end, int depth)
{
    char close = *p == '{' ? '}' : ']';
    if (depth >= TT_JSON_DEEPEST) return NULL;
    p = tt_json_blanks(p + 1, end);
    if (p < end && *p == close) return p + 1;
    for (;;) {
        if (close == '}') {
            if (p >= end || *p != '"' || !(p = string(p, end))) return NULL;
            p = tt_json_blanks(p, end);
            if (p >= end || *p != ':') return NULL;
            p = tt_json_blanks(p + 1, end);
        }
        if (!(p = value(p, end, depth + 1))) return NULL;
        p = tt_json_blanks(p, end);
        if (p >= end) return NULL;
        if (*p == close) return p + 1;
        if (*p != ',') return NULL;
        p = tt_json_blanks(p + 1, end);
    }
}

static const char *value(const char *p, const char *end, int depth)
{
    if (p >= end) return NULL;
    if (*p == '"') return string(p, end);
    return *p == '{' || *p == '[' ? container(p, end, depth) : scalar(p, end);
}

size_t tt_json_valid(const char *p, const char *end)
{
    const char *to = value(p, end, 0);
    return to ? (size_t)(to - p) : 0;
}
