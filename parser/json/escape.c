/* parser/json/escape.c - escapes control characters in a JSON text, stopping only at those. See escape.h. */
#include "parser/json/escape.h"

#include <stdint.h>

#include "model/text/text_safety.h"

/* Number of bytes at p that pass unchanged: up to a control, or to a character that the text cuts off. */
static size_t harmless(const char *p, size_t n)
{
    size_t i = 0, used;
    while (i < n) {
        used = 1;
        if ((unsigned char)p[i] >= 0x7F) {
            uint32_t cp = tt_utf8_next(p + i, n - i, &used);
            if (cp == TT_BAD_BYTE ? i + used == n : tt_is_control(cp)) break;
        }
        i += used;
    }
    return i;
}

bool tt_json_escape_end(tt_json_escape *e, tt_json_write *write, void *arg)
{
    unsigned n = e->n;
    e->n = 0;
    return !n || write(arg, e->held, n);
}

/* Add a byte to the held character. */
static bool hold(tt_json_escape *e, char c, tt_json_write *write, void *arg)
{
    char escape[8];
    size_t used;
    e->held[e->n++] = c;
    uint32_t cp = tt_utf8_next(e->held, e->n, &used);
    if (cp == TT_BAD_BYTE && used == e->n) return true; /* not complete yet */
    if (cp == TT_BAD_BYTE) {                            /* no character: the last byte may begin another */
        e->n--;
        return tt_json_escape_end(e, write, arg) &&
               ((unsigned char)c < 0x7F ? write(arg, &c, 1) : hold(e, c, write, arg));
    }
    if (!tt_is_control(cp)) return tt_json_escape_end(e, write, arg);
    e->n = 0;
    return write(arg, escape, tt_sanitize_json(escape, sizeof escape, e->held, used));
}

bool tt_json_escape_write(tt_json_escape *e, const char *p, size_t n, tt_json_write *write, void *arg)
{
    for (size_t i = 0; i < n;) {
        size_t run = e->n ? 0 : harmless(p + i, n - i);
        if (run && !write(arg, p + i, run)) return false;
        i += run;
        if (i < n && !hold(e, p[i++], write, arg)) return false;
    }
    return true;
}
