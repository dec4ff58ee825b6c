/* tui/table/ask.c - the rows of the table widget: asked of the worker, taken over when they come back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/screen/host.h"
#include "tui/table/conditions.h"
#include "tui/table/view_impl.h"

/* Drop rows without the texts of choice.only_text, and rows that choice.keep() refuses. */
static void keep_only(const tt_table_job *j, const tt_table *t, tt_row_order *rows)
{
    for (int k = 0; k < 2 && j->choice.only_key[k][0]; k++) {
        int c = tt_table_column(t, j->choice.only_key[k]);
        uint32_t n = 0;
        if (c < 0 || t->cols[c]->type != TT_T_STRING) continue;
        for (uint32_t i = 0; i < rows->n; i++) {
            const char *text = tt_table_cell(t, rows->rows[i], (uint32_t)c).s;
            if (!strcmp(text ? text : "", j->choice.only_text[k])) rows->rows[n++] = rows->rows[i];
        }
        rows->n = n;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; j->choice.keep && i < rows->n; i++) {
        if (j->choice.keep(t, rows->rows[i], j->choice.what)) rows->rows[kept++] = rows->rows[i];
    }
    if (j->choice.keep) rows->n = kept;
}

/* Sort and filter the rows. The filter is a text, `~` and a regular expression, or limits on columns. */
static void order_rows(tt_table_job *j, const tt_table *t)
{
    tt_conditions limits = {0};
    j->spec.regex = j->choice.filter[0] == '~';
    if (!j->spec.regex && !tt_conditions_parse(t, j->choice.filter, &limits, &j->err)) {
        j->failed = true;
        j->rows = (tt_row_order){0};
        return;
    }
    const char *text = j->spec.regex ? j->choice.filter + 1 : limits.text;
    j->spec.filter = *text ? text : NULL;
    j->failed = tt_row_order_make(t, &j->spec, &j->rows, &j->err) != TT_OK;
    j->spec.filter = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; limits.n && i < j->rows.n; i++)
        if (tt_conditions_hold(t, j->rows.rows[i], &limits)) j->rows.rows[kept++] = j->rows.rows[i];
    if (limits.n) j->rows.n = kept;
}

static void job_run(void *arg)
{
    tt_table_job *j = arg;
    const tt_table *t = j->table;
    if (j->slices && !t) {
        t = j->owned = tt_slices_table(j->session, &j->scope, &j->drilldown);
    } else if (j->desc && !t && j->desc->flags & TT_TABLE_ARGS) {
        t = j->owned = tt_table_compute(j->session, j->desc, &j->scope, &j->options);
    } else if (j->desc && !t) {
        t = tt_table_get(j->session, j->desc, &j->scope, &j->options);
    }
    j->table = t;
    j->spec.sort_col = j->choice.has_sort ? tt_table_column(t, j->choice.sort_key) : -1;
    order_rows(j, t);
    if (j->n_folded && j->spec.sort_col < 0 && !*j->choice.filter)
        tt_table_fold_rows(t, j->folded, j->n_folded, &j->rows);
    keep_only(j, t, &j->rows);
    if (j->choice.limit && j->rows.n > j->choice.limit) j->rows.n = j->choice.limit;
    j->stats = tt_table_stats(t, j->unit);
    j->related = tt_table_related_get(j->session, j->desc, &j->scope, &j->options);
}

static void drop_results(tt_table_job *j)
{
    free(j->folded);
    tt_row_order_free(&j->rows);
    free(j->stats);
    if (j->owned) tt_table_free(j->owned);
}

/* The line of a row, TT_NONE when it is filtered out. */
static uint32_t line_of(const tt_table_view *v, uint32_t row)
{
    for (uint32_t i = 0; i < v->rows.n; i++) {
        if (v->rows.rows[i] == row) return i;
    }
    return TT_NONE;
}

static bool same_columns(const tt_table *a, const tt_table *b)
{
    for (uint32_t c = 0; a->n_cols == b->n_cols && c < a->n_cols; c++) {
        if (strcmp(a->cols[c]->key, b->cols[c]->key) != 0) return false;
    }
    return a->n_cols == b->n_cols;
}

static void view_free(tt_table_view *v)
{
    tt_row_order_free(&v->rows);
    free(v->stats);
    tt_vec_free(&v->folded);
    free(v->summary);
    free(v->marks.bits);
    tt_table_keep_free(v);
    for (int i = 0; i < 3; i++) free(v->from.slices_text[i]);
    if (v->from.owned) tt_table_free(v->from.owned);
    tt_table_free(v->from.taken);
    free(v);
}

/* Give the results of the job to the view, and free what it showed before. */
static void take_results(tt_table_view *v, tt_table_job *j)
{
    tt_row_order_free(&v->rows);
    free(v->stats);
    free(v->summary);
    v->summary = NULL;
    if (v->from.owned && v->from.owned != j->table) tt_table_free(v->from.owned);
    if (v->from.owned != j->table) v->from.owned = j->owned;
    v->table = j->table;
    v->scope = j->scope;
    v->rows = j->rows;
    v->stats = j->stats;
    v->related = j->related;
    v->error[0] = 0;
    free(j->folded);
    free(j);
}

static void job_done(void *arg, tt_host *host)
{
    tt_table_job *j = arg;
    tt_table_view *v = j->view;
    v->asked.running--;
    if (v->asked.closed || j->serial != v->asked.serial || j->failed || !j->stats) { /* no stats: it was never run */
        if (!v->asked.closed && j->failed && j->serial == v->asked.serial) {
            snprintf(v->error, sizeof v->error, "%.150s", j->err.message);
            tt_host_set_status(host, "%s", v->error);
        }
        drop_results(j);
        if (v->asked.closed && !v->asked.running) view_free(v);
        free(j);
        return;
    }
    bool fresh = v->table != j->table, other_columns = !v->table || !same_columns(v->table, j->table);
    bool follow =
        v->pos.cursor > 0 || v->kept.renewed; /* a cursor on the first line stays there, whatever row comes first */
    uint32_t sel = v->pos.sel;
    if (fresh && v->table) tt_table_keep(v);
    if (!v->choice.has_sort && !v->table) { /* the first rows: sort as the table asks for */
        tt_row_order_spec d = tt_row_order_default(j->table);
        v->choice.sort_desc = d.desc;
        if (d.sort_col >= 0)
            snprintf(v->choice.sort_key, sizeof v->choice.sort_key, "%s", j->table->cols[d.sort_col]->key);
    }
    take_results(v, j);
    if (fresh) sel = tt_table_keep_apply(v); /* rows have other numbers now */
    if (fresh && other_columns && !v->kept.renewed) v->columns.first = 0;
    v->kept.renewed = false;
    uint32_t line = sel != TT_NONE && follow ? line_of(v, sel) : TT_NONE;
    tt_table_view_go(v, line == TT_NONE ? follow ? v->pos.cursor : 0 : line);
    if (v->kept.has_wanted) {
        v->kept.has_wanted = false;
        tt_table_view_restore(v, &v->kept.wanted);
    }
}

void tt_table_view_ask(tt_table_view *v, bool recompute)
{
    tt_table_job *j = tt_calloc(1, sizeof *j);
    j->view = v;
    j->serial = ++v->asked.serial;
    j->session = tt_host_session(v->host);
    j->desc = v->desc;
    j->table = v->from.given;
    if (v->from.owned && !recompute && !v->asked.running) j->table = v->from.owned; /* no running job can free it */
    j->scope = *tt_host_scope(v->host);
    if (v->style.everything) j->scope = tt_scope_all;
    if (v->style.all_workers || v->from.is_slices) j->scope.worker = TT_ALL; /* slices name their trace */
    j->options = tt_host_comparing(v->host, v->desc, &v->options, &j->compare);
    j->options.places = true;
    j->unit = (tt_unit)tt_host_unit(v->host);
    j->slices = v->from.is_slices;
    j->drilldown = v->from.slices;
    j->choice = v->choice;
    j->spec.desc = v->choice.sort_desc;
    if (v->folded.n) {
        j->folded = tt_malloc(v->folded.n * sizeof *j->folded);
        memcpy(j->folded, v->folded.at, v->folded.n * sizeof *j->folded);
        j->n_folded = v->folded.n;
    }
    v->asked.running++;
    tt_host_job(v->host, job_run, job_done, j);
}

void tt_table_view_close(tt_table_view *v)
{
    v->asked.closed = true;
    if (!v->asked.running) view_free(v);
}
