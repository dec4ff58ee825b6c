/* parser/json/split.c - searches beginnings of events in raw text. See split.h. */
#include "parser/json/split.h"

#include <stdint.h>
#include <string.h>

#include "model/text/json_text.h"

bool tt_looks_like_event(const char *p, const char *end)
{
    static const char *const keys[] = {"ph\"",  "name\"", "cat\"",  "pid\"", "tid\"",   "ts\"",
                                       "dur\"", "id\"",   "args\"", "bp\"",  "cname\"", "s\""};
    p = tt_json_blanks(p + 1, end);
    if (p == end || *p++ != '"') return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t n = strlen(keys[i]);
        if ((size_t)(end - p) > n && !memcmp(p, keys[i], n)) return true;
    }
    return false;
}

/* Whether the brace at p begins an element of a list, by the text in front of it from `text` on. A line break between
 * two braces separates the events of a file with one event a line. */
static bool begins_element(const char *text, const char *p)
{
    const char *q = p;
    bool line = false;
    for (; q > text && tt_is_blank(q[-1]); q--) line |= q[-1] == '\n';
    return q > text && (q[-1] == ',' || q[-1] == '[' || (q[-1] == '}' && line));
}

size_t tt_next_event_start(const char *text, size_t from, size_t len)
{
    for (const char *p = text + from, *end = text + len; p < end; p++) {
        p = memchr(p, '{', (size_t)(end - p));
        if (!p) break;
        if (begins_element(text, p) && tt_looks_like_event(p, end)) return (size_t)(p - text);
    }
    return len;
}

size_t tt_last_event_start(const char *text, size_t from, size_t len)
{
    const char *end = text + len;
    while (len > from) {
        const char *p = memrchr(text + from, '{', len - from);
        if (!p) return 0;
        len = (size_t)(p - text);
        if (begins_element(text, p) && tt_looks_like_event(p, end)) return len;
    }
    return 0;
}

size_t tt_event_start_from(const char *text, size_t from, size_t len, bool ends)
{
    size_t until = ends ? len : len > TT_SPLIT_LOOK ? len - TT_SPLIT_LOOK : 0;
    for (size_t i = from; i < until; i++) {
        const char *p = memchr(text + i, '{', until - i);
        if (!p) break;
        i = (size_t)(p - text);
        const char *back = i > TT_SPLIT_LOOK ? p - TT_SPLIT_LOOK : text;
        if (begins_element(back, p) && tt_looks_like_event(p, len - i > TT_SPLIT_LOOK ? p + TT_SPLIT_LOOK : text + len))
            return i;
    }
    return SIZE_MAX;
}
