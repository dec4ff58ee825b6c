/* tui/table/tree.c - tables in the order of a tree: indentation, folding rows. */
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "tui/table/view_impl.h"

static uint32_t depth_col(const tt_table *t)
{
    int c = t->desc->flags & TT_TABLE_TREE ? tt_depth_column(t) : -1;
    return c >= 0 ? (uint32_t)c : TT_NONE;
}

uint32_t tt_table_depth_col(const tt_table_view *v)
{
    return v->table && !v->choice.has_sort && !v->choice.filter[0] ? depth_col(v->table) : TT_NONE;
}

static int64_t depth_of(const tt_table *t, uint32_t row, uint32_t col)
{
    int64_t d = tt_table_cell(t, row, col).i;
    return d < 0 ? 0 : d;
}

uint64_t tt_table_row_key(const tt_table *t, uint32_t row)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t c = 0; c < t->n_cols; c++) { /* worker, path, name: the texts that identify the row */
        if (t->cols[c]->type != TT_T_STRING || t->cols[c]->place)
            continue; /* columns of places exist with some options only */
        const char *s = tt_table_cell(t, row, c).s;
        for (; s && *s; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3u;
        h = (h ^ 0xff) * 0x100000001b3u;
    }
    return h;
}

static bool has_key(const uint64_t *keys, size_t n, uint64_t key)
{
    for (size_t i = 0; i < n; i++) {
        if (keys[i] == key) return true;
    }
    return false;
}

bool tt_table_is_folded(const tt_table_view *v, uint32_t row)
{
    return v->folded.n && has_key(v->folded.at, v->folded.n, tt_table_row_key(v->table, row));
}

bool tt_table_has_inside(const tt_table *t, uint32_t row, uint32_t col)
{
    return row + 1 < t->n_rows && depth_of(t, row + 1, col) > depth_of(t, row, col);
}

void tt_table_fold_rows(const tt_table *t, const uint64_t *folded, size_t n, tt_row_order *rows)
{
    uint32_t col = depth_col(t), kept = 0;
    int64_t hide = INT64_MAX; /* rows deeper than this are hidden */
    if (col == TT_NONE) return;
    uint64_t *sorted = tt_malloc(n * sizeof *sorted);
    memcpy(sorted, folded, n * sizeof *sorted);
    TT_SORT_UP(sorted, n);
    for (uint32_t i = 0; i < rows->n; i++) {
        uint32_t row = rows->rows[i];
        int64_t d = depth_of(t, row, col);
        if (d > hide) continue;
        hide = TT_SORTED_FIND(sorted, n, tt_table_row_key(t, row)) < n ? d : INT64_MAX;
        rows->rows[kept++] = row;
    }
    rows->n = kept;
    free(sorted);
}

static void set_folded(tt_table_view *v, uint32_t row, bool fold)
{
    uint64_t key = tt_table_row_key(v->table, row);
    for (size_t i = 0; i < v->folded.n; i++) {
        if (v->folded.at[i] != key) continue;
        if (!fold) v->folded.at[i] = v->folded.at[--v->folded.n];
        return;
    }
    if (fold) *tt_vec_push(&v->folded) = key;
}

static void fold_all(tt_table_view *v, uint32_t col)
{
    bool any = v->folded.n > 0;
    v->folded.n = 0;
    for (uint32_t row = 0; row < v->table->n_rows && !any; row++) {
        if (tt_table_has_inside(v->table, row, col)) *tt_vec_push(&v->folded) = tt_table_row_key(v->table, row);
    }
}

/* Go to the row around the selected row. */
static void go_out(tt_table_view *v, uint32_t col)
{
    int64_t d = depth_of(v->table, v->pos.sel, col);
    for (uint32_t line = v->pos.cursor; line-- > 0;) {
        if (depth_of(v->table, v->rows.rows[line], col) >= d) continue;
        tt_table_view_go(v, line);
        return;
    }
}

bool tt_table_act_on_tree(tt_table_view *v, tt_action a)
{
    if (a != TT_ACT_FOLD && a != TT_ACT_UNFOLD && a != TT_ACT_FOLD_TOGGLE && a != TT_ACT_FOLD_ALL) return false;
    uint32_t col = tt_table_depth_col(v);
    if (col == TT_NONE || v->pos.sel == TT_NONE) {
        tt_host_set_status(v->host, col == TT_NONE ? "no tree in this order (O: original order)" : "no row selected");
        return true;
    }
    bool folded = tt_table_is_folded(v, v->pos.sel), inside = tt_table_has_inside(v->table, v->pos.sel, col);
    if (a == TT_ACT_FOLD && (folded || !inside)) {
        go_out(v, col);
        return true;
    }
    if (a == TT_ACT_FOLD_ALL) {
        fold_all(v, col);
    } else if (inside) {
        set_folded(v, v->pos.sel, a == TT_ACT_FOLD || (a == TT_ACT_FOLD_TOGGLE && !folded));
    }
    tt_table_view_ask(v, false);
    return true;
}
