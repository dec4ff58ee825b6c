/* parser/input/event_fields.c - the members of one event, from the text of the file.
 *
 * Reads text that the reader core has read before, so it is as tolerant: if the object is broken the members before
 * the fault are listed. O(length of the event). */
#include "parser/input/event_text.h"

#include "parser/input/format.h"

#include "model/text/json_text.h"
#include "parser/json/string.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_READ ((size_t)16 << 10)
#define MOST_READ ((size_t)16 << 20)

typedef TT_VEC(tt_field) field_list;

typedef struct lister {
    tt_arena *arena;
    field_list fields;
} lister;

static char *decode(lister *l, const char *prefix, const char *p, size_t n)
{
    size_t head = strlen(prefix), got;
    char *s = tt_arena_alloc(l->arena, head + n + 1);

    memcpy(s, prefix, head);
    got = tt_json_unescape(p, n, s + head, NULL);
    s[head + got] = '\0';
    return s;
}

/* List the members of the object at p. Only the event itself and its args are opened. */
static void list_members(lister *l, const char *prefix, const char *p, const char *end)
{
    tt_json_member m;

    for (p++; tt_json_next(&p, end, &m);) {
        const char *key = decode(l, prefix, m.key, m.key_n), *to = m.value + m.value_n;

        if (*prefix == '\0' && m.value_n && *m.value == '{' && strcmp(key, "args") == 0) {
            list_members(l, "args.", m.value, to);
        } else {
            bool text = m.value_n && *m.value == '"', closed = text && m.value_n > 1 && to[-1] == '"';
            tt_field *f = tt_vec_push(&l->fields);

            f->key = key;
            f->is_text = text;
            f->value = text ? decode(l, "", m.value + 1, m.value_n - 1 - closed)
                            : tt_arena_strndup(l->arena, m.value, m.value_n);
        }
    }
}

/* Read the text of the event into *buf (malloc); TT_ERR_INPUT = the text cannot be read. */
static tt_status read_event(const tt_trace *s, uint64_t at, char **buf, size_t *n, tt_err *err)
{
    const tt_format *format = tt_format_of(s);
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
        if (*n && format && format->members && **buf != '{') return TT_OK; /* not JSON: the event comes first */
        if (*n == 0 || **buf != '{') break;
        if (got == 0 || *n < cap || cap >= MOST_READ || tt_json_value_end(*buf, *buf + *n)) return TT_OK;
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
        tt_field_list list = {0};

        if (!tt_format_of(s)->members(buf, n, &list, &out->arena)) {
            st = tt_fail(err, TT_ERR_INPUT, (int64_t)text, "%s: no event begins at byte %llu of the dump", s->path,
                         (unsigned long long)text);
        }
        out->at = list.at;
        out->n = (uint32_t)list.n;
    } else if (st == TT_OK) {
        const char *to = tt_json_value_end(buf, buf + n);

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
