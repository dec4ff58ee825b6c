/* tui/charts/roofline_plot.c - the picture of table roofline: axes over what matters, roofs, points.
 *
 * A point is the letter of its operator's kind, so that it can be read without colours; a capital takes much of the
 * device's time, a dot hardly any. What is too small to matter does not stretch the axes: it lies on the edge. */
#include "tui/charts/roofline_plot.h"
#include "model/base/buf.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/operators/columns.h"

enum { LABEL_W = 8, ROOF_W = 13, MOST_ROOFS = 5, LEAST_W = 24 };
/* Shares of device time: from which a point is a capital letter, from which it is a letter, from which its roof is
 * drawn, and up to which points lie on an edge. */
static const double of_time_much = 0.05, of_time_little = 0.005, of_time_counts = 0.001, of_time_outside = 0.01;

static const struct {
    const char *kind;
    tt_hue hue;
} kinds[] = {
    {"gemm", TT_HUE_KERNEL},     {"conv", TT_HUE_FORWARD},        {"attention", TT_HUE_COMMUNICATION},
    {"norm", TT_HUE_DATALOADER}, {"elementwise", TT_HUE_RUNTIME},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

typedef struct point {
    double x, y; /* FLOP a byte, TFLOP/s; 0 = not known */
    double share;
    double peak, gb_per_s; /* NaN */
    int64_t device_ns, roof_ns;
    const char *kind, *dtype;
} point;

typedef struct roof {
    double peak;
    int64_t ns, most; /* ns: time of all points under the roof; most: time of the point that gives it its name */
    const char *what; /* "bf16", "vector" */
} roof;

typedef struct plot {
    const tt_table *t;
    tt_canvas *c;
    point *at;
    uint32_t selected, worst;
    double x0, x1, y0, y1; /* decimal logarithms at the edges */
    int x, y, w, h;        /* where points lie */
    double gb_per_s;       /* bandwidth of the slope; NaN */
    roof roofs[MOST_ROOFS];
    int n_roofs;
} plot;

/* ---- what is in the table ---- */

static tt_cell cell(const tt_table *t, uint32_t row, int col, tt_type type)
{
    return col < 0 ? tt_cell_none(type) : tt_table_cell(t, row, (uint32_t)col);
}

static point *points_of(const tt_table *t)
{
    int x = tt_column_shown(t, TT_ROOFLINE_INTENSITY), y = tt_column_shown(t, TT_ROOFLINE_TFLOPS_PER_S),
        ns = tt_column_shown(t, TT_ROOFLINE_DEVICE), peak = tt_column_shown(t, TT_ROOFLINE_PEAK_TFLOPS),
        gb = tt_column_shown(t, TT_ROOFLINE_PEAK_GB_PER_S), low = tt_column_shown(t, TT_ROOFLINE_ROOF),
        kind = tt_column_shown(t, TT_ROOFLINE_KIND), type = tt_column_shown(t, TT_ROOFLINE_DTYPE);
    point *p = tt_calloc(t->n_rows + 1u, sizeof *p);
    double all = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        double at_x = cell(t, r, x, TT_T_NUMBER).d, at_y = cell(t, r, y, TT_T_NUMBER).d;
        bool known = isfinite(at_x) && isfinite(at_y) && at_x > 0 && at_y > 0;
        p[r] = (point){.x = known ? at_x : 0,
                       .y = known ? at_y : 0,
                       .peak = cell(t, r, peak, TT_T_NUMBER).d,
                       .gb_per_s = cell(t, r, gb, TT_T_NUMBER).d,
                       .device_ns = cell(t, r, ns, TT_T_DURATION).i,
                       .roof_ns = cell(t, r, low, TT_T_DURATION).i,
                       .kind = cell(t, r, kind, TT_T_STRING).s,
                       .dtype = cell(t, r, type, TT_T_STRING).s};
        all += (double)p[r].device_ns;
    }
    for (uint32_t r = 0; r < t->n_rows; r++) p[r].share = all > 0 ? (double)p[r].device_ns / all : 0;
    return p;
}

/* The row that loses most time against its roof, *lost_ns of it; TT_NONE: no row loses time, or no roof is known. */
static uint32_t roofline_worst(const tt_table *t, int64_t *lost_ns)
{
    int ns = tt_column_shown(t, TT_ROOFLINE_DEVICE), low = tt_column_shown(t, TT_ROOFLINE_ROOF);
    uint32_t worst = TT_NONE;
    *lost_ns = 0;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t device = cell(t, r, ns, TT_T_DURATION).i, least = cell(t, r, low, TT_T_DURATION).i;
        if (device == TT_UNKNOWN || least == TT_UNKNOWN || device - least <= *lost_ns) continue;
        *lost_ns = device - least;
        worst = r;
    }
    return worst;
}

/* Add a ceiling for each peak in the rows: the peaks with most time, and the peak of the selected row. */
static void add_roof(plot *p, const point *at, bool selected)
{
    if (!(at->peak > 0)) return;
    bool vector = at->kind && (!strcmp(at->kind, "norm") || !strcmp(at->kind, "elementwise"));
    const char *what = vector ? "vector" : at->dtype;
    int least = 0;
    for (int i = 0; i < p->n_roofs; i++) {
        roof *r = &p->roofs[i];
        if (fabs(r->peak - at->peak) < 1e-9) {
            r->ns += at->device_ns;
            if (at->device_ns > r->most) r->most = at->device_ns, r->what = what;
            return;
        }
        if (r->ns < p->roofs[least].ns) least = i;
    }
    roof made = {at->peak, at->device_ns, at->device_ns, what};
    if (p->n_roofs < MOST_ROOFS)
        p->roofs[p->n_roofs++] = made;
    else if (selected || at->device_ns > p->roofs[least].ns)
        p->roofs[least] = made;
}

static void find_roofs(plot *p)
{
    int64_t longest = -1;
    p->gb_per_s = NAN;
    for (uint32_t r = 0; r < p->t->n_rows; r++) {
        if (p->at[r].share >= of_time_counts) add_roof(p, &p->at[r], false);
        if (!isnan(p->at[r].gb_per_s) && p->at[r].device_ns > longest) {
            longest = p->at[r].device_ns;
            p->gb_per_s = p->at[r].gb_per_s;
        }
    }
    if (p->selected >= p->t->n_rows) return;
    add_roof(p, &p->at[p->selected], true);
    if (!isnan(p->at[p->selected].gb_per_s)) p->gb_per_s = p->at[p->selected].gb_per_s;
}

static void reach(double v, double *low, double *high)
{
    double l = log10(v);
    if (l < *low) *low = l;
    if (l > *high) *high = l;
}

typedef struct weighted {
    double v, share;
} weighted;

/* The range of values that holds all of the time but a little at each end. */
static void reach_most(const plot *p, bool upwards, double *low, double *high)
{
    weighted *all = tt_malloc((p->t->n_rows + 1u) * sizeof *all);
    uint32_t n = 0, first = 0, last;
    double before = 0, after = 0;
    for (uint32_t r = 0; r < p->t->n_rows; r++)
        if (p->at[r].x > 0) all[n++] = (weighted){upwards ? p->at[r].y : p->at[r].x, p->at[r].share};
    TT_SORT_BY(all, n, TT_ASC(weighted, v));
    for (last = n; first + 1 < n && before + all[first].share < of_time_outside; first++) before += all[first].share;
    for (; last > first + 1 && after + all[last - 1].share < of_time_outside; last--) after += all[last - 1].share;
    for (uint32_t i = first; i < last; i++) reach(all[i].v, low, high);
    free(all);
}

/* Leave room at both ends, and cover at least two powers of ten. */
static void widen(double *low, double *high)
{
    if (*low > *high) *low = *high = 0;
    double more = *high - *low < 1.6 ? (1.6 - (*high - *low)) / 2 : 0;
    *low -= more + 0.2;
    *high += more + 0.2;
}

/* The FLOP a byte at which the slope meets a peak. */
static double ridge(double peak, double gb_per_s) { return peak * 1e3 / gb_per_s; }

static void find_edges(plot *p)
{
    p->x0 = p->y0 = INFINITY;
    p->x1 = p->y1 = -INFINITY;
    reach_most(p, false, &p->x0, &p->x1);
    reach_most(p, true, &p->y0, &p->y1);
    if (p->selected < p->t->n_rows && p->at[p->selected].x > 0) {
        reach(p->at[p->selected].x, &p->x0, &p->x1);
        reach(p->at[p->selected].y, &p->y0, &p->y1);
    }
    for (int i = 0; i < p->n_roofs; i++) {
        reach(p->roofs[i].peak, &p->y0, &p->y1);
        if (p->gb_per_s > 0) reach(ridge(p->roofs[i].peak, p->gb_per_s), &p->x0, &p->x1);
    }
    widen(&p->x0, &p->x1);
    widen(&p->y0, &p->y1);
}

/* ---- lines and axes ---- */

static int place(double log_v, double low, double high, int n)
{
    double at = (log_v - low) / (high - low) * n;
    return at < 0 ? 0 : at >= n ? n - 1 : (int)at;
}

static int column_of(const plot *p, double v) { return p->x + place(log10(v), p->x0, p->x1, p->w); }
static int row_of(const plot *p, double v) { return p->y + p->h - 1 - place(log10(v), p->y0, p->y1, p->h); }

/* The character of a line at the bottom, in the middle or at the top of a cell. */
static uint32_t stroke(const tt_canvas *c, int third)
{
    if (third == 1) return tt_glyph_of(c, TT_G_HLINE);
    return third == 0 ? '_' : c->ascii ? '\'' : 0xafu; /* overline */
}

/* The least of a peak and the slope over all columns (peak NaN: the slope alone, up to the highest roof). */
static void draw_roof(const plot *p, double peak, double until, tt_style style)
{
    int parts = p->c->braille ? 4 : 3, halves = p->c->braille ? 2 : 1;
    static const uint8_t dot[2][4] = {{0x40, 0x04, 0x02, 0x01}, {0x80, 0x20, 0x10, 0x08}}; /* from below */
    for (int i = 0; i < p->w; i++) {
        uint8_t dots = 0;
        int row = -1, third = 0;
        for (int k = 0; k < halves; k++) {
            double x = p->x0 + (p->x1 - p->x0) * (i + (halves == 2 ? 0.25 + 0.5 * k : 0.5)) / p->w;
            double slope = x + log10(p->gb_per_s / 1e3), top = log10(isnan(peak) ? until : peak);
            if (isnan(peak) ? slope > top : slope < top && !isnan(slope)) continue; /* each its own part */
            double y = (isnan(peak) ? slope : top) - p->y0;
            int at = (int)floor(y / (p->y1 - p->y0) * p->h * parts);
            if (at < 0 || at >= p->h * parts || (k && row >= 0 && at / parts != row)) continue;
            row = at / parts;
            third = at % parts;
            dots |= dot[k][third % 4];
        }
        if (row < 0) continue;
        tt_put_char(p->c, p->y + p->h - 1 - row, p->x + i, style, p->c->braille ? 0x2800u + dots : stroke(p->c, third));
    }
}

/* Write the purpose of each roof behind its end, "312 bf16"; of two names in one row the second goes one row down. */
static void name_roofs(const plot *p)
{
    char text[64], number[TT_TEXT_CAP];
    bool *taken = tt_calloc((size_t)p->c->h + 1, sizeof *taken);
    for (int i = 0; i < p->n_roofs; i++) {
        const roof *r = &p->roofs[i];
        int y = row_of(p, r->peak);
        snprintf(text, sizeof text, "%s %s", tt_format_number(number, r->peak), r->what ? r->what : "");
        if (taken[y]) y++;
        if (taken[y] || y >= p->y + p->h) continue;
        taken[y] = true;
        tt_put(p->c, y, p->x + p->w + 1, TT_ROLE_RULER, text, ROOF_W - 1);
    }
    free(taken);
}

static void draw_roofs(plot *p)
{
    char text[64], number[TT_TEXT_CAP];
    if (!p->n_roofs) return;
    TT_SORT_BY(p->roofs, (size_t)p->n_roofs, TT_DESC(roof, peak));
    double highest = p->roofs[0].peak, chosen = p->selected < p->t->n_rows ? p->at[p->selected].peak : NAN;
    draw_roof(p, NAN, highest, TT_ROLE_PLOT);
    for (int i = 0; i < p->n_roofs; i++)
        draw_roof(p, p->roofs[i].peak, highest, fabs(p->roofs[i].peak - chosen) < 1e-9 ? TT_ROLE_PLOT : TT_ROLE_GRID);
    name_roofs(p);
    if (!(p->gb_per_s > 0)) return;
    int n = snprintf(text, sizeof text, "%s GB/s", tt_format_number(number, p->gb_per_s));
    /* value where the slope has passed the text */
    double end = p->x0 + (p->x1 - p->x0) * (n + 1) / p->w + log10(p->gb_per_s / 1e3);
    int y = row_of(p, exp10(end)) - 1;
    if (end > p->y0 && y >= p->y && n < p->w / 3) tt_put(p->c, y, p->x + 1, TT_ROLE_RULER, text, n);
}

/* 10^k in few characters. */
static int power_text(char out[TT_TEXT_CAP], int k)
{
    if (k < -4 || k > 5)
        snprintf(out, TT_TEXT_CAP, "1e%d", k);
    else
        tt_format_number(out, tt_power_of_ten(k));
    return (int)strlen(out);
}

static void draw_axes(const plot *p)
{
    char text[TT_TEXT_CAP];
    tt_canvas *c = p->c;
    int below = p->y + p->h, free_from = p->x;
    for (int y = p->y; y < below; y++) tt_put_char(c, y, p->x - 1, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_VLINE));
    for (int x = p->x - 1; x < p->x + p->w; x++)
        tt_put_char(c, below, x, TT_ROLE_FRAME, tt_glyph_of(c, x < p->x ? TT_G_CORNER_BL : TT_G_HLINE));
    int last = below;
    for (int k = (int)ceil(p->y0); k <= (int)floor(p->y1); k++) {
        int y = row_of(p, tt_power_of_ten(k));
        if (y >= last) continue;
        power_text(text, k);
        tt_put_right(c, y, 0, LABEL_W - 2, TT_ROLE_RULER, text);
        last = y;
    }
    tt_put_right(c, last > p->y ? p->y : below, 0, LABEL_W - 1, TT_ROLE_DIM, "TFLOP/s");
    for (int k = (int)ceil(p->x0); k <= (int)floor(p->x1); k++) {
        int x = column_of(p, tt_power_of_ten(k)), n = power_text(text, k);
        tt_put_char(c, below, x, TT_ROLE_FRAME, tt_glyph_of(c, TT_G_TEE_DOWN));
        int from = x - n / 2 < p->x ? p->x : x - n / 2;
        if (from < free_from || from + n > p->x + p->w - 7) continue;
        tt_put(c, below + 1, from, TT_ROLE_RULER, text, n);
        free_from = from + n + 1;
    }
    tt_put_right(c, below + 1, p->x + p->w - 6, 6, TT_ROLE_DIM, "FLOP/B");
}

/* ---- points ---- */

static tt_style style_of(const point *p)
{
    for (int i = 0; i < N_KINDS; i++)
        if (p->kind && !strcmp(p->kind, kinds[i].kind))
            return tt_style_fill(tt_paint_hue(kinds[i].hue, 2), TT_PAINT_NONE);
    return TT_ROLE_TEXT;
}

static void draw_point(const plot *p, uint32_t row)
{
    const point *at = &p->at[row];
    if (!(at->x > 0)) return;
    int y = row_of(p, at->y), x = column_of(p, at->x);
    unsigned char letter = at->kind ? (unsigned char)*at->kind : '?';
    uint32_t ch = at->share >= of_time_much     ? (uint32_t)toupper(letter)
                  : at->share >= of_time_little ? letter
                                                : tt_glyph_of(p->c, TT_G_DOT);
    if (row == p->worst) ch = 'X';
    tt_put_char(p->c, y, x, row == p->worst ? TT_ROLE_ERROR | TT_BOLD : style_of(at), ch);
    if (row != p->selected) return;
    tt_restyle(p->c, y, x, 1, 1, TT_ROLE_CURSOR);
    tt_put_char(p->c, y, p->x - 1, TT_ROLE_STRONG, tt_glyph_of(p->c, TT_G_TRI_RIGHT));
    tt_put_char(p->c, p->y + p->h, x, TT_ROLE_STRONG, tt_glyph_of(p->c, TT_G_ARROW_UP));
}

/* Draw the largest points last, then the worst and the selected one, so that they stay visible. */
static void draw_points(const plot *p)
{
    static const double least[] = {0, 0.005, 0.05, 2};
    for (size_t k = 0; k + 1 < sizeof least / sizeof *least; k++) {
        for (uint32_t r = 0; r < p->t->n_rows; r++)
            if (p->at[r].share >= least[k] && p->at[r].share < least[k + 1]) draw_point(p, r);
    }
    if (p->worst != TT_NONE) draw_point(p, p->worst);
    if (p->selected < p->t->n_rows) draw_point(p, p->selected);
}

/* ---- words ---- */

static void draw_worst(const plot *p, tt_unit unit, int64_t lost)
{
    char lost_text[TT_TEXT_CAP], all[TT_TEXT_CAP], pct[TT_TEXT_CAP], text[160], name[256];
    tt_canvas *c = p->c;
    if (p->worst == TT_NONE) {
        bool known = p->n_roofs && p->gb_per_s > 0;
        tt_put_cut(c, 1, 1, TT_ROLE_DIM,
                   known ? "no operator is below its roof"
                         : "peaks of the device unknown: :peak-tflops N and :peak-gb-per-s N draw the roof",
                   c->w - 2, TT_CUT_END);
        return;
    }
    const point *w = &p->at[p->worst];
    int n = snprintf(text, sizeof text, "  %s of its roof, %s%s%s lost",
                     tt_format_percent(pct, 100.0 * (double)w->roof_ns / (double)w->device_ns),
                     tt_format_duration(lost_text, lost, unit), c->w < 70 ? "" : " of ",
                     c->w < 70 ? "" : tt_format_duration(all, w->device_ns, unit));
    int name_col = tt_column_shown(p->t, TT_ROOFLINE_NAME), shape_col = tt_column_shown(p->t, TT_ROOFLINE_INPUT_SHAPES);
    const char *op = cell(p->t, p->worst, name_col, TT_T_STRING).s,
               *in = cell(p->t, p->worst, shape_col, TT_T_STRING).s;
    snprintf(name, sizeof name, "%.100s %.140s", op ? op : "", in ? in : "");
    tt_put_char(c, 1, 1, TT_ROLE_ERROR | TT_BOLD, 'X');
    int x = 3 + tt_put(c, 1, 3, TT_ROLE_DIM, c->w >= 100 ? "furthest below its roof: " : "worst: ", -1);
    int room = c->w - x - n - 1;
    if (room > 8) x += tt_put_cut(c, 1, x, TT_ROLE_NAME, name, room, TT_CUT_END);
    tt_put(c, 1, x, TT_ROLE_STRONG, text, c->w - x);
}

/* Letters of the kinds that there are, for the rule. */
static void legend(const plot *p, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    for (int i = 0; i < N_KINDS; i++) {
        bool there = false;
        for (uint32_t r = 0; r < p->t->n_rows && !there; r++)
            there = p->at[r].kind && !strcmp(p->at[r].kind, kinds[i].kind);
        if (there) tt_buf_list(&line, "  ", "%c %s", toupper((unsigned char)*kinds[i].kind), kinds[i].kind);
    }
}

void tt_roofline_plot_draw(const tt_table *t, uint32_t at, tt_unit unit, tt_canvas *c)
{
    int64_t lost;
    char kinds_text[96];
    plot p = {.t = t, .c = c, .selected = at, .worst = roofline_worst(t, &lost), .x = LABEL_W, .y = 2};
    p.w = c->w - LABEL_W - ROOF_W;
    p.h = c->h - 4;
    p.at = points_of(t);
    find_roofs(&p);
    find_edges(&p);
    legend(&p, kinds_text, sizeof kinds_text);
    static const char long_title[] = "Operators under the roof  capital: 5% of GPU time, dot: less than 0.5%";
    bool room = (int)(sizeof long_title + strlen(kinds_text)) + 8 <= c->w;
    tt_rule(c, 0, room ? long_title : "Roofline", c->w >= 60 ? kinds_text : NULL);
    draw_worst(&p, unit, lost);
    if (p.w >= LEAST_W && p.h >= 3) {
        draw_axes(&p);
        draw_roofs(&p);
        draw_points(&p);
    }
    free(p.at);
}
