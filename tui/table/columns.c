/* tui/table/columns.c - the columns of the table widget: their order, hidden columns, the menu to choose columns from.
 * Also marked rows, and the table as it is shown, for copies and exports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "tui/table/view_impl.h"
#include "tui/widgets/scroll.h"

static uint32_t n_places(const tt_table_view *v)
{
    return v->table->n_cols < TT_MAX_COLS ? v->table->n_cols : TT_MAX_COLS;
}

uint32_t tt_table_col_at(const tt_table_view *v, uint32_t place)
{
    return place < v->columns.n_order ? v->columns.order[place] : place;
}

static void table_columns_reset(tt_table_view *v)
{
    v->columns.n_order = 0;
    v->columns.hidden = 0;
    v->columns.first = 0;
    v->kept.columns.n = 0;
}

static void own_order(tt_table_view *v)
{
    if (v->columns.n_order) return;
    v->columns.n_order = n_places(v);
    for (uint32_t i = 0; i < v->columns.n_order; i++) v->columns.order[i] = (uint8_t)i;
}

/* ---- the list of columns ---- */

static void menu_move_column(tt_table_view *v, int by)
{
    uint32_t to = v->menu.at + (uint32_t)by;
    own_order(v);
    if (to >= v->columns.n_order) return; /* also above the first */
    uint8_t c = v->columns.order[v->menu.at];
    v->columns.order[v->menu.at] = v->columns.order[to];
    v->columns.order[to] = c;
    v->menu.at = to;
}

static void menu_toggle(tt_table_view *v)
{
    uint32_t c = tt_table_col_at(v, v->menu.at);
    if (c == tt_name_column(v->table)) {
        tt_host_set_status(v->host, "the name column stays");
    } else {
        v->columns.hidden ^= 1ull << c;
    }
}

bool tt_table_menu_act(tt_table_view *v, tt_action a)
{
    uint32_t n = n_places(v);
    char line[80];
    switch (a) {
    case TT_ACT_UP: v->menu.at -= v->menu.at > 0; return true;
    case TT_ACT_DOWN: v->menu.at += v->menu.at + 1 < n; return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME:
    case TT_ACT_HALF_UP:
    case TT_ACT_PAGE_UP: v->menu.at = 0; return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END:
    case TT_ACT_HALF_DOWN:
    case TT_ACT_PAGE_DOWN: v->menu.at = n ? n - 1 : 0; return true;
    case TT_ACT_MARK_ROW:
    case TT_ACT_COL_HIDE: menu_toggle(v); return true;
    case TT_ACT_SORT_PREV:
    case TT_ACT_COL_LEFT: menu_move_column(v, -1); return true;
    case TT_ACT_SORT_NEXT:
    case TT_ACT_COL_RIGHT: menu_move_column(v, 1); return true;
    case TT_ACT_COLUMNS: table_columns_reset(v); return true;
    case TT_ACT_ENTER:
        v->menu.open = false;
        snprintf(line, sizeof line, "%s", v->table->cols[tt_table_col_at(v, v->menu.at)]->key);
        return tt_table_view_command(v, "sort", line);
    case TT_ACT_CANCEL:
    case TT_ACT_BACK_OR_QUIT: v->menu.open = false; return true;
    default: return false;
    }
}

void tt_table_menu_draw(tt_table_view *v, tt_canvas *c)
{
    int n = (int)n_places(v), h = n + 3 < c->h ? n + 3 : c->h, w = c->w < 64 ? c->w : 64;
    tt_canvas in = tt_box(c, 0, c->w - w, h, w, "Columns");
    int rows = in.h - 1;
    if (rows < 1) return;
    if ((int)v->menu.at >= n) v->menu.at = n ? (uint32_t)n - 1 : 0;
    v->menu.top = tt_scroll_to(v->menu.top, v->menu.at, rows);
    for (int y = 0; y < rows && (int)v->menu.top + y < n; y++) {
        uint32_t place = v->menu.top + (uint32_t)y, col = tt_table_col_at(v, place);
        const tt_column *what = v->table->cols[col];
        bool on = place == v->menu.at;
        tt_putf(&in, y, 0, TT_ROLE_STRONG, 5, "%c[%c]", on ? '>' : ' ', v->columns.hidden >> col & 1 ? ' ' : 'x');
        tt_put_cut(&in, y, 5, TT_ROLE_POPUP, what->title, 16, TT_CUT_END);
        tt_put_cut(&in, y, 22, TT_ROLE_DIM, what->help, in.w - 22, TT_CUT_END);
        if (on) tt_restyle(&in, y, 0, 1, in.w, TT_ROLE_CURSOR);
    }
    tt_put_cut(&in, in.h - 1, 1, TT_ROLE_DIM, "Space shows or hides   < > moves   Enter sorts   X as it was", in.w - 2,
               TT_CUT_END);
}

bool tt_table_columns_command(tt_table_view *v, const char *arg)
{
    if (!v->table) return false;
    uint32_t n = n_places(v), found = 0, name = tt_name_column(v->table);
    uint8_t order[TT_MAX_COLS];
    uint64_t hidden = n < 64 ? (1ull << n) - 1 : UINT64_MAX;
    if (!*arg) return false;
    if (strcmp(arg, "all") == 0) {
        table_columns_reset(v);
        return true;
    }
    for (const char *p = arg; *p;) {
        char key[64];
        size_t len = strcspn(p, ", ");
        snprintf(key, sizeof key, "%.*s", (int)(len < sizeof key ? len : sizeof key - 1), p);
        int c = tt_table_column(v->table, key);
        if (c < 0 || (uint32_t)c >= n) {
            tt_host_set_status(v->host, "no column '%s' here", key);
            return true;
        }
        if (hidden >> c & 1) order[found++] = (uint8_t)c;
        hidden &= ~(1ull << c);
        p += len;
        p += strspn(p, ", ");
    }
    v->columns.hidden = name < 64 ? hidden & ~(1ull << name) : hidden; /* the name column is never hidden */
    for (uint32_t c = 0; c < n; c++) {
        if (hidden >> c & 1) order[found++] = (uint8_t)c;
    }
    memcpy(v->columns.order, order, n);
    v->columns.n_order = n;
    v->columns.first = 0;
    return true;
}

/* ---- marks ---- */

void tt_table_mark(tt_table_view *v, uint32_t row)
{
    if (!v->marks.bits) v->marks.bits = tt_calloc(v->table->n_rows / 8 + 1, 1);
    v->marks.bits[row >> 3] ^= (uint8_t)(1 << (row & 7));
    if (v->marks.bits[row >> 3] >> (row & 7) & 1) {
        v->marks.n++;
    } else {
        v->marks.n--;
    }
}

void tt_table_unmark(tt_table_view *v)
{
    free(v->marks.bits);
    v->marks.bits = NULL;
    v->marks.n = 0;
    v->kept.marks.n = 0;
}

/* Sums of means, extremes and ids say nothing; sums of totals count a row again in the row around it. */
bool tt_table_adds_up(const tt_column *c)
{
    static const char *const not_these[] = {"mean", "max", "min", "_total_ns"};
    for (size_t i = 0; i < sizeof not_these / sizeof *not_these; i++) {
        if (strstr(c->key, not_these[i])) return false;
    }
    return c->type == TT_T_DURATION || c->type == TT_T_BYTES ||
           (c->type == TT_T_COUNT && (strstr(c->key, "calls") || strstr(c->key, "count")));
}

void tt_table_marks_text(const tt_table_view *v, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%u marked", v->marks.n);
    char sep = ':';
    for (uint32_t i = 0; i < n_places(v); i++) {
        uint32_t col = tt_table_col_at(v, i);
        const tt_column *c = v->table->cols[col];
        int64_t sum = 0;
        char text[TT_TEXT_CAP];
        if ((v->columns.hidden >> col & 1) || !tt_table_adds_up(c)) continue;
        for (uint32_t row = 0; row < v->table->n_rows; row++) {
            tt_cell cell = tt_table_cell(v->table, row, col);
            if (tt_table_marked(v, row) && !tt_cell_unknown(c->type, cell)) sum += cell.i;
        }
        tt_format_cell(text, c, (tt_cell){.i = sum}, (tt_unit)tt_host_unit(v->host), NULL);
        tt_buf_add(&line, "%c %s %s", sep, c->title, text);
        sep = ',';
    }
}

/* ---- the table as it is shown ---- */

tt_table *tt_table_shown(const tt_table_view *v)
{
    const tt_table *t = v->table;
    tt_table *out = tt_calloc(1, sizeof *out);
    const tt_column **cols = tt_calloc((size_t)t->n_cols + 1, sizeof *cols);
    uint32_t *from = tt_calloc((size_t)t->n_cols + 1, sizeof *from);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_cols; i++) {
        uint32_t col = tt_table_col_at(v, i);
        if (col < 64 && (v->columns.hidden >> col & 1)) continue;
        from[n] = col;
        cols[n++] = t->cols[col];
    }
    *out = (tt_table){.desc = t->desc,
                      .options = t->options,
                      .cols = cols,
                      .col_store = cols,
                      .n_cols = n,
                      .device = t->device,
                      .note = t->note};
    out->cells = tt_calloc((size_t)v->rows.n * n + 1, sizeof *out->cells);
    for (uint32_t i = 0; i < v->rows.n; i++) {
        uint32_t row = v->rows.rows[i];
        if (v->marks.n && !tt_table_marked(v, row)) continue;
        for (uint32_t c = 0; c < n; c++) out->cells[(size_t)out->n_rows * n + c] = tt_table_cell(t, row, from[c]);
        out->n_rows++;
    }
    free(from);
    return out;
}

void tt_table_shown_free(tt_table *t)
{
    free(t->cells);
    free(t->col_store);
    free(t);
}
