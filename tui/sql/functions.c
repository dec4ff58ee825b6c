/* tui/sql/functions.c - functions beside SQLite's: arguments of events, overlap of intervals, percentiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/interval_set.h"
#include "tui/sql/data.h"
#include "tui/sql/sort.h"

/* arg(id, 'key'): an argument of the slice with this id. */
static void arg(sqlite3_context *c, int n, sqlite3_value **v)
{
    tt_sql_data *d = sqlite3_user_data(c);
    const char *key = (const char *)sqlite3_value_text(v[1]);
    uint32_t trace, row;
    (void)n;
    if (!key || sqlite3_value_type(v[0]) != SQLITE_INTEGER ||
        !tt_sql_id_of(d, sqlite3_value_int64(v[0]), tt_sql_n_slices, &trace, &row))
        return;
    tt_sql_put_arg(c, d, trace, tt_row_text(d->session->traces[trace], row), key);
}

/* overlap(s1, e1, s2, e2): how much of [s1, e1) lies in [s2, e2); 0 when nothing does. */
static void overlap(sqlite3_context *c, int n, sqlite3_value **v)
{
    for (int i = 0; i < n; i++) {
        if (sqlite3_value_type(v[i]) == SQLITE_NULL) return;
    }
    int64_t s1 = sqlite3_value_int64(v[0]), e1 = sqlite3_value_int64(v[1]), s2 = sqlite3_value_int64(v[2]),
            e2 = sqlite3_value_int64(v[3]);
    int64_t from = s1 > s2 ? s1 : s2, to = e1 < e2 ? e1 : e2, length;
    if (to <= from)
        sqlite3_result_int64(c, 0);
    else if (__builtin_sub_overflow(to, from, &length))
        sqlite3_result_error(c, "overlap() of intervals that are longer than 292 years", -1);
    else
        sqlite3_result_int64(c, length);
}

/* ---- printf(): SQLite's own counts to any width, for seconds that nothing can end ---- */

/* Read a width or precision at *p, a number, or * for the next argument, and take it off *left. False: *left is used
 * up. */
static bool fits(const char **p, int *arg, int n, sqlite3_value **v, int64_t *left)
{
    int64_t most = *left, width = 0;
    if (**p == '*') {
        width = *arg < n ? sqlite3_value_int64(v[*arg]) : 0;
        ++*arg;
        ++*p;
    }
    for (; **p >= '0' && **p <= '9'; ++*p) width = width > most ? width : width * 10 + (**p - '0');
    if (width > most || width < -most) return false;
    *left -= width < 0 ? -width : width;
    return true;
}

/* Whether all widths together are at most `left`. */
static bool format_fits(int64_t left, int n, sqlite3_value **v)
{
    const char *p = (const char *)sqlite3_value_text(v[0]);
    int arg = 1;
    while (p && (p = strchr(p, '%')) != NULL) {
        p += 1 + strspn(p + 1, "-+ 0#!,");
        if (!fits(&p, &arg, n, v, &left)) return false;
        if (*p == '.' && (p++, !fits(&p, &arg, n, v, &left))) return false;
        p += strspn(p, "lh");
        arg += *p && *p != '%';
        if (*p) p++;
    }
    return true;
}

/* The statement that calls SQLite's own function with n arguments; NULL: SQLite is out of memory. */
static sqlite3_stmt *call_statement(tt_sql_data *d, const char *function, int n)
{
    char text[512];
    if (d->call && d->call_args == n && !strcmp(d->call_of, function)) return d->call;
    sqlite3_finalize(d->call);
    d->call = NULL;
    if (!d->calls && sqlite3_open_v2(":memory:", &d->calls, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return NULL;
    tt_buf line = tt_buf_of(text);
    tt_buf_add(&line, "SELECT %s(?", function);
    for (int i = 1; i < n && line.n + 4 < sizeof text; i++) tt_buf_add(&line, ",?");
    tt_buf_add(&line, ")");
    d->call_of = function;
    d->call_args = n;
    return sqlite3_prepare_v2(d->calls, text, -1, &d->call, NULL) == SQLITE_OK ? d->call : NULL;
}

void tt_sql_call(sqlite3_context *c, const char *function, int n, sqlite3_value **v)
{
    tt_sql_data *d = sqlite3_user_data(c);
    sqlite3_stmt *s = call_statement(d, function, n);
    if (!s) {
        sqlite3_result_error_nomem(c);
        return;
    }
    sqlite3_limit(d->calls, SQLITE_LIMIT_LENGTH, d->value_most);
    for (int i = 0; i < n; i++) sqlite3_bind_value(s, i + 1, v[i]);
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        sqlite3_result_value(c, sqlite3_column_value(s, 0));
    else if (rc == SQLITE_ERROR)
        sqlite3_result_error(c, sqlite3_errmsg(sqlite3_db_handle(s)), -1);
    else
        sqlite3_result_error_code(c, rc);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
}

static void format(sqlite3_context *c, int n, sqlite3_value **v)
{
    const tt_sql_data *d = sqlite3_user_data(c);
    if (!n) return;
    if (format_fits(d->value_most, n, v))
        tt_sql_call(c, "printf", n, v);
    else
        sqlite3_result_error_toobig(c);
}

/* ---- aggregates that need all values: within the memory of the query ---- */

typedef struct values {
    int64_t *at; /* keys of the values */
    sqlite3_uint64 n, cap;
    double p;
} values;

/* Map doubles to integers of the same order, and back. */
static int64_t key_of(double d)
{
    int64_t bits;
    d += 0.0; /* -0.0 becomes 0.0 */
    memcpy(&bits, &d, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static double value_of(int64_t key)
{
    double d;
    if (key < 0) key ^= INT64_MAX;
    memcpy(&d, &key, sizeof d);
    return d;
}

static void *grow(sqlite3_context *c, void *at, sqlite3_uint64 *cap, size_t item)
{
    sqlite3_uint64 more = *cap ? *cap * 2 : 64;
    void *p = sqlite3_realloc64(at, more * item);
    if (p)
        *cap = more;
    else
        sqlite3_result_error_nomem(c);
    return p;
}

static void add_value(sqlite3_context *c, values *all, sqlite3_value *v)
{
    int type = sqlite3_value_numeric_type(v);
    if (!all || (type != SQLITE_INTEGER && type != SQLITE_FLOAT)) return;
    if (all->n == all->cap) {
        int64_t *at = grow(c, all->at, &all->cap, sizeof *at);
        if (!at) return;
        all->at = at;
    }
    all->at[all->n++] = key_of(sqlite3_value_double(v));
}

static void percentile_step(sqlite3_context *c, int n, sqlite3_value **v)
{
    values *all = sqlite3_aggregate_context(c, sizeof *all);
    (void)n;
    if (!all) return;
    double p = sqlite3_value_double(v[1]);
    if (!(p >= 0 && p <= 100) || (all->n && p != all->p)) {
        sqlite3_result_error(c, "percentile(x, p): p is one number from 0 to 100", -1);
        return;
    }
    all->p = p;
    add_value(c, all, v[0]);
}

static void median_step(sqlite3_context *c, int n, sqlite3_value **v)
{
    values *all = sqlite3_aggregate_context(c, sizeof *all);
    (void)n;
    if (!all) return;
    all->p = 50;
    add_value(c, all, v[0]);
}

/* Interpolate between two values as numpy does by default. NULL for no values. */
static void percentile_final(sqlite3_context *c)
{
    tt_sql_data *d = sqlite3_user_data(c);
    values *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->n) return;
    double place = all->p / 100 * (double)(all->n - 1), low = floor(place);
    size_t i = (size_t)low;
    if (tt_sql_select(&d->clock, all->at, all->n, i)) {
        double at = value_of(all->at[i]);
        int64_t next = INT64_MAX;
        for (size_t k = i + 1; k < all->n && place > low; k++) next = all->at[k] < next ? all->at[k] : next;
        if (i + 1 < all->n && place > low) at += (value_of(next) - at) * (place - low);
        sqlite3_result_double(c, at);
    } else {
        sqlite3_result_error_code(c, SQLITE_INTERRUPT);
    }
    sqlite3_free(all->at);
    all->at = NULL;
}

typedef struct intervals {
    tt_iv *at;
    sqlite3_uint64 n, cap;
} intervals;

/* covered(start, duration): the time in which at least one of the intervals runs. */
static void covered_step(sqlite3_context *c, int n, sqlite3_value **v)
{
    intervals *all = sqlite3_aggregate_context(c, sizeof *all);
    int64_t end;
    (void)n;
    if (!all || sqlite3_value_type(v[0]) == SQLITE_NULL || sqlite3_value_type(v[1]) == SQLITE_NULL) return;
    int64_t start = sqlite3_value_int64(v[0]);
    if (__builtin_add_overflow(start, sqlite3_value_int64(v[1]), &end)) end = INT64_MAX;
    if (all->n == all->cap) {
        tt_iv *at = grow(c, all->at, &all->cap, sizeof *at);
        if (!at) return;
        all->at = at;
    }
    all->at[all->n++] = (tt_iv){start, end};
}

static void covered_final(sqlite3_context *c)
{
    tt_sql_data *d = sqlite3_user_data(c);
    intervals *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->n) {
        sqlite3_result_int64(c, 0);
        return;
    }
    uint64_t length = 0;
    int64_t end = INT64_MIN;
    bool sorted = tt_sql_sort_intervals(&d->clock, all->at, all->n);
    for (size_t i = 0; i < all->n; i++) {
        tt_iv v = all->at[i];
        if (v.t0 < end) v.t0 = end;
        if (v.t1 <= v.t0) continue;
        length += (uint64_t)v.t1 - (uint64_t)v.t0;
        end = v.t1;
    }
    if (sorted)
        sqlite3_result_int64(c, (sqlite3_int64)length);
    else
        sqlite3_result_error_code(c, SQLITE_INTERRUPT);
    sqlite3_free(all->at);
    all->at = NULL;
}

int tt_sql_register_functions(sqlite3 *db, tt_sql_data *d)
{
    static const struct {
        const char *name;
        int args, flags;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } functions[] = {
        {"arg", 2, 0, arg, NULL, NULL},
        {"printf", -1, SQLITE_DETERMINISTIC, format, NULL, NULL},
        {"format", -1, SQLITE_DETERMINISTIC, format, NULL, NULL},
        {"overlap", 4, SQLITE_DETERMINISTIC, overlap, NULL, NULL},
        {"percentile", 2, SQLITE_DETERMINISTIC, NULL, percentile_step, percentile_final},
        {"median", 1, SQLITE_DETERMINISTIC, NULL, median_step, percentile_final},
        {"covered", 2, SQLITE_DETERMINISTIC, NULL, covered_step, covered_final},
    };
    int rc = SQLITE_OK;
    for (size_t i = 0; i < sizeof functions / sizeof *functions && rc == SQLITE_OK; i++)
        rc = sqlite3_create_function_v2(db, functions[i].name, functions[i].args, SQLITE_UTF8 | functions[i].flags, d,
                                        functions[i].call, functions[i].step, functions[i].final, NULL);
    return rc;
}
