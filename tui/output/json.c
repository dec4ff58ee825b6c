/* tui/output/json.c - the JSON document of `summary --format json`: source, problems, tables; one row a line. */
#include <string.h>

#include "parser/json/write.h"
#include "tui/output/writers.h"

static const struct {
    const char *name, *unit;
} types[] = {
    [TT_T_STRING] = {"string", ""},       [TT_T_COUNT] = {"count", ""},   [TT_T_BOOL] = {"bool", ""},
    [TT_T_DURATION] = {"duration", "ns"}, [TT_T_TIME] = {"time", "ns"},   [TT_T_BYTES] = {"bytes", "bytes"},
    [TT_T_PERCENT] = {"percent", "%"},    [TT_T_NUMBER] = {"number", ""},
};

const char *tt_type_name(tt_type t) { return types[t].name; }
const char *tt_type_unit(tt_type t) { return types[t].unit; }

const char *tt_format_name(const tt_session *s)
{
    for (uint32_t i = 1; i < s->n_traces; i++) {
        if (strcmp(tt_trace_format(s->traces[i]), tt_trace_format(s->traces[0])) != 0) return "mixed";
    }
    return s->n_traces ? tt_trace_format(s->traces[0]) : "none";
}

static void put_list(tt_json *j, const char *key, const char *const *texts, uint32_t n)
{
    tt_json_key(j, key);
    tt_json_open(j, '[', true);
    for (uint32_t i = 0; i < n; i++) tt_json_text(j, texts[i]);
    tt_json_close(j, ']');
}

static void put_source(tt_json *j, const tt_document *d)
{
    const tt_session *s = d->session;
    tt_json_key(j, "source");
    tt_json_open(j, '{', false);
    put_list(j, "paths", d->paths, d->n_paths);
    tt_json_key_text(j, "format", tt_format_name(s));
    tt_json_key_int(j, "events", (int64_t)tt_session_events(s));
    tt_json_key_int(j, "slices", (int64_t)tt_session_slices(s));
    put_list(j, "workers", (const char *const *)s->workers, s->n_workers);
    put_list(j, "spans", (const char *const *)s->spans, s->n_spans);
    tt_json_close(j, '}');
}

static void put_problems(tt_json *j, const tt_session *s)
{
    tt_problems all = {0};
    for (uint32_t i = 0; i < s->n_traces; i++) tt_problems_merge(&all, &s->traces[i]->problems);
    tt_json_key(j, "problems");
    tt_json_open(j, '[', false);
    for (int k = 0; k < TT_PROBLEM_COUNT_; k++) {
        const tt_problem *p = &all.of[k];
        if (!p->count) continue;
        tt_json_open(j, '{', true);
        tt_json_key_text(j, "kind", tt_problem_key[k]);
        tt_json_key_int(j, "count", (int64_t)p->count);
        tt_json_key(j, "offset");
        if (p->offset < 0) {
            tt_json_null(j);
        } else {
            tt_json_int(j, p->offset);
        }
        tt_json_key_text(j, "example", p->example[0] ? p->example : NULL);
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
}

static void put_cell(tt_json *j, tt_type type, tt_cell c)
{
    if (tt_cell_unknown(type, c)) {
        tt_json_null(j);
        return;
    }
    switch (type) {
    case TT_T_STRING: tt_json_text(j, c.s); break;
    case TT_T_BOOL: tt_json_bool(j, c.i != 0); break;
    case TT_T_PERCENT:
    case TT_T_NUMBER: tt_json_double(j, c.d); break;
    default: tt_json_int(j, c.i);
    }
}

static void put_table(tt_json *j, const tt_section *s)
{
    const tt_table *t = s->table;
    tt_json_open(j, '{', false);
    tt_json_key_text(j, "id", t->desc->id);
    tt_json_key_text(j, "title", t->desc->title);
    tt_json_key(j, "options");
    tt_json_open(j, '{', true);
    for (uint32_t i = 0; i < s->n_options; i++) {
        tt_json_key_text(j, s->options[i].key, s->options[i].value);
    }
    tt_json_close(j, '}');
    if (t->note) {
        tt_json_key_text(j, "note", t->note);
    }
    tt_json_key(j, "columns");
    tt_json_open(j, '[', false);
    for (uint32_t c = 0; c < t->n_cols; c++) {
        tt_json_open(j, '{', true);
        tt_json_key_text(j, "key", t->cols[c]->key);
        tt_json_key_text(j, "title", t->cols[c]->title);
        tt_json_key_text(j, "type", tt_type_name(t->cols[c]->type));
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
    tt_json_key(j, "rows");
    tt_json_open(j, '[', false);
    for (uint32_t r = 0; r < s->n_rows; r++) {
        tt_json_open(j, '{', true);
        for (uint32_t c = 0; c < t->n_cols; c++) {
            tt_json_key(j, t->cols[c]->key);
            put_cell(j, t->cols[c]->type, tt_table_cell(t, s->rows[r], c));
        }
        tt_json_close(j, '}');
    }
    tt_json_close(j, ']');
    tt_json_close(j, '}');
}

void tt_out_json(FILE *f, const tt_document *d)
{
    tt_json j;
    tt_json_init(&j, f);
    tt_json_open(&j, '{', false);
    tt_json_key_text(&j, "tool", "tracetty");
    tt_json_key_text(&j, "version", TT_VERSION);
    put_source(&j, d);
    put_problems(&j, d->session);
    tt_json_key(&j, "tables");
    tt_json_open(&j, '[', false);
    for (uint32_t i = 0; i < d->n_sections; i++) put_table(&j, &d->sections[i]);
    tt_json_close(&j, ']');
    tt_json_close(&j, '}');
}
