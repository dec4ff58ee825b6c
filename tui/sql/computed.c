/* tui/sql/computed.c - every computed table under its id, computed when a query first names it.
 *
 * Columns: worker and span of a table that is made trace by trace, then the columns of its descriptor (NULL where the
 * grouping hides them), then a hidden column with the grouping: kernels('launch'). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/tables/registry/registry.h"
#include "tui/sql/data.h"

typedef struct computed {
    tt_sql_data *data;
    const tt_table_desc *desc;
} computed;

typedef TT_VEC(tt_sql_column) column_list;

typedef struct computed_vtab {
    sqlite3_vtab base;
    const computed *of;
    int lead;     /* columns worker and span in front */
    int group_by; /* the hidden column, -1 = there is none */
    column_list columns;
} computed_vtab;

typedef struct computed_cursor {
    sqlite3_vtab_cursor base;
    const computed_vtab *vtab;
    const tt_table *table;
    const char *group;
    TT_VEC(int) at; /* by column: its index in the table, -1 = not shown */
    uint32_t row;
} computed_cursor;

static const char *declared_type(tt_type t)
{
    static const char *const types[] = {
        [TT_T_STRING] = "TEXT", [TT_T_COUNT] = "INTEGER", [TT_T_BOOL] = "BOOLEAN",    [TT_T_DURATION] = "DURATION",
        [TT_T_TIME] = "TIME",   [TT_T_BYTES] = "BYTES",   [TT_T_PERCENT] = "PERCENT", [TT_T_NUMBER] = "REAL",
    };
    return types[t];
}

static bool has_column(const tt_table_desc *d, const char *key)
{
    for (uint32_t i = 0; i < d->n_cols; i++) {
        if (!strcmp(d->cols[i].key, key)) return true;
    }
    return false;
}

/* List the columns in order; returns how many of them are worker and span, in front. */
static int list_columns(const tt_table_desc *d, column_list *out)
{
    static const tt_sql_column lead[] = {{"worker", "TEXT", "whose trace it is about"},
                                         {"span", "TEXT", "profiled span"}};
    int n = 0;
    for (int i = 0; i < 2 && !(d->flags & TT_TABLE_ALL_TRACES); i++) {
        if (has_column(d, lead[i].name)) continue;
        *tt_vec_push(out) = lead[i];
        n++;
    }
    for (uint32_t i = 0; i < d->n_cols; i++) {
        if (d->cols[i].place) continue;
        *tt_vec_push(out) = (tt_sql_column){d->cols[i].key, declared_type(d->cols[i].type), d->cols[i].help};
    }
    if (d->groups) *tt_vec_push(out) = (tt_sql_column){"group_by", "TEXT HIDDEN", "how it is grouped"};
    return n;
}

void tt_sql_computed_columns(const tt_table_desc *d, tt_sql_column **at, size_t *n)
{
    column_list l = {0};
    list_columns(d, &l);
    *at = l.at;
    *n = l.n;
}

static int disconnect_computed(sqlite3_vtab *vtab)
{
    computed_vtab *v = (computed_vtab *)vtab;
    tt_vec_free(&v->columns);
    free(v);
    return SQLITE_OK;
}

static int connect_computed(sqlite3 *db, void *arg, int argc, const char *const *argv, sqlite3_vtab **out, char **err)
{
    computed_vtab *v = tt_calloc(1, sizeof *v);
    (void)argc;
    (void)argv;
    (void)err;
    v->of = (const computed *)arg;
    v->lead = list_columns(v->of->desc, &v->columns);
    v->group_by = v->of->desc->groups ? (int)v->columns.n - 1 : -1;
    int rc = tt_sql_declare(v->of->data, db, v->columns.at, (uint32_t)v->columns.n);
    if (rc == SQLITE_OK)
        *out = &v->base;
    else
        disconnect_computed(&v->base);
    return rc;
}

static int plan_computed(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const computed_vtab *v = (const computed_vtab *)vtab;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *c = &info->aConstraint[i];
        if (v->group_by < 0 || c->iColumn != v->group_by || c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (!c->usable) return SQLITE_CONSTRAINT; /* the rows depend on the grouping */
        info->aConstraintUsage[i] = (struct sqlite3_index_constraint_usage){.argvIndex = 1, .omit = 1};
        info->idxNum = 1;
        break;
    }
    info->estimatedRows = 200;
    info->estimatedCost = 200;
    return SQLITE_OK;
}

static int open_computed(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    computed_cursor *c = tt_calloc(1, sizeof *c);
    c->vtab = (const computed_vtab *)vtab;
    *out = &c->base;
    return SQLITE_OK;
}

static int close_computed(sqlite3_vtab_cursor *cursor)
{
    computed_cursor *c = (computed_cursor *)cursor;
    tt_vec_free(&c->at);
    free(c);
    return SQLITE_OK;
}

static int unknown_group(computed_cursor *c, const char *group)
{
    const tt_table_desc *d = c->vtab->of->desc;
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "%s is not grouped by '%s', but by", d->id, group ? group : "NULL");
    for (int i = 0; d->groups[i]; i++) sqlite3_str_appendf(text, "%s %s", i ? "," : "", d->groups[i]);
    sqlite3_free(c->base.pVtab->zErrMsg);
    c->base.pVtab->zErrMsg = sqlite3_str_finish(text);
    return SQLITE_ERROR;
}

static int filter_computed(sqlite3_vtab_cursor *cursor, int plan, const char *ops, int n, sqlite3_value **values)
{
    computed_cursor *c = (computed_cursor *)cursor;
    const computed_vtab *v = c->vtab;
    const tt_table_desc *d = v->of->desc;
    tt_options o = {0};
    (void)plan;
    (void)ops;
    if (n) {
        const char *group = (const char *)sqlite3_value_text(values[0]);
        int g = group ? tt_table_group(d, group) : -1;
        if (g < 0) return unknown_group(c, group);
        o.group = (uint8_t)g;
    }
    c->group = d->groups ? d->groups[o.group] : NULL;
    c->table = tt_table_get(v->of->data->session, d, &tt_scope_all, &o);
    c->row = 0;
    c->at.n = 0;
    for (size_t i = 0; i < v->columns.n; i++) *tt_vec_push(&c->at) = tt_table_column(c->table, v->columns.at[i].name);
    return SQLITE_OK;
}

static int next_computed(sqlite3_vtab_cursor *c)
{
    ((computed_cursor *)c)->row++;
    return SQLITE_OK;
}

static int no_more_computed(sqlite3_vtab_cursor *cursor)
{
    const computed_cursor *c = (const computed_cursor *)cursor;
    return c->row >= c->table->n_rows;
}

/* Put worker or span; a table leaves the column out when the session has only one. */
static void put_lead(sqlite3_context *context, const tt_session *s, const char *name)
{
    if (!strcmp(name, "worker") && s->n_workers == 1) tt_sql_put_text(context, s->workers[0]);
    if (!strcmp(name, "span") && s->n_spans == 1) tt_sql_put_text(context, s->spans[0]);
}

static int put_computed(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int col)
{
    const computed_cursor *c = (const computed_cursor *)cursor;
    const tt_table *t = c->table;
    int at = c->at.at[col];
    if (col == c->vtab->group_by) {
        tt_sql_put_text(context, c->group);
    } else if (at < 0) {
        if (col < c->vtab->lead) put_lead(context, c->vtab->of->data->session, c->vtab->columns.at[col].name);
    } else {
        tt_cell cell = tt_table_cell(t, c->row, (uint32_t)at);
        tt_type type = t->cols[at]->type;
        if (tt_cell_unknown(type, cell)) return SQLITE_OK;
        if (type == TT_T_STRING)
            sqlite3_result_text(context, cell.s, -1, SQLITE_STATIC); /* the session keeps the table */
        else if (type == TT_T_PERCENT || type == TT_T_NUMBER)
            sqlite3_result_double(context, cell.d);
        else
            sqlite3_result_int64(context, cell.i);
    }
    return SQLITE_OK;
}

static int computed_rowid(sqlite3_vtab_cursor *c, sqlite3_int64 *out)
{
    *out = ((computed_cursor *)c)->row;
    return SQLITE_OK;
}

bool tt_sql_is_event_table(const char *id)
{
    if (!strcmp(id, tt_sql_slices.name) || !strncmp(id, "sqlite_", 7)) return true;
    for (uint32_t i = 0; tt_sql_event_table(i); i++) {
        if (!strcmp(tt_sql_event_table(i)->name, id)) return true;
    }
    return false;
}

int tt_sql_register_computed(sqlite3 *db, tt_sql_data *d)
{
    static const sqlite3_module module = {
        .xConnect = connect_computed,
        .xDisconnect = disconnect_computed,
        .xBestIndex = plan_computed,
        .xOpen = open_computed,
        .xClose = close_computed,
        .xFilter = filter_computed,
        .xNext = next_computed,
        .xEof = no_more_computed,
        .xColumn = put_computed,
        .xRowid = computed_rowid,
    };
    tt_table_list all = tt_session_tables(d->session);
    int rc = SQLITE_OK;
    for (uint32_t i = 0; i < all.n && rc == SQLITE_OK; i++) {
        if (tt_sql_is_event_table(all.at[i]->id)) continue; /* a trace brought a table with this id */
        computed *c = tt_malloc(sizeof *c);
        *c = (computed){d, all.at[i]};
        rc = sqlite3_create_module_v2(db, all.at[i]->id, &module, c, free);
    }
    return rc;
}
