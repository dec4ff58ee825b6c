/* tui/table/draw.c - drawing a table: columns that fit, rows in sight, bars, the pane with the selected row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/text/demangle.h"
#include "tui/table/view_impl.h"
#include "tui/widgets/short_names.h"

enum { MAX_STRING = 240, SAMPLE = 2048, GAP = 2, MIN_NAME = 16, MAX_BAR = 24, MAX_LINES = 6, WIDE = 120 };

/* ---- texts ---- */

double tt_table_number(tt_type type, tt_cell c)
{
    if (type == TT_T_STRING || tt_cell_unknown(type, c)) return NAN;
    return type == TT_T_PERCENT || type == TT_T_NUMBER ? c.d : (double)c.i;
}

/* Text of a cell as shown: raw for strings. */
static const char *table_text(const tt_table_view *v, uint32_t row, uint32_t col, char buf[TT_TEXT_CAP])
{
    const tt_column *c = v->table->cols[col];
    tt_cell cell = tt_table_cell(v->table, row, col);
    if (c->type == TT_T_STRING) return tt_cell_text(c, cell);
    if (v->look.percent && tt_table_adds_up(c) && v->stats[col].sum > 0 && !tt_cell_unknown(c->type, cell)) {
        return tt_format_percent(buf, 100 * (double)cell.i / v->stats[col].sum);
    }
    return tt_format_cell(buf, c, cell, (tt_unit)tt_host_unit(v->host), &v->stats[col].digits);
}

static void widen(tt_col_stats *s, const tt_column *col, tt_cell cell, tt_unit unit)
{
    char buf[TT_TEXT_CAP];
    const char *text =
        col->type == TT_T_STRING ? tt_cell_text(col, cell) : tt_format_cell(buf, col, cell, unit, &s->digits);
    int w = tt_text_width(text, strnlen(text, MAX_STRING));
    if (w > s->width) s->width = w;
}

tt_col_stats *tt_table_stats(const tt_table *t, tt_unit unit)
{
    tt_col_stats *s = tt_calloc(t->n_cols + 1, sizeof *s);
    uint32_t every = t->n_rows / SAMPLE + 1;
    for (uint32_t c = 0; c < t->n_cols; c++) {
        const tt_column *col = t->cols[c];
        uint32_t largest = 0;
        s[c].max = -INFINITY;
        s[c].min = INFINITY;
        for (uint32_t r = 0; r < t->n_rows; r++) {
            tt_cell cell = tt_table_cell(t, r, c);
            double d = tt_table_number(col->type, cell);
            s[c].known = s[c].known || !tt_cell_unknown(col->type, cell);
            if (!isnan(d)) s[c].sum += d;
            if (d > s[c].max) s[c].max = d, largest = r;
            if (d < s[c].min) s[c].min = d;
            tt_digits_learn(&s[c].digits, col->type, cell);
        }
        for (uint32_t r = 0; r < t->n_rows; r += every) widen(&s[c], col, tt_table_cell(t, r, c), unit);
        if (t->n_rows) widen(&s[c], col, tt_table_cell(t, largest, c), unit);
    }
    return s;
}

/* ---- which columns, and where ---- */

/* Cells in front of a name in a tree. */
static int indent_of(int64_t depth) { return 2 + 2 * (int)(depth < 0 ? 0 : depth > 32 ? 32 : depth); }

static int column_width(const tt_table_view *v, uint32_t col)
{
    char buf[TT_TITLE_CAP];
    int title = (int)strlen(tt_table_title(v->table, col, buf)) + ((int)col == tt_table_sort_col(v));
    int w = v->stats[col].width;
    if (v->look.percent && tt_table_adds_up(v->table->cols[col])) w = 7;
    uint32_t depth = tt_table_depth_col(v);
    if (depth != TT_NONE && col == tt_name_column(v->table)) {
        double most = v->stats[depth].max; /* minus infinity when the table is empty */
        w += indent_of(most > 0 ? (int64_t)most : 0);
    }
    return w > title ? w : title;
}

/* The least width of a column; it grows where room is left. Long texts get a part of the line. */
static int least_width(const tt_table_view *v, uint32_t col, int w)
{
    int need = column_width(v, col), most = w / 4 < 12 ? 12 : w / 4 > 28 ? 28 : w / 4;
    if (v->table->cols[col]->type != TT_T_STRING) return need;
    if (col < v->table->lead) most = w / 6 < 6 ? 6 : w / 6; /* worker and span */
    return need < most ? need : most;
}

bool tt_table_redundant(const tt_table_view *v, uint32_t col)
{
    const char *key = v->table->cols[col]->key;
    bool empty = v->table->n_rows && !v->stats[col].known && !v->table->cols[col]->in_groups;
    return (empty && (int)col != tt_table_sort_col(v)) || col == tt_table_depth_col(v) ||
           (v->scope.worker != TT_ALL && strcmp(key, "worker") == 0) ||
           (v->scope.span != TT_ALL && col < v->table->lead && strcmp(key, "span") == 0);
}

/* Columns that tell rows apart: the sorted column, worker and span, the keys of the grouping. */
static bool essential(const tt_table_view *v, uint32_t col)
{
    return (int)col == tt_table_sort_col(v) || col < v->table->lead ||
           (v->table->cols[col]->in_groups && v->table->cols[col]->type == TT_T_STRING);
}

/* Columns that bars of differences get before long names do; 0 for other tables. */
static int bars_width(const tt_table *t, int w) { return t->desc->flags & TT_TABLE_COMPARE && w >= WIDE ? w / 8 : 0; }

/* Choose the columns that fit: the name, then the essential columns, then by priority and place. */
static uint32_t chosen_columns(const tt_table_view *v, int w, bool take[TT_MAX_COLS])
{
    const tt_table *t = v->table;
    uint32_t name = tt_name_column(t), n_cols = t->n_cols < TT_MAX_COLS ? t->n_cols : TT_MAX_COLS, left_out = 0;
    int room = w - 2 - bars_width(t, w);
    if (name != TT_NONE) {
        take[name] = true;
        int want = v->stats[name].width, least = want < MIN_NAME ? want : w / 3 < want ? w / 3 : want;
        room -= least > MIN_NAME || least == want ? least : MIN_NAME;
    }
    for (int pass = -1; pass <= 9; pass++) { /* -1: essential columns */
        uint32_t passed = 0;
        for (uint32_t i = 0; i < n_cols; i++) {
            uint32_t c = tt_table_col_at(v, i);
            if (c == name || take[c] || (v->columns.hidden >> c & 1) || tt_table_redundant(v, c)) continue;
            bool scrolled = passed++ < v->columns.first && !essential(v, c);
            int prio = t->cols[c]->prio < 9 ? t->cols[c]->prio : 9;
            if (scrolled || (pass < 0 ? !essential(v, c) : prio != pass)) continue;
            int need = least_width(v, c, w);
            if (need + GAP > room) {
                left_out++;
                continue;
            }
            take[c] = true;
            room -= need + GAP;
        }
    }
    return left_out;
}

void tt_table_layout(const tt_table_view *v, int w, tt_layout *out)
{
    bool take[TT_MAX_COLS] = {false};
    const tt_table *t = v->table;
    uint32_t name = tt_name_column(t), n_cols = t->n_cols < TT_MAX_COLS ? t->n_cols : TT_MAX_COLS;
    *out = (tt_layout){.more = chosen_columns(v, w, take) > 0};
    int used = 2, texts = 0;
    for (uint32_t c = 0; c < n_cols; c++) {
        if (!take[c] || c == name) continue;
        texts += least_width(v, c, w) < column_width(v, c);
        used += least_width(v, c, w) + GAP;
    }
    int name_w = name == TT_NONE ? 0 : column_width(v, name), spare = w - used, bars = bars_width(t, w);
    if (name_w > spare - bars) name_w = spare > bars ? spare - bars : 0;
    spare -= name_w;
    int grow = texts ? (spare > bars ? spare - bars : 0) / texts : 0, x = 1;
    for (uint32_t i = 0; i < n_cols; i++) {
        uint32_t c = tt_table_col_at(v, i);
        if (!take[c]) continue;
        int cw = c == name ? name_w : least_width(v, c, w);
        if (c != name && cw < column_width(v, c)) {
            int want = column_width(v, c) - cw;
            cw += want < grow ? want : grow;
            spare -= want < grow ? want : grow;
        }
        out->at[out->n].col = c;
        out->at[out->n].x = x;
        out->at[out->n++].w = cw;
        x += cw + GAP;
    }
    if (spare >= 8 + GAP) {
        out->bar_x = x;
        out->bar_w = spare - GAP < MAX_BAR ? spare - GAP : MAX_BAR;
    }
}

/* ---- drawing ---- */

enum {
    NOTE_SHORT = 60
}; /* characters of a note that fits into the title; longer notes need an empty table or a large screen */

static void draw_title(const tt_table_view *v, tt_canvas *c, bool more)
{
    char left[400], right[400], n[TT_TEXT_CAP], all[TT_TEXT_CAP], name[256] = "", head[TT_TITLE_CAP];
    tt_buf line = tt_buf_of(right);
    const tt_table *t = v->table;
    const char *title = v->style.title ? v->style.title : t ? t->desc->title : v->desc ? v->desc->title : "Instances";
    if (v->from.is_slices) tt_text_cut(name, sizeof name, v->from.slices_name, c->w / 2, TT_CUT_KERNEL, c->ascii);
    if (v->from.is_slices) snprintf(left, sizeof left, "%s of %s", title, name);
    if (!v->from.is_slices) snprintf(left, sizeof left, "%s", title);
    right[0] = 0;
    if (t) {
        int sort = tt_table_sort_col(v);
        tt_format_count(n, v->rows.n);
        tt_format_count(all, t->n_rows);
        tt_buf_add(&line, "%s%s%s row%s", n, v->rows.n == t->n_rows ? "" : " of ", v->rows.n == t->n_rows ? "" : all,
                   t->n_rows == 1 ? "" : "s");
        if (t->n_rows && t->note && strlen(t->note) <= NOTE_SHORT) tt_buf_add(&line, " (%s)", t->note);
        if (v->choice.filter[0]) tt_buf_add(&line, "   filter %.40s", v->choice.filter);
        if (sort >= 0) tt_buf_add(&line, "   sort %s", tt_table_title(t, (uint32_t)sort, head));
        const char *const *groups = t->desc->groups;
        if (groups && groups[0] && groups[1]) {
            tt_buf_add(&line, "   group %s", groups[t->options.group]);
        }
        if (more) tt_buf_add(&line, "   L: more columns");
    }
    tt_rule(c, 0, left, right);
}

static void draw_heads(const tt_table_view *v, tt_canvas *c, int y, const tt_layout *l)
{
    int sort = tt_table_sort_col(v);
    for (uint32_t i = 0; i < l->n; i++) {
        const tt_column *col = v->table->cols[l->at[i].col];
        bool on = (int)l->at[i].col == sort;
        char head[80], mark[8] = "", title[TT_TITLE_CAP];
        uint32_t arrow = tt_glyph_of(c, v->choice.sort_desc ? TT_G_ARROW_DOWN : TT_G_ARROW_UP);
        if (on) mark[tt_utf8_put(mark, arrow)] = 0;
        snprintf(head, sizeof head, "%s%s", tt_table_title(v->table, l->at[i].col, title), mark);
        tt_style st = on ? TT_ROLE_HEAD_SORT : TT_ROLE_HEAD;
        if (col->type == TT_T_STRING) {
            tt_put_cut(c, y, l->at[i].x, st, head, l->at[i].w, TT_CUT_END);
        } else {
            tt_put_right(c, y, l->at[i].x, l->at[i].w, st, head);
        }
    }
}

/* Highlight the searched text in the cells just drawn. */
static void mark_found(const tt_table_view *v, tt_canvas *c, int y, int x, int w)
{
    char text[512];
    size_t n = 0;
    if (!v->found[0]) return;
    for (int i = 0; i < w && n + 5 < sizeof text && x + i < c->w; i++) {
        uint32_t ch = c->cells[(size_t)y * (size_t)c->stride + (size_t)(x + i)].ch;
        text[n++] = ch < 128 && ch ? (char)ch : '\1'; /* one byte a cell: an index into text is a column */
    }
    text[n] = 0;
    const char *at = strcasestr(text, v->found);
    if (at) tt_restyle(c, y, x + (int)(at - text), 1, (int)strlen(v->found), TT_ROLE_MATCH);
}

static tt_cut cut_of(const tt_column *col)
{
    if (strcmp(col->key, "name") == 0 || strcmp(col->key, "operator") == 0) return TT_CUT_KERNEL;
    if (col->place) return TT_CUT_PLACE;
    bool tail = strcmp(col->key, "path") == 0 || strcmp(col->key, "worker") == 0; /* its end says more */
    return tail ? TT_CUT_START : TT_CUT_END;
}

/* A name in a tree: indented by its depth, with a sign that says whether there is something inside. */
static void draw_tree_name(const tt_table_view *v, tt_canvas *c, int y, uint32_t row, int x, int w, tt_style st,
                           const char *text)
{
    uint32_t col = tt_table_depth_col(v);
    int indent = indent_of(tt_table_cell(v->table, row, col).i);
    if (indent > w - 6) indent = w > 8 ? w - 6 : 2;
    char sign = !tt_table_has_inside(v->table, row, col) ? ' ' : tt_table_is_folded(v, row) ? '+' : '-';
    tt_put_char(c, y, x + indent - 2, st == TT_ROLE_CURSOR ? st : TT_ROLE_DIM, (uint32_t)sign);
    tt_put_cut(c, y, x + indent, st, text, w - indent, TT_CUT_MIDDLE);
}

/* Bytes of text that fill w columns. */
static size_t fill_of(const char *text, int w)
{
    size_t n = strlen(text), at = 0, used;
    for (int x = 0; at < n; at += used) {
        tt_utf8_next(text + at, n - at, &used);
        x += tt_text_width(text + at, used);
        if (x > w && at) break;
    }
    return at;
}

/* The name column of a row over several lines, when names are wrapped; y < 0: only count the lines. */
static int wrap_name(const tt_table_view *v, tt_canvas *c, int y, uint32_t row, const tt_layout *l, tt_style st)
{
    uint32_t name = tt_name_column(v->table), i = 0;
    while (i < l->n && l->at[i].col != name) i++;
    if (!v->look.wrap || i == l->n || l->at[i].w < 4 || tt_table_depth_col(v) != TT_NONE) return 1;
    const char *text = tt_cell_text(v->table->cols[name], tt_table_cell(v->table, row, name));
    int lines = 0;
    for (; *text && lines < MAX_LINES; lines++) {
        size_t n = fill_of(text, l->at[i].w);
        if (y >= 0) {
            char part[1024];
            snprintf(part, sizeof part, "%.*s", (int)n, text);
            tt_put_cut(c, y + lines, l->at[i].x, st, lines == MAX_LINES - 1 ? text : part, l->at[i].w, TT_CUT_END);
        }
        text += n;
    }
    return lines ? lines : 1;
}

/* Lines that a row takes, and the line of rows at y of the screen; TT_NONE = none. */
static int table_row_height(const tt_table_view *v, uint32_t row, const tt_layout *l)
{
    return wrap_name(v, NULL, -1, row, l, 0);
}

uint32_t tt_table_line_at(const tt_table_view *v, int y)
{
    tt_layout l;
    tt_table_layout(v, v->pos.width, &l);
    int at = v->pos.row_y;
    for (uint32_t i = v->pos.top; i < v->rows.n && i < v->pos.top + (uint32_t)v->pos.page; i++) {
        at += table_row_height(v, v->rows.rows[i], &l);
        if (y >= v->pos.row_y && y < at) return i;
    }
    return TT_NONE;
}

/* The column that bars show, -1 = none: the sorted column; in a table of two runs that is not sorted, the first
 * difference. */
static int bar_column(const tt_table_view *v)
{
    const tt_table *t = v->table;
    int sort = tt_table_sort_col(v), step = tt_diff_columns_of(t).by_step_delta;
    if (sort >= 0) return t->cols[sort]->type != TT_T_STRING && t->cols[sort]->type != TT_T_TIME ? sort : -1;
    if (!(t->desc->flags & TT_TABLE_COMPARE) || step >= 0) return step;
    return tt_diff_first_delta(t, false);
}

/* Draw the bar of a row. Bars of differences begin in the middle: negative ones go left, in another pattern. */
static void draw_bar(const tt_table_view *v, tt_canvas *c, int y, uint32_t row, const tt_layout *l)
{
    int bar = bar_column(v);
    if (bar < 0) return;
    double d = tt_table_number(v->table->cols[bar]->type, tt_table_cell(v->table, row, (uint32_t)bar));
    double max = v->stats[bar].max, min = v->stats[bar].min, most = max > -min ? max : -min;
    if (min >= 0 || !(v->table->desc->flags & TT_TABLE_COMPARE)) {
        if (d > 0) tt_hbar(c, y, l->bar_x, l->bar_w, d / max, TT_ROLE_BAR);
        return;
    }
    int half = (l->bar_w - 1) / 2, middle = l->bar_x + half, n = (int)(fabs(d) / most * half + 0.5);
    if (isnan(d)) return;
    tt_put_char(c, y, middle, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    if (d < 0) tt_fill(c, y, middle - n, 1, n, TT_ROLE_BETTER, c->ascii ? '-' : tt_glyph_of(c, TT_G_SHADE1));
    if (d > 0) tt_fill(c, y, middle + 1, 1, n, TT_ROLE_WORSE, c->ascii ? '+' : tt_glyph_of(c, TT_G_SHADE2));
}

tt_style tt_verdict_style(const char *verdict)
{
    if (!strcmp(verdict, "slower") || !strcmp(verdict, "more")) return TT_ROLE_WORSE | TT_BOLD;
    if (!strcmp(verdict, "faster") || !strcmp(verdict, "less")) return TT_ROLE_BETTER | TT_BOLD;
    if (!strcmp(verdict, "bad")) return TT_ROLE_ERROR | TT_BOLD;
    if (!strcmp(verdict, "ok")) return TT_ROLE_BETTER;
    return !strcmp(verdict, "unclear") || !strcmp(verdict, "warn") ? TT_ROLE_WARN : TT_ROLE_TEXT;
}

/* Short names of n lines from the top, so that different names look different. NULL: names are no kernels, show them
 * as they are. The caller frees them. */
static char (*names_in_sight(const tt_table_view *v, const tt_canvas *c, uint32_t n, const tt_layout *l))[TT_SHORT_CAP]
{
    uint32_t name = tt_name_column(v->table), i = 0;
    while (i < l->n && l->at[i].col != name) i++;
    if (i == l->n || !n || v->look.wrap || tt_table_depth_col(v) != TT_NONE) return NULL;
    const tt_column *col = v->table->cols[name];
    if (cut_of(col) != TT_CUT_KERNEL) return NULL;
    const char **full = tt_malloc(n * sizeof *full);
    char(*out)[TT_SHORT_CAP] = tt_malloc(n * sizeof *out);
    for (uint32_t k = 0; k < n; k++)
        full[k] = tt_cell_text(col, tt_table_cell(v->table, v->rows.rows[v->pos.top + k], name));
    tt_short_names(full, n, l->at[i].w, c->ascii, out);
    free(full);
    return out;
}

/* short_name: from names_in_sight(); NULL = show the name as it is. */
static void draw_row(const tt_table_view *v, tt_canvas *c, int y, uint32_t line, const tt_layout *l, bool focus,
                     const char *short_name)
{
    char buf[TT_TEXT_CAP];
    uint32_t row = v->rows.rows[line];
    bool on = focus && line == v->pos.cursor;
    uint32_t depth = tt_table_depth_col(v), name = tt_name_column(v->table);
    int sort = tt_table_sort_col(v);
    int cursor_w = on ? c->w : 0;
    tt_fill(c, y, 0, 1, cursor_w, TT_ROLE_CURSOR, ' ');
    bool marked = tt_table_marked(v, row);
    if (on || marked) tt_put_char(c, y, 0, on ? TT_ROLE_CURSOR : TT_ROLE_STRONG, marked ? on ? '#' : '*' : '>');
    for (uint32_t i = 0; i < l->n; i++) {
        const tt_column *col = v->table->cols[l->at[i].col];
        bool lit = l->at[i].x < cursor_w;
        const char *text = table_text(v, row, l->at[i].col, buf);
        bool unknown = tt_cell_unknown(col->type, tt_table_cell(v->table, row, l->at[i].col));
        bool none = unknown || (col->type != TT_T_STRING && !strcmp(text, "0"));
        tt_style st = lit                        ? TT_ROLE_CURSOR
                      : none                     ? TT_ROLE_DIM
                      : col->type == TT_T_STRING ? TT_ROLE_NAME
                                                 : TT_ROLE_NUMBER;
        if (!lit && (int)l->at[i].col == sort && !none && col->type != TT_T_STRING) st = TT_ROLE_STRONG;
        if (!lit && !unknown && col->type == TT_T_STRING && strcmp(col->key, "verdict") == 0)
            st = tt_verdict_style(text);
        if (l->at[i].col == name && depth != TT_NONE) {
            draw_tree_name(v, c, y, row, l->at[i].x, l->at[i].w, st, text);
            mark_found(v, c, y, l->at[i].x, l->at[i].w);
        } else if (col->type == TT_T_STRING) {
            if (v->look.wrap && l->at[i].col == name) {
                wrap_name(v, c, y, row, l, st);
            } else if (short_name && l->at[i].col == name) {
                tt_put(c, y, l->at[i].x, st, short_name, l->at[i].w);
            } else {
                tt_put_cut(c, y, l->at[i].x, st, text, l->at[i].w, cut_of(col));
            }
            mark_found(v, c, y, l->at[i].x, l->at[i].w);
        } else {
            tt_put_right(c, y, l->at[i].x, l->at[i].w, st, text);
        }
    }
    if (l->bar_w) draw_bar(v, c, y, row, l);
}

static bool shown_whole(const tt_table_view *v, const tt_layout *l, uint32_t col)
{
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->at[i].col == col) return l->at[i].w >= column_width(v, col);
    }
    return false;
}

/* Draw the pane of the selected row: its full name, then the columns that have no room above. */
static void draw_detail(const tt_table_view *v, tt_canvas *c, const tt_layout *l)
{
    char buf[TT_TEXT_CAP];
    const tt_table *t = v->table;
    uint32_t name = tt_name_column(t);
    int y = 1, x = 1;
    tt_rule(c, 0, "Detail", NULL);
    if (v->pos.sel == TT_NONE || c->h < 2) return;
    if (name != TT_NONE) {
        const char *s = tt_cell_text(t->cols[name], tt_table_cell(t, v->pos.sel, name));
        char *plain = tt_demangle_shown(s);
        int most = c->h > 4 ? c->h - 3 : 1;
        y += tt_put_wrapped(c, y, 1, most, c->w - 2, TT_ROLE_NAME | TT_BOLD, plain ? plain : s);
        free(plain);
        if (y < c->h) y += tt_table_related_draw(v, c, y);
    }
    for (int pass = 0; pass < 2; pass++) { /* numbers first, long texts on lines of their own */
        for (uint32_t i = 0; i < t->n_cols && y < c->h; i++) {
            const tt_column *col = t->cols[i];
            tt_cell cell = tt_table_cell(t, v->pos.sel, i);
            if (i == name || (col->type == TT_T_STRING) != (pass == 1) || tt_cell_unknown(col->type, cell)) continue;
            if (shown_whole(v, l, i) || tt_table_redundant(v, i)) continue;
            const char *text = table_text(v, v->pos.sel, i, buf);
            const char *title = tt_table_title(t, i, (char[TT_TITLE_CAP]){0});
            int title_w = (int)strlen(title), text_w = tt_text_width(text, strlen(text));
            if (pass == 0 && text_w < v->stats[i].width)
                text_w = v->stats[i].width; /* a fixed width: cells that stay where they are are not sent again */
            int w = title_w + 1 + text_w;
            if (x > 1 && x + w > c->w - 1) x = 1, y++;
            if (y >= c->h) break;
            tt_put(c, y, x, TT_ROLE_DIM, title, -1);
            if (x + w > c->w - 1) {
                y += tt_put_wrapped(c, y, x + title_w + 1, c->h - y, c->w - x - title_w - 2, TT_ROLE_TEXT, text);
                x = 1;
            } else {
                tt_put(c, y, x + title_w + 1, TT_ROLE_TEXT, text, -1);
                x += w + 3;
            }
        }
    }
}

/* Lines of the pane of the selected row in w cells: name, related row, columns without room above. The most that any
 * row needs, so that nothing moves with the cursor; 0 where the table shows everything. */
static int detail_lines(const tt_table_view *v, const tt_layout *l, int w)
{
    const tt_table *t = v->table;
    uint32_t name = tt_name_column(t);
    int lines = 2, x = 0;
    bool whole = !v->related && (name == TT_NONE || shown_whole(v, l, name));
    for (uint32_t i = 0; i < t->n_cols; i++) {
        if (i == name || shown_whole(v, l, i) || tt_table_redundant(v, i)) continue;
        whole = false;
        int need = (int)strlen(t->cols[i]->title) + 4 + v->stats[i].width, rows = 1 + need / (w > 8 ? w - 4 : 4);
        if (t->cols[i]->type == TT_T_STRING) {
            lines += rows;
        } else {
            if (!x || x + need > w - 1) x = 0, lines++;
            x += need;
        }
    }
    if (v->related) lines++;
    if (name != TT_NONE && v->stats[name].width > w - 2) lines += v->stats[name].width / (w > 8 ? w - 2 : 8);
    return whole ? 0 : lines;
}

/* Say why the table has no rows. */
static void draw_nothing(const tt_table_view *v, tt_canvas *c, int y)
{
    const char *why = !v->table ? v->error[0] ? v->error : "computing ..."
                      : v->table->n_rows && v->choice.keep && v->choice.none && !v->choice.filter[0] ? v->choice.none
                      : v->table->n_rows ? "No row matches the filter (\\ clears it)"
                      : v->table->note   ? v->table->note
                      : v->style.empty   ? v->style.empty
                                         : "No rows in this scope (:all clears the scope)";
    char text[600], scope[300] = "";
    const tt_scope *now = tt_host_scope(v->host);
    if (v->table && !v->table->n_rows && (now->has_steps || now->has_range || now->phases))
        tt_host_scope_text(v->host, scope, sizeof scope);
    snprintf(text, sizeof text, "%.280s%s%s%s", why, *scope ? " (in " : "", scope,
             *scope ? " only; :all for everything)" : "");
    tt_put_wrapped(c, y + 1, 2, c->h - y - 1, c->w - 4, TT_ROLE_DIM, text);
}

/* Scroll until the cursor is in sight. Wrapped names make rows of different heights. */
static void scroll_wrapped(tt_table_view *v, const tt_layout *l, int room)
{
    int used = 0;
    uint32_t line = v->pos.cursor + 1;
    if (v->pos.top > v->pos.cursor) v->pos.top = v->pos.cursor;
    while (line > v->pos.top && used < room) used += table_row_height(v, v->rows.rows[--line], l);
    if (used > room && line < v->pos.cursor) line++;
    if (v->pos.top < line) v->pos.top = line;
}

static void draw_rows(tt_table_view *v, tt_canvas *c, int room, const tt_layout *l, bool focus)
{
    int used = 0, n = 0;
    uint32_t left = v->pos.top < v->rows.n ? v->rows.n - v->pos.top : 0, most = room > 0 ? (uint32_t)room : 0;
    char(*names)[TT_SHORT_CAP] = names_in_sight(v, c, left < most ? left : most, l);
    for (uint32_t line = v->pos.top; used < room && line < v->rows.n; line++, n++) {
        tt_canvas part = tt_canvas_window(c, v->pos.row_y, 0, room, c->w); /* the last one may be cut off below */
        draw_row(v, &part, used, line, l, focus, names ? names[line - v->pos.top] : NULL);
        used += table_row_height(v, v->rows.rows[line], l);
    }
    if (v->look.wrap && n > 0) v->pos.page = n;
    free(names);
}

void tt_table_draw(tt_table_view *v, tt_canvas *c, bool focus)
{
    int head = v->style.no_head ? 0 : 2, detail = 0, stats = 0;
    tt_layout l = {0};
    if (v->table && !v->style.no_detail && v->look.detail != 2 && c->h >= 12) {
        detail = v->look.detail == 1 ? c->h / 2 : c->h >= 30 ? 7 : 4;
    }
    if (v->table) tt_table_layout(v, c->w, &l);
    if (detail && v->look.detail == 0) {
        int need = detail_lines(v, &l, c->w);
        if (need < detail) detail = need;
    }
    if (v->table && v->look.statistics && c->h - head - detail > TT_STATS_LINES + 2) stats = TT_STATS_LINES;
    if (!v->style.no_head) draw_title(v, c, l.more || v->columns.first);
    int room = c->h - head - detail - stats;
    v->pos.row_y = head;
    v->pos.width = c->w;
    v->pos.page = room < 1 ? 1 : room;
    if (!v->table || !v->rows.n) {
        draw_nothing(v, c, head ? 1 : -1);
    } else {
        if (!v->look.wrap) {
            tt_table_view_go(v, v->pos.cursor);
        } else {
            scroll_wrapped(v, &l, v->pos.page);
        }
        if (head) draw_heads(v, c, 1, &l);
        draw_rows(v, c, v->pos.page, &l, focus);
        if (stats) {
            tt_canvas pane = tt_canvas_window(c, c->h - detail - stats, 0, stats, c->w);
            tt_table_stats_draw(v, &pane);
        }
        if (detail) {
            tt_canvas pane = tt_canvas_window(c, c->h - detail, 0, detail, c->w);
            draw_detail(v, &pane, &l);
        }
    }
    if (v->menu.open && v->table) tt_table_menu_draw(v, c);
}
