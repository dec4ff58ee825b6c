/* parser/json/write.c - the JSON writer; two bit sets hold the state of the open containers. */
#include "parser/json/write.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/text_safety.h"

enum { MAX_DEPTH = 64 };

static bool bit(uint64_t set, uint32_t d) { return set >> d & 1; }

static void append_bytes(tt_json *j, const char *p, size_t n)
{
    if (j->f) fwrite(p, 1, n, j->f);
    if (!j->f) tt_text_put(j->text, p, n);
}

static void put_char(tt_json *j, char c) { append_bytes(j, &c, 1); }

static void new_line(tt_json *j)
{
    char line[2 * MAX_DEPTH + 2];
    append_bytes(j, line, (size_t)snprintf(line, sizeof line, "\n%*s", (int)(2 * j->depth), ""));
}

/* Write the comma, line end and indent in front of a value or key. */
static void separate(tt_json *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (!j->depth) return;
    uint32_t d = j->depth - 1;
    if (bit(j->has_items, d)) put_char(j, ',');
    if (!bit(j->inline_at, d)) {
        new_line(j);
    } else if (bit(j->has_items, d)) {
        put_char(j, ' ');
    }
    j->has_items |= (uint64_t)1 << d;
}

void tt_json_init(tt_json *j, FILE *f) { *j = (tt_json){.f = f}; }
void tt_json_init_text(tt_json *j, tt_text *text) { *j = (tt_json){.text = text}; }

void tt_json_open(tt_json *j, char what, bool one_line)
{
    assert(j->depth < MAX_DEPTH);
    separate(j);
    put_char(j, what);
    uint64_t b = (uint64_t)1 << j->depth;
    bool inner = j->depth && bit(j->inline_at, j->depth - 1);
    j->has_items &= ~b;
    j->inline_at = one_line || inner ? j->inline_at | b : j->inline_at & ~b;
    j->depth++;
}

void tt_json_close(tt_json *j, char what)
{
    assert(j->depth);
    j->depth--;
    if (bit(j->has_items, j->depth) && !bit(j->inline_at, j->depth)) new_line(j);
    put_char(j, what);
    if (!j->depth && j->f) put_char(j, '\n');
}

static void put_text(tt_json *j, const char *s, size_t n)
{
    char small[512];
    size_t need = tt_sanitize_json(small, sizeof small, s, n);
    char *big = need < sizeof small ? NULL : tt_malloc(need + 1);
    if (big) tt_sanitize_json(big, need + 1, s, n);
    put_char(j, '"');
    append_bytes(j, big ? big : small, need);
    put_char(j, '"');
    free(big);
}

void tt_json_key_bytes(tt_json *j, const char *key, size_t n)
{
    separate(j);
    put_text(j, key, n);
    append_bytes(j, ": ", 2);
    j->after_key = true;
}

void tt_json_key(tt_json *j, const char *key) { tt_json_key_bytes(j, key, strlen(key)); }

void tt_json_string(tt_json *j, const char *s, size_t n)
{
    if (!s) {
        tt_json_null(j);
        return;
    }
    separate(j);
    put_text(j, s, n);
}

void tt_json_text(tt_json *j, const char *s) { tt_json_string(j, s, s ? strlen(s) : 0); }

void tt_json_raw(tt_json *j, const char *p, size_t n)
{
    separate(j);
    append_bytes(j, p, n);
}

void tt_json_number(tt_json *j, const char *format, ...)
{
    char text[400]; /* room for any double as %f */
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    assert(n > 0 && n < (int)sizeof text);
    tt_json_raw(j, text, (size_t)n);
}

/* Write v / scale with as many decimals as scale has zeros; without printf, as most values are numbers. */
static void put_decimal(tt_json *j, bool negative, uint64_t v, unsigned scale)
{
    char text[24], *p = text + sizeof text;
    for (; scale > 1; scale /= 10, v /= 10) {
        *--p = (char)('0' + v % 10);
        if (scale == 10) *--p = '.';
    }
    do *--p = (char)('0' + v % 10);
    while (v /= 10);
    if (negative) *--p = '-';
    tt_json_raw(j, p, (size_t)(text + sizeof text - p));
}

void tt_json_int(tt_json *j, int64_t v) { put_decimal(j, v < 0, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 1); }
void tt_json_uint(tt_json *j, uint64_t v) { put_decimal(j, false, v, 1); }
void tt_json_us(tt_json *j, int64_t ns) { put_decimal(j, ns < 0, ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns, 1000); }

void tt_json_double(tt_json *j, double v)
{
    if (isfinite(v)) {
        tt_json_number(j, "%.15g", v + 0.0);
    } else {
        tt_json_null(j);
    }
}

void tt_json_exact(tt_json *j, double v)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", v);
    if (isfinite(v)) {
        tt_json_number(j, strtod(text, NULL) == v ? "%.15g" : "%.17g", v);
    } else {
        tt_json_null(j);
    }
}

void tt_json_bool(tt_json *j, bool v) { tt_json_raw(j, v ? "true" : "false", v ? 4 : 5); }
void tt_json_null(tt_json *j) { tt_json_raw(j, "null", 4); }

void tt_json_key_text(tt_json *j, const char *key, const char *s)
{
    tt_json_key(j, key);
    tt_json_text(j, s);
}

void tt_json_key_int(tt_json *j, const char *key, int64_t v)
{
    tt_json_key(j, key);
    tt_json_int(j, v);
}

void tt_json_key_known(tt_json *j, const char *key, int64_t v)
{
    if (v != INT64_MIN) tt_json_key_int(j, key, v);
}

void tt_json_key_known3(tt_json *j, const char *key, const int64_t v[3])
{
    if (v[0] == INT64_MIN) return;
    tt_json_key(j, key);
    tt_json_open(j, '[', true);
    for (int i = 0; i < 3; i++) tt_json_int(j, v[i]);
    tt_json_close(j, ']');
}

void tt_json_key_uint(tt_json *j, const char *key, uint64_t v)
{
    tt_json_key(j, key);
    tt_json_uint(j, v);
}

void tt_json_key_us(tt_json *j, const char *key, int64_t ns)
{
    tt_json_key(j, key);
    tt_json_us(j, ns);
}
