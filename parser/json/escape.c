/* parser/json/escape.c - a walk over the bytes that stops only at those with which a control begins. */
#include "parser/json/escape.h"

#include <stdint.h>
#include <stdio.h>

#include "model/base/text_safety.h"

/* First bytes of controls: DEL; U+0080..9F; U+061C; U+2000..2FFF. */
static bool may_begin(unsigned char c) { return c == 0x7F || c == 0xC2 || c == 0xD8 || c == 0xE2; }

/* The character that the held bytes and this one make, 0 = none, or not yet (*more). */
static uint32_t character(const tt_json_escape *e, unsigned char c, bool *more)
{
    bool rest = (c & 0xC0) == 0x80;
    *more = e->n == 1 && e->held[0] == 0xE2 && (c == 0x80 || c == 0x81);
    if (!e->n) return c;
    if (!rest || *more) return 0;
    if (e->n == 1) return e->held[0] == 0xE2 ? 0 : (e->held[0] & 0x1Fu) << 6 | (c & 0x3Fu);
    return (e->held[0] & 0x0Fu) << 12 | (e->held[1] & 0x3Fu) << 6 | (c & 0x3Fu);
}

bool tt_json_escape_end(tt_json_escape *e, tt_json_write *write, void *arg)
{
    unsigned n = e->n;
    e->n = 0;
    return !n || write(arg, (const char *)e->held, n);
}

bool tt_json_escape_write(tt_json_escape *e, const char *p, size_t n, tt_json_write *write, void *arg)
{
    size_t from = 0; /* of what is handed on as it is */
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        unsigned char c = (unsigned char)p[i];
        bool more;
        if (!e->n && !may_begin(c)) continue;
        uint32_t cp = character(e, c, &more);
        if (!e->n && from < i) good = write(arg, p + from, i - from);
        if (!e->n && c != 0x7F) {
            e->held[e->n++] = c;
        } else if (more) {
            e->held[e->n++] = c;
        } else if (cp && tt_is_control(cp)) {
            char escape[8];
            int len = snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(cp & 0xFFFF));
            e->n = 0;
            good = good && write(arg, escape, (size_t)len);
        } else { /* something else: this byte may begin another */
            good = good && tt_json_escape_end(e, write, arg);
            from = i--;
            continue;
        }
        from = i + 1;
    }
    return good && (from >= n || write(arg, p + from, n - from));
}
