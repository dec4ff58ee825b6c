/* tui/screen/table_fetch.c - fetching tables for charts. */
#include "tui/screen/table_fetch.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"

typedef struct fetch_job {
    tt_table_fetch *tables;
    unsigned serial;
    tt_session *session;
    tt_scope scope;
    const tt_table *at[TT_MAX_FETCH];
} fetch_job;

static void fetch_run(void *arg)
{
    fetch_job *f = arg;
    tt_options none = {0};
    for (int i = 0; f->tables->ids[i]; i++)
        f->at[i] = tt_table_get(f->session, tt_table_find(f->tables->ids[i]), &f->scope, &none);
}

static void fetch_done(void *arg, tt_app *a)
{
    fetch_job *f = arg;
    tt_table_fetch *t = f->tables;
    if (f->serial == t->serial && f->at[0]) { /* not at[0]: it was never run */
        t->running = false;
        memcpy(t->at, f->at, sizeof t->at);
        if (t->ready) t->ready(t->screen);
        tt_app_dirty(a);
    }
    free(f);
}

void tt_table_fetch_ask(tt_table_fetch *t)
{
    tt_app *a = t->screen->app;
    fetch_job *f = tt_calloc(1, sizeof *f);
    f->tables = t;
    f->serial = ++t->serial;
    f->session = tt_app_session(a);
    f->scope = *tt_app_scope(a);
    if (t->all_workers) f->scope.worker = TT_ALL;
    t->running = true;
    tt_app_job(a, fetch_run, fetch_done, f);
}

void tt_table_fetch_renew(tt_table_fetch *t)
{
    memset(t->at, 0, sizeof t->at);
    tt_table_fetch_ask(t);
}

const char *tt_cell_str(const tt_table *t, uint32_t row, const char *key)
{
    int c = t && row < t->n_rows ? tt_table_column(t, key) : -1;
    const char *s = c < 0 || t->cols[c]->type != TT_T_STRING ? NULL : tt_table_cell(t, row, (uint32_t)c).s;
    return s ? s : "";
}

int64_t tt_cell_int(const tt_table *t, uint32_t row, const char *key)
{
    int c = t && row < t->n_rows ? tt_table_column(t, key) : -1;
    if (c < 0 || t->cols[c]->type == TT_T_STRING || t->cols[c]->type == TT_T_PERCENT || t->cols[c]->type == TT_T_NUMBER)
        return TT_UNKNOWN;
    return tt_table_cell(t, row, (uint32_t)c).i;
}
