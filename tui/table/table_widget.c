/* tui/table/table_widget.c - state and keys of the table widget; rows come from the worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/sort_words.h"
#include "tui/args/parse_values.h"
#include "tui/files/outfile.h"
#include "tui/output/writers.h"
#include "tui/screen/host.h"
#include "tui/table/conditions.h"
#include "tui/table/table_widget_impl.h"

int tt_table_sort_col(const tt_table_view *v)
{
    return v->table && v->has_sort ? tt_table_column(v->table, v->sort_key) : -1;
}

/* ---- the worker's side ---- */

/* Leave only the rows with the texts that are asked for. */
static void keep_only(const tt_table_job *j, const tt_table *t, tt_row_order *rows)
{
    for (int k = 0; k < 2 && j->only_key[k][0]; k++) {
        int c = tt_table_column(t, j->only_key[k]);
        uint32_t n = 0;
        if (c < 0 || t->cols[c]->type != TT_T_STRING) continue;
        for (uint32_t i = 0; i < rows->n; i++) {
            const char *text = tt_table_cell(t, rows->rows[i], (uint32_t)c).s;
            if (!strcmp(text ? text : "", j->only_text[k])) rows->rows[n++] = rows->rows[i];
        }
        rows->n = n;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; j->keep && i < rows->n; i++) {
        if (j->keep(t, rows->rows[i], j->what)) rows->rows[kept++] = rows->rows[i];
    }
    if (j->keep) rows->n = kept;
}

/* In the order and with the filter that were asked for: text, ~ a regular expression, limits on columns. */
static void order_rows(tt_table_job *j, const tt_table *t)
{
    tt_conditions limits = {0};
    j->spec.regex = j->filter[0] == '~';
    if (!j->spec.regex && !tt_conditions_parse(t, j->filter, &limits, &j->err)) {
        j->failed = true;
        j->rows = (tt_row_order){0};
        return;
    }
    const char *text = j->spec.regex ? j->filter + 1 : limits.text;
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
    j->spec.sort_col = j->has_sort ? tt_table_column(t, j->sort_key) : -1;
    order_rows(j, t);
    if (j->n_folded && j->spec.sort_col < 0 && !*j->filter) tt_table_fold_rows(t, j->folded, j->n_folded, &j->rows);
    keep_only(j, t, &j->rows);
    if (j->limit && j->rows.n > j->limit) j->rows.n = j->limit;
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
    free(v->marks);
    tt_table_keep_free(v);
    for (int i = 0; i < 3; i++) free(v->slices_text[i]);
    if (v->owned) tt_table_free(v->owned);
    tt_table_free(v->taken);
    free(v);
}

/* What the job made is the view's now, in place of what it had. */
static void take_results(tt_table_view *v, tt_table_job *j)
{
    tt_row_order_free(&v->rows);
    free(v->stats);
    free(v->summary);
    v->summary = NULL;
    if (v->owned && v->owned != j->table) tt_table_free(v->owned);
    if (v->owned != j->table) v->owned = j->owned;
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
    v->running--;
    if (v->closed || j->serial != v->serial || j->failed || !j->stats) { /* no stats: it was never run */
        if (!v->closed && j->failed && j->serial == v->serial) {
            snprintf(v->error, sizeof v->error, "%.150s", j->err.message);
            tt_host_set_status(host, "%s", v->error);
        }
        drop_results(j);
        if (v->closed && !v->running) view_free(v);
        free(j);
        return;
    }
    bool fresh = v->table != j->table, other_columns = !v->table || !same_columns(v->table, j->table);
    bool follow = v->cursor > 0 || v->renewed; /* on the first line, the first line is what a person looks at */
    uint32_t sel = v->sel;
    if (fresh && v->table) tt_table_keep(v);
    if (!v->has_sort && !v->table) { /* the table's own choice, once */
        tt_row_order_spec d = tt_row_order_default(j->table);
        v->sort_desc = d.desc;
        if (d.sort_col >= 0) snprintf(v->sort_key, sizeof v->sort_key, "%s", j->table->cols[d.sort_col]->key);
    }
    take_results(v, j);
    if (fresh) sel = tt_table_keep_apply(v); /* rows have other numbers now */
    if (fresh && other_columns && !v->renewed) v->first_col = 0;
    v->renewed = false;
    uint32_t line = sel != TT_NONE && follow ? line_of(v, sel) : TT_NONE;
    tt_table_view_go(v, line == TT_NONE ? follow ? v->cursor : 0 : line);
    if (v->has_wanted) {
        v->has_wanted = false;
        tt_table_view_restore(v, &v->wanted);
    }
}

void tt_table_view_ask(tt_table_view *v, bool recompute)
{
    tt_table_job *j = tt_calloc(1, sizeof *j);
    j->view = v;
    j->serial = ++v->serial;
    j->session = tt_host_session(v->host);
    j->desc = v->desc;
    j->table = v->given;
    if (v->owned && !recompute && !v->running) j->table = v->owned; /* no other job will take it away meanwhile */
    j->scope = *tt_host_scope(v->host);
    if (v->style.everything) j->scope = tt_scope_all;
    if (v->style.all_workers || v->is_slices) j->scope.worker = TT_ALL; /* slices name their trace */
    j->options = tt_host_comparing(v->host, v->desc, &v->options, &j->compare);
    j->options.places = true;
    j->unit = (tt_unit)tt_host_unit(v->host);
    j->slices = v->is_slices;
    j->drilldown = v->slices;
    j->has_sort = v->has_sort;
    j->limit = v->limit;
    j->spec.desc = v->sort_desc;
    memcpy(j->filter, v->filter, sizeof j->filter);
    memcpy(j->only_key, v->only_key, sizeof j->only_key);
    memcpy(j->only_text, v->only_text, sizeof j->only_text);
    j->keep = v->keep;
    j->what = v->what;
    if (v->folded.n) {
        j->folded = tt_malloc(v->folded.n * sizeof *j->folded);
        memcpy(j->folded, v->folded.at, v->folded.n * sizeof *j->folded);
        j->n_folded = v->folded.n;
    }
    memcpy(j->sort_key, v->sort_key, sizeof j->sort_key);
    v->running++;
    tt_host_job(v->host, job_run, job_done, j);
}

/* ---- making ---- */

static tt_table_view *view_new(tt_host *host, const tt_table_style *style)
{
    tt_table_view *v = tt_calloc(1, sizeof *v);
    v->host = host;
    if (style) v->style = *style;
    v->statistics = v->style.statistics;
    v->sel = TT_NONE;
    v->page = 10;
    return v;
}

static int desc_column(const tt_table_desc *d, const char *key)
{
    for (uint32_t i = 0; i < d->n_cols; i++) {
        if (strcmp(d->cols[i].key, key) == 0) return (int)i;
    }
    return -1;
}

static void default_sort(tt_table_view *v, const tt_table_desc *d)
{
    if (!d->default_sort || desc_column(d, d->default_sort) < 0) return;
    snprintf(v->sort_key, sizeof v->sort_key, "%s", d->default_sort);
    v->sort_desc = d->default_desc;
    v->has_sort = true;
}

tt_table_view *tt_table_view_new(tt_host *host, const tt_table_desc *desc, const tt_table_style *style)
{
    return tt_table_view_new_with(host, desc, style, &(tt_options){0});
}

tt_table_view *tt_table_view_new_with(tt_host *host, const tt_table_desc *desc, const tt_table_style *style,
                                      const tt_options *o)
{
    tt_table_view *v = view_new(host, style);
    v->desc = desc;
    v->options = *o;
    default_sort(v, desc);
    tt_table_view_ask(v, true);
    return v;
}

tt_table_view *tt_table_view_of(tt_host *host, const tt_table *table, const tt_table_style *style)
{
    tt_table_view *v = view_new(host, style);
    v->given = table;
    default_sort(v, table->desc);
    tt_table_view_ask(v, false);
    return v;
}

tt_table_view *tt_table_view_take(tt_host *host, tt_table *table, const tt_table_style *style)
{
    tt_table_view *v = tt_table_view_of(host, table, style);
    v->taken = table;
    return v;
}

tt_table_view *tt_table_view_slices(tt_host *host, const tt_drilldown *o, const char *name, const tt_table_style *style)
{
    tt_table_view *v = view_new(host, style);
    v->is_slices = true;
    v->slices = *o; /* with texts of its own: the table that they come from may be computed again */
    v->slices.name = o->name ? v->slices_text[0] = tt_strdup(o->name) : NULL;
    v->slices.shapes = o->shapes ? v->slices_text[1] = tt_strdup(o->shapes) : NULL;
    v->slices.stack = o->stack ? v->slices_text[2] = tt_strdup(o->stack) : NULL;
    snprintf(v->slices_name, sizeof v->slices_name, "%s", name ? name : "");
    snprintf(v->sort_key, sizeof v->sort_key, "dur_ns"); /* the longest first */
    v->has_sort = v->sort_desc = true;
    tt_table_view_ask(v, false);
    return v;
}

void tt_table_view_free(tt_table_view *v)
{
    if (!v) return;
    tt_table_view_free(v->drill);
    v->drill = NULL;
    v->closed = true;
    if (!v->running) view_free(v);
}

/* The list in front, when there is one. */
static tt_table_view *front(const tt_table_view *v) { return v->drill ? v->drill : (tt_table_view *)(uintptr_t)v; }

static void forget_rows(tt_table_view *v)
{
    tt_row_order_free(&v->rows);
    free(v->stats);
    v->stats = NULL;
    free(v->summary);
    v->summary = NULL;
    tt_table_free(v->owned);
    v->owned = NULL;
    v->table = v->related = NULL;
    v->sel = TT_NONE;
}

void tt_table_view_scope(tt_table_view *v)
{
    if (v->drill) tt_table_view_ask(v->drill, true);
    if (v->table && tt_host_base_gone(v->host, v->table)) {
        tt_table_keep(v);
        v->renewed = true;
        forget_rows(v);
    }
    tt_table_view_ask(v, true);
}

void tt_table_view_renew(tt_table_view *v, int64_t shift)
{
    if (v->table) {
        tt_table_keep(v);
        v->renewed = true;
    }
    v->shift += shift;
    if (v->desc) v->desc = tt_host_table_now(v->host, v->desc);
    if (v->is_slices) v->slices.trace = tt_host_trace_now(v->host, v->slices.trace);
    if (v->drill && v->drill->slices.trace != TT_NONE &&
        tt_host_trace_now(v->host, v->drill->slices.trace) == TT_NONE) { /* its trace is gone */
        tt_table_view_free(v->drill);
        v->drill = NULL;
    }
    if (v->drill) tt_table_view_renew(v->drill, shift);
    forget_rows(v);
    tt_table_view_ask(v, true);
}

void tt_table_view_set_options(tt_table_view *v, const tt_options *o)
{
    v->options = *o;
    tt_table_view_ask(v, true);
}

void tt_table_view_set_only(tt_table_view *v, const tt_table_only *only)
{
    char key[2][32] = {"", ""}, text[2][256] = {"", ""};
    for (int k = 0; k < 2; k++) {
        if (!only->key[k] || !only->text[k]) continue;
        snprintf(key[k], sizeof key[k], "%s", only->key[k]);
        snprintf(text[k], sizeof text[k], "%s", only->text[k]);
    }
    bool same = only->keep == v->keep && only->what == v->what;
    if (same && !memcmp(key, v->only_key, sizeof key) && !memcmp(text, v->only_text, sizeof text)) return;
    memcpy(v->only_key, key, sizeof key);
    memcpy(v->only_text, text, sizeof text);
    v->keep = only->keep;
    v->what = only->what;
    v->none = only->none;
    tt_table_view_ask(v, false);
}

bool tt_table_view_busy(const tt_table_view *v) { return v->running > 0; }

void tt_table_view_set_title(tt_table_view *v, const char *title) { v->style.title = title; }
const tt_options *tt_table_view_options(const tt_table_view *v) { return &v->options; }

void tt_table_view_draw(tt_table_view *v, tt_canvas *c, bool focus) { tt_table_draw(front(v), c, focus); }
const tt_table *tt_table_view_table(const tt_table_view *v) { return front(v)->table; }
uint32_t tt_table_view_rows(const tt_table_view *v) { return front(v)->rows.n; }
uint32_t tt_table_view_current(const tt_table_view *v) { return front(v)->sel; }

void tt_table_view_go(tt_table_view *v, uint32_t line)
{
    uint32_t page = v->page > 0 ? (uint32_t)v->page : 1;
    if (!v->rows.n) {
        v->cursor = v->top = 0;
        v->sel = TT_NONE;
        return;
    }
    if (line >= v->rows.n) line = v->rows.n - 1;
    v->cursor = line;
    v->sel = v->rows.rows[line];
    if (v->top > line) v->top = line;
    if (line >= v->top + page) v->top = line - page + 1;
    if (v->rows.n <= page) v->top = 0;
}

/* ---- keys ---- */

static void move(tt_table_view *v, int64_t by)
{
    int64_t to = (int64_t)v->cursor + by;
    tt_table_view_go(v, to < 0 ? 0 : to > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)to);
}

static bool visible(const tt_table_view *v, uint32_t col)
{
    return col < 64 && !(v->hidden >> col & 1) && !tt_table_redundant(v, col);
}

/* Sort by the next (dir 1) or previous shown column. */
static void sort_by(tt_table_view *v, int dir)
{
    int n = (int)v->table->n_cols, c = tt_table_sort_col(v);
    for (int tries = 0; tries < n; tries++) {
        c = c < 0 ? (dir > 0 ? 0 : n - 1) : (c + dir + n) % n;
        if (visible(v, (uint32_t)c)) break;
    }
    const tt_column *col = v->table->cols[c];
    snprintf(v->sort_key, sizeof v->sort_key, "%s", col->key);
    v->sort_desc = col->type != TT_T_STRING && col->type != TT_T_TIME;
    v->has_sort = true;
    v->cursor = 0;
    tt_table_view_ask(v, false);
}

static void next_group(tt_table_view *v)
{
    const tt_table_desc *d = v->table->desc;
    if (!v->desc || !d->groups || !d->groups[0] || !d->groups[1]) {
        tt_host_set_status(v->host, "this table has one grouping only");
        return;
    }
    v->options.group = d->groups[v->options.group + 1] ? (uint8_t)(v->options.group + 1) : 0;
    tt_table_view_ask(v, true);
    tt_host_set_status(v->host, "grouped by %s", d->groups[v->options.group]);
}

static void hide_column(tt_table_view *v)
{
    int c = tt_table_sort_col(v);
    if (c < 0 || (uint32_t)c == tt_name_column(v->table)) {
        tt_host_set_status(v->host, "sort by the column to hide first (< >)");
        return;
    }
    if (c < 64) v->hidden |= 1ull << c;
    tt_host_set_status(v->host, "column %s hidden (X: all columns)", v->table->cols[c]->title);
}

static bool drilldown_of(const tt_table_view *v, tt_drilldown *o)
{
    if (!v->table || !v->table->drilldowns || v->sel == TT_NONE) return false;
    *o = v->table->drilldowns[v->sel];
    return o->what != TT_DRILL_NONE;
}

static bool enter(tt_table_view *v)
{
    tt_drilldown o;
    if (!drilldown_of(v, &o)) {
        tt_host_set_status(v->host, "no slices behind this row");
    } else if (v->table->desc->flags & TT_TABLE_CLAIMS || o.finding) { /* a finding, or a piece of one */
        tt_host_show_evidence(v->host, &o);
    } else if (o.what != TT_DRILL_SLICES) {
        tt_host_show_drilldown(v->host, &o);
    } else if (o.kinds == 1u << TT_KIND_KERNEL && o.name && o.trace != TT_NONE) {
        tt_host_show_kernel(v->host, &o);
    } else {
        uint32_t c = tt_name_column(v->table);
        v->drill = tt_table_view_slices(v->host, &o, c == TT_NONE ? NULL : tt_table_cell(v->table, v->sel, c).s, NULL);
    }
    return true;
}

static bool act_on_rows(tt_table_view *v, tt_action a)
{
    int64_t to = tt_action_moved(a, v->cursor, (int64_t)v->rows.n, (v->page + 1) / 2, v->page);
    if (to >= 0) tt_table_view_go(v, (uint32_t)to);
    return to >= 0;
}

static bool act_on_columns(tt_table_view *v, tt_action a)
{
    switch (a) {
    case TT_ACT_LEFT:
    case TT_ACT_COL_LEFT: v->first_col -= v->first_col > 0; return true;
    case TT_ACT_RIGHT:
    case TT_ACT_COL_RIGHT: v->first_col += v->first_col + 2 < v->table->n_cols; return true;
    case TT_ACT_SORT_NEXT: sort_by(v, 1); return true;
    case TT_ACT_SORT_PREV: sort_by(v, -1); return true;
    case TT_ACT_SORT_REVERSE:
        v->sort_desc = !v->sort_desc;
        v->cursor = 0;
        tt_table_view_ask(v, false);
        return true;
    case TT_ACT_SORT_ORIGINAL:
        v->has_sort = false;
        tt_table_view_ask(v, false);
        return true;
    case TT_ACT_GROUP: next_group(v); return true;
    case TT_ACT_COL_HIDE: hide_column(v); return true;
    case TT_ACT_COLUMNS:
        v->menu = true;
        v->menu_at = v->menu_top = 0;
        return true;
    case TT_ACT_MARK_ROW:
        if (v->sel != TT_NONE) tt_table_mark(v, v->sel);
        move(v, 1);
        return true;
    case TT_ACT_UNMARK_ROWS: tt_table_unmark(v); return true;
    case TT_ACT_WRAP: v->wrap = !v->wrap; return true;
    case TT_ACT_STATISTICS: v->statistics = !v->statistics; return true;
    case TT_ACT_PERCENT: v->percent = !v->percent; return true;
    case TT_ACT_DETAIL: v->detail = (v->detail + 1) % 3; return true;
    default: return false;
    }
}

bool tt_table_view_act(tt_table_view *v, tt_action a)
{
    if (v->drill) {
        if (v->drill->menu || (a != TT_ACT_CANCEL && a != TT_ACT_BACK_OR_QUIT)) return tt_table_view_act(v->drill, a);
        tt_table_view_free(v->drill);
        v->drill = NULL;
        return true;
    }
    if (!v->table) return false;
    if (v->menu && tt_table_menu_act(v, a)) return true;
    if (act_on_rows(v, a) || act_on_columns(v, a) || tt_table_act_on_tree(v, a)) return true;
    if (a == TT_ACT_ENTER) return enter(v);
    if (a == TT_ACT_BACK_OR_QUIT && v->statistics && !v->style.statistics)
        return tt_table_view_act(v, TT_ACT_STATISTICS);
    return false;
}

/* ---- the other members of a screen ---- */

void tt_table_view_status(const tt_table_view *v, char *out, size_t cap)
{
    v = front(v);
    out[0] = 0;
    if (!v->table) return;
    char n[TT_TEXT_CAP], of[TT_TEXT_CAP], sum[TT_TEXT_CAP];
    int c = tt_table_sort_col(v);
    if (v->n_marks) {
        tt_table_marks_text(v, out, cap);
        return;
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "row %s of %s", tt_format_count(n, v->rows.n ? (int64_t)v->cursor + 1 : 0),
               tt_format_count(of, v->rows.n));
    if (v->rows.n != v->table->n_rows) tt_buf_add(&line, " (%u in all)", v->table->n_rows);
    if (c >= 0 && v->rows.n == v->table->n_rows && tt_table_adds_up(v->table->cols[c])) {
        tt_buf_add(&line, "   sum of %s: %s", v->table->cols[c]->title,
                   tt_format_cell(sum, v->table->cols[c], (tt_cell){.i = (int64_t)v->stats[c].sum},
                                  (tt_unit)tt_host_unit(v->host), NULL));
    }
}

static bool row_has(const tt_table *t, uint32_t row, const char *text)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        const char *s = t->cols[c]->type == TT_T_STRING ? tt_table_cell(t, row, c).s : NULL;
        if (s && strcasestr(s, text)) return true;
    }
    return false;
}

bool tt_table_view_find(tt_table_view *v, const char *text, int dir)
{
    v = front(v);
    if (!v->table || !v->rows.n) return false;
    snprintf(v->found, sizeof v->found, "%s", text);
    uint32_t n = v->rows.n, line = v->cursor;
    for (uint32_t i = 0; i <= n; i++) {
        bool here = i > 0 || dir == 0;
        if (here && row_has(v->table, v->rows.rows[line], text)) {
            tt_table_view_go(v, line);
            return true;
        }
        line = dir < 0 ? (line ? line - 1 : n - 1) : (line + 1) % n;
    }
    return false;
}

bool tt_table_view_filter(tt_table_view *v, const char *text)
{
    v = front(v);
    snprintf(v->filter, sizeof v->filter, "%s", text);
    tt_table_view_ask(v, false);
    return true;
}

bool tt_table_view_selection(const tt_table_view *v, tt_drilldown *out)
{
    if (drilldown_of(front(v), out)) return true;
    return v->drill && drilldown_of(v, out);
}

/* The table as it is shown, to a stream. */
static void write_shown(const tt_table_view *v, FILE *f, tt_out_format format)
{
    tt_table *t = tt_table_shown(v);
    tt_section s = {.table = t, .n_rows = t->n_rows, .n_found = t->n_rows, .sorted = v->has_sort};
    uint32_t *rows = tt_calloc((size_t)t->n_rows + 1, sizeof *rows);
    for (uint32_t i = 0; i < t->n_rows; i++) rows[i] = i;
    s.rows = rows;
    tt_document d = {
        .session = tt_host_session(v->host), .sections = &s, .n_sections = 1, .unit = (tt_unit)tt_host_unit(v->host)};
    d.alike = true;
    if (format == TT_OUT_JSON) {
        tt_out_json(f, &d);
    } else if (format == TT_OUT_TEXT) {
        tt_out_text(f, &d);
    } else if (format == TT_OUT_MARKDOWN) {
        tt_out_markdown(f, &d);
    } else {
        tt_out_csv(f, &s);
    }
    free(rows);
    tt_table_shown_free(t);
}

char *tt_table_view_copy(const tt_table_view *v, bool all)
{
    char *text = NULL;
    size_t n = 0;
    v = front(v);
    if (!v->table || v->sel == TT_NONE) return NULL;
    uint32_t c = tt_name_column(v->table);
    FILE *f = open_memstream(&text, &n);
    if (!f) return NULL;
    if (all || c == TT_NONE) {
        write_shown(v, f, tt_host_file_format(v->host));
    } else if (!v->n_marks) {
        fputs(tt_cell_text(v->table->cols[c], tt_table_cell(v->table, v->sel, c)), f);
    } else {
        for (uint32_t i = 0; i < v->rows.n; i++) {
            if (!tt_table_marked(v, v->rows.rows[i])) continue;
            fprintf(f, "%s\n", tt_cell_text(v->table->cols[c], tt_table_cell(v->table, v->rows.rows[i], c)));
        }
    }
    return fclose(f) == 0 ? text : NULL;
}

static bool export_to(tt_table_view *v, const char *path)
{
    unsigned how;
    tt_err err;
    if (!*path || !v->table) return false;
    int format = tt_host_ending(v->host, path, tt_table_endings);
    if (format < 0 || !tt_host_may_write(v->host, "export", path, &how)) return true;
    tt_outfile *o = tt_outfile_open(path, how, &tt_host_session(v->host)->inputs, &err);
    if (o) write_shown(v, tt_outfile_stream(o), (tt_out_format)format);
    if (o && tt_outfile_close(o, true, &err) == TT_OK) {
        char n[TT_TEXT_CAP];
        tt_host_set_status(v->host, "%s written to %s",
                           tt_format_counted(n, v->n_marks ? v->n_marks : v->rows.n, "row"), path);
    } else {
        tt_host_set_status(v->host, "%.400s", err.message);
    }
    return true;
}

static bool sort_command(tt_table_view *v, const char *arg)
{
    char key[64];
    size_t n = strcspn(arg, ": ");
    snprintf(key, sizeof key, "%.*s", (int)n, arg);
    int c = v->table ? tt_sort_column(v->table, key) : -1;
    if (c < 0) {
        tt_host_set_status(v->host, "no column '%s' here", key);
        return true;
    }
    bool up = tt_sort_ascends(v->table->cols[c], key);
    snprintf(v->sort_key, sizeof v->sort_key, "%s", v->table->cols[c]->key);
    v->has_sort = true;
    v->sort_desc = strcmp(arg + n, ":asc") != 0 && (strcmp(arg + n, ":desc") == 0 || !up);
    v->cursor = 0;
    tt_table_view_ask(v, false);
    return true;
}

bool tt_table_view_command(tt_table_view *v, const char *verb, const char *arg)
{
    v = front(v);
    if (strcmp(verb, "export") == 0) return export_to(v, arg);
    if (strcmp(verb, "sort") == 0) return sort_command(v, arg);
    if (strcmp(verb, "columns") == 0) return tt_table_columns_command(v, arg);
    int64_t n = 0;
    if (strcmp(verb, "limit") == 0) {
        if (strcmp(arg, "all") != 0 && (!tt_parse_count(arg, &n) || n > UINT32_MAX - 1)) return false;
        v->limit = (uint32_t)n;
        tt_table_view_ask(v, false);
        return true;
    }
    if (!v->desc) return false;
    if (strcmp(verb, "group-by") == 0) {
        int g = tt_table_group(v->desc, arg);
        if (g < 0) return false;
        v->options.group = (uint8_t)g;
    } else if (strcmp(verb, "stack-depth") == 0) {
        if (!tt_parse_count(arg, &n) || n > 255) return false;
        v->options.stack_depth = (uint8_t)n;
    } else if (strcmp(verb, "thread-sep") == 0) {
        bool off = strcmp(arg, "off") == 0;
        if (!(v->desc->flags & TT_TABLE_THREADS) || (*arg && !off && strcmp(arg, "on") != 0)) return false;
        v->options.thread_sep = *arg ? !off : !v->options.thread_sep;
    } else if (strcmp(verb, "samples-per-step") == 0) {
        if (!tt_parse_count(arg, &n)) return false;
        v->options.samples_per_step = (double)n;
    } else if (strcmp(verb, "peak-tflops") == 0 || strcmp(verb, "peak-gb-per-s") == 0) {
        char *end;
        double peak = strtod(arg, &end);
        if (!(v->desc->flags & TT_TABLE_PEAKS) || *end || end == arg || !(peak >= 0) || peak > 1e15) return false;
        *(verb[5] == 't' ? &v->options.peak_tflops : &v->options.peak_gb_per_s) = peak;
    } else {
        return false;
    }
    tt_table_view_ask(v, true);
    return true;
}

/* A click on a column's head sorts by it; on the one that rows are sorted by, it turns the order round. */
static void sort_by_head(tt_table_view *v, int x)
{
    tt_layout l;
    tt_table_layout(v, v->width, &l);
    for (uint32_t i = 0; i < l.n; i++) {
        if (x < l.at[i].x || x >= l.at[i].x + l.at[i].w) continue;
        if ((int)l.at[i].col == tt_table_sort_col(v)) {
            tt_table_view_act(v, TT_ACT_SORT_REVERSE);
        } else {
            sort_command(v, v->table->cols[l.at[i].col]->key);
        }
    }
}

bool tt_table_view_mouse(tt_table_view *v, const tt_mouse *m)
{
    v = front(v);
    if (!v->table) return false;
    uint32_t line = tt_table_line_at(v, m->y);
    if (m->what == TT_MOUSE_WHEEL) {
        move(v, 3 * m->wheel);
    } else if (m->what == TT_MOUSE_PRESS && m->y == v->row_y - 1) {
        sort_by_head(v, m->x);
    } else if (line != TT_NONE) {
        tt_table_view_go(v, line);
        if (m->what == TT_MOUSE_DOUBLE) enter(v);
    }
    return true;
}

void tt_table_view_save(const tt_table_view *v, struct tt_table_place *p)
{
    const tt_table_view *d = v->drill;
    *p = (struct tt_table_place){.top = v->top, .drill = d != NULL};
    if (v->table && v->sel != TT_NONE) p->row = tt_table_row_id(v, v->table, v->sel);
    if (d && d->table && d->sel != TT_NONE) p->drill_row = tt_table_row_id(d, d->table, d->sel);
}

void tt_table_view_restore(tt_table_view *v, const struct tt_table_place *p)
{
    if (!v->table) {
        v->wanted = *p;
        v->has_wanted = true;
        return;
    }
    if (v->drill && !p->drill) {
        tt_table_view_free(v->drill);
        v->drill = NULL;
    }
    if (v->drill) tt_table_view_restore(v->drill, &(struct tt_table_place){.row = p->drill_row, .top = v->drill->top});
    for (uint32_t line = 0; p->row && line < v->rows.n; line++) {
        if (tt_table_row_id(v, v->table, v->rows.rows[line]) != p->row) continue;
        v->top = p->top;
        tt_table_view_go(v, line);
        break;
    }
}
