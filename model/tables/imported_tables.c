/* model/tables/imported_tables.c - the list of a session's tables: the built-in ones and those that its traces brought.
 *
 * Tables of the same id of several traces are one table with the columns of all; where they disagree about a
 * column's type, the later one is a table of its own. An id that is taken gets "_imported" behind it, then a number. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/table_util.h"
#include "model/trace/imported.h"

typedef struct imported_desc {
    tt_table_desc as; /* first: what a table has of it */
    const char *from; /* id in the traces */
    TT_VEC(tt_column) cols;
    TT_VEC(const tt_imported *) of;
} imported_desc;

typedef struct session_list {
    tt_attached attached;
    tt_table_list list;
    TT_VEC(const tt_table_desc *) all;
    TT_VEC(imported_desc *) imported;
    tt_arena ids;
} session_list;

static uint32_t column_of(const imported_desc *d, const char *key)
{
    for (uint32_t c = 0; c < d->cols.n; c++) {
        if (!strcmp(d->cols.at[c].key, key)) return c;
    }
    return TT_NONE;
}

static uint32_t first_of_type(const tt_imported *t, tt_type type)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (t->cols[c].type == type) return c;
    }
    return TT_NONE;
}

/* A time of the trace; far outside of it stays far outside. */
static int64_t store_time(const tt_trace *s, int64_t t)
{
    int64_t r;
    if (t == TT_UNKNOWN || __builtin_sub_overflow(t, s->origin_ns, &r)) return TT_UNKNOWN;
    return r;
}

/* A row is in scope when its first time is; a row without one always. Enter leads to that time, as long as the first
 * duration. */
static void add_row(const tt_query *q, const imported_desc *d, const tt_imported *from, uint32_t i, tt_table *t)
{
    const tt_cell *cells = from->cells + (size_t)i * from->n_cols;
    uint32_t at = first_of_type(from, TT_T_TIME), length = first_of_type(from, TT_T_DURATION);
    int64_t t0 = at == TT_NONE ? TT_UNKNOWN : store_time(tt_query_store(q), cells[at].i), dur = 0;
    if (t0 != TT_UNKNOWN && !tt_query_has(q, t0)) return;
    uint32_t row = tt_table_add(t);
    for (uint32_t c = 0; c < from->n_cols; c++) {
        uint32_t to = column_of(d, from->cols[c].key);
        switch (from->cols[c].type) {
        case TT_T_STRING: tt_set_ref(t, row, to, cells[c].s); break;
        case TT_T_PERCENT:
        case TT_T_NUMBER: tt_set_d(t, row, to, cells[c].d); break;
        case TT_T_TIME: {
            int64_t v = store_time(tt_query_store(q), cells[c].i);
            tt_set_i(t, row, to, v == TT_UNKNOWN ? v : tt_at(q, v));
            break;
        }
        default: tt_set_i(t, row, to, cells[c].i);
        }
    }
    if (t0 == TT_UNKNOWN) return;
    if (length != TT_NONE && cells[length].i > 0) dur = cells[length].i;
    if (dur < INT64_MAX / 2 && t0 < INT64_MAX / 2) tt_set_range(q, t, row, t0, t0 + (dur ? dur : 1));
}

static void compute(const tt_query *q, tt_table *t)
{
    const imported_desc *d = (const imported_desc *)(const void *)t->desc;
    const tt_trace *s = tt_query_store(q);
    for (uint32_t i = 0; i < s->n_imported; i++) {
        bool mine = false;
        for (size_t k = 0; k < d->of.n && !mine; k++) mine = d->of.at[k] == s->imported[i];
        for (uint32_t r = 0; mine && r < s->imported[i]->n_rows; r++) add_row(q, d, s->imported[i], r, t);
    }
}

static bool agree(const imported_desc *d, const tt_imported *t)
{
    if (strcmp(d->from, t->id) != 0) return false;
    for (uint32_t c = 0; c < t->n_cols; c++) {
        uint32_t there = column_of(d, t->cols[c].key);
        if (there != TT_NONE && d->cols.at[there].type != t->cols[c].type) return false;
    }
    return true;
}

static bool taken(const session_list *l, const char *id)
{
    for (size_t i = 0; i < l->all.n; i++) {
        if (!strcmp(l->all.at[i]->id, id)) return true;
    }
    return !strcmp(id, "all"); /* a word of --table */
}

static const char *free_id(session_list *l, const char *id)
{
    const char *text = id;
    if (taken(l, text)) text = tt_arena_printf(&l->ids, "%s_imported", id);
    for (unsigned i = 2; taken(l, text); i++) text = tt_arena_printf(&l->ids, "%s_imported_%u", id, i);
    return text;
}

static void add_imported(session_list *l, const tt_imported *t)
{
    imported_desc *d = NULL;
    for (size_t i = 0; i < l->imported.n && !d; i++) {
        if (agree(l->imported.at[i], t)) d = l->imported.at[i];
    }
    if (!d) {
        d = tt_calloc(1, sizeof *d);
        d->from = t->id;
        d->as = (tt_table_desc){.id = free_id(l, t->id),
                                .title = t->title,
                                .meaning = t->meaning,
                                .default_sort = t->default_sort,
                                .default_desc = t->default_desc,
                                .compute = compute};
        *tt_vec_push(&l->imported) = d;
        *tt_vec_push(&l->all) = &d->as;
    }
    *tt_vec_push(&d->of) = t;
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (column_of(d, t->cols[c].key) == TT_NONE) *tt_vec_push(&d->cols) = t->cols[c];
    }
    d->as.cols = d->cols.at;
    d->as.n_cols = (uint32_t)d->cols.n;
}

static void list_free(tt_attached *attached)
{
    session_list *l = (session_list *)(void *)attached;
    for (size_t i = 0; i < l->imported.n; i++) {
        tt_vec_free(&l->imported.at[i]->cols);
        tt_vec_free(&l->imported.at[i]->of);
        free(l->imported.at[i]);
    }
    tt_vec_free(&l->imported);
    tt_vec_free(&l->all);
    tt_arena_free(&l->ids);
    free(l);
}

static session_list *list_new(const tt_session *s)
{
    session_list *l = tt_calloc(1, sizeof *l);
    l->attached.free = list_free;
    for (uint32_t i = 0; i < tt_n_tables; i++) *tt_vec_push(&l->all) = tt_tables[i];
    for (uint32_t i = 0; i < s->n_traces; i++) {
        for (uint32_t k = 0; k < s->traces[i]->n_imported; k++) add_imported(l, s->traces[i]->imported[k]);
    }
    l->list = (tt_table_list){l->all.at, (uint32_t)l->all.n};
    return l;
}

tt_table_list tt_session_tables(const tt_session *cs)
{
    tt_session *s = (tt_session *)(uintptr_t)cs; /* the list is no part of the value */
    if (!s) return (tt_table_list){tt_tables, tt_n_tables};
    tt_attached *there = atomic_load(&s->table_list);
    if (!there) {
        session_list *l = list_new(s);
        if (atomic_compare_exchange_strong(&s->table_list, &there, &l->attached))
            there = &l->attached;
        else
            list_free(&l->attached);
    }
    return ((session_list *)(void *)there)->list;
}

const tt_table_desc *tt_session_table(const tt_session *s, const char *id)
{
    tt_table_list l = tt_session_tables(s);
    for (uint32_t i = 0; i < l.n; i++) {
        if (!strcmp(l.at[i]->id, id)) return l.at[i];
    }
    return NULL;
}
