/* capture/stacks/python_text.c - strings and line tables of CPython 3.11 to 3.13. See python_text.h. */
#include "capture/stacks/python_text.h"

#include <string.h>

#include "capture/stacks/peek.h"

enum { STR_MOST = 400, STR_LONGEST = 1 << 20, TABLE_PART = 1024, TABLE_MOST = 1 << 24 };

/* ---- text ---- */

static bool is_text(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c > 0x10FFFF) return false; /* control characters */
    if (c >= 0xD800 && c < 0xE000) return false;                           /* surrogates */
    return c != 0x2028 && c != 0x2029 && !(c >= 0x200E && c <= 0x200F) && !(c >= 0x202A && c <= 0x202E) &&
           !(c >= 0x2066 && c <= 0x2069);
}

/* Append a code point; nothing, when there is no room for 4 bytes. Returns the new length. */
static size_t put(char *out, size_t n, size_t cap, uint32_t c)
{
    if (n + 4 > cap) return n;
    if (!is_text(c)) c = 0xFFFD;
    if (c < 0x80) {
        out[n++] = (char)c;
    } else if (c < 0x800) {
        out[n++] = (char)(0xC0 | c >> 6);
    } else if (c < 0x10000) {
        out[n++] = (char)(0xE0 | c >> 12);
        out[n++] = (char)(0x80 | (c >> 6 & 63));
    } else {
        out[n++] = (char)(0xF0 | c >> 18);
        out[n++] = (char)(0x80 | (c >> 12 & 63));
        out[n++] = (char)(0x80 | (c >> 6 & 63));
    }
    if (c >= 0x80) out[n++] = (char)(0x80 | (c & 63));
    return n;
}

static bool has_type(const tt_python *p, const unsigned char *object, uint64_t type)
{
    uint64_t t;
    memcpy(&t, object + p->at.object_type, sizeof t);
    return t == type;
}

bool tt_python_str(const tt_python *p, uint64_t object, char *out, size_t *n, size_t cap)
{
    /* state: interned (2 bits), kind: bytes of a character (3 bits), compact, ascii */
    enum { KIND_SHIFT = 2, KIND_MASK = 7, COMPACT = 1 << 5, ASCII = 1 << 6, HEAD_MOST = 128 };
    unsigned char b[HEAD_MOST + STR_MOST * 4]; /* a short string comes with one call */
    int64_t length;
    uint32_t state;
    size_t got = p->at.text_wide <= HEAD_MOST ? tt_peek_most(p->pid, object, b, 256) : 0;
    if (got < p->at.text_ascii || !has_type(p, b, p->unicode_type)) return false;
    memcpy(&length, b + p->at.text_length, sizeof length);
    memcpy(&state, b + p->at.text_state, sizeof state);
    uint32_t kind = state >> KIND_SHIFT & KIND_MASK, head = state & ASCII ? p->at.text_ascii : p->at.text_wide;
    if (length < 0 || length > STR_LONGEST || !(state & COMPACT) || (kind != 1 && kind != 2 && kind != 4)) return false;
    int64_t skip = length > STR_MOST ? length - STR_MOST : 0;
    size_t bytes = (size_t)(length - skip) * kind;
    bool have = !skip && head + bytes <= got;
    if (!have && !tt_peek(p->pid, object + head + (uint64_t)skip * kind, b + head, bytes)) return false;
    for (int i = 0; skip && i < 3; i++) *n = put(out, *n, cap, '.');
    for (size_t i = 0; i < bytes; i += kind) {
        uint32_t c = 0;
        memcpy(&c, b + head + i, kind); /* little-endian, as all processors here */
        *n = put(out, *n, cap, c);
    }
    return true;
}

/* ---- lines ---- */

typedef struct table { /* a line table, read part by part */
    const tt_python *p;
    uint64_t data;
    int64_t size, at, part_at;
    size_t part_n;
    unsigned char part[TABLE_PART];
} table;

static bool table_open(table *t, const tt_python *p, uint64_t object)
{
    size_t head = p->at.bytes_data;
    *t = (table){.p = p, .data = object + head};
    size_t got = head < TABLE_PART / 2 ? tt_peek_most(p->pid, object, t->part, TABLE_PART / 2) : 0;
    if (got < head || !has_type(p, t->part, p->bytes_type)) return false;
    memcpy(&t->size, t->part + p->at.bytes_size, sizeof t->size);
    t->part_n = got - head;
    memmove(t->part, t->part + head, t->part_n);
    return t->size >= 0 && t->size <= TABLE_MOST;
}

/* The next byte; -1 at the end. */
static int table_next(table *t)
{
    if (t->at >= t->size) return -1;
    if (t->at >= t->part_at + (int64_t)t->part_n) {
        t->part_at = t->at;
        t->part_n = (size_t)(t->size - t->at < TABLE_PART ? t->size - t->at : TABLE_PART);
        if (!tt_peek(t->p->pid, t->data + (uint64_t)t->at, t->part, t->part_n)) t->size = 0;
        if (!t->size) return -1;
    }
    return t->part[t->at++ - t->part_at];
}

/* A number in groups of 6 bits, the lowest first; bit 6: more follow; its own lowest bit is the sign. */
static int64_t signed_number(table *t)
{
    uint64_t v = 0;
    int c = table_next(t);
    for (int shift = 0; c >= 0; shift += 6, c = table_next(t)) {
        if (shift < 60) v |= (uint64_t)(c & 63) << shift;
        if (!(c & 64)) break;
    }
    return v & 1 ? -(int64_t)(v >> 1) : (int64_t)(v >> 1);
}

/* An entry begins with a byte whose bit 7 is set: 4 bits of kind, 3 bits of length - 1 in instructions of 2 bytes. By
 * its kind the change of the line follows (Objects/locations.md of CPython). */
int64_t tt_python_line(const tt_python *p, uint64_t object, int64_t first_line, int64_t offset)
{
    enum { ONE_LINE0 = 10, ONE_LINE2 = 12, NO_COLUMNS = 13, LONG = 14, INSTRUCTION = 2 };
    table t;
    int64_t line = first_line, end = 0;
    if (offset < 0 || !table_open(&t, p, object)) return first_line;
    for (int c = table_next(&t); c >= 0;) {
        int kind = c >> 3 & 15;
        if (kind >= ONE_LINE0 && kind <= ONE_LINE2) line += kind - ONE_LINE0;
        if (kind == NO_COLUMNS || kind == LONG) line += signed_number(&t);
        end += ((c & 7) + 1) * INSTRUCTION;
        if (offset < end) return line;
        do c = table_next(&t);
        while (c >= 0 && !(c & 128));
    }
    return first_line;
}
