/* tui/charts/pipeline_draw.c - the picture of the input pipeline: boxes from the data set to training, the list of
 * operators and queues, the curve of a queue, use of the CPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/data/columns.h"
#include "model/tables/steps/columns.h"
#include "tui/charts/pipeline_impl.h"
#include "tui/charts/stacked_bar.h"
#include "tui/screen/table_fetch.h"
#include "tui/widgets/scroll.h"

enum { BOX_H = 6, NARROW = 64, SIDE_BY_SIDE = 120, CURVE_H = 7, ARROW_W = 3, LABEL_W = 8 };

static const char *const titles[] = {"Dataset", "Host queue", "Device queue", "Training"};

/* ---- boxes ---- */

typedef struct box_text { /* what a box says, from above */
    char line[4][48];
    bool warn[4];
    double fill; /* fill of the bar in front of the texts; NaN = no bar */
    int n;
} box_text;

static char *next_line(box_text *b, bool warn)
{
    b->warn[b->n] = warn;
    return b->line[b->n++];
}

static void operators_text(const tt_pipeline *p, box_text *b)
{
    char n[TT_TEXT_CAP], suspects[256];
    int64_t workers = 0;
    for (uint32_t i = 0; i < p->n_operators; i++) {
        int64_t of = tt_cell_i(p->t[TT_PIPELINE_OPERATORS], p->lines[i].row, TT_DATA_PIPELINE_WORKERS);
        workers += of > 0 ? of : 0;
    }
    if (!p->n_operators) {
        snprintf(next_line(b, false), sizeof b->line[0], "not recorded");
        return;
    }
    snprintf(next_line(b, false), sizeof b->line[0], "%s", tt_format_counted(n, p->n_operators, "operator"));
    snprintf(next_line(b, false), sizeof b->line[0], "%s", tt_format_counted(n, workers, "worker"));
    tt_pipeline_suspects(p, suspects, sizeof suspects);
    if (*suspects) snprintf(next_line(b, true), sizeof b->line[0], "! %.40s", suspects);
}

static void queue_text(const tt_pipeline *p, tt_pipeline_box box, tt_unit unit, box_text *b)
{
    uint32_t row = tt_pipeline_queue(p, box);
    const tt_table *t = p->t[TT_PIPELINE_QUEUES];
    char text[48], ns[TT_TEXT_CAP];
    if (row == TT_NONE) {
        snprintf(next_line(b, false), sizeof b->line[0], "not recorded");
        return;
    }
    double empty = tt_cell_d(t, row, TT_DATA_QUEUES_EMPTY_PCT);
    int64_t get = tt_cell_i(t, row, TT_DATA_QUEUES_GET_MEAN);
    b->fill = tt_cell_d(t, row, TT_DATA_QUEUES_MEAN_SIZE) / tt_cell_d(t, row, TT_DATA_QUEUES_CAPACITY);
    tt_pipeline_fill_text(t, row, TT_DATA_QUEUES_MEAN_SIZE, TT_DATA_QUEUES_CAPACITY, text, sizeof text);
    if (*text) snprintf(next_line(b, false), sizeof b->line[0], "%s%s", b->fill == b->fill ? "" : "mean size ", text);
    bool late = p->waits == (box == TT_BOX_HOST ? (int)TT_BOX_OPERATORS : (int)TT_BOX_DEVICE);
    if (empty == empty) snprintf(next_line(b, late), sizeof b->line[0], "empty %.3g%%", empty);
    if (get != TT_UNKNOWN)
        snprintf(next_line(b, false), sizeof b->line[0], "get %s", tt_format_duration(ns, get, unit));
}

static void training_text(const tt_pipeline *p, tt_unit unit, box_text *b)
{
    const tt_table *t = p->t[TT_PIPELINE_STEPS];
    char ns[TT_TEXT_CAP];
    double share = NAN;
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_STEPS) && b->n < 2; r++) {
        const char *part = tt_cell_s(t, r, TT_STEP_TRACE_SUMMARY_PART);
        int64_t mean = tt_cell_i(t, r, TT_STEP_TRACE_SUMMARY_MEAN);
        double pct = tt_cell_d(t, r, TT_STEP_TRACE_SUMMARY_PCT);
        if (!tt_pipeline_mine(p, TT_PIPELINE_STEPS, r) || mean == TT_UNKNOWN) continue;
        tt_format_duration(ns, mean, unit);
        if (!strcmp(part, "total")) snprintf(next_line(b, false), sizeof b->line[0], "step %s", ns);
        if (strcmp(part, "gap") != 0) continue;
        snprintf(next_line(b, false), sizeof b->line[0], "gap %s", ns);
        share = pct;
    }
    if (p->waits == TT_BOX_TRAINING) snprintf(next_line(b, false), sizeof b->line[0], "does not wait");
    if (p->waits >= 0 && p->waits < TT_BOX_TRAINING) snprintf(next_line(b, true), sizeof b->line[0], "waits for data");
    if (share == share) snprintf(next_line(b, false), sizeof b->line[0], "%.1f%% of a step", share);
}

static box_text text_of(const tt_pipeline *p, tt_pipeline_box box, tt_unit unit)
{
    box_text b = {.fill = NAN};
    if (box == TT_BOX_OPERATORS)
        operators_text(p, &b);
    else if (box == TT_BOX_TRAINING)
        training_text(p, unit, &b);
    else
        queue_text(p, box, unit, &b);
    return b;
}

/* Draw a bar that shows how full a queue is. */
static void draw_fill(tt_canvas *c, int y, int x, int w, double fill, bool warn)
{
    if (!(fill >= 0) || w < 1) return;
    tt_fill(c, y, x, 1, w, TT_ROLE_BAR_REST, tt_glyph_of(c, TT_G_SHADE1));
    tt_hbar(c, y, x, w, fill, warn ? TT_ROLE_WARN : TT_ROLE_BAR);
}

static void draw_frame(tt_canvas *c, int y, int x, int h, int w, tt_style st)
{
    int b = y + h - 1, r = x + w - 1;
    uint32_t across = tt_glyph_of(c, TT_G_HLINE), down = tt_glyph_of(c, TT_G_VLINE);
    tt_fill(c, y, x, 1, w, st, across);
    tt_fill(c, b, x, 1, w, st, across);
    tt_fill(c, y, x, h, 1, st, down);
    tt_fill(c, y, r, h, 1, st, down);
    tt_put_char(c, y, x, st, tt_glyph_of(c, TT_G_CORNER_TL));
    tt_put_char(c, y, r, st, tt_glyph_of(c, TT_G_CORNER_TR));
    tt_put_char(c, b, x, st, tt_glyph_of(c, TT_G_CORNER_BL));
    tt_put_char(c, b, r, st, tt_glyph_of(c, TT_G_CORNER_BR));
}

static void draw_box(const tt_pipeline *p, tt_canvas *c, int y, int x, int h, int w, tt_pipeline_box box, bool on,
                     tt_unit unit)
{
    box_text b = text_of(p, box, unit);
    bool slow = p->waits == (int)box && box != TT_BOX_TRAINING;
    char title[40];
    draw_frame(c, y, x, h, w, slow ? TT_ROLE_WARN : on ? TT_ROLE_TITLE : TT_ROLE_FRAME);
    snprintf(title, sizeof title, " %s%s ", slow ? "! " : "", titles[box]);
    tt_put_cut(c, y, x + 2, slow ? TT_ROLE_WARN : TT_ROLE_TITLE, title, w - 3, TT_CUT_END);
    int line = y + 1;
    if (b.fill == b.fill) draw_fill(c, line++, x + 1, w - 2, b.fill, b.warn[0] || (b.n > 1 && b.warn[1]));
    for (int i = 0; i < b.n && line < y + h - 1; i++)
        tt_put_cut(c, line++, x + 2, b.warn[i] ? TT_ROLE_WARN : TT_ROLE_TEXT, b.line[i], w - 3, TT_CUT_END);
}

/* Draw the boxes from left to right with arrows between them. */
static void draw_boxes(tt_pipeline *p, tt_canvas *c, int y, int h, int on, const tt_pipeline_view *v)
{
    int w = (c->w - 2 - (TT_BOX_COUNT - 1) * ARROW_W) / TT_BOX_COUNT;
    if (w > 34) w = 34;
    p->box_w = w;
    for (int i = 0; i < TT_BOX_COUNT; i++) {
        int x = 1 + i * (w + ARROW_W);
        p->box_x[i] = x;
        draw_box(p, c, y, x, h, w, (tt_pipeline_box)i, i == on, v->unit);
        if (i + 1 == TT_BOX_COUNT) break;
        tt_fill(c, y + h / 2, x + w, 1, ARROW_W - 1, TT_ROLE_LINK, tt_glyph_of(c, TT_G_HLINE));
        tt_put_char(c, y + h / 2, x + w + ARROW_W - 1, TT_ROLE_LINK, tt_glyph_of(c, TT_G_TRI_RIGHT));
    }
}

/* Draw each box as one line, for a narrow canvas. */
static void draw_box_lines(tt_pipeline *p, tt_canvas *c, int y, int h, int on, const tt_pipeline_view *v)
{
    char text[160];
    p->box_w = 0;
    for (int i = 0; i < TT_BOX_COUNT && i < h; i++) {
        box_text b = text_of(p, (tt_pipeline_box)i, v->unit);
        bool slow = p->waits == i && i != TT_BOX_TRAINING;
        tt_buf line = tt_buf_of(text);
        for (int k = 0; k < b.n; k++) tt_buf_add(&line, "%s%s", k ? ", " : "", b.line[k]);
        tt_put_char(c, y + i, 0, TT_ROLE_LINK, i ? tt_glyph_of(c, TT_G_TRI_DOWN) : ' ');
        tt_put(c, y + i, 2, slow ? TT_ROLE_WARN : i == on ? TT_ROLE_STRONG : TT_ROLE_TITLE, titles[i], -1);
        int x = 15;
        if (b.fill == b.fill && c->w >= 40) {
            draw_fill(c, y + i, x, 6, b.fill, slow);
            x += 7;
        }
        tt_put_cut(c, y + i, x, slow ? TT_ROLE_WARN : TT_ROLE_TEXT, text, c->w - x - 1, TT_CUT_END);
    }
}

/* ---- the list ---- */

/* The use of the CPU by an operator, percent; NaN = not known. */
static double cpu_of(const tt_pipeline *p, uint32_t row)
{
    const tt_table *t = p->t[TT_PIPELINE_CPU];
    int64_t id = tt_cell_i(p->t[TT_PIPELINE_OPERATORS], row, TT_DATA_PIPELINE_OP_ID);
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_CPU); r++) {
        if (!tt_pipeline_mine(p, TT_PIPELINE_CPU, r) || strcmp(tt_cell_s(t, r, TT_DATA_CPU_SCOPE), "operator") != 0)
            continue;
        if (tt_cell_i(t, r, TT_DATA_CPU_OP_ID) == id)
            return tt_cell_d(t, r, TT_DATA_CPU_USER_PCT) + tt_cell_d(t, r, TT_DATA_CPU_SYS_PCT);
    }
    return NAN;
}

static void draw_line(const tt_pipeline *p, tt_canvas *c, int y, uint32_t i, const tt_pipeline_view *v)
{
    const tt_pipeline_line *l = &p->lines[i];
    bool operator_ = l->box == TT_BOX_OPERATORS, on = v->focus && i == v->at;
    bool suspect = operator_ && tt_pipeline_suspect(p, l->row), wide = c->w >= 62;
    bool late = !operator_ && p->waits == (l->box == TT_BOX_HOST ? (int)TT_BOX_OPERATORS : (int)TT_BOX_DEVICE);
    const tt_table *t = p->t[operator_ ? TT_PIPELINE_OPERATORS : TT_PIPELINE_QUEUES];
    char name[96], fill[48], text[TT_TEXT_CAP], note[64] = "";
    int indent = l->indent < 8 ? l->indent * 2 : 16, name_w = wide ? 22 : c->w / 2 - 4, x = 1;
    tt_put_char(c, y, 0, suspect || late ? TT_ROLE_WARN : TT_ROLE_STRONG, on ? '>' : suspect || late ? '!' : ' ');
    if (operator_)
        snprintf(name, sizeof name, "%.80s", l->name);
    else
        snprintf(name, sizeof name, "%s queue", l->name);
    tt_put_cut(c, y, x + indent,
               on                ? TT_ROLE_CURSOR
               : suspect || late ? TT_ROLE_WARN
                                 : TT_ROLE_NAME,
               name, name_w - indent, TT_CUT_START);
    x += name_w + 1;
    int64_t workers = operator_ ? tt_cell_i(t, l->row, TT_DATA_PIPELINE_WORKERS) : TT_UNKNOWN;
    if (c->w >= 76) {
        if (workers != TT_UNKNOWN) tt_put_right(c, y, x, 11, TT_ROLE_DIM, tt_format_counted(text, workers, "worker"));
        x += 13;
    }
    tt_pipeline_fill_text(t, l->row, operator_ ? TT_DATA_PIPELINE_QUEUE_MEAN : TT_DATA_QUEUES_MEAN_SIZE,
                          operator_ ? TT_DATA_PIPELINE_QUEUE_CAPACITY : TT_DATA_QUEUES_CAPACITY, fill, sizeof fill);
    double of = tt_pipeline_fill(p, l), empty = operator_ ? NAN : tt_cell_d(t, l->row, TT_DATA_QUEUES_EMPTY_PCT);
    double cpu = operator_ ? cpu_of(p, l->row) : NAN;
    if (cpu == cpu) snprintf(note, sizeof note, "  CPU %.1f%%", cpu);
    if (empty == empty) snprintf(note, sizeof note, "  empty %.3g%%", empty);
    int bar_w = c->w - x - (wide ? 35 : 8);
    if (bar_w > 40) bar_w = 40;
    if (bar_w < 4) return;
    draw_fill(c, y, x, bar_w, of, suspect || late);
    if (of == of) tt_put_right(c, y, x + bar_w, 7, TT_ROLE_NUMBER, tt_format_percent(text, of * 100));
    if (!wide) return;
    tt_put_cut(c, y, x + bar_w + 9, TT_ROLE_DIM, *fill ? fill : "no queue", 14, TT_CUT_END);
    tt_put_cut(c, y, x + bar_w + 21, suspect || late ? TT_ROLE_WARN : TT_ROLE_DIM, note, 14, TT_CUT_END);
}

static void draw_list(tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v, int y0)
{
    tt_rule(c, 0, c->w >= 62 ? "Operators and queues  in the direction of the data" : "Operators and queues", NULL);
    int h = c->h - 1;
    p->list_y = y0 + 1;
    p->list_h = h;
    p->list_w = c->w;
    p->top = tt_scroll_to(p->top, v->at, h);
    for (uint32_t i = p->top; i < p->n_lines && (int)(i - p->top) < h; i++)
        draw_line(p, c, 1 + (int)(i - p->top), i, v);
}

/* ---- the curve ---- */

typedef struct span { /* sizes of a queue in one column */
    double low, high;
    bool any;
} span;

/* Least and greatest of the samples in each of w columns; the number of samples. */
static uint32_t spread(const tt_pipeline *p, const char *queue, span *at, int w, double *top)
{
    const tt_table *t = p->t[TT_PIPELINE_CURVE];
    uint32_t n = 0, i = 0;
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_CURVE); r++)
        n += tt_pipeline_mine(p, TT_PIPELINE_CURVE, r) && !strcmp(tt_cell_s(t, r, TT_DATA_QUEUE_CURVE_QUEUE), queue);
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_CURVE) && n; r++) {
        if (!tt_pipeline_mine(p, TT_PIPELINE_CURVE, r) ||
            strcmp(tt_cell_s(t, r, TT_DATA_QUEUE_CURVE_QUEUE), queue) != 0)
            continue;
        double size = tt_cell_d(t, r, TT_DATA_QUEUE_CURVE_SIZE);
        int from = (int)((uint64_t)i * (unsigned)w / n), to = (int)((uint64_t)(i + 1) * (unsigned)w / n);
        i++;
        if (!(size >= 0)) continue;
        if (size > *top) *top = size;
        for (int x = from; x < w && (x < to || x == from); x++) {
            if (!at[x].any || size < at[x].low) at[x].low = size;
            if (!at[x].any || size > at[x].high) at[x].high = size;
            at[x].any = true;
        }
    }
    return n;
}

static void draw_column(tt_canvas *c, int y, int x, int h, const span *s, double top)
{
    int low = (int)(s->low / top * h * 8 + 0.5), high = (int)(s->high / top * h * 8 + 0.5);
    if (s->high > 0 && high < 1) high = 1;
    for (int row = 0; row < h; row++) {
        int n = low - row * 8, m = high - row * 8;
        if (n > 0)
            tt_put_char(c, y - row, x, TT_ROLE_PLOT, n >= 8 ? tt_glyph_of(c, TT_G_BLOCK) : tt_height(c, n));
        else if (m > 0)
            tt_put_char(c, y - row, x, TT_ROLE_PLOT, tt_glyph_of(c, TT_G_SHADE1));
    }
    if (s->low <= 0) tt_put_char(c, y, x, TT_ROLE_WARN, tt_glyph_of(c, TT_G_TRI_DOWN));
}

static void draw_curve(const tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v)
{
    const tt_pipeline_line *l = &p->lines[v->at];
    bool operator_ = l->box == TT_BOX_OPERATORS;
    const tt_table *t = p->t[operator_ ? TT_PIPELINE_OPERATORS : TT_PIPELINE_QUEUES];
    double top = tt_cell_d(t, l->row, operator_ ? TT_DATA_PIPELINE_QUEUE_CAPACITY : TT_DATA_QUEUES_CAPACITY), most = 0;
    char title[128], right[64], text[TT_TEXT_CAP];
    int w = c->w - LABEL_W - 1, h = c->h - 2;
    span *at = tt_calloc((size_t)(w > 0 ? w : 0) + 1, sizeof *at);
    uint32_t n = w > 0 ? spread(p, l->name, at, w, &most) : 0;
    bool known = top == top && top > 0;
    if (!known || top < most) top = most;
    snprintf(title, sizeof title, operator_ ? "Queue behind %.60s" : "Queue on the %.60s", l->name);
    snprintf(right, sizeof right, "%s its size, %s empty", c->ascii ? "#" : "\u2588", c->ascii ? "v" : "\u25bc");
    tt_rule(c, 0, title, n ? right : NULL);
    if (!n) tt_put_cut(c, 1, 2, TT_ROLE_DIM, "no samples of it over time", c->w - 4, TT_CUT_END);
    for (int y = 1; y <= h && n; y++) tt_put_char(c, y, LABEL_W - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    for (int x = 0; x < w && n && top > 0; x++)
        if (at[x].any) draw_column(c, h, LABEL_W + x, h, &at[x], top);
    if (n && top <= 0) tt_put_cut(c, h, LABEL_W + 1, TT_ROLE_WARN, "empty in every sample", w - 2, TT_CUT_END);
    if (n && h > 0) {
        snprintf(text, sizeof text, "%.0f", top);
        tt_put_right(c, 1, 0, LABEL_W - 1, TT_ROLE_RULER, text);
        if (h > 1) tt_put_right(c, h, 0, LABEL_W - 1, TT_ROLE_RULER, "0");
        tt_put(c, h + 1, LABEL_W, TT_ROLE_RULER, "first", -1);
        tt_put_right(c, h + 1, LABEL_W + 6, w - 6, TT_ROLE_RULER, tt_format_counted(text, n, "sample"));
    }
    free(at);
}

/* ---- use of the CPU ---- */

static const tt_stack_part cpu_parts[] = {{TT_DATA_CPU_USER_PCT, "user", TT_HUE_FORWARD},
                                          {TT_DATA_CPU_SYS_PCT, "system", TT_HUE_RUNTIME},
                                          {TT_DATA_CPU_IO_PCT, "I/O", TT_HUE_DATALOADER}};
enum { CPU_PARTS = 3 };

static uint32_t cpu_row(const tt_pipeline *p, const char *scope)
{
    for (uint32_t r = 0; r < tt_pipeline_rows(p, TT_PIPELINE_CPU); r++) {
        if (tt_pipeline_mine(p, TT_PIPELINE_CPU, r) &&
            !strcmp(tt_cell_s(p->t[TT_PIPELINE_CPU], r, TT_DATA_CPU_SCOPE), scope))
            return r;
    }
    return TT_NONE;
}

static void draw_cpu(const tt_pipeline *p, tt_canvas *c, int y)
{
    static const char *const scopes[] = {"device", "process"}, *const names[] = {"machine", "process"};
    const tt_table *t = p->t[TT_PIPELINE_CPU];
    int x = 1 + tt_put(c, y, 1, TT_ROLE_TITLE, "CPU", -1) + 2, bar_w = c->w >= 100 ? 24 : 10;
    char text[160];
    for (int i = 0; i < 2; i++) {
        uint32_t row = cpu_row(p, scopes[i]);
        int64_t part[CPU_PARTS];
        if (row == TT_NONE || x + bar_w + 20 > c->w) continue;
        x += tt_put(c, y, x, TT_ROLE_DIM, names[i], -1) + 1;
        tt_buf line = tt_buf_of(text);
        for (int k = 0; k < CPU_PARTS; k++) {
            double pct = tt_cell_d(t, row, cpu_parts[k].column);
            part[k] = pct > 0 && pct < 1e6 ? (int64_t)(pct * 1000) : 0;
            if (pct == pct) tt_buf_list(&line, ", ", "%s %.1f%%", cpu_parts[k].title, pct);
        }
        double idle = tt_cell_d(t, row, TT_DATA_CPU_IDLE_PCT);
        if (idle == idle) tt_buf_add(&line, ", idle %.1f%%", idle);
        tt_fill(c, y, x, 1, bar_w, TT_ROLE_BAR_REST, tt_glyph_of(c, TT_G_SHADE1));
        tt_stacked_bar(c, y, x, bar_w, cpu_parts, part, CPU_PARTS, 100000);
        x += bar_w + 1;
        x += tt_put_cut(c, y, x, TT_ROLE_TEXT, text, c->w - x - 1, TT_CUT_END) + 3;
    }
}

/* ---- all of it ---- */

/* Lines of the boxes; h: lines of the whole picture; 0 = as many as it needs. */
static int boxes_h(int w, int h) { return w < NARROW ? TT_BOX_COUNT : h && h < 24 ? BOX_H - 1 : BOX_H; }
static bool has_cpu(const tt_pipeline *p)
{
    return cpu_row(p, "device") != TT_NONE || cpu_row(p, "process") != TT_NONE;
}

/* Lines of the sentence: all of it, unless it is very long. It matters more than the list below it. */
static int verdict_h(const tt_pipeline *p, int w)
{
    char verdict[512];
    int most = w < NARROW ? 3 : 2;
    tt_pipeline_verdict(p, verdict, sizeof verdict);
    int lines = w > 2 ? 1 + ((int)tt_text_width(verdict, strlen(verdict)) - 1) / (w - 2) : 1;
    return lines < most ? lines : most;
}

int tt_pipeline_height(const tt_pipeline *p, int w, bool brief)
{
    int h = 1 + verdict_h(p, w) + boxes_h(w, brief), list = 1 + (int)p->n_lines;
    if (brief) return h;
    if (w >= SIDE_BY_SIDE) return h + (list < 12 ? 12 : list) + has_cpu(p);
    return h + list + CURVE_H + has_cpu(p);
}

static void draw_below(tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v, int y0)
{
    int list = 1 + (int)p->n_lines, w = c->w;
    tt_pipeline_view view = *v;
    if (c->h < 2 || !p->n_lines) return;
    if (view.at >= p->n_lines) view.at = p->n_lines - 1;
    if (w >= SIDE_BY_SIDE) {
        tt_canvas left = tt_canvas_window(c, 0, 0, c->h, w * 3 / 5 - 1);
        tt_canvas right = tt_canvas_window(c, 0, w * 3 / 5, c->h, w - w * 3 / 5);
        draw_list(p, &left, &view, y0);
        draw_curve(p, &right, &view);
        return;
    }
    if (list > c->h - 4) list = c->h >= 10 ? c->h - 4 : c->h;
    tt_canvas upper = tt_canvas_window(c, 0, 0, list, w);
    draw_list(p, &upper, &view, y0);
    if (c->h - list < 4) return;
    tt_canvas lower = tt_canvas_window(c, list, 0, c->h - list, w);
    draw_curve(p, &lower, &view);
}

void tt_pipeline_draw(tt_pipeline *p, tt_canvas *c, const tt_pipeline_view *v)
{
    char verdict[512], right[96] = "";
    int boxes = boxes_h(c->w, c->h), y = 2;
    p->list_h = p->box_h = 0;
    if (c->h < 2) return;
    if (p->others) snprintf(right, sizeof right, "of %.40s; D: of another one", p->worker);
    tt_rule(c, 0, "Input pipeline", *right ? right : NULL);
    tt_pipeline_verdict(p, verdict, sizeof verdict);
    tt_style st = p->waits == TT_BOX_TRAINING ? TT_ROLE_STRONG : p->waits >= 0 ? TT_ROLE_WARN : TT_ROLE_TEXT;
    int lines = c->w < NARROW ? 3 : 2;
    y = 1 + tt_put_wrapped(c, 1, 1, lines < c->h - 1 ? lines : c->h - 1, c->w - 2, st, verdict);
    if (c->h - y < 3) return;
    if (c->h - y < boxes) boxes = c->h - y;
    int on = v->focus && v->at < p->n_lines ? (int)p->lines[v->at].box : -1;
    p->box_y = v->y0 + y;
    p->box_h = boxes;
    if (c->w >= NARROW && boxes >= 4)
        draw_boxes(p, c, y, boxes, on, v);
    else
        draw_box_lines(p, c, y, boxes, on, v);
    y += boxes;
    if (v->brief || y >= c->h) return;
    bool cpu = has_cpu(p) && c->h - y >= 4;
    tt_canvas below = tt_canvas_window(c, y, 0, c->h - y - cpu, c->w);
    draw_below(p, &below, v, v->y0 + y);
    if (cpu) draw_cpu(p, c, c->h - 1);
}

uint32_t tt_pipeline_at(const tt_pipeline *p, int y, int x)
{
    if (p->list_h && y >= p->list_y && y < p->list_y + p->list_h && x < p->list_w) {
        uint32_t line = p->top + (uint32_t)(y - p->list_y);
        return line < p->n_lines ? line : TT_NONE;
    }
    if (!p->box_h || y < p->box_y || y >= p->box_y + p->box_h) return TT_NONE;
    if (!p->box_w) return tt_pipeline_first_of(p, (tt_pipeline_box)(y - p->box_y));
    for (int i = 0; i < TT_BOX_COUNT; i++) {
        if (x >= p->box_x[i] && x < p->box_x[i] + p->box_w) return tt_pipeline_first_of(p, (tt_pipeline_box)i);
    }
    return TT_NONE;
}
