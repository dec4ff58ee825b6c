/* tui/screens/overview/overview_tops.c - the lower part of the Overview: the classes of kernels by time, and the
 * kernels and operators with most time. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/operators/columns.h"
#include "model/tables/verdict/columns.h"
#include "tui/charts/stacked_bar.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"
#include "tui/widgets/short_names.h"

/* ---- what takes most time ---- */

typedef struct top_list {
    part p;
    const char *title;
    uint32_t name, time; /* columns of the table */
} top_list;

enum { MOST_TOPS = 2, TOP_ROWS = 24, COLUMN_W = 56 };

static bool named_ranges(const overview *o) /* The lists show named ranges in place of operators. */
{
    return rows(o, OPERATORS) && o->tables.at[OPERATORS]->note;
}

static int lists_of(const overview *o, top_list out[MOST_TOPS])
{
    bool device = rows(o, KERNELS) > 0;
    int n = 0;
    if (device) out[n++] = (top_list){KERNELS, "Top kernels by total time", TT_KERNELS_NAME, TT_KERNELS_TOTAL};
    if (rows(o, OPERATORS))
        out[n++] = (top_list){OPERATORS,
                              named_ranges(o) ? "Top annotations"
                              : device        ? "Top operators by GPU time"
                                              : "Top operators by CPU time",
                              TT_OPERATORS_NAME, device ? TT_OPERATORS_DEVICE_SELF : TT_OPERATORS_HOST_SELF};
    return n;
}

/* The number of lists side by side. */
static int columns(int lists, int w)
{
    int n = w / COLUMN_W;
    return n < 1 ? 1 : least(n, lists);
}

/* ---- classes of kernels ---- */

enum { MOST_CLASSES = TT_KERNEL_CLASS_COUNT_ };

/* Find the rows of table overview with the classes of the worker whose kernels are listed. */
static int classes_of(const overview *o, uint32_t row[MOST_CLASSES])
{
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t window = tt_overview_window_of(o, o->worker, "");
    int n = 0;
    for (uint32_t r = window == TT_NONE ? 0 : window + 1; t && window != TT_NONE && r < t->n_rows; r++) {
        const char *what = tt_cell_s(t, r, TT_OVERVIEW_WHAT);
        if (!strcmp(what, "window")) break;
        if (!strcmp(what, "class") && n < MOST_CLASSES) row[n++] = r;
    }
    return n;
}

/* Draw a bar of the shares, and behind it their names as far as they fit: "[]gemm 73.6%". */
static void draw_classes(const overview *o, tt_canvas *c, int y)
{
    static const tt_hue hues[TT_KERNEL_CLASS_COUNT_] = {
        [TT_KERNEL_GEMM] = TT_HUE_KERNEL,        [TT_KERNEL_ATTENTION] = TT_HUE_ATTENTION,
        [TT_KERNEL_NORM] = TT_HUE_NORM,          [TT_KERNEL_ELEMENTWISE] = TT_HUE_ELEMENTWISE,
        [TT_KERNEL_COPY] = TT_HUE_MEMCPY,        [TT_KERNEL_COMMUNICATION] = TT_HUE_COMMUNICATION,
        [TT_KERNEL_OTHER] = TT_HUE_KERNEL_OTHER,
    };
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t row[MOST_CLASSES];
    int n = classes_of(o, row), x = 1, bar = least(most(c->w / 4, 12), c->w - 2);
    tt_stack_part class[MOST_CLASSES];
    int64_t ns[MOST_CLASSES], whole = 0;
    for (int i = 0; i < n; i++) {
        const char *name = tt_cell_s(t, row[i], TT_OVERVIEW_NAME);
        int k = 0;
        while (k < TT_KERNEL_OTHER && strcmp(name, tt_kernel_class_name((tt_kernel_class)k)) != 0) k++;
        class[i] = (tt_stack_part){0, name, hues[k]};
        ns[i] = tt_cell_i(t, row[i], TT_OVERVIEW_TIME);
        whole += ns[i];
    }
    tt_stacked_bar(c, y, x, bar, class, ns, n, whole);
    x += bar + 2;
    for (int i = 0; i < n; i++) {
        char text[64];
        double pct = tt_cell_d(t, row[i], TT_OVERVIEW_PCT);
        if (pct < 0.05) continue;
        snprintf(text, sizeof text, "%s %.1f%%", class[i].title, pct);
        if (x + 2 + tt_width_of(text) > c->w - 1) break;
        tt_fill_paint(c, y, x, 1, tt_paint_hue(class[i].hue, 0));
        x += 2 + tt_put(c, y, x + 2, TT_ROLE_TEXT, text, -1) + 2;
    }
}

int tt_overview_tops_want(const overview *o, int w)
{
    top_list list[MOST_TOPS];
    int n = lists_of(o, list), longest = 0;
    for (int i = 0; i < least(n, columns(n, w)); i++) longest = most(longest, (int)rows(o, list[i].p));
    uint32_t row[MOST_CLASSES];
    return n ? 1 + least(longest, TOP_ROWS) + (classes_of(o, row) > 0) : 0;
}

/* Shorten the first n names of a list so that different names stay different; the caller frees them. */
static char (*short_names(const overview *o, const top_list *l, uint32_t n, int w, bool ascii))[TT_SHORT_CAP]
{
    const tt_row_order *order = &o->tables.order[l->p];
    const char **names = tt_malloc((n + 1u) * sizeof *names);
    char(*out)[TT_SHORT_CAP] = tt_malloc((n + 1u) * sizeof *out);
    for (uint32_t i = 0; i < n; i++) names[i] = tt_cell_s(o->tables.at[l->p], order->rows[i], l->name);
    tt_short_names(names, n, w, ascii, out);
    free(names);
    return out;
}

static void draw_top(const tt_session *s, overview *o, const top_list *l, tt_canvas *c, int below, int y0, int x0)
{
    const tt_table *t = o->tables.at[l->p];
    const tt_row_order *order = &o->tables.order[l->p];
    int column = tt_column_shown(t, l->time), time_w = 10, bar_w = c->w >= 52 ? 12 : 6;
    int64_t longest = 0;
    char text[TT_TEXT_CAP], buf[32];
    if (column < 0 || c->h < 2) return;
    tt_rule(c, 0, l->title, NULL);
    tt_overview_lines(o, (int)l->p, (uint32_t)c->h);
    tt_overview_stands(o, (int)l->p, y0 + 1 + below, x0, c->h - 1 - below, c->w);
    const int right = time_w + bar_w + 3, name_x = order->n && *worker_of(o, t, order->rows[0]) ? 12 : 1;
    uint32_t n = (uint32_t)least((int)order->n, 2 * c->h);
    char(*names)[TT_SHORT_CAP] = short_names(o, l, n, c->w - name_x - right, c->ascii);
    for (uint32_t i = 0; i < n && (int)o->n_lines[l->p] < c->h - 1 - below; i++) {
        uint32_t row = order->rows[i];
        int64_t ns = tt_table_cell(t, row, (uint32_t)column).i;
        if (ns == TT_UNKNOWN || (ns == 0 && longest > 0)) continue;
        longest = ns > longest ? ns : longest;
        int y = 1 + below + (int)o->n_lines[l->p];
        const char *worker = worker_of(o, t, row);
        if (*worker) tt_put_cut(c, y, 1, TT_ROLE_DIM, tt_rank_name(s, worker, buf), 10, TT_CUT_START);
        tt_put(c, y, name_x, TT_ROLE_NAME, names[i], c->w - name_x - right);
        tt_put_right(c, y, c->w - right + 1, time_w, TT_ROLE_NUMBER, tt_brief_ns(text, ns));
        if (longest > 0) tt_hbar(c, y, c->w - bar_w - 1, bar_w, (double)ns / (double)longest, TT_ROLE_BAR);
        if (is_on(o, (int)l->p, o->n_lines[l->p])) tt_overview_mark(c, y);
        tt_overview_add(o, (int)l->p, row);
    }
    free(names);
}

void tt_overview_draw_tops(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    top_list list[MOST_TOPS];
    uint32_t row[MOST_CLASSES];
    int n = lists_of(o, list), cols = columns(n, c->w), below = classes_of(o, row) > 0 && c->h > 2;
    for (int i = 0; i < cols && i < n; i++) {
        int x0 = c->w * i / cols, x1 = c->w * (i + 1) / cols;
        tt_canvas one = tt_canvas_window(c, 0, x0, c->h, x1 - x0);
        draw_top(tt_host_session(screen->host), o, &list[i], &one, below, y0, x0);
    }
    if (below) draw_classes(o, c, 1);
}
