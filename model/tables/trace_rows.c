/* model/tables/trace_rows.c - see trace_rows.h. Traces are ordered by worker and span, and a row is looked up there. */
#include "model/tables/trace_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"

typedef struct found { /* rows of all traces in one table */
    const tt_table *from;
    uint32_t *first, *row; /* rows of trace i: row[first[i]] to row[first[i + 1] - 1] */
} found;

typedef struct trace_rows { /* the rows that a table keeps attached */
    tt_attached attached;
    TT_VEC(found) of;
} trace_rows;

typedef struct pair { /* a row and its trace */
    uint32_t trace, row;
} pair;

typedef struct trace_order {
    const tt_session *s;
    uint32_t *at; /* traces ordered by worker, then by span */
    TT_VEC(pair) pairs;
} trace_order;

static int by_names(const void *a, const void *b, void *arg)
{
    const tt_session *s = arg;
    const tt_trace *x = s->traces[*(const uint32_t *)a], *y = s->traces[*(const uint32_t *)b];
    int c = strcmp(x->worker, y->worker);
    return c ? c : strcmp(x->span, y->span);
}

/* Whether a trace comes before all traces of that worker and span; span NULL: before all of the worker. */
static bool is_before(const tt_trace *x, const char *worker, const char *span)
{
    int c = strcmp(x->worker, worker);
    return c ? c < 0 : span && strcmp(x->span, span) < 0;
}

static void add_pairs(trace_order *o, uint32_t row, const char *worker, const char *span)
{
    const tt_session *s = o->s;
    uint32_t lo = 0, hi = s->n_traces;
    if (worker) TT_BISECT(lo, hi, i, is_before(s->traces[o->at[i]], worker, span));
    for (; lo < s->n_traces; lo++) {
        const tt_trace *x = s->traces[o->at[lo]];
        bool same = !span || !strcmp(x->span, span);
        if (worker && (strcmp(x->worker, worker) != 0 || !same)) break;
        if (same) *tt_vec_push(&o->pairs) = (pair){o->at[lo], row};
    }
}

static found find(const tt_session *s, const tt_table *t)
{
    trace_order o = {.s = s, .at = tt_malloc((s->n_traces + (size_t)1) * sizeof *o.at)};
    const char *only = s->n_workers == 1 ? s->workers[0] : NULL; /* the only worker: no column names it */
    int worker = tt_table_column(t, "worker"), span = tt_table_column(t, "span");
    for (uint32_t i = 0; i < s->n_traces; i++) o.at[i] = i;
    qsort_r(o.at, s->n_traces, sizeof *o.at, by_names, (void *)(uintptr_t)s);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *of = worker < 0 ? NULL : tt_table_cell(t, r, (uint32_t)worker).s;
        add_pairs(&o, r, of ? of : only, span < 0 ? NULL : tt_table_cell(t, r, (uint32_t)span).s);
    }
    found out = {.from = t,
                 .first = tt_calloc(s->n_traces + (size_t)2, sizeof *out.first),
                 .row = tt_calloc(o.pairs.n + 1, sizeof *out.row)};
    for (size_t i = 0; i < o.pairs.n; i++) out.first[o.pairs.at[i].trace + 2]++;
    for (uint32_t i = 2; i < s->n_traces + 2; i++) out.first[i] += out.first[i - 1];
    for (size_t i = 0; i < o.pairs.n; i++) out.row[out.first[o.pairs.at[i].trace + 1]++] = o.pairs.at[i].row;
    free(o.at);
    tt_vec_free(&o.pairs);
    return out;
}

static void rows_free(tt_attached *attached)
{
    trace_rows *rows = (trace_rows *)attached;
    for (size_t i = 0; i < rows->of.n; i++) {
        free(rows->of.at[i].first);
        free(rows->of.at[i].row);
    }
    tt_vec_free(&rows->of);
    free(rows);
}

tt_row_list tt_rows_of_trace(const tt_query *q, tt_table *t, const tt_table *from)
{
    trace_rows *rows = (trace_rows *)t->attached;
    size_t i = 0;
    if (!rows) {
        rows = tt_calloc(1, sizeof *rows);
        rows->attached.free = rows_free;
        t->attached = &rows->attached;
    }
    while (i < rows->of.n && rows->of.at[i].from != from) i++;
    if (i == rows->of.n) *tt_vec_push(&rows->of) = find(q->session, from);
    const found *x = &rows->of.at[i];
    uint32_t first = x->first[q->trace];
    return (tt_row_list){x->row + first, x->first[q->trace + 1] - first};
}
