/* model/text/range_text.c - see range_text.h. */
#include "model/text/range_text.h"

#include <string.h>

/* Rest of a text that is read from front to back. */
typedef struct scan {
    const char *p, *end;
} scan;

static bool eat(scan *s, const char *text, size_t n)
{
    if ((size_t)(s->end - s->p) < n || memcmp(s->p, text, n) != 0) return false;
    s->p += n;
    return true;
}

static bool eat_int(scan *s)
{
    const char *p = s->p + (s->p < s->end && *s->p == '-'), *from = p;
    while (p < s->end && *p >= '0' && *p <= '9') p++;
    if (p == from || (*from == '0' && p - from > 1)) return false;
    s->p = p;
    return true;
}

enum { DEEP = 4 }; /* shapes of lists of tensors are three lists deep */

/* "[[2, 3], []]"; with pairs also "[(6,0), (7,1)]". */
static bool eat_list(scan *s, bool pairs, int deep)
{
    char close = s->p == s->end || !deep ? 0 : *s->p == '[' ? ']' : pairs && *s->p == '(' ? ')' : 0;
    if (!close) return false;
    s->p++;
    if (eat(s, &close, 1)) return true;
    do {
        if (!eat_int(s) && !eat_list(s, pairs, deep - 1)) return false;
    } while (eat(s, ", ", 2) || eat(s, ",", 1));
    return eat(s, &close, 1);
}

/* The arguments, from the first comma to the end of the text. */
static bool eat_arguments(scan s, tt_range_text *out)
{
    if (eat(&s, ", seq = ", 8)) {
        if (!eat_int(&s)) return false;
        out->is_operator = true;
    }
    if (eat(&s, ", op_id = ", 10)) {
        if (!eat_int(&s)) return false;
        out->is_operator = true;
    }
    if (eat(&s, ", sizes = ", 10)) {
        out->shapes = s.p;
        if (!eat_list(&s, false, DEEP)) return false;
        out->shapes_len = (size_t)(s.p - out->shapes);
    }
    bool linked = eat(&s, ", input_op_ids = ", 17);
    if (linked && !eat_list(&s, true, DEEP)) return false;
    return s.p == s.end && (out->is_operator || out->shapes || linked);
}

bool tt_range_text_read(const char *text, size_t len, tt_range_text *out)
{
    const char *end = text + len, *comma = text;
    bool closes = len && (end[-1] == ']' || (end[-1] >= '0' && end[-1] <= '9'));
    while (closes && (comma = memchr(comma, ',', (size_t)(end - comma))) != NULL) {
        *out = (tt_range_text){.name_len = (size_t)(comma - text)};
        if (out->name_len && end - comma > 8 && eat_arguments((scan){comma, end}, out)) return true;
        comma++;
    }
    *out = (tt_range_text){.name_len = len};
    return false;
}
