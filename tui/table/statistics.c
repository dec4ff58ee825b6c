/* tui/table/statistics.c - the strip under a table with the statistics of the sorted column: quantiles, sum and a
 * histogram. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/table/view_impl.h"

typedef struct tt_col_summary {
    int col;
    uint32_t n; /* known values */
    double min, max, mean, sum, p50, p90, p99;
    bool log; /* bins grow by a factor */
    uint32_t bin[TT_BINS];
} tt_col_summary;

/* A comparator of its own, which is faster than keys: a column may have millions of cells. */
static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint32_t bin_of(const tt_col_summary *s, double v)
{
    double lo = s->log ? log10(s->min) : s->min, hi = s->log ? log10(s->max) : s->max, x = s->log ? log10(v) : v;
    double at = hi > lo ? (x - lo) / (hi - lo) * TT_BINS : 0;
    return at >= TT_BINS ? TT_BINS - 1 : at < 0 ? 0 : (uint32_t)at;
}

static tt_col_summary *summarise(const tt_table_view *v, int col)
{
    tt_col_summary *s = tt_calloc(1, sizeof *s);
    double *value = tt_malloc(((size_t)v->rows.n + 1) * sizeof *value);
    s->col = col;
    for (uint32_t i = 0; i < v->rows.n; i++) {
        double d = tt_table_number(v->table->cols[col]->type, tt_table_cell(v->table, v->rows.rows[i], (uint32_t)col));
        if (!isfinite(d)) continue;
        value[s->n++] = d;
        s->sum += d;
    }
    if (s->n) {
        qsort(value, s->n, sizeof *value, by_value);
        s->min = value[0];
        s->max = value[s->n - 1];
        s->mean = s->sum / s->n;
        s->p50 = value[(s->n - 1) / 2];
        s->p90 = value[(size_t)((s->n - 1) * 0.9)];
        s->p99 = value[(size_t)((s->n - 1) * 0.99)];
        s->log = s->min > 0 && s->max / s->min > 50;
        for (uint32_t i = 0; i < s->n; i++) s->bin[bin_of(s, value[i])]++;
    }
    free(value);
    return s;
}

static const char *text_of(const tt_table_view *v, const tt_column *c, double d, char out[TT_TEXT_CAP])
{
    tt_cell cell = {.d = d};
    if (c->type != TT_T_PERCENT && c->type != TT_T_NUMBER) cell.i = (int64_t)llround(d);
    return tt_format_cell(out, c, cell, (tt_unit)tt_host_unit(v->host), NULL);
}

static void draw_numbers(const tt_table_view *v, const tt_col_summary *s, tt_canvas *c, int y)
{
    const tt_column *col = v->table->cols[s->col];
    const struct {
        const char *label;
        double value;
    } part[] = {{"min", s->min}, {"median", s->p50}, {"mean", s->mean}, {"max", s->max},
                {"90%", s->p90}, {"99%", s->p99},    {"sum", s->sum}};
    size_t n = sizeof part / sizeof *part - !tt_table_adds_up(col);
    int x = 1;
    for (size_t i = 0; i < n; i++) {
        char text[TT_TEXT_CAP];
        text_of(v, col, part[i].value, text);
        int w = (int)strlen(part[i].label) + 1 + tt_text_width(text, strlen(text));
        if (x + w >= c->w) break;
        x += tt_put(c, y, x, TT_ROLE_DIM, part[i].label, -1) + 1;
        x += tt_put(c, y, x, TT_ROLE_TEXT, text, -1) + 3;
    }
}

static void draw_histogram(const tt_table_view *v, const tt_col_summary *s, tt_canvas *c, int y)
{
    char lo[TT_TEXT_CAP], hi[TT_TEXT_CAP];
    uint32_t most = 1;
    const tt_column *col = v->table->cols[s->col];
    text_of(v, col, s->min, lo);
    text_of(v, col, s->max, hi);
    int x = 1 + tt_put(c, y, 1, TT_ROLE_DIM, lo, -1) + 1, room = c->w - x - (int)strlen(hi) - 14;
    int each = room < TT_BINS ? (TT_BINS + room - 1) / (room > 0 ? room : 1) : 1;
    if (room < 8) return;
    for (int i = 0; i < TT_BINS; i += each) {
        uint32_t n = 0;
        for (int k = i; k < i + each && k < TT_BINS; k++) n += s->bin[k];
        if (n > most) most = n;
    }
    for (int i = 0; i < TT_BINS; i += each, x++) {
        uint32_t n = 0;
        for (int k = i; k < i + each && k < TT_BINS; k++) n += s->bin[k];
        int eighths = (int)((uint64_t)n * 8 / most);
        tt_put_char(c, y, x, TT_ROLE_PLOT, tt_height(c, n && !eighths ? 1 : eighths));
    }
    tt_putf(c, y, x + 1, TT_ROLE_DIM, c->w - x - 2, "%s%s", hi, s->log ? "  (log)" : "");
}

void tt_table_stats_draw(tt_table_view *v, tt_canvas *c)
{
    int col = tt_table_sort_col(v);
    char title[160], rows[48];
    if (col < 0 || v->table->cols[col]->type == TT_T_STRING) {
        tt_rule(c, 0, "Statistics", NULL);
        tt_put_cut(c, 1, 1, TT_ROLE_DIM, "sort by a column of numbers first (< >)", c->w - 2, TT_CUT_END);
        return;
    }
    if (!v->summary || v->summary->col != col) {
        free(v->summary);
        v->summary = summarise(v, col);
    }
    snprintf(title, sizeof title, "Statistics of %s", v->table->cols[col]->title);
    snprintf(rows, sizeof rows, "%u of %u rows have it", v->summary->n, v->rows.n);
    tt_rule(c, 0, title, rows);
    if (!v->summary->n) return;
    draw_numbers(v, v->summary, c, 1);
    draw_histogram(v, v->summary, c, 2);
}
