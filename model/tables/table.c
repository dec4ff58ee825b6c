/* model/tables/table.c - the rows and cells of a table: see table.h. */
#include "model/tables/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const tt_column tt_table_lead[] = {
    {.key = "worker", .title = "Worker", .type = TT_T_STRING, .help = "worker that the row is about"},
    {.key = "span", .title = "Span", .type = TT_T_STRING, .help = "profiled span that the row is about"},
    {.key = "thread", .title = "Thread", .type = TT_T_STRING, .help = "CPU thread of the row"},
};

int tt_table_group(const tt_table_desc *d, const char *key)
{
    for (int g = 0; d->groups && d->groups[g]; g++) {
        if (!strcmp(d->groups[g], key)) return g;
    }
    return -1;
}

static const char gpu[] = "GPU"; /* the word for a device in texts as they are written */

/* Place of "GPU" in the text when the table's devices have another name; else NULL. */
static const char *other_device(const tt_table *t, const char *text)
{
    return text && t->device && strcmp(t->device, gpu) ? strstr(text, gpu) : NULL;
}

const char *tt_device_shown(const char *device, char out[TT_TITLE_CAP])
{
    int letters = (int)strcspn(device, "0123456789");
    snprintf(out, TT_TITLE_CAP, "%.*s%s%s", letters, device, letters && device[letters] ? " " : "", device + letters);
    return out;
}

const char *tt_table_title(const tt_table *t, uint32_t col, char out[TT_TITLE_CAP])
{
    const char *title = t->cols[col]->title, *at = other_device(t, title);
    if (!at) return title;
    snprintf(out, TT_TITLE_CAP, "%.*s%s%s", (int)(at - title), title, t->device, at + sizeof gpu - 1);
    return out;
}

int tt_table_column(const tt_table *t, const char *key)
{
    for (uint32_t c = 0; c < t->n_cols; c++) {
        if (!strcmp(t->cols[c]->key, key)) return (int)c;
    }
    return -1;
}

int tt_table_known_column(const tt_table *t, const char *key)
{
    int c = tt_table_column(t, key);
    return c >= 0 && t->known && !t->known[c] ? -1 : c;
}

bool tt_cell_unknown(tt_type type, tt_cell c)
{
    switch (type) {
    case TT_T_STRING: return !c.s;
    case TT_T_PERCENT:
    case TT_T_NUMBER: return !isfinite(c.d);
    default: return c.i == TT_UNKNOWN;
    }
}

/* ---- rows ---- */

static void grow_drilldowns(tt_drilldown **of, size_t had, size_t cap)
{
    if (!*of) return;
    *of = tt_realloc(*of, cap, sizeof **of);
    memset(*of + had, 0, (cap - had) * sizeof **of);
}

uint32_t tt_table_add(tt_table *t)
{
    if (t->n_rows == t->cap_rows) {
        size_t cap = t->cap_rows ? t->cap_rows * 2 : 64;
        t->cells = tt_realloc(t->cells, cap * t->n_cols, sizeof *t->cells);
        grow_drilldowns(&t->drilldowns, t->cap_rows, cap);
        grow_drilldowns(&t->base_drilldowns, t->cap_rows, cap);
        t->cap_rows = cap;
    }
    uint32_t row = t->n_rows++;
    tt_cell *cells = t->cells + (size_t)row * t->n_cols;
    for (uint32_t c = 0; c < t->n_cols; c++) cells[c] = tt_cell_none(t->cols[c]->type);
    for (uint32_t c = 0; c < t->lead; c++) {
        const tt_column *col = t->cols[c];
        cells[c].s = col == &tt_table_lead[0]   ? t->lead_worker
                     : col == &tt_table_lead[1] ? t->lead_span
                                                : t->lead_thread;
    }
    return row;
}

/* The cell of a column of the descriptor; NULL when these options hide the column. */
static tt_cell *cell_at(tt_table *t, uint32_t row, uint32_t desc_col)
{
    uint32_t c = t->col_of[desc_col];
    return c == TT_NONE ? NULL : &t->cells[(size_t)row * t->n_cols + c];
}

void tt_set_i(tt_table *t, uint32_t row, uint32_t desc_col, int64_t v)
{
    tt_cell *c = cell_at(t, row, desc_col);
    if (c) c->i = v;
}

void tt_set_d(tt_table *t, uint32_t row, uint32_t desc_col, double v)
{
    tt_cell *c = cell_at(t, row, desc_col);
    if (c) c->d = v;
}

void tt_set_s(tt_table *t, uint32_t row, uint32_t desc_col, const char *s)
{
    tt_cell *c = cell_at(t, row, desc_col);
    if (c) c->s = s ? tt_arena_strndup(&t->arena, s, strlen(s)) : NULL;
}

void tt_set_ref(tt_table *t, uint32_t row, uint32_t desc_col, const char *s)
{
    tt_cell *c = cell_at(t, row, desc_col);
    if (c) c->s = s;
}

tt_drilldown *tt_set_drilldown(tt_table *t, uint32_t row)
{
    if (!t->drilldowns) t->drilldowns = tt_calloc(t->cap_rows, sizeof *t->drilldowns);
    t->drilldowns[row] = (tt_drilldown){0};
    return &t->drilldowns[row];
}

tt_drilldown *tt_set_base_drilldown(tt_table *t, uint32_t row)
{
    if (!t->base_drilldowns) t->base_drilldowns = tt_calloc(t->cap_rows, sizeof *t->base_drilldowns);
    t->base_drilldowns[row] = (tt_drilldown){0};
    return &t->base_drilldowns[row];
}

void tt_clear_lead(tt_table *t, uint32_t row)
{
    for (uint32_t c = 0; c < t->lead; c++) {
        if (t->cols[c] != &tt_table_lead[1]) t->cells[(size_t)row * t->n_cols + c].s = NULL;
    }
}

void tt_table_free(tt_table *t)
{
    if (!t) return;
    free(t->cells);
    free(t->drilldowns);
    free(t->base_drilldowns);
    free(t->col_store);
    free(t->col_of);
    if (t->attached) t->attached->free(t->attached);
    tt_arena_free(&t->arena);
    free(t);
}
