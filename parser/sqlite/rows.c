/* parser/sqlite/rows.c - steps through rows and converts their columns. See rows.h. */
#include "parser/sqlite/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"

/* ---- rows ---- */

const char *tt_db_missing(const tt_db_table *t, const tt_db_column *columns)
{
    for (const tt_db_column *c = columns; c->name; c++) {
        if (c->needed && !tt_db_has_column(t, c->name)) return c->name;
    }
    return NULL;
}

bool tt_db_rows_open(tt_db *d, const tt_db_table *t, const tt_db_column *columns, tt_db_rows *r)
{
    const char *names[TT_DB_COLUMNS];
    *r = (tt_db_rows){0};
    for (const tt_db_column *c = columns; c->name && r->n < TT_DB_COLUMNS; c++) {
        if (!tt_db_has_column(t, c->name)) continue;
        names[r->n] = c->name;
        r->column[r->n++] = c;
    }
    for (int i = 0; i < TT_DB_PLACES; i++) {
        r->row.v[i] = TT_UNKNOWN;
        r->row.real[i] = NAN;
    }
    r->statement = tt_db_select(d, t->name, names, r->n);
    return r->statement != NULL;
}

void tt_db_rows_close(tt_db_rows *r)
{
    sqlite3_finalize(r->statement);
    r->statement = NULL;
}

void tt_db_rows_from(tt_db_rows *r, int64_t first, int64_t last)
{
    sqlite3_reset(r->statement);
    sqlite3_bind_int64(r->statement, 1, first);
    sqlite3_bind_int64(r->statement, 2, last);
    r->least = first;
    r->last = false;
}

/* A whole number, whatever type it is stored as. */
static int64_t integer(sqlite3_stmt *s, int column, int type)
{
    if (type == SQLITE_INTEGER) return sqlite3_column_int64(s, column);
    if (type == SQLITE_FLOAT) {
        double d = sqlite3_column_double(s, column);
        return d > -9e18 && d < 9e18 ? llround(d) : TT_UNKNOWN;
    }
    if (type != SQLITE_TEXT) return TT_UNKNOWN;
    const char *text = (const char *)sqlite3_column_text(s, column);
    char *end;
    int64_t v = text ? strtoll(text, &end, 10) : 0;
    return text && end != text && !*end ? v : TT_UNKNOWN;
}

static double number(sqlite3_stmt *s, int column, int type)
{
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return sqlite3_column_double(s, column);
    const char *text = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(s, column) : NULL;
    char *end;
    double v = text ? strtod(text, &end) : NAN;
    return text && end != text && !*end ? v : NAN;
}

static void read_column(tt_db_rows *r, uint32_t i, bool again)
{
    const tt_db_column *c = r->column[i];
    tt_db_row *row = &r->row;
    int column = (int)i + 1, type = sqlite3_column_type(r->statement, column);
    if (c->type == TT_DB_TEXT) {
        if (again && row->text[c->to].at) return;
        row->text[c->to].at = type == SQLITE_NULL ? NULL : (const char *)sqlite3_column_text(r->statement, column);
        row->text[c->to].n = row->text[c->to].at ? (size_t)sqlite3_column_bytes(r->statement, column) : 0;
    } else if (c->type == TT_DB_REAL) {
        if (!again || isnan(row->real[c->to])) row->real[c->to] = number(r->statement, column, type);
    } else if (!again || row->v[c->to] == TT_UNKNOWN) {
        row->v[c->to] = type == SQLITE_NULL ? TT_UNKNOWN : integer(r->statement, column, type);
    }
}

bool tt_db_rows_next(tt_db_rows *r, int *rc)
{
    *rc = sqlite3_step(r->statement);
    if (*rc == SQLITE_NOMEM) tt_mem_fail();
    if (*rc != SQLITE_ROW) return false;
    r->row.id = sqlite3_column_int64(r->statement, 0);
    if (r->last || r->row.id < r->least) *rc = SQLITE_CORRUPT;
    if (*rc != SQLITE_ROW) return false;
    r->last = r->row.id == INT64_MAX;
    r->least = r->last ? INT64_MAX : r->row.id + 1;
    for (uint32_t i = 0; i < r->n; i++) read_column(r, i, i && r->column[i]->to == r->column[i - 1]->to);
    return true;
}

void tt_db_damaged(tt_problems *problems, const char *table, uint64_t rows, int rc)
{
    char text[120];
    if (rc == SQLITE_INTERRUPT) return; /* cancelled, which the caller reports */
    const char *why = rc == TT_DB_TOO_FAR ? "ids of rows too far apart" : sqlite3_errstr(rc);
    int n = snprintf(text, sizeof text, "%.48s after %" PRIu64 " rows: %.40s", table, rows, why);
    tt_problem_add(problems, TT_PROBLEM_BAD_TABLE, -1, text, (size_t)n);
}

void tt_db_absent(tt_problems *problems, const tt_db *d, const char *table)
{
    char text[120];
    if (!tt_db_names(d, table)) return; /* no such table: nothing was recorded */
    int n = snprintf(text, sizeof text, "%.48s is a view or a virtual table, which is not read", table);
    tt_problem_add(problems, TT_PROBLEM_BAD_TABLE, -1, text, (size_t)n);
}

void tt_db_each(tt_db *d, const char *table, const tt_db_column *columns, tt_problems *problems,
                void (*row)(void *arg, const tt_db_row *row), void *arg)
{
    const tt_db_table *t = tt_db_find(d, table);
    tt_db_rows r;
    uint64_t n = 0;
    int rc = SQLITE_ERROR;
    if (!t) tt_db_absent(problems, d, table);
    if (!t || tt_db_missing(t, columns)) return;
    if (tt_db_rows_open(d, t, columns, &r)) {
        tt_db_rows_from(&r, INT64_MIN, INT64_MAX);
        for (; tt_db_rows_next(&r, &rc); n++) row(arg, &r.row);
    }
    if (rc != SQLITE_DONE) tt_db_damaged(problems, t->name, n, rc);
    tt_db_rows_close(&r);
}

/* ---- ids ---- */

typedef struct pair {
    int64_t id;
    uint32_t value, order;
} pair;

void tt_db_ids_put(tt_db_ids *m, int64_t id, uint32_t value)
{
    *tt_vec_push(&m->id) = id;
    *tt_vec_push(&m->value) = value;
}

/* Sort the pairs by id, if a file's are not: producers write them in order. */
static void put_in_order(tt_db_ids *m)
{
    size_t n = m->id.n, i = 1, out = 0;
    while (i < n && m->id.at[i - 1] < m->id.at[i]) i++;
    if (i >= n) return;
    pair *p = tt_calloc(n, sizeof *p);
    for (i = 0; i < n; i++) p[i] = (pair){m->id.at[i], m->value.at[i], (uint32_t)i};
    TT_SORT_BY(p, n, TT_ASC(pair, id), TT_ASC(pair, order));
    for (i = 0; i < n; i++) {
        if (out && m->id.at[out - 1] == p[i].id) continue;
        m->id.at[out] = p[i].id;
        m->value.at[out++] = p[i].value;
    }
    m->id.n = m->value.n = out;
    free(p);
}

void tt_db_ids_seal(tt_db_ids *m)
{
    put_in_order(m);
    size_t n = m->id.n;
    if (!n) return;
    uint64_t span = (uint64_t)m->id.at[n - 1] - (uint64_t)m->id.at[0];
    if (span >= 2 * n + 1024) return;
    m->n_dense = span + 1;
    m->dense = tt_malloc(m->n_dense * sizeof *m->dense);
    for (size_t i = 0; i < m->n_dense; i++) m->dense[i] = TT_NONE;
    for (size_t i = 0; i < n; i++) m->dense[(uint64_t)m->id.at[i] - (uint64_t)m->id.at[0]] = m->value.at[i];
    int64_t first = m->id.at[0];
    tt_vec_free(&m->id);
    tt_vec_free(&m->value);
    *tt_vec_push(&m->id) = first;
}

uint32_t tt_db_ids_find(const tt_db_ids *m, int64_t id)
{
    if (m->dense) {
        uint64_t at = (uint64_t)id - (uint64_t)m->id.at[0];
        return id >= m->id.at[0] && at < m->n_dense ? m->dense[at] : TT_NONE;
    }
    size_t lo = 0, hi = m->id.n;
    TT_BISECT(lo, hi, i, m->id.at[i] < id);
    return lo < m->id.n && m->id.at[lo] == id ? m->value.at[lo] : TT_NONE;
}

void tt_db_ids_free(tt_db_ids *m)
{
    tt_vec_free(&m->id);
    tt_vec_free(&m->value);
    free(m->dense);
    *m = (tt_db_ids){0};
}
