/* tui/charts/step_chart.c - the picture of the phases of steps. */
#include "tui/charts/step_chart.h"
#include "model/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/steps/columns.h"
#include "tui/charts/stacked_bar.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/scroll.h"

/* Gap: mostly waiting for input. Tail: collectives and the update of parameters. */
static const tt_stack_part parts[] = {
    {TT_STEP_TRACE_GAP, "gap", TT_HUE_DATALOADER},
    {TT_STEP_TRACE_FORWARD_BACKWARD, "forward+backward", TT_HUE_FORWARD},
    {TT_STEP_TRACE_TAIL, "tail", TT_HUE_OPTIMIZATION},
};
/* The same parts as table step_trace_summary names them. */
static const char *const averages[] = {"gap", "forward_backward", "tail"};
enum { N_PARTS = sizeof parts / sizeof *parts, LABEL_W = 11, WIDEST = 9 };
static const tt_hue collectives_hue = TT_HUE_COMMUNICATION;

/* ---- what is in the tables ---- */

/* The value at the upper edge: the longest step, unless a few steps are so much longer that the others would look
 * flat. */
static int64_t upper_edge(const tt_table *t, uint32_t column)
{
    int64_t *all = tt_malloc((t->n_rows + 1u) * sizeof *all), top = 0;
    uint32_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t ns = tt_cell_i(t, r, column);
        if (ns > 0) all[n++] = ns;
    }
    if (n) {
        TT_SORT_UP(all, n);
        int64_t most = all[n - 1], usual = all[(n - 1) * 9 / 10];
        top = most / 2 > usual ? usual + usual / 4 : most;
    }
    free(all);
    return top;
}

/* Read mean and percent of a part ("gap") from the table of averages, the mean over several workers; false = the
 * table lacks the part. */
static bool average_of(const tt_table *t, const char *name, int64_t *ns, double *pct)
{
    int64_t n = 0;
    *ns = 0;
    *pct = 0;
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        const char *part = tt_cell_s(t, r, TT_STEP_TRACE_SUMMARY_PART);
        int64_t mean = tt_cell_i(t, r, TT_STEP_TRACE_SUMMARY_MEAN);
        if (strcmp(part, name) != 0) continue;
        if (mean == TT_UNKNOWN || mean < 0 || mean > INT64_MAX / 2 - *ns) continue;
        *ns += mean;
        *pct += tt_cell_d(t, r, TT_STEP_TRACE_SUMMARY_PCT);
        n++;
    }
    *ns /= n ? n : 1;
    *pct /= n ? (double)n : 1;
    return n > 0;
}

typedef struct named_step {
    char label[24];
    const char *worker;
    uint32_t row;
} named_step;

static int by_name(const void *a, const void *b)
{
    const named_step *x = a, *y = b;
    int order = strcmp(x->label, y->label);
    return order ? order : strcmp(x->worker, y->worker);
}

static named_step name_of(const tt_table *t, uint32_t row, uint32_t step)
{
    char buf[24];
    named_step name = {.worker = tt_cell_worker(t, row), .row = row};
    snprintf(name.label, sizeof name.label, "%.23s", tt_cell_label(t, row, step, buf));
    return name;
}

/* Sort the collectives by their step. */
static void share_out(tt_step_chart *s)
{
    uint32_t n = s->steps->n_rows, m = s->collectives ? s->collectives->n_rows : 0;
    named_step *names = tt_malloc((n + 1u) * sizeof *names);
    uint32_t *step = tt_malloc((m + 1u) * sizeof *step), *next = tt_malloc((n + 1u) * sizeof *next);
    s->first = tt_calloc(n + 1u, sizeof *s->first);
    s->of = tt_calloc(m + 1u, sizeof *s->of);
    for (uint32_t r = 0; r < n; r++) names[r] = name_of(s->steps, r, TT_STEP_TRACE_STEP);
    qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 0; i < m; i++) {
        named_step wanted = name_of(s->collectives, i, TT_STEP_COLLECTIVES_STEP);
        const named_step *found = bsearch(&wanted, names, n, sizeof *names, by_name);
        step[i] = found ? found->row : TT_NONE;
        if (found) s->first[found->row + 1]++;
    }
    for (uint32_t r = 0; r < n; r++) s->first[r + 1] += s->first[r];
    memcpy(next, s->first, (n + 1u) * sizeof *next);
    for (uint32_t i = 0; i < m; i++) {
        if (step[i] != TT_NONE) s->of[next[step[i]]++] = i;
    }
    free(next);
    free(step);
    free(names);
}

void tt_step_chart_free(tt_step_chart *s)
{
    free(s->first);
    free(s->of);
    *s = (tt_step_chart){0};
}

void tt_step_chart_set(tt_step_chart *s, const tt_table *steps, const tt_table *average, const tt_table *collectives)
{
    uint32_t left = s->left;
    tt_step_chart_free(s);
    if (!steps || !steps->n_rows) return;
    s->steps = steps;
    s->average = average;
    s->collectives = collectives;
    s->left = left < steps->n_rows ? left : 0;
    double pct;
    if (!average_of(average, "total", &s->mean, &pct)) s->mean = TT_UNKNOWN;
    s->several = strcmp(tt_cell_worker(steps, 0), tt_cell_worker(steps, steps->n_rows - 1)) != 0;
    for (uint32_t r = 1; r < steps->n_rows; r++) {
        if (tt_cell_i(steps, r, TT_STEP_TRACE_TOTAL) > tt_cell_i(steps, s->longest, TT_STEP_TRACE_TOTAL))
            s->longest = r;
    }
    s->top = upper_edge(steps, TT_STEP_TRACE_TOTAL);
    s->top_collectives = upper_edge(steps, TT_STEP_TRACE_COLLECTIVES);
    share_out(s);
}

/* ---- drawing ---- */

static char *duration(char out[TT_TEXT_CAP], int64_t ns, tt_unit unit)
{
    if (ns != TT_UNKNOWN) return tt_format_duration(out, ns, unit);
    snprintf(out, TT_TEXT_CAP, "-");
    return out;
}

/* Draw the legend: the colour of each part, and its share of the average step. */
static void draw_legend(const tt_step_chart *s, tt_canvas *c, int y, tt_unit unit)
{
    char text[96], ns_text[TT_TEXT_CAP];
    int x = 1;
    for (int p = 0; p <= N_PARTS; p++) {
        bool last = p == N_PARTS;
        int64_t ns = 0;
        double pct = NAN;
        const char *title = last ? "collectives" : parts[p].title;
        tt_buf line = tt_buf_of(text);
        tt_buf_add(&line, "%s", title);
        if (last && s->top_collectives <= 0) break;
        if (last && c->w >= 100) tt_buf_add(&line, " up to %s", duration(ns_text, s->top_collectives, unit));
        if (!last && average_of(s->average, averages[p], &ns, &pct)) {
            if (c->w >= 100) tt_buf_add(&line, " %s", duration(ns_text, ns, unit));
            if (pct == pct) tt_buf_add(&line, " %.1f%%", pct);
        }
        if (x + 3 + (int)strlen(text) >= c->w) break;
        tt_fill_paint(c, y, x, 2, tt_paint_hue(last ? collectives_hue : parts[p].hue, 0));
        x += 3 + tt_put(c, y, x + 3, TT_ROLE_DIM, text, -1) + 2;
    }
}

/* Draw a column of n parts upwards from line y; ends: the end of each part, in eighths of a cell. */
static void draw_column(tt_canvas *c, int y, int x, int w, int h, const int *ends, const tt_hue *hues, int n)
{
    bool whole = c->mono || c->few || c->ascii || c->cheap; /* patterns and ASCII have no parts of a cell */
    for (int row = 0; row < h; row++) {
        int low = row * 8, p = 0, q;
        if (whole) low += 4;
        while (p < n && ends[p] <= low) p++;
        if (p == n) {
            if (row == 0 && n && ends[n - 1] > 0)
                p = n - 1; /* what is there shows */
            else
                break;
        }
        if (whole) {
            tt_fill_paint(c, y - row, x, w, tt_paint_hue(hues[p], 0));
            continue;
        }
        for (q = p; q < n && ends[q] <= low + 7;) q++;
        tt_paint above = q == n ? TT_PAINT_NONE : tt_paint_hue(hues[q], 0);
        int part = ends[p] - low;
        if (q == p)
            tt_fill_paint(c, y - row, x, w, tt_paint_hue(hues[p], 0));
        else
            tt_fill(c, y - row, x, 1, w, tt_style_fill(tt_paint_hue(hues[p], 0), above),
                    tt_height(c, part < 1   ? 1
                                 : part > 7 ? 7
                                            : part));
    }
}

static int eighths(int64_t ns, int64_t top, int h)
{
    if (ns <= 0 || top <= 0) return 0;
    double of = (double)ns / (double)top;
    return (int)((of > 1 ? 1 : of) * h * 8 + 0.5);
}

static int column_x(const tt_step_chart *s, uint32_t row) { return s->x + (int)(row - s->left) * s->cell; }
static int bar_w(const tt_step_chart *s) { return s->cell > 1 ? s->cell - 1 : 1; }

/* Draw the columns on lines [y, y + h); line y has the marks above the columns. */
static void draw_columns(const tt_step_chart *s, tt_canvas *c, int y, int h, const tt_step_chart_view *v)
{
    int room = h - 1, foot = y + h - 1, ends[N_PARTS];
    tt_hue hues[N_PARTS];
    for (uint32_t r = s->left; r < s->steps->n_rows && column_x(s, r) + bar_w(s) <= s->x + s->w; r++) {
        int x = column_x(s, r), w = bar_w(s);
        int64_t sum = 0, total = tt_cell_i(s->steps, r, TT_STEP_TRACE_TOTAL);
        for (int p = 0; p < N_PARTS; p++) {
            int64_t ns = tt_cell_i(s->steps, r, parts[p].column);
            sum += ns > 0 ? ns : 0;
            ends[p] = eighths(sum, s->top, room);
            hues[p] = parts[p].hue;
        }
        if (sum <= 0) { /* only the total is known */
            ends[0] = eighths(total, s->top, room);
            hues[0] = TT_HUE_OTHER;
        }
        draw_column(c, foot, x, w, room, ends, hues, sum <= 0 ? 1 : N_PARTS);
        int high = (eighths(total, s->top, room) + 7) / 8, over = foot - (high < room ? high : room);
        bool on = r == v->at;
        for (int line = y + 1; on && line <= over; line++)
            tt_put_char(c, line, x + w / 2, TT_ROLE_DIM, tt_glyph_of(c, TT_G_DASH_V));
        if (total > s->top) tt_fill(c, y + 1, x, 1, w, TT_ROLE_WARN, tt_glyph_of(c, TT_G_ARROW_UP));
        if (on || r == s->longest)
            tt_put_char(c, on || over < y ? y : over, x + w / 2, on ? TT_ROLE_STRONG : TT_ROLE_WARN,
                        tt_glyph_of(c, TT_G_TRI_DOWN));
    }
}

/* Draw a line across the columns at the end of the average step. */
static void draw_average(const tt_step_chart *s, tt_canvas *c, int y, int h, int end)
{
    if (s->mean == TT_UNKNOWN || s->mean <= 0 || s->top <= 0 || h < 4) return;
    int up = eighths(s->mean, s->top, h - 1) / 8, line = y + h - 1 - up;
    if (line <= y) line = y + 1;
    uint32_t ch = tt_glyph_of(c, TT_G_HLINE);
    for (int x = s->x; x < end; x++) {
        tt_cellc *cell = c->cells + (size_t)line * (size_t)c->stride + x;
        if (cell->ch == ' ' && !(cell->style & TT_STYLE_FILL)) tt_put_char(c, line, x, TT_ROLE_GRID, ch);
        if (cell->ch == ' ' && cell->style & TT_STYLE_FILL) cell->ch = ch;
    }
    tt_fill(c, line, 0, 1, LABEL_W - 1, TT_ROLE_TEXT, ' ');
    tt_put_right(c, line, 0, LABEL_W - 1, TT_ROLE_STRONG, "average");
}

static void draw_scale(const tt_step_chart *s, tt_canvas *c, int y, int h, tt_unit unit)
{
    char text[TT_TEXT_CAP];
    for (int i = 1; i < h; i++) tt_put_char(c, y + i, LABEL_W - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    if (h > 1) tt_put_right(c, y + 1, 0, LABEL_W - 1, TT_ROLE_RULER, tt_format_duration(text, s->top, unit));
    if (h > 3) tt_put_right(c, y + h - 1, 0, LABEL_W - 1, TT_ROLE_RULER, "0");
}

/* Write the numbers of steps below their columns; the chosen step always has its number. */
static void draw_numbers(const tt_step_chart *s, tt_canvas *c, int y, const tt_step_chart_view *v)
{
    char buf[24], text[32];
    int free_x = s->x;
    tt_put_right(c, y, 0, LABEL_W - 1, TT_ROLE_RULER, "step");
    const char *on = tt_cell_label(s->steps, v->at, TT_STEP_TRACE_STEP, buf);
    int on_w = (int)strlen(on), on_x = column_x(s, v->at);
    if (on_x + on_w > s->x + s->w) on_x = s->x + s->w - on_w;
    tt_put(c, y, on_x, v->focus ? TT_ROLE_CURSOR : TT_ROLE_STRONG, on, -1);
    for (uint32_t r = s->left; r < s->steps->n_rows; r++) {
        int x = column_x(s, r);
        bool a = r == v->mark[0], b = r == v->mark[1];
        snprintf(text, sizeof text, "%s", a ? "A" : b ? "B" : tt_cell_label(s->steps, r, TT_STEP_TRACE_STEP, buf));
        int w = (int)strlen(text);
        if (x + w > s->x + s->w) break;
        if (r == v->at || x < free_x || (x < on_x + on_w + 1 && x + w + 1 > on_x)) continue;
        tt_put(c, y, x, a || b ? TT_ROLE_MARKED : TT_ROLE_RULER, text, -1);
        free_x = x + w + (s->cell > w ? 0 : 3);
    }
}

static void draw_collectives(const tt_step_chart *s, tt_canvas *c, int y, int h)
{
    tt_put_right(c, y, 0, LABEL_W - 1, TT_ROLE_RULER, "collect.");
    for (int i = 0; i < h; i++) tt_put_char(c, y + i, LABEL_W - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    for (uint32_t r = s->left; r < s->steps->n_rows && column_x(s, r) + bar_w(s) <= s->x + s->w; r++) {
        int64_t ns = tt_cell_i(s->steps, r, TT_STEP_TRACE_COLLECTIVES);
        int end = eighths(ns, s->top_collectives, h);
        if (ns > 0 && end < 1) end = 1;
        draw_column(c, y + h - 1, column_x(s, r), bar_w(s), h, &end, &collectives_hue, 1);
    }
}

/* List the collectives of a step: "AllReduce-op7 0.200 ms at 9.565 ms (stream 41)". */
static void collectives_text(const tt_step_chart *s, uint32_t row, tt_unit unit, char *out, size_t cap)
{
    char ns[TT_TEXT_CAP], at[TT_TEXT_CAP], buf[24];
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "collectives %s", duration(ns, tt_cell_i(s->steps, row, TT_STEP_TRACE_COLLECTIVES), unit));
    for (uint32_t i = s->first[row]; i < s->first[row + 1]; i++) {
        uint32_t r = s->of[i];
        tt_buf_add(&line, "%s%.60s %s at +%s", i == s->first[row] ? ": " : ", ",
                   tt_cell_s(s->collectives, r, TT_STEP_COLLECTIVES_NAME),
                   duration(ns, tt_cell_i(s->collectives, r, TT_STEP_COLLECTIVES_DURATION), unit),
                   duration(at, tt_cell_i(s->collectives, r, TT_STEP_COLLECTIVES_OFFSET), unit));
        const char *stream = tt_cell_label(s->collectives, r, TT_STEP_COLLECTIVES_STREAM, buf);
        if (*stream) tt_buf_add(&line, " (stream %.20s)", stream);
    }
}

void tt_step_chart_text(const tt_step_chart *s, uint32_t row, tt_unit unit, char *out, size_t cap)
{
    char ns[TT_TEXT_CAP], buf[24];
    int64_t total = tt_cell_i(s->steps, row, TT_STEP_TRACE_TOTAL);
    const char *worker = s->several ? tt_cell_worker(s->steps, row) : "";
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "step %s%s%.40s   %s", tt_cell_label(s->steps, row, TT_STEP_TRACE_STEP, buf),
               *worker ? " of worker " : "", worker, duration(ns, total, unit));
    for (int p = 0; p < N_PARTS; p++) {
        int64_t v = tt_cell_i(s->steps, row, parts[p].column);
        if (v == TT_UNKNOWN) continue;
        tt_buf_add(&line, "   %s %s", parts[p].title, duration(ns, v, unit));
        if (total > 0) tt_buf_add(&line, " (%.1f%%)", 100. * (double)v / (double)total);
    }
    if (s->mean > 0 && total > 0)
        tt_buf_add(&line, "   %+.1f%% of the average", 100. * ((double)total / (double)s->mean - 1));
}

static void draw_rule(const tt_step_chart *s, tt_canvas *c, const tt_step_chart_view *v)
{
    char title[160], right[160], ns[TT_TEXT_CAP], count[TT_TEXT_CAP], buf[24];
    tt_buf line = tt_buf_of(title);
    tt_buf_add(&line, "Step trace");
    if (s->mean != TT_UNKNOWN) tt_buf_add(&line, "  average %s", duration(ns, s->mean, v->unit));
    if (c->w >= 140 && v->hint) tt_buf_add(&line, "   %s", v->hint);
    snprintf(right, sizeof right, "%s, longest: step %s, %s", tt_format_counted(count, s->steps->n_rows, "step"),
             tt_cell_label(s->steps, s->longest, TT_STEP_TRACE_STEP, buf),
             duration(ns, tt_cell_i(s->steps, s->longest, TT_STEP_TRACE_TOTAL), v->unit));
    tt_rule(c, 0, title, right);
}

void tt_step_chart_draw(tt_step_chart *s, tt_canvas *c, const tt_step_chart_view *v)
{
    char text[512];
    uint32_t n = tt_step_chart_any(s) ? s->steps->n_rows : 0;
    s->h = 0;
    if (!n || c->h < 1) return;
    draw_rule(s, c, v);
    if (c->h < 5) {
        tt_step_chart_text(s, v->at, v->unit, text, sizeof text);
        tt_put_cut(c, 1, 1, TT_ROLE_TEXT, text, c->w - 2, TT_CUT_END);
        return;
    }
    bool any = s->top_collectives > 0;
    int words = c->h >= 12 ? 1 + any : 0, band = !any ? 0 : c->h >= 16 ? 2 : c->h >= 7, numbers = 1;
    int y = 2, h = c->h - y - words - band - numbers;
    s->x = LABEL_W;
    s->w = c->w - LABEL_W - 1;
    s->cell = s->w / (int)(n < 4096 ? n : 4096);
    s->cell = s->cell < 1 ? 1 : s->cell > WIDEST ? WIDEST : s->cell;
    uint32_t fit = (uint32_t)(s->w / s->cell);
    s->left = tt_scroll_within(s->left, v->at, (int)fit, n);
    draw_legend(s, c, 1, v->unit);
    draw_scale(s, c, y, h, v->unit);
    draw_columns(s, c, y, h, v);
    uint32_t shown = n - s->left < fit ? n - s->left : fit;
    draw_average(s, c, y, h, s->x + (int)shown * s->cell);
    draw_numbers(s, c, y + h, v);
    if (band) draw_collectives(s, c, y + h + 1, band);
    s->y = v->y0 + y;
    s->h = h + numbers + band;
    if (!words) return;
    y += s->h;
    tt_step_chart_text(s, v->at, v->unit, text, sizeof text);
    tt_put_cut(c, y, 1, TT_ROLE_TEXT, text, c->w - 2, TT_CUT_END);
    if (!any) return;
    collectives_text(s, v->at, v->unit, text, sizeof text);
    tt_put_cut(c, y + 1, 1, TT_ROLE_DIM, text, c->w - 2, TT_CUT_END);
}

uint32_t tt_step_chart_at(const tt_step_chart *s, int y, int x)
{
    if (!s->h || y < s->y || y >= s->y + s->h || x < s->x || x >= s->x + s->w) return TT_NONE;
    uint32_t row = s->left + (uint32_t)((x - s->x) / s->cell);
    return row < s->steps->n_rows ? row : TT_NONE;
}
