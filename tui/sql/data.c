/* tui/sql/data.c - values of events as SQLite takes them, and the text of events read again. */
#include "tui/sql/data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/json/number.h"
#include "parser/json/write.h"

void tt_sql_data_init(tt_sql_data *d, tt_session *s)
{
    *d = (tt_sql_data){.session = s, .value_most = TT_SQL_VALUE_MOST};
    for (int i = 0; i < TT_INDEXED_COUNT; i++) d->by[i] = tt_calloc((size_t)s->n_traces + 1, sizeof *d->by[i]);
    d->by_correlation = tt_calloc((size_t)s->n_traces + 1, sizeof *d->by_correlation);
    d->self_ns = tt_calloc((size_t)s->n_traces + 1, sizeof *d->self_ns);
}

void tt_sql_data_free(tt_sql_data *d)
{
    for (uint32_t i = 0; d->session && i < d->session->n_traces; i++) {
        for (int k = 0; k < TT_INDEXED_COUNT; k++) tt_row_index_free(&d->by[k][i]);
        tt_row_index_free(&d->by_correlation[i]);
        free(d->self_ns[i]);
    }
    for (int k = 0; k < TT_INDEXED_COUNT; k++) free(d->by[k]);
    free(d->by_correlation);
    free(d->self_ns);
    free(d->in_category);
    sqlite3_finalize(d->call);
    sqlite3_close(d->calls);
    if (d->event.has) tt_fields_free(&d->event.fields);
    *d = (tt_sql_data){0};
}

bool tt_sql_id_of(const tt_sql_data *d, sqlite3_int64 id, uint32_t (*count)(const tt_trace *s), uint32_t *trace,
                  uint32_t *row)
{
    if (id < 0 || (uint64_t)id >> 32 >= d->session->n_traces) return false;
    *trace = (uint32_t)((uint64_t)id >> 32);
    *row = (uint32_t)id;
    return *row < count(d->session->traces[*trace]);
}

uint32_t tt_sql_n_slices(const tt_trace *s) { return s->n; }

/* ---- values ---- */

void tt_sql_put_sid(sqlite3_context *c, const tt_trace *s, tt_sid text)
{
    if (text) sqlite3_result_text(c, tt_str(&s->strings, text), (int)s->strings.len.at[text], SQLITE_STATIC);
}

void tt_sql_put_text(sqlite3_context *c, const char *text)
{
    if (text) sqlite3_result_text(c, text, -1, SQLITE_STATIC);
}

void tt_sql_put_id(sqlite3_context *c, uint32_t trace, uint32_t row)
{
    if (row != TT_NONE) sqlite3_result_int64(c, tt_sql_id(trace, row));
}

void tt_sql_put_known(sqlite3_context *c, int64_t v)
{
    if (v != TT_UNKNOWN) sqlite3_result_int64(c, v);
}

void tt_sql_put_device(sqlite3_context *c, const tt_trace *s, int type, int64_t id)
{
    char text[48];
    if (type == TT_DEVICE_PINNED) {
        sqlite3_result_text(c, "GPU_PINNED", -1, SQLITE_STATIC);
    } else if (type == 0 || (type < 0 && id < 0)) {
        sqlite3_result_text(c, "CPU", -1, SQLITE_STATIC);
    } else {
        snprintf(text, sizeof text, "%s%" PRId64, type == 20 ? "NPU" : s->rules->device, id < 0 ? 0 : id);
        sqlite3_result_text(c, text, -1, SQLITE_TRANSIENT);
    }
}

bool tt_sql_device_number(const tt_trace *s, const char *text, int64_t *number)
{
    size_t n = strlen(s->rules->device);
    char spelt[24];
    if (strncmp(text, s->rules->device, n) != 0 || !tt_parse_int_slow(text + n, text + strlen(text), number))
        return false;
    snprintf(spelt, sizeof spelt, "%" PRId64, *number);
    return !strcmp(spelt, text + n);
}

const tt_row_index *tt_sql_index(tt_sql_data *d, tt_indexed by, uint32_t trace)
{
    tt_row_index *i = &d->by[by][trace];
    if (!i->made) tt_row_index_make(d->session->traces[trace], by, i);
    return i;
}

/* ---- the text of events ---- */

static const tt_fields *fields_of(tt_sql_data *d, uint32_t trace, uint64_t text)
{
    if (d->event.has && d->event.trace == trace && d->event.text == text) return &d->event.fields;
    if (d->event.has) tt_fields_free(&d->event.fields);
    d->event.has = tt_event_fields(d->session->traces[trace], text, &d->event.fields, NULL) == TT_OK;
    if (!d->event.has) {
        tt_fields_free(&d->event.fields);
        return NULL;
    }
    d->event.trace = trace;
    d->event.text = text;
    return &d->event.fields;
}

static const char in_args[] = "args.";
enum { IN_ARGS = sizeof in_args - 1 };

void tt_sql_put_args(sqlite3_context *c, tt_sql_data *d, uint32_t trace, uint64_t text)
{
    const tt_fields *f = fields_of(d, trace, text);
    tt_text out = {0};
    tt_json j;
    if (!f) return;
    tt_json_init_text(&j, &out);
    tt_json_open(&j, '{', true);
    for (uint32_t i = 0; i < f->n; i++) {
        const tt_field *m = &f->at[i];
        if (strncmp(m->key, in_args, IN_ARGS) != 0) continue;
        tt_json_key(&j, m->key + IN_ARGS);
        if (m->is_text)
            tt_json_text(&j, m->value);
        else
            tt_json_raw(&j, m->value, strlen(m->value));
    }
    tt_json_close(&j, '}');
    sqlite3_result_text64(c, out.at, out.n, SQLITE_TRANSIENT, SQLITE_UTF8);
    tt_vec_free(&out);
}

/* Put a value of JSON other than a text. */
static void put_plain(sqlite3_context *c, const char *v)
{
    const char *end = v + strlen(v);
    char round[32];
    int64_t n;
    double x;
    if (!strcmp(v, "null")) return;
    if (!strcmp(v, "true") || !strcmp(v, "false")) {
        sqlite3_result_int(c, *v == 't');
    } else if (tt_parse_int_slow(v, end, &n) && snprintf(round, sizeof round, "%" PRId64, n) && !strcmp(round, v)) {
        sqlite3_result_int64(c, n);
    } else if ((x = tt_parse_double(v, end)), isfinite(x)) {
        sqlite3_result_double(c, x);
    } else {
        sqlite3_result_text(c, v, -1, SQLITE_TRANSIENT);
    }
}

void tt_sql_put_arg(sqlite3_context *c, tt_sql_data *d, uint32_t trace, uint64_t text, const char *key)
{
    const tt_fields *f = fields_of(d, trace, text);
    for (uint32_t i = 0; f && i < f->n; i++) {
        const tt_field *m = &f->at[i];
        if (strncmp(m->key, in_args, IN_ARGS) != 0 || strcmp(m->key + IN_ARGS, key) != 0) continue;
        if (m->is_text)
            sqlite3_result_text(c, m->value, -1, SQLITE_TRANSIENT);
        else
            put_plain(c, m->value);
        return;
    }
}

/* ---- tables ---- */

int tt_sql_declare(tt_sql_data *d, sqlite3 *db, const tt_sql_column *columns, uint32_t n)
{
    tt_text sql = {0};
    tt_arena a = {0};
    for (uint32_t i = 0; i < n; i++) { /* names of columns have no quotes: imported.h */
        const char *one =
            tt_arena_printf(&a, "%s\"%s\" %s", i ? ", " : "CREATE TABLE x(", columns[i].name, columns[i].type);
        tt_text_put(&sql, one, strlen(one));
    }
    tt_text_put(&sql, ")", 1);
    d->declaring = true;
    int rc = sqlite3_declare_vtab(db, sql.at);
    d->declaring = false;
    tt_arena_free(&a);
    tt_vec_free(&sql);
    return rc;
}

void tt_sql_narrow(sqlite3_value *v, int op, int64_t *lo, int64_t *hi)
{
    int64_t from, to; /* the value lies in [from, to] */
    switch (sqlite3_value_numeric_type(v)) {
    case SQLITE_INTEGER: from = to = sqlite3_value_int64(v); break;
    case SQLITE_FLOAT: {
        double x = sqlite3_value_double(v);
        if (!(fabs(x) < 9e15)) return; /* a double cannot tell such integers apart */
        from = (int64_t)floor(x);
        to = (int64_t)ceil(x);
        break;
    }
    default: return; /* text is more than any number: SQLite judges the rows */
    }
    bool above = op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE,
         below = op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE;
    if ((above || op == SQLITE_INDEX_CONSTRAINT_EQ) && from > *lo) *lo = from;
    if ((below || op == SQLITE_INDEX_CONSTRAINT_EQ) && to < *hi) *hi = to;
}
