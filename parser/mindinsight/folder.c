/* parser/mindinsight/folder.c - files, facts and tables of a folder: see folder.h. */
#include "parser/mindinsight/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/text/json_text.h"
#include "parser/json/number.h"
#include "parser/json/string.h"
#include "parser/mindinsight/made_text.h"

#define READ_ONCE ((size_t)1 << 18)

bool tt_mi_cancelled(const tt_mi *m) { return atomic_load(&m->progress->cancel); }

const char *tt_mi_file(const tt_mi *m, const char *role)
{
    uint32_t part = tt_input_find(m->in, role, 0);
    return part < tt_input_parts(m->in) ? tt_input_part_name(m->in, part) : "";
}

tt_csv *tt_mi_csv(tt_mi *m, const char *role, const tt_csv_options *options)
{
    if (!tt_input_has(m->in, role) || tt_mi_cancelled(m)) return NULL;
    return tt_csv_open(m->in, role, options, &m->problems);
}

static void no_file(tt_mi *m, const char *role, const char *why)
{
    tt_arena a = {0};
    const char *text = tt_arena_printf(&a, "%s:1: %s", tt_mi_file(m, role), why);
    tt_problem_add(&m->problems, TT_PROBLEM_MISSING_FILE, -1, text, strlen(text));
    tt_arena_free(&a);
}

bool tt_mi_text(tt_mi *m, const char *role, tt_text *out)
{
    tt_source *source;
    tt_err err = {0};
    uint32_t part = tt_input_find(m->in, role, 0);
    *out = (tt_text){0};
    if (part == tt_input_parts(m->in) || tt_mi_cancelled(m)) return false;
    tt_status st = tt_input_open_part(m->in, part, &source, &err);
    for (size_t got = 1; st == TT_OK && got; out->n += got) {
        tt_vec_reserve(out, out->n + READ_ONCE + 1);
        st = tt_source_read(source, out->at + out->n, READ_ONCE, &got, &err);
        if (st != TT_OK) got = 0;
    }
    if (st != TT_OK) {
        if (st != TT_ERR_CANCELLED) no_file(m, role, tt_input_reason(m->in, part, &err));
        tt_vec_free(out);
        return false;
    }
    out->at[out->n] = '\0';
    tt_read_note(source, m->progress, out->n, &m->problems);
    if (tt_json_blanks(out->at, out->at + out->n) < out->at + out->n) return true;
    no_file(m, role, "is empty");
    tt_vec_free(out);
    return false;
}

void tt_mi_bad(tt_mi *m, const char *role, const tt_text *text, const char *at, const char *what)
{
    tt_arena a = {0};
    size_t line = 1;
    for (const char *p = text->at; at && p < at; p++) line += *p == '\n';
    const char *example = tt_arena_printf(&a, "%s:%zu: %s", tt_mi_file(m, role), line, what);
    tt_problem_add(&m->problems, TT_PROBLEM_BAD_ROW, at ? (int64_t)(at - text->at) : 0, example, strlen(example));
    tt_arena_free(&a);
}

bool tt_mi_make(tt_mi *m, uint64_t *offset)
{
    *offset = m->made_at + m->n_made * TT_MI_STEP_TEXT;
    if (*offset >= TT_TEXT_MAX) return false;
    m->n_made++;
    return true;
}

void tt_mi_fact(tt_mi *m, const char *key, const char *value, size_t n)
{
    if (m->h && n) tt_build_meta(m->h, key, value, n);
}

bool tt_mi_has_fact(const tt_mi *m, const char *key)
{
    for (size_t i = 0; m->h && i < m->h->meta.n; i++) {
        if (!strcmp(tt_str(&m->h->strings, m->h->meta.at[i].key), key)) return true;
    }
    return false;
}

tt_imported *tt_mi_table(tt_mi *m, const char *id, const tt_imported_key *columns, uint32_t n)
{
    return *tt_vec_push(&m->tables) = tt_imported_of(id, columns, n);
}

void tt_mi_set_text(tt_imported *t, uint32_t row, uint32_t col, tt_csv_text text)
{
    if (text.n) tt_imported_set_s(t, row, col, text.at, text.n);
}

void tt_mi_give_tables(tt_mi *m, tt_trace *s)
{
    for (size_t i = 0; i < m->tables.n; i++) {
        if (s && m->tables.at[i]->n_rows)
            tt_trace_import(s, m->tables.at[i]);
        else
            tt_imported_free(m->tables.at[i]);
    }
    tt_vec_free(&m->tables);
}

bool tt_mi_number(const char *object, const char *end, const char *key, double *out)
{
    tt_json_member v;
    if (!tt_json_find(object, end, key, &v) || !v.value_n) return false;
    double d = tt_parse_double(v.value, v.value + v.value_n);
    if (d != d) return false;
    *out = d;
    return true;
}

bool tt_mi_integer(const char *object, const char *end, const char *key, int64_t *out)
{
    tt_json_member v;
    if (!tt_json_find(object, end, key, &v) || !v.value_n) return false;
    bool quoted = *v.value == '"' && v.value_n > 2;
    return tt_decimal_whole(v.value + quoted, v.value_n - 2 * quoted, out);
}

const char *tt_mi_string(const char *object, const char *end, const char *key, tt_arena *a)
{
    tt_json_member v;
    if (!tt_json_find(object, end, key, &v) || v.value_n < 2 || *v.value != '"') return "";
    char *text = tt_arena_alloc(a, v.value_n);
    text[tt_json_unescape(v.value + 1, v.value_n - 2, text, NULL)] = '\0';
    return text;
}
