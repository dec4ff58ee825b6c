/* tui/table/view.c - state and keys of the table widget. */
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
#include "tui/table/view_impl.h"

int tt_table_sort_col(const tt_table_view *v)
{
    return v->table && v->choice.has_sort ? tt_table_column(v->table, v->choice.sort_key) : -1;
}

/* ---- making ---- */

static tt_table_view *view_new(tt_host *host, const tt_table_style *style)
{
    tt_table_view *v = tt_calloc(1, sizeof *v);
    v->host = host;
    if (style) v->style = *style;
    v->look.statistics = v->style.statistics;
    v->pos.sel = TT_NONE;
    v->pos.page = 10;
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
    snprintf(v->choice.sort_key, sizeof v->choice.sort_key, "%s", d->default_sort);
    v->choice.sort_desc = d->default_desc;
    v->choice.has_sort = true;
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
    v->from.given = table;
    default_sort(v, table->desc);
    tt_table_view_ask(v, false);
    return v;
}

tt_table_view *tt_table_view_take(tt_host *host, tt_table *table, const tt_table_style *style)
{
    tt_table_view *v = tt_table_view_of(host, table, style);
    v->from.taken = table;
    return v;
}

tt_table_view *tt_table_view_slices(tt_host *host, const tt_drilldown *o, const char *name, const tt_table_style *style)
{
    tt_table_view *v = view_new(host, style);
    v->from.is_slices = true;
    v->from.slices = *o; /* the texts are copied: the table they come from may be computed again */
    v->from.slices.name = o->name ? v->from.slices_text[0] = tt_strdup(o->name) : NULL;
    v->from.slices.shapes = o->shapes ? v->from.slices_text[1] = tt_strdup(o->shapes) : NULL;
    v->from.slices.stack = o->stack ? v->from.slices_text[2] = tt_strdup(o->stack) : NULL;
    snprintf(v->from.slices_name, sizeof v->from.slices_name, "%s", name ? name : "");
    snprintf(v->choice.sort_key, sizeof v->choice.sort_key, "dur_ns"); /* the longest first */
    v->choice.has_sort = v->choice.sort_desc = true;
    tt_table_view_ask(v, false);
    return v;
}

void tt_table_view_free(tt_table_view *v)
{
    if (!v) return;
    tt_table_view_free(v->drill);
    v->drill = NULL;
    tt_table_view_close(v);
}

/* The list of slices in front of the table, else the table itself. */
static tt_table_view *front(const tt_table_view *v) { return v->drill ? v->drill : (tt_table_view *)(uintptr_t)v; }

static void forget_rows(tt_table_view *v)
{
    tt_row_order_free(&v->rows);
    free(v->stats);
    v->stats = NULL;
    free(v->summary);
    v->summary = NULL;
    tt_table_free(v->from.owned);
    v->from.owned = NULL;
    v->table = v->related = NULL;
    v->pos.sel = TT_NONE;
}

void tt_table_view_scope(tt_table_view *v)
{
    if (v->drill) tt_table_view_ask(v->drill, true);
    if (v->table && tt_host_base_gone(v->host, v->table)) {
        tt_table_keep(v);
        v->kept.renewed = true;
        forget_rows(v);
    }
    tt_table_view_ask(v, true);
}

void tt_table_view_renew(tt_table_view *v, int64_t shift)
{
    if (v->table) {
        tt_table_keep(v);
        v->kept.renewed = true;
    }
    v->kept.shift += shift;
    if (v->desc) v->desc = tt_host_table_now(v->host, v->desc);
    if (v->from.is_slices) v->from.slices.trace = tt_host_trace_now(v->host, v->from.slices.trace);
    if (v->drill && v->drill->from.slices.trace != TT_NONE &&
        /* its trace is not in the session any more */
        tt_host_trace_now(v->host, v->drill->from.slices.trace) == TT_NONE) {
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
    bool same = only->keep == v->choice.keep && only->what == v->choice.what;
    if (same && !memcmp(key, v->choice.only_key, sizeof key) && !memcmp(text, v->choice.only_text, sizeof text)) return;
    memcpy(v->choice.only_key, key, sizeof key);
    memcpy(v->choice.only_text, text, sizeof text);
    v->choice.keep = only->keep;
    v->choice.what = only->what;
    v->choice.none = only->none;
    tt_table_view_ask(v, false);
}

bool tt_table_view_busy(const tt_table_view *v) { return v->asked.running > 0; }

void tt_table_view_set_title(tt_table_view *v, const char *title) { v->style.title = title; }
const tt_options *tt_table_view_options(const tt_table_view *v) { return &v->options; }

void tt_table_view_draw(tt_table_view *v, tt_canvas *c, bool focus) { tt_table_draw(front(v), c, focus); }
const tt_table *tt_table_view_table(const tt_table_view *v) { return front(v)->table; }
uint32_t tt_table_view_rows(const tt_table_view *v) { return front(v)->rows.n; }
uint32_t tt_table_view_current(const tt_table_view *v) { return front(v)->pos.sel; }

void tt_table_view_go(tt_table_view *v, uint32_t line)
{
    uint32_t page = v->pos.page > 0 ? (uint32_t)v->pos.page : 1;
    if (!v->rows.n) {
        v->pos.cursor = v->pos.top = 0;
        v->pos.sel = TT_NONE;
        return;
    }
    if (line >= v->rows.n) line = v->rows.n - 1;
    v->pos.cursor = line;
    v->pos.sel = v->rows.rows[line];
    if (v->pos.top > line) v->pos.top = line;
    if (line >= v->pos.top + page) v->pos.top = line - page + 1;
    if (v->rows.n <= page) v->pos.top = 0;
}

/* ---- keys ---- */

static void move(tt_table_view *v, int64_t by)
{
    int64_t to = (int64_t)v->pos.cursor + by;
    tt_table_view_go(v, to < 0 ? 0 : to > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)to);
}

static bool visible(const tt_table_view *v, uint32_t col)
{
    return col < 64 && !(v->columns.hidden >> col & 1) && !tt_table_redundant(v, col);
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
    snprintf(v->choice.sort_key, sizeof v->choice.sort_key, "%s", col->key);
    v->choice.sort_desc = col->type != TT_T_STRING && col->type != TT_T_TIME;
    v->choice.has_sort = true;
    v->pos.cursor = 0;
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
    if (c < 64) v->columns.hidden |= 1ull << c;
    tt_host_set_status(v->host, "column %s hidden (X: all columns)", v->table->cols[c]->title);
}

static bool drilldown_of(const tt_table_view *v, tt_drilldown *o)
{
    if (!v->table || !v->table->drilldowns || v->pos.sel == TT_NONE) return false;
    *o = v->table->drilldowns[v->pos.sel];
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
        v->drill =
            tt_table_view_slices(v->host, &o, c == TT_NONE ? NULL : tt_table_cell(v->table, v->pos.sel, c).s, NULL);
    }
    return true;
}

static bool act_on_rows(tt_table_view *v, tt_action a)
{
    int64_t to = tt_action_moved(a, v->pos.cursor, (int64_t)v->rows.n, (v->pos.page + 1) / 2, v->pos.page);
    if (to >= 0) tt_table_view_go(v, (uint32_t)to);
    return to >= 0;
}

static bool act_on_columns(tt_table_view *v, tt_action a)
{
    switch (a) {
    case TT_ACT_LEFT:
    case TT_ACT_COL_LEFT: v->columns.first -= v->columns.first > 0; return true;
    case TT_ACT_RIGHT:
    case TT_ACT_COL_RIGHT: v->columns.first += v->columns.first + 2 < v->table->n_cols; return true;
    case TT_ACT_SORT_NEXT: sort_by(v, 1); return true;
    case TT_ACT_SORT_PREV: sort_by(v, -1); return true;
    case TT_ACT_SORT_REVERSE:
        v->choice.sort_desc = !v->choice.sort_desc;
        v->pos.cursor = 0;
        tt_table_view_ask(v, false);
        return true;
    case TT_ACT_SORT_ORIGINAL:
        v->choice.has_sort = false;
        tt_table_view_ask(v, false);
        return true;
    case TT_ACT_GROUP: next_group(v); return true;
    case TT_ACT_COL_HIDE: hide_column(v); return true;
    case TT_ACT_COLUMNS:
        v->menu.open = true;
        v->menu.at = v->menu.top = 0;
        return true;
    case TT_ACT_MARK_ROW:
        if (v->pos.sel != TT_NONE) tt_table_mark(v, v->pos.sel);
        move(v, 1);
        return true;
    case TT_ACT_UNMARK_ROWS: tt_table_unmark(v); return true;
    case TT_ACT_WRAP: v->look.wrap = !v->look.wrap; return true;
    case TT_ACT_STATISTICS: v->look.statistics = !v->look.statistics; return true;
    case TT_ACT_PERCENT: v->look.percent = !v->look.percent; return true;
    case TT_ACT_DETAIL: v->look.detail = (v->look.detail + 1) % 3; return true;
    default: return false;
    }
}

bool tt_table_view_act(tt_table_view *v, tt_action a)
{
    if (v->drill) {
        if (v->drill->menu.open || (a != TT_ACT_CANCEL && a != TT_ACT_BACK_OR_QUIT))
            return tt_table_view_act(v->drill, a);
        tt_table_view_free(v->drill);
        v->drill = NULL;
        return true;
    }
    if (!v->table) return false;
    if (v->menu.open && tt_table_menu_act(v, a)) return true;
    if (act_on_rows(v, a) || act_on_columns(v, a) || tt_table_act_on_tree(v, a)) return true;
    if (a == TT_ACT_ENTER) return enter(v);
    if (a == TT_ACT_BACK_OR_QUIT && v->look.statistics && !v->style.statistics)
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
    if (v->marks.n) {
        tt_table_marks_text(v, out, cap);
        return;
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "row %s of %s", tt_format_count(n, v->rows.n ? (int64_t)v->pos.cursor + 1 : 0),
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
    uint32_t n = v->rows.n, line = v->pos.cursor;
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
    snprintf(v->choice.filter, sizeof v->choice.filter, "%s", text);
    tt_table_view_ask(v, false);
    return true;
}

bool tt_table_view_selection(const tt_table_view *v, tt_drilldown *out)
{
    if (drilldown_of(front(v), out)) return true;
    return v->drill && drilldown_of(v, out);
}

/* Write the table to a stream as it is shown. */
static void write_shown(const tt_table_view *v, FILE *f, tt_out_format format)
{
    tt_table *t = tt_table_shown(v);
    tt_section s = {.table = t, .n_rows = t->n_rows, .n_found = t->n_rows, .sorted = v->choice.has_sort};
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
    if (!v->table || v->pos.sel == TT_NONE) return NULL;
    uint32_t c = tt_name_column(v->table);
    FILE *f = open_memstream(&text, &n);
    if (!f) return NULL;
    if (all || c == TT_NONE) {
        write_shown(v, f, tt_host_file_format(v->host));
    } else if (!v->marks.n) {
        fputs(tt_cell_text(v->table->cols[c], tt_table_cell(v->table, v->pos.sel, c)), f);
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
                           tt_format_counted(n, v->marks.n ? v->marks.n : v->rows.n, "row"), path);
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
    snprintf(v->choice.sort_key, sizeof v->choice.sort_key, "%s", v->table->cols[c]->key);
    v->choice.has_sort = true;
    v->choice.sort_desc = strcmp(arg + n, ":asc") != 0 && (strcmp(arg + n, ":desc") == 0 || !up);
    v->pos.cursor = 0;
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
        v->choice.limit = (uint32_t)n;
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

/* A click on a column's head sorts by that column; a click on the sorted column reverses the order. */
static void sort_by_head(tt_table_view *v, int x)
{
    tt_layout l;
    tt_table_layout(v, v->pos.width, &l);
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
    } else if (m->what == TT_MOUSE_PRESS && m->y == v->pos.row_y - 1) {
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
    *p = (struct tt_table_place){.top = v->pos.top, .drill = d != NULL};
    if (v->table && v->pos.sel != TT_NONE) p->row = tt_table_row_id(v, v->table, v->pos.sel);
    if (d && d->table && d->pos.sel != TT_NONE) p->drill_row = tt_table_row_id(d, d->table, d->pos.sel);
}

void tt_table_view_restore(tt_table_view *v, const struct tt_table_place *p)
{
    if (!v->table) {
        v->kept.wanted = *p;
        v->kept.has_wanted = true;
        return;
    }
    if (v->drill && !p->drill) {
        tt_table_view_free(v->drill);
        v->drill = NULL;
    }
    if (v->drill)
        tt_table_view_restore(v->drill, &(struct tt_table_place){.row = p->drill_row, .top = v->drill->pos.top});
    for (uint32_t line = 0; p->row && line < v->rows.n; line++) {
        if (tt_table_row_id(v, v->table, v->rows.rows[line]) != p->row) continue;
        v->pos.top = p->top;
        tt_table_view_go(v, line);
        break;
    }
}
