/* parser/ascend/folder.c - see folder.h. */
#include "parser/ascend/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/string.h"

bool tt_ascend_cancelled(const tt_ascend *a)
{
    return atomic_load_explicit(&a->progress->cancel, memory_order_relaxed);
}

void tt_ascend_missing(tt_ascend *a, const char *file, const char *what)
{
    char text[120];
    int n = snprintf(text, sizeof text, "%s: %s", file, what);
    tt_problem_add(&a->problems, TT_PROBLEM_MISSING_FILE, -1, text,
                   (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void tt_ascend_fact_put(tt_ascend *a, const char *key, const char *value, size_t len)
{
    *tt_vec_push(&a->facts) =
        (tt_ascend_fact){tt_arena_strndup(&a->arena, key, strlen(key)), tt_arena_strndup(&a->arena, value, len)};
}

/* ---- JSON files ---- */

static tt_status read_source(void *arg, char *out, size_t cap, size_t *got, tt_err *err)
{
    return tt_source_read(arg, out, cap, got, err);
}

bool tt_ascend_json_open(tt_ascend *a, const char *role, tt_ascend_json *j)
{
    uint32_t part = tt_input_find(a->in, role, 0);
    tt_err err;
    if (part == tt_input_parts(a->in)) return false;
    *j = (tt_ascend_json){.a = a, .part = part, .name = tt_input_part_name(a->in, part)};
    if (tt_input_open_part(a->in, part, &j->source, &err) != TT_OK) {
        tt_ascend_missing(a, j->name, tt_input_reason(a->in, part, &err));
        return false;
    }
    tt_json_stream_init(&j->s, read_source, j->source);
    return true;
}

void tt_ascend_json_close(tt_ascend_json *j)
{
    char text[120];
    while (!j->s.over && !tt_ascend_cancelled(j->a) && tt_json_stream_next(&j->s) > TT_JSON_BROKEN) continue;
    if (j->s.over && j->s.ended == TT_JSON_BROKEN && j->s.status != TT_ERR_CANCELLED) {
        const char *why = j->s.status != TT_OK ? tt_input_reason(j->a->in, j->part, &j->s.err)
                          : j->s.eof           ? "the text ends too early"
                                               : "no JSON from here on";
        snprintf(text, sizeof text, "%.60s:%llu: %s", j->name, (unsigned long long)j->s.line, why);
        tt_problem_add(&j->a->problems, TT_PROBLEM_BAD_ROW, -1, text, strlen(text));
    }
    tt_json_stream_free(&j->s);
}

void tt_ascend_json_text(const tt_json_stream *s, char *out, size_t cap)
{
    char *text = tt_malloc(s->len + 1);
    size_t n = tt_json_unescape(s->text, s->len, text, NULL);
    if (n >= cap) n = cap - 1;
    memcpy(out, text, n);
    out[n] = '\0';
    free(text);
}

bool tt_ascend_json_number(const tt_json_stream *s, tt_json_token token, uint64_t unit, int64_t *out)
{
    return (token == TT_JSON_NUMBER || token == TT_JSON_STRING) && tt_decimal(s->text, s->len, unit, out);
}

/* ---- tables ---- */

tt_imported *tt_ascend_table(tt_ascend *a, const char *id, const tt_imported_key *columns, uint32_t n)
{
    return *tt_vec_push(&a->tables) = tt_imported_of(id, columns, n);
}
