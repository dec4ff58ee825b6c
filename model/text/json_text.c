/* model/text/json_text.c - see json_text.h. */
#include "model/text/json_text.h"

#include <string.h>

const char *tt_json_string_end(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        if (*p == '\\') {
            p++;
        } else if (*p == '"' && tt_json_ends_string(p, end)) {
            return p + 1;
        }
    }
    return NULL;
}

const char *tt_json_value_end(const char *p, const char *end)
{
    size_t depth = 0;
    while (p < end) {
        char c = *p;
        if (c == '"') {
            p = tt_json_string_end(p, end);
            if (!p || !depth) return p;
            continue;
        }
        if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (!depth) return p; /* a bare value ends where its container ends */
            if (!--depth) return p + 1;
        } else if (!depth && (c == ',' || tt_is_blank(c))) {
            return p;
        }
        p++;
    }
    return NULL;
}

static const char *separators(const char *p, const char *end)
{
    while (p < end && (*p == ',' || tt_is_blank(*p))) p++;
    return p;
}

static const char *read_value(const char *p, const char *end, tt_json_member *m)
{
    const char *to = tt_json_value_end(p, end);
    if (!to) to = end;
    m->value = p;
    m->value_n = (size_t)(to - p);
    return to;
}

bool tt_json_next(const char **p, const char *end, tt_json_member *m)
{
    const char *q = separators(*p, end), *to;
    if (q == end || *q == '}') return false;
    m->key = q;
    if (*q == '"') {
        if (!(q = tt_json_string_end(q, end))) return false;
        m->key++;
        to = q - 1;
    } else { /* the key may have lost a quote */
        while (q < end && !tt_json_goes_on(*q)) q++;
        for (to = q; to > m->key && (tt_is_blank(to[-1]) || to[-1] == '"');) to--;
    }
    m->key_n = (size_t)(to - m->key);
    q = tt_json_blanks(q, end);
    if (q == end || *q != ':') return false;
    *p = read_value(tt_json_blanks(q + 1, end), end, m);
    return true;
}

bool tt_json_item(const char **p, const char *end, tt_json_member *m)
{
    const char *q = separators(*p, end);
    if (q == end || *q == ']') return false;
    *m = (tt_json_member){0};
    *p = read_value(q, end, m);
    return m->value_n > 0;
}

bool tt_json_is(const tt_json_member *m, const char *key)
{
    return m->key_n == strlen(key) && memcmp(m->key, key, m->key_n) == 0;
}

bool tt_json_find(const char *p, const char *end, const char *key, tt_json_member *m)
{
    tt_json_member one;
    bool found = false;
    if (p == end || *p != '{') return false;
    for (p++; tt_json_next(&p, end, &one);) {
        if (!tt_json_is(&one, key)) continue;
        *m = one;
        found = true;
    }
    return found;
}

const char *tt_json_seek(const char *p, const char *end, const char *key)
{
    size_t n = strlen(key);
    while (p < end && (p = memmem(p, (size_t)(end - p), key, n)) != NULL) {
        p = tt_json_blanks(p + n, end);
        if (p < end && *p == ':') return tt_json_blanks(p + 1, end);
    }
    return NULL;
}
