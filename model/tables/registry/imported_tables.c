/* model/tables/registry/imported_tables.c - the list of a session's tables: the built-in tables and those its traces
 * brought.
 *
 * Tables with one id in several traces are one table with the columns of all; if types of a column differ, the later
 * one is a table of its own. A taken id gets "_imported" appended, then a number. Brought tables whose rows a
 * built-in table shows (TT_TABLE_BROUGHT) are not listed again. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/imported_rows.h"
#include "model/tables/registry/registry.h"

typedef struct imported_desc {
    tt_table_desc as; /* first member: the table's descriptor */
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

static void compute(const tt_query *q, tt_table *t)
{
    const imported_desc *d = (const imported_desc *)(const void *)t->desc;
    const tt_trace *s = tt_query_trace(q);
    for (uint32_t i = 0; i < s->n_imported; i++) {
        bool mine = false;
        for (size_t k = 0; k < d->of.n && !mine; k++) mine = d->of.at[k] == s->imported[i];
        if (mine) tt_imported_put(q, s->imported[i], t);
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
    return !strcmp(id, "all"); /* reserved word of --table */
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
    const tt_table_desc *own = tt_table_find(t->id);
    if (own && own->flags & TT_TABLE_BROUGHT) return;
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
    tt_session *s = (tt_session *)(uintptr_t)cs; /* the list is a cache, not part of the session's value */
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
