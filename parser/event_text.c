/* parser/event_text.c - the members of one event, from the text of the file.
 *
 * Reads what the reader core read before, so it is as tolerant: whatever breaks inside the object, the members up to
 * there are listed. A quote inside a string ends it only when JSON could go on after it (`,` `}` `]` `:`), which is
 * true of every valid file and saves names that were written without escapes. O(length of the event). */
#include "parser/input/event_text.h"

#include "parser/json/string.h"
#include "parser/paddle_pb/event_text_pb.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_READ ((size_t)16 << 10)
#define MOST_READ ((size_t)16 << 20)

typedef TT_VEC(tt_field) field_list;

typedef struct lister {
    tt_arena *arena;
    field_list fields;
} lister;

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* What may follow a whole string in JSON. */
static bool goes_on(char c) { return c == ',' || c == '}' || c == ']' || c == ':'; }

static const char *skip_blank(const char *p, const char *end)
{
    while (p < end && blank(*p)) p++;
    return p;
}

/* p is behind the opening quote; the closing quote, or end when there is none. */
static const char *string_end(const char *p, const char *end)
{
    for (; p < end; p++) {
        if (*p == '\\') {
            if (++p == end) break;
        } else if (*p == '"') {
            const char *next = skip_blank(p + 1, end);

            if (next == end || goes_on(*next)) return p;
        }
    }
    return end;
}

/* The place behind the value at p; NULL when the text ends inside it. */
static const char *value_end(const char *p, const char *end)
{
    size_t depth = 0;

    for (; p < end; p++) {
        if (*p == '"') {
            p = string_end(p + 1, end);
            if (p == end) return NULL;
            if (depth == 0) return p + 1;
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']') {
            if (depth == 0) return p; /* a bare value before the end of what holds it */
            if (--depth == 0) return p + 1;
        } else if (depth == 0 && (*p == ',' || blank(*p))) {
            return p;
        }
    }
    return NULL;
}

static char *decode(lister *l, const char *prefix, const char *p, size_t n)
{
    size_t head = strlen(prefix), got;
    char *s = tt_arena_alloc(l->arena, head + n + 1);

    memcpy(s, prefix, head);
    got = tt_json_unescape(p, n, s + head, NULL);
    s[head + got] = '\0';
    return s;
}

/* The key at p; *after = the place behind it. A key may have lost a quote. */
static const char *read_key(lister *l, const char *prefix, const char *p, const char *end, const char **after)
{
    const char *from = p, *to;

    if (*p == '"') {
        from = p + 1;
        to = string_end(from, end);
        *after = to < end ? to + 1 : end;
    } else {
        while (p < end && !goes_on(*p)) p++;
        to = *after = p;
        while (to > from && (blank(to[-1]) || to[-1] == '"')) to--;
    }
    return decode(l, prefix, from, (size_t)(to - from));
}

/* List the members of the object at p. Only the members of the event itself are opened, and of those only args. */
static void list_members(lister *l, const char *prefix, const char *p, const char *end)
{
    bool top = *prefix == '\0';

    p++; /* { */
    for (;;) {
        const char *key, *to;
        tt_field *f;

        while (p < end && (blank(*p) || *p == ',')) p++;
        if (p == end || *p == '}') return;
        key = read_key(l, prefix, p, end, &p);
        p = skip_blank(p, end);
        if (p == end || *p != ':') return;
        p = skip_blank(p + 1, end);
        to = p < end ? value_end(p, end) : end;
        if (!to) to = end;
        if (top && p < end && *p == '{' && strcmp(key, "args") == 0) {
            list_members(l, "args.", p, to);
        } else {
            bool text = p < end && *p == '"', closed = text && to > p + 1 && to[-1] == '"';

            f = tt_vec_push(&l->fields);
            f->key = key;
            f->value = text ? decode(l, "", p + 1, (size_t)(to - p) - 1 - closed)
                            : tt_arena_strndup(l->arena, p, (size_t)(to - p));
        }
        if (to == end || (to == p && *p != '}' && *p != ',')) return; /* nothing that could be stepped over */
        p = to;
    }
}

/* The text of the event in *buf (malloc); TT_ERR_INPUT when it cannot be read. */
static tt_status read_event(const tt_trace *s, uint64_t at, char **buf, size_t *n, tt_err *err)
{
    size_t cap = FIRST_READ;

    *n = 0;
    for (*buf = tt_malloc(cap);; *buf = tt_realloc(*buf, cap, 1)) {
        int64_t got = s->text->read(s->text, at + *n, *buf + *n, cap - *n);

        if (got < 0) {
            return tt_fail(
                err, TT_ERR_INPUT, (int64_t)at,
                "%s: the arguments cannot be read: the file is gone or has changed since it was loaded; load it again",
                s->path);
        }
        *n += (size_t)got;
        if (*n && s->format == TT_FORMAT_PADDLE && **buf != '{')
            return TT_OK; /* a node of a dump; its event comes first */
        if (*n == 0 || **buf != '{') break;
        if (got == 0 || *n < cap || cap >= MOST_READ || value_end(*buf, *buf + *n)) return TT_OK;
        cap *= 2;
    }
    return tt_fail(err, TT_ERR_INPUT, (int64_t)at, "%s: no event begins at byte %llu of the text", s->path,
                   (unsigned long long)at);
}

tt_status tt_event_fields(const tt_trace *s, uint64_t text, tt_fields *out, tt_err *err)
{
    lister l = {.arena = &out->arena};
    tt_status st;
    char *buf;
    size_t n;

    *out = (tt_fields){0};
    if (!s->text) {
        return tt_fail(err, TT_ERR_INPUT, (int64_t)text, "%s: the arguments cannot be read: the text was not kept",
                       s->path);
    }
    st = read_event(s, text, &buf, &n, err);
    if (st == TT_OK && *buf != '{') {
        tt_pb_member_list list = {0};

        if (!tt_pb_members(buf, n, &list, &out->arena)) {
            st = tt_fail(err, TT_ERR_INPUT, (int64_t)text, "%s: no event begins at byte %llu of the dump", s->path,
                         (unsigned long long)text);
        }
        out->at = list.at;
        out->n = (uint32_t)list.n;
    } else if (st == TT_OK) {
        const char *to = value_end(buf, buf + n);

        list_members(&l, "", buf, to ? to : buf + n);
        out->at = l.fields.at;
        out->n = (uint32_t)l.fields.n;
    }
    free(buf);
    return st;
}

void tt_fields_free(tt_fields *f)
{
    free(f->at);
    tt_arena_free(&f->arena);
    *f = (tt_fields){0};
}
