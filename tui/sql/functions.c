/* tui/sql/functions.c - functions that SQLite does not have: arguments of events, overlap of intervals, percentiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/interval_set.h"
#include "tui/sql/data.h"

/* arg(id, 'key'): of the slice with this id. */
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

/* A width or precision at *p, which is left behind: a number, or * for the next argument. */
static bool fits(const char **p, int *arg, int n, sqlite3_value **v)
{
    int64_t most = TT_SQL_VALUE_MOST, width = 0;
    if (**p == '*') {
        width = *arg < n ? sqlite3_value_int64(v[*arg]) : 0;
        ++*arg;
        ++*p;
    }
    for (; **p >= '0' && **p <= '9'; ++*p) width = width > most ? width : width * 10 + (**p - '0');
    return width <= most && width >= -most;
}

static bool format_fits(int n, sqlite3_value **v)
{
    const char *p = (const char *)sqlite3_value_text(v[0]);
    int arg = 1;
    while (p && (p = strchr(p, '%')) != NULL) {
        p += 1 + strspn(p + 1, "-+ 0#!,");
        if (!fits(&p, &arg, n, v)) return false;
        if (*p == '.' && (p++, !fits(&p, &arg, n, v))) return false;
        p += strspn(p, "lh");
        arg += *p && *p != '%';
        if (*p) p++;
    }
    return true;
}

/* The statement that calls it with n arguments; NULL: SQLite has no memory. */
static sqlite3_stmt *format_statement(tt_sql_data *d, int n)
{
    char text[512] = "SELECT printf(?";
    if (d->format && d->format_args == n) return d->format;
    sqlite3_finalize(d->format);
    d->format = NULL;
    if (!d->formats && sqlite3_open_v2(":memory:", &d->formats, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return NULL;
    sqlite3_limit(d->formats, SQLITE_LIMIT_LENGTH, TT_SQL_VALUE_MOST);
    size_t at = strlen(text);
    for (int i = 1; i < n && at + 4 < sizeof text; i++) at += (size_t)snprintf(text + at, sizeof text - at, ",?");
    snprintf(text + at, sizeof text - at, ")");
    d->format_args = n;
    return sqlite3_prepare_v2(d->formats, text, -1, &d->format, NULL) == SQLITE_OK ? d->format : NULL;
}

static void format(sqlite3_context *c, int n, sqlite3_value **v)
{
    if (!n) return;
    if (!format_fits(n, v)) {
        sqlite3_result_error_toobig(c);
        return;
    }
    sqlite3_stmt *s = format_statement(sqlite3_user_data(c), n);
    if (!s) {
        sqlite3_result_error_nomem(c);
        return;
    }
    for (int i = 0; i < n; i++) sqlite3_bind_value(s, i + 1, v[i]);
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        sqlite3_result_value(c, sqlite3_column_value(s, 0));
    else
        sqlite3_result_error_code(c, rc);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
}

/* ---- aggregates that need all values: within the memory of the query ---- */

typedef struct values {
    double *at;
    sqlite3_uint64 n, cap;
    double p;
} values;

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
        double *at = grow(c, all->at, &all->cap, sizeof *at);
        if (!at) return;
        all->at = at;
    }
    all->at[all->n++] = sqlite3_value_double(v);
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

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two values what lies on the line between them, as numpy's default has it. NULL for no values. */
static void percentile_final(sqlite3_context *c)
{
    values *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->n) return;
    qsort(all->at, all->n, sizeof *all->at, by_value);
    double place = all->p / 100 * (double)(all->n - 1), low = floor(place);
    size_t i = (size_t)low;
    double at = all->at[i];
    if (i + 1 < all->n && place > low) at += (all->at[i + 1] - at) * (place - low);
    sqlite3_result_double(c, at);
    sqlite3_free(all->at);
    all->at = NULL;
}

typedef struct intervals {
    tt_iv *at;
    sqlite3_uint64 n, cap;
} intervals;

/* covered(start, duration): how long at least one of the intervals lasts. */
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
    intervals *all = sqlite3_aggregate_context(c, 0);
    if (!all || !all->n) {
        sqlite3_result_int64(c, 0);
        return;
    }
    tt_ivs set = {.n = all->n, .cap = all->n};
    set.at = tt_malloc(all->n * sizeof *set.at);
    memcpy(set.at, all->at, all->n * sizeof *set.at);
    sqlite3_free(all->at);
    all->at = NULL;
    tt_ivs_normalise(&set);
    sqlite3_result_int64(c, tt_ivs_length(&set));
    tt_vec_free(&set);
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
