/* model/tables/cells.c - see cells.h. */
#include "model/tables/cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_real(tt_type type) { return type == TT_T_PERCENT || type == TT_T_NUMBER; }

static bool has_cell(const tt_table *t, uint32_t row, int place) { return t && row < t->n_rows && place >= 0; }

int64_t tt_whole_at(const tt_table *t, uint32_t row, int place)
{
    if (!has_cell(t, row, place) || t->cols[place]->type == TT_T_STRING || is_real(t->cols[place]->type))
        return TT_UNKNOWN;
    return tt_table_cell(t, row, (uint32_t)place).i;
}

double tt_real_at(const tt_table *t, uint32_t row, int place)
{
    if (!has_cell(t, row, place) || t->cols[place]->type == TT_T_STRING) return NAN;
    tt_cell v = tt_table_cell(t, row, (uint32_t)place);
    if (is_real(t->cols[place]->type)) return v.d;
    return v.i == TT_UNKNOWN ? NAN : (double)v.i;
}

const char *tt_text_at(const tt_table *t, uint32_t row, int place)
{
    if (!has_cell(t, row, place) || t->cols[place]->type != TT_T_STRING) return "";
    const char *s = tt_table_cell(t, row, (uint32_t)place).s;
    return s ? s : "";
}

int64_t tt_cell_i(const tt_table *t, uint32_t row, uint32_t column)
{
    return tt_whole_at(t, row, tt_column_shown(t, column));
}

double tt_cell_d(const tt_table *t, uint32_t row, uint32_t column)
{
    return tt_real_at(t, row, tt_column_shown(t, column));
}

const char *tt_cell_s(const tt_table *t, uint32_t row, uint32_t column)
{
    return tt_text_at(t, row, tt_column_shown(t, column));
}

const char *tt_cell_label(const tt_table *t, uint32_t row, uint32_t column, char out[TT_CELL_LABEL])
{
    const char *text = tt_cell_s(t, row, column);
    int64_t n = *text ? TT_UNKNOWN : tt_cell_i(t, row, column);
    if (n == TT_UNKNOWN) return text;
    snprintf(out, TT_CELL_LABEL, "%" PRId64, n);
    return out;
}

const char *tt_cell_worker(const tt_table *t, uint32_t row)
{
    return t ? tt_text_at(t, row, tt_table_column(t, "worker")) : "";
}

const char *tt_cell_span(const tt_table *t, uint32_t row)
{
    return t ? tt_text_at(t, row, tt_table_column(t, "span")) : "";
}

bool tt_has_worker(const tt_table *t) { return tt_table_column(t, "worker") >= 0; }

int tt_depth_column(const tt_table *t) { return tt_table_column(t, "depth"); }
int tt_path_column(const tt_table *t) { return tt_table_column(t, "path"); }

uint32_t tt_name_column(const tt_table *t)
{
    uint32_t first = TT_NONE;
    for (int i = 0; i < 2; i++) {
        int c = tt_table_column(t, i ? "operator" : "name");
        if (c >= 0 && t->cols[c]->type == TT_T_STRING) return (uint32_t)c;
    }
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (t->cols[c]->type != TT_T_STRING) continue;
        if (strcmp(t->cols[c]->key, "worker") && strcmp(t->cols[c]->key, "span")) return c;
        if (first == TT_NONE) first = c;
    }
    return first;
}

bool tt_cells_same_run(const tt_table *a, uint32_t row_a, const tt_table *b, uint32_t row_b)
{
    return !strcmp(tt_cell_worker(a, row_a), tt_cell_worker(b, row_b)) &&
           !strcmp(tt_cell_span(a, row_a), tt_cell_span(b, row_b));
}
