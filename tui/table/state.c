/* tui/table/state.c - marked rows, the selected row and the order of columns, kept when the rows come anew: after a
 * change of scope or grouping, or when the trace is replaced by a longer one. Rows are found again by their texts,
 * columns by their keys. Marks and columns without a place in the new table are remembered until the old table comes
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "tui/table/view_impl.h"

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15u ^ h >> 29; }

uint64_t tt_table_row_id(const tt_table_view *v, const tt_table *t, uint32_t row)
{
    uint64_t id = tt_table_row_key(t, row);
    const tt_drilldown *o = t->drilldowns ? &t->drilldowns[row] : NULL;
    if (!o || (o->what != TT_DRILL_ROW && o->what != TT_DRILL_RANGE)) return id;
    for (uint32_t c = 0; c < t->n_cols;
         c++) { /* a row about one event: its time tells it from events of the same name */
        if (t->cols[c]->type == TT_T_TIME) id = mix(id, (uint64_t)(tt_table_cell(t, row, c).i - v->kept.shift));
    }
    return id;
}

static uint64_t name_id(const tt_table *t, uint32_t row, uint32_t name_col)
{
    const char *s = name_col == TT_NONE ? NULL : tt_table_cell(t, row, name_col).s;
    return s ? tt_hash(s, strlen(s)) : tt_hash("", 0);
}

static tt_kept_table_row key_of(const tt_table_view *v, const tt_table *t, uint32_t row)
{
    return (tt_kept_table_row){tt_table_row_id(v, t, row), name_id(t, row, tt_name_column(t))};
}

static void keep_columns(tt_table_view *v)
{
    const tt_table *t = v->table;
    size_t before = v->kept.columns.n;
    tt_kept_column *old = v->kept.columns.at;
    if (!v->columns.n_order && !v->columns.hidden && !before) return;
    memset(&v->kept.columns, 0, sizeof v->kept.columns);
    for (uint32_t i = 0; i < t->n_cols && i < TT_MAX_COLS; i++) {
        uint32_t c = tt_table_col_at(v, i);
        tt_kept_column *k = tt_vec_push(&v->kept.columns);
        snprintf(k->key, sizeof k->key, "%s", t->cols[c]->key);
        k->hidden = v->columns.hidden >> c & 1;
    }
    for (size_t i = 0; i < before; i++) { /* columns that this table does not have */
        if (tt_table_column(t, old[i].key) < 0) *tt_vec_push(&v->kept.columns) = old[i];
    }
    free(old);
}

void tt_table_keep(tt_table_view *v)
{
    const tt_table *t = v->table;
    v->kept.has_sel = v->pos.sel != TT_NONE && v->pos.sel < t->n_rows;
    if (v->kept.has_sel) v->kept.sel = key_of(v, t, v->pos.sel);
    for (uint32_t r = 0; v->marks.n && r < t->n_rows; r++) {
        if (tt_table_marked(v, r)) *tt_vec_push(&v->kept.marks) = key_of(v, t, r);
    }
    free(v->marks.bits);
    v->marks.bits = NULL;
    v->marks.n = 0;
    keep_columns(v);
}

static void apply_columns(tt_table_view *v)
{
    const tt_table *t = v->table;
    uint32_t n = t->n_cols < TT_MAX_COLS ? t->n_cols : TT_MAX_COLS;
    uint64_t placed = 0;
    v->columns.hidden = 0;
    v->columns.n_order = 0;
    if (!v->kept.columns.n) return;
    for (size_t i = 0; i < v->kept.columns.n; i++) {
        int c = tt_table_column(t, v->kept.columns.at[i].key);
        if (c < 0 || (uint32_t)c >= n || placed >> c & 1) continue;
        placed |= 1ull << c;
        v->columns.order[v->columns.n_order++] = (uint8_t)c;
        if (v->kept.columns.at[i].hidden) v->columns.hidden |= 1ull << c;
    }
    for (uint32_t c = 0; c < n; c++) {
        if (!(placed >> c & 1)) v->columns.order[v->columns.n_order++] = (uint8_t)c;
    }
}

/* The row with this id, else the first row with this name. */
static uint32_t find_row(const tt_table_view *v, tt_kept_table_row k, bool *exact)
{
    const tt_table *t = v->table;
    uint32_t c = tt_name_column(t), named = TT_NONE, n_named = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (tt_table_row_id(v, t, r) == k.id) {
            *exact = true;
            return r;
        }
        if (c == TT_NONE || name_id(t, r, c) != k.name) continue;
        if (!n_named++) named = r;
    }
    *exact = n_named == 1;
    return named;
}

static int by_id(const void *a, const void *b)
{
    const tt_kept_table_row *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Mark the rows of the list that the table has, and take them off the list. */
static void apply_marks(tt_table_view *v)
{
    const tt_table *t = v->table;
    size_t n = v->kept.marks.n, left = 0;
    tt_kept_table_row *k = v->kept.marks.at;
    if (!n) return;
    qsort(k, n, sizeof *k, by_id);
    bool *found = tt_calloc(n, sizeof *found);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        tt_kept_table_row want = {tt_table_row_id(v, t, r), 0}, *at = bsearch(&want, k, n, sizeof *k, by_id);
        if (!at || found[at - k] || tt_table_marked(v, r)) continue;
        tt_table_mark(v, r);
        found[at - k] = true;
    }
    for (size_t i = 0; i < n; i++) {
        bool sure = found[i];
        uint32_t r = sure ? TT_NONE : find_row(v, k[i], &sure);
        if (r != TT_NONE && sure && !tt_table_marked(v, r)) tt_table_mark(v, r);
        if (!sure) k[left++] = k[i];
    }
    v->kept.marks.n = left;
    free(found);
}

uint32_t tt_table_keep_apply(tt_table_view *v)
{
    bool exact;
    apply_columns(v);
    apply_marks(v);
    return v->kept.has_sel ? find_row(v, v->kept.sel, &exact) : TT_NONE;
}

void tt_table_keep_free(tt_table_view *v)
{
    tt_vec_free(&v->kept.marks);
    tt_vec_free(&v->kept.columns);
}
