/* parser/json/stream.c - reads JSON tokens from a stream. See stream.h. */
#include "parser/json/stream.h"

#include <stdlib.h>
#include <string.h>

#include "parser/json/scan.h"

enum { PADDING = 8, PIECE = 1 << 18 };

void tt_json_stream_init(tt_json_stream *s,
                         tt_status (*read)(void *arg, char *out, size_t cap, size_t *got, tt_err *err), void *arg)
{
    *s = (tt_json_stream){.read = read, .arg = arg, .next_line = 1, .line = 1, .text = ""};
    s->err.offset = -1;
}

void tt_json_stream_free(tt_json_stream *s)
{
    free(s->memory);
    s->memory = NULL;
}

static char *base(const tt_json_stream *s) { return s->memory + PADDING; }

/* Read more text; the text from `keep` on is kept and moves to the front. False at the end of the text. */
static bool more(tt_json_stream *s, size_t keep)
{
    size_t got = 0;
    if (s->eof) return false;
    if (s->memory && keep) memmove(base(s), base(s) + keep, s->n - keep);
    s->n -= keep;
    s->at -= keep;
    if (s->n + PIECE > s->cap) {
        s->cap = s->cap ? 2 * s->cap : 2 * PIECE;
        s->memory = tt_realloc(s->memory, s->cap + 2 * (size_t)PADDING, 1);
    }
    s->status = s->read(s->arg, base(s) + s->n, s->cap - s->n, &got, &s->err);
    if (s->status != TT_OK) got = 0;
    s->n += got;
    memset(base(s) + s->n, 0, PADDING);
    s->eof = !got;
    return got > 0;
}

static tt_json_token end_with(tt_json_stream *s, tt_json_token token)
{
    s->over = true;
    s->ended = token;
    s->text = "";
    s->len = 0;
    return token;
}

/* The next byte that is no blank, -1 at the end; it is not consumed. */
static int peek(tt_json_stream *s)
{
    for (;;) {
        for (; s->at < s->n; s->at++) {
            char c = base(s)[s->at];
            if (!tt_is_blank(c)) return (unsigned char)c;
            s->next_line += c == '\n';
        }
        if (!more(s, s->at)) return -1;
    }
}

/* Read the string whose opening quote is at `at`. */
static bool string(tt_json_stream *s)
{
    size_t i = s->at + 1;
    for (;;) {
        const char *from = base(s) + i, *quote = s->n > i ? memchr(from, '"', s->n - i) : NULL;
        const char *slash = s->n > i ? memchr(from, '\\', (quote ? (size_t)(quote - from) : s->n - i)) : NULL;
        if (slash && (size_t)(slash - base(s)) + 1 < s->n) {
            i = (size_t)(slash - base(s)) + 2;
            continue;
        }
        if (quote && !slash) {
            s->text = base(s) + s->at + 1;
            s->len = (size_t)(quote - s->text);
            s->at = (size_t)(quote - base(s)) + 1;
            return true;
        }
        i = (slash ? (size_t)(slash - base(s)) : s->n) - s->at; /* relative to `at`, as more() moves the text */
        if (s->n - s->at > TT_JSON_LONGEST || !more(s, s->at)) return false;
    }
}

static bool in_scalar(char c) { return !tt_is_blank(c) && c && !strchr(",:]}[{\"", c); }

static tt_json_token scalar(tt_json_stream *s)
{
    size_t i = s->at;
    for (;;) {
        while (i < s->n && in_scalar(base(s)[i])) i++;
        if (i < s->n || i - s->at > 4096) break;
        i -= s->at;
        bool any = more(s, s->at);
        if (!any) {
            i += s->at;
            break;
        }
    }
    s->text = base(s) + s->at;
    s->len = i - s->at;
    s->at = i;
    const char *end = s->text + s->len;
    if (tt_json_is_number(s->text, end)) return TT_JSON_NUMBER;
    if (tt_json_is_word(s->text, end) || tt_json_stream_is(s, "NaN") || tt_json_stream_is(s, "Infinity") ||
        tt_json_stream_is(s, "-Infinity"))
        return TT_JSON_WORD;
    return end_with(s, TT_JSON_BROKEN);
}

static bool in_object(const tt_json_stream *s)
{
    unsigned level = s->levels - 1;
    return s->levels && ((s->object[level / 8] >> (level % 8)) & 1);
}

static tt_json_token open_container(tt_json_stream *s, bool object)
{
    if (s->levels == TT_JSON_LEVELS) return end_with(s, TT_JSON_BROKEN);
    uint8_t bit = (uint8_t)(1u << (s->levels % 8)), *byte = &s->object[s->levels / 8];
    *byte = object ? (uint8_t)(*byte | bit) : (uint8_t)(*byte & ~bit);
    s->levels++;
    s->at++;
    s->after_value = false;
    return object ? TT_JSON_OBJECT : TT_JSON_LIST;
}

static tt_json_token close_container(tt_json_stream *s, bool object)
{
    if (!s->levels || in_object(s) != object || s->behind_key) return end_with(s, TT_JSON_BROKEN);
    s->levels--;
    s->depth = s->levels;
    s->at++;
    s->after_value = true;
    return object ? TT_JSON_OBJECT_END : TT_JSON_LIST_END;
}

static tt_json_token value(tt_json_stream *s, int c)
{
    s->behind_key = false;
    s->begun = true;
    if (c == '{' || c == '[') return open_container(s, c == '{');
    s->after_value = true;
    if (c == '"') return string(s) ? TT_JSON_STRING : end_with(s, TT_JSON_BROKEN);
    return scalar(s);
}

static tt_json_token key(tt_json_stream *s)
{
    if (!string(s)) return end_with(s, TT_JSON_BROKEN);
    /* the key's text is kept in front while its colon is searched */
    size_t from = (size_t)(s->text - base(s)), len = s->len;
    for (; s->at >= s->n || tt_is_blank(base(s)[s->at]); s->at++) {
        if (s->at < s->n) {
            s->next_line += base(s)[s->at] == '\n';
            continue;
        }
        size_t moved = from - 1;
        if (!more(s, moved)) return end_with(s, TT_JSON_BROKEN);
        from -= moved;
        s->at--; /* step back to read the byte again */
    }
    if (base(s)[s->at] != ':') return end_with(s, TT_JSON_BROKEN);
    s->at++;
    s->text = base(s) + from;
    s->len = len;
    s->behind_key = true;
    return TT_JSON_KEY;
}

tt_json_token tt_json_stream_next(tt_json_stream *s)
{
    if (s->over) return s->ended;
    int c = peek(s);
    s->text = "";
    s->len = 0;
    s->line = s->next_line;
    s->depth = s->levels;
    while (!s->begun && c == 0xEF && s->n - s->at < 3 && more(s, s->at)) continue;
    if (!s->begun && c == 0xEF && s->n - s->at >= 3 && !memcmp(base(s) + s->at, "\xEF\xBB\xBF", 3)) {
        s->at += 3; /* skip a byte order mark */
        c = peek(s);
    }
    if (!s->levels && s->begun) return end_with(s, c < 0 ? TT_JSON_END : TT_JSON_BROKEN);
    if (s->after_value && c == ',') {
        s->at++;
        s->after_value = false;
        c = peek(s);
        s->line = s->next_line;
        if (c == '}' || c == ']') return end_with(s, TT_JSON_BROKEN);
    } else if (s->after_value && c != '}' && c != ']') {
        return end_with(s, TT_JSON_BROKEN);
    }
    if (c < 0) return end_with(s, TT_JSON_BROKEN);
    if (c == '}' || c == ']') return close_container(s, c == '}');
    if (in_object(s) && !s->behind_key) return c == '"' ? key(s) : end_with(s, TT_JSON_BROKEN);
    return value(s, c);
}

bool tt_json_stream_skip(tt_json_stream *s, tt_json_token token)
{
    if (token == TT_JSON_KEY) token = tt_json_stream_next(s);
    if (token != TT_JSON_OBJECT && token != TT_JSON_LIST) return token != TT_JSON_BROKEN;
    unsigned level = s->levels;
    while (s->levels >= level) {
        if (tt_json_stream_next(s) == TT_JSON_BROKEN) return false;
    }
    return true;
}

bool tt_json_stream_is(const tt_json_stream *s, const char *text)
{
    return s->len == strlen(text) && !memcmp(s->text, text, s->len);
}
