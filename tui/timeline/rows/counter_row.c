/* tui/timeline/rows/counter_row.c - the samples of a counter as an area plot. */
#include <stdio.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"

/* The highest of samples [from, to). */
static double highest_of(const tt_sample *at, const double *peaks, uint32_t from, uint32_t to)
{
    double v = at[from].value;
    while (from < to) {
        bool block = from % TT_PEAK == 0 && to - from >= TT_PEAK;
        double here = block ? peaks[from / TT_PEAK] : at[from].value;
        v = here > v ? here : v;
        from += block ? TT_PEAK : 1;
    }
    return v;
}

/* First sample at or after common time t, not before sample `from`. */
static uint32_t sample_from(const tt_sample *at, uint32_t from, uint32_t n, int64_t offset, int64_t t)
{
    TT_BISECT(from, n, i, at[i].ts + offset < t);
    return from;
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    const tt_trace *s = f->t->session->traces[n->trace];
    const tt_series *x = &s->series[n->index];
    const tt_sample *at = s->samples + x->first;
    int64_t offset = f->t->session->offset_ns[n->trace];
    double range = n->high / 2 - n->low / 2; /* halves, because the difference of two doubles may overflow */
    int most = l->depth == TT_NONE ? 8 : 8 * TT_COUNTER_ROWS;
    int below = l->depth == TT_NONE ? 0 : 8 * (TT_COUNTER_ROWS - 1 - (int)l->depth);
    uint32_t from = sample_from(at, 0, x->n, offset, f->edge[0]);
    for (int col = 0; col < f->w; col++) {
        uint32_t to = sample_from(at, from, x->n, offset, f->edge[col + 1]);
        if (to > 0) { /* the highest sample of the column, else the last sample before it */
            double v = to > from ? highest_of(at, n->peaks, from, to) : at[to - 1].value;
            double part = (v / 2 - n->low / 2) / range;
            int h = part >= 0 && part <= 1 ? (int)(part * most + 0.5) : 0; /* false for NaN and infinities */
            h = (h < 1 && v > n->low ? 1 : h) - below;
            if (h > 0) tt_put_char(c, y, f->x + col, TT_ROLE_PLOT, tt_height(c, h < 8 ? h : 8));
        }
        from = to;
    }
}

/* The values at the bottom and at the top. */
static void scale_text(const tt_timeline_node *n, char *out, size_t cap)
{
    char low[TT_TEXT_CAP], high[TT_TEXT_CAP];
    snprintf(out, cap, "%s to %s", tt_format_number(low, n->low), tt_format_number(high, n->high));
}

static void counter_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    const tt_series *x = &s->series[n->index];
    char scale[2 * TT_TEXT_CAP], value[TT_TEXT_CAP], time[TT_TEXT_CAP], count[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = sample_from(s->samples + x->first, 0, x->n, offset, t->at + 1);
    scale_text(n, scale, sizeof scale);
    if (i == 0) {
        snprintf(out, cap, "no sample yet at the cursor; %s samples, %s", tt_format_count(count, x->n), scale);
        return;
    }
    const tt_sample *at = &s->samples[x->first + i - 1];
    snprintf(out, cap, "%s since %s   %s samples, %s", tt_format_number(value, at->value),
             tt_format_time(time, at->ts + offset, unit), tt_format_count(count, x->n), scale);
}

/* ---- the row ---- */

/* An open counter has a plot of several lines. */
static void add_lines(tt_timeline *t, uint32_t node)
{
    bool open = !t->nodes.at[node].collapsed && !t->flat;
    for (uint32_t i = 0; i < (open ? TT_COUNTER_ROWS : 1); i++) tt_lines_add(t, node, open ? i : TT_NONE);
}

static bool can_fold(tt_timeline *t, const tt_timeline_node *n) { return !n->collapsed && !t->flat; }

static bool passes_filter(const tt_timeline *t, const tt_timeline_node *n)
{
    (void)t;
    (void)n;
    return true;
}

static void label_of(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    const char *name = tt_str(&s->strings, s->series[n->index].name),
               *key = tt_str(&s->strings, s->series[n->index].key), *id = tt_str(&s->strings, s->series[n->index].id);
    bool whose = *id && strcmp(id, key) != 0; /* some writers repeat the key as id */
    snprintf(out, cap, "%s%s%s%s%s", name, strcmp(name, key) && *key ? " " : "", strcmp(name, key) ? key : "",
             whose ? " id " : "", whose ? id : "");
}

static void lane_label(const tt_timeline *t, const tt_timeline_node *n, uint32_t depth, char *out, size_t cap)
{
    (void)t;
    (void)depth;
    scale_text(n, out, cap);
}

static bool move_sample(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const tt_trace *s = t->session->traces[n->trace];
    const tt_series *x = &s->series[n->index];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = sample_from(s->samples + x->first, 0, x->n, offset, t->at + (dir > 0));
    if (dir < 0 ? i == 0 : i == x->n) return false;
    tt_timeline_to_time(t, s->samples[x->first + i - (dir < 0)].ts + offset);
    return true;
}

const tt_row_source tt_source_counter = {.lines = add_lines,
                                         .folds = can_fold,
                                         .passes = passes_filter,
                                         .label = label_of,
                                         .cut_middle = true,
                                         .lane_label = lane_label,
                                         .cells = draw_cells,
                                         .move = move_sample,
                                         .text = counter_text};
