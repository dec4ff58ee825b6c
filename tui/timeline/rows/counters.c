/* tui/timeline/rows/counters.c - the rows that have no slices: busy strips of processes, counters, instants. Their
 * pictures, what the pane says about them at the cursor, and going from one sample or instant to the next. */
#include <stdio.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/rows/curve_rows.h"
#include "tui/timeline/rows/idle_row.h"
#include "tui/timeline/rows/path_overlay.h"

/* ---- samples and instants by time ---- */

/* The highest of samples [from, to). */
static double highest(const tt_sample *at, const double *peaks, uint32_t from, uint32_t to)
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

/* First instant of the node at or after common time t, not before the `from`th. */
static uint32_t instant_from(const tt_trace *s, const tt_timeline_node *n, uint32_t from, int64_t offset, int64_t t)
{
    uint32_t hi = n->n_instants;
    TT_BISECT(from, hi, i, s->instants[n->instants[i]].ts + offset < t);
    return from;
}

/* ---- pictures ---- */

void tt_timeline_draw_counter(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    const tt_trace *s = f->t->session->traces[n->trace];
    const tt_series *x = &s->series[n->index];
    const tt_sample *at = s->samples + x->first;
    int64_t offset = f->t->session->offset_ns[n->trace];
    double range = n->high / 2 - n->low / 2; /* halves: the difference of two doubles may be none */
    int most = l->depth == TT_NONE ? 8 : 8 * TT_COUNTER_ROWS;
    int below = l->depth == TT_NONE ? 0 : 8 * (TT_COUNTER_ROWS - 1 - (int)l->depth);
    uint32_t from = sample_from(at, 0, x->n, offset, f->edge[0]);
    for (int col = 0; col < f->w; col++) {
        uint32_t to = sample_from(at, from, x->n, offset, f->edge[col + 1]);
        if (to > 0) { /* the highest of a column, or what was last said before it */
            double v = to > from ? highest(at, n->peaks, from, to) : at[to - 1].value;
            double part = (v / 2 - n->low / 2) / range;
            int h = part >= 0 && part <= 1 ? (int)(part * most + 0.5) : 0; /* not for NaN and infinities */
            h = (h < 1 && v > n->low ? 1 : h) - below;
            if (h > 0) tt_put_char(c, y, f->x + col, TT_ROLE_PLOT, tt_height(c, h < 8 ? h : 8));
        }
        from = to;
    }
}

void tt_timeline_draw_instants(tt_canvas *c, int y, const tt_timeline_frame *f, const tt_timeline_node *n)
{
    const tt_trace *s = f->t->session->traces[n->trace];
    int64_t offset = f->t->session->offset_ns[n->trace];
    uint32_t i = instant_from(s, n, 0, offset, f->edge[0]);
    for (int col = 0; col < f->w; col++) {
        uint32_t lo = instant_from(s, n, i, offset, f->edge[col + 1]);
        if (lo > i) { /* the mark, and the name as far as the next one */
            const tt_instant *at = &s->instants[n->instants[lo - 1]];
            int room = lo < n->n_instants ? tt_timeline_col(f->t, s->instants[n->instants[lo]].ts + offset) - col - 2
                                          : f->w - col - 1;
            tt_put_char(c, y, f->x + col, TT_ROLE_STRONG, tt_glyph_of(c, TT_G_TRI_DOWN));
            if (room >= 4) {
                tt_put_cut(c, y, f->x + col + 1, TT_ROLE_DIM, tt_str(&s->strings, at->name), room, TT_CUT_END);
            }
        }
        i = lo;
    }
}

void tt_timeline_counter_scale(const tt_timeline_node *n, char *out, size_t cap)
{
    char low[TT_TEXT_CAP], high[TT_TEXT_CAP];
    snprintf(out, cap, "%s to %s", tt_format_number(low, n->low), tt_format_number(high, n->high));
}

/* ---- words ---- */

static void group_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    char busy[TT_TEXT_CAP], span[TT_TEXT_CAP];
    uint32_t tracks = 0;
    for (uint32_t i = (uint32_t)(n - t->nodes.at) + 1; i < n->end; i++)
        tracks += t->nodes.at[i].kind == TT_TIMELINE_TRACK;
    size_t used = (size_t)snprintf(out, cap, "%u track%s; c %s", tracks, tracks == 1 ? "" : "s",
                                   n->collapsed ? "shows what is inside" : "folds it");
    if (!n->group || !tt_timeline_may_query(t, n->group) || used >= cap) return;
    int64_t ns;
    tt_lod_union_query(n->group, t->t0, t->t1, 1, &ns);
    snprintf(out + used, cap - used, "   %sbusy %.1f%%: %s of the %s on screen", n->device ? "" : "some track ",
             (double)ns * 100 / (double)(t->t1 - t->t0), tt_format_duration(busy, ns, unit),
             tt_format_duration(span, t->t1 - t->t0, unit));
}

static void counter_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    const tt_series *x = &s->series[n->index];
    char scale[2 * TT_TEXT_CAP], value[TT_TEXT_CAP], time[TT_TEXT_CAP], count[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = sample_from(s->samples + x->first, 0, x->n, offset, t->at + 1);
    tt_timeline_counter_scale(n, scale, sizeof scale);
    if (i == 0) {
        snprintf(out, cap, "no sample yet at the cursor; %s samples, %s", tt_format_count(count, x->n), scale);
        return;
    }
    const tt_sample *at = &s->samples[x->first + i - 1];
    snprintf(out, cap, "%s since %s   %s samples, %s", tt_format_number(value, at->value),
             tt_format_time(time, at->ts + offset, unit), tt_format_count(count, x->n), scale);
}

static void instants_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n->trace];
    char time[TT_TEXT_CAP], count[TT_TEXT_CAP], place[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = instant_from(s, n, 0, offset, t->at + 1);
    i -= i > 0;
    const tt_instant *at = &s->instants[n->instants[i]];
    snprintf(out, cap, "%s @ %s   instant %s of %s", tt_str(&s->strings, at->name),
             tt_format_time(time, at->ts + offset, unit), tt_format_count(place, i + 1),
             tt_format_count(count, n->n_instants));
}

bool tt_timeline_row_text(const tt_timeline *t, tt_unit unit, char *out, size_t cap)
{
    if (t->line >= t->lines.n) return false;
    const tt_timeline_node *n = &t->nodes.at[t->lines.at[t->line].node];
    switch (n->kind) {
    case TT_TIMELINE_WORKER:
    case TT_TIMELINE_GROUP:
    case TT_TIMELINE_PROCESS: group_text(t, n, unit, out, cap); return true;
    case TT_TIMELINE_COUNTER: counter_text(t, n, unit, out, cap); return true;
    case TT_TIMELINE_INSTANTS: instants_text(t, n, unit, out, cap); return true;
    case TT_TIMELINE_CURVES:
        snprintf(out, cap, "SM efficiency, queue length of each stream, copy rates; c %s",
                 n->collapsed ? "expand" : "collapse");
        return true;
    case TT_TIMELINE_BUSY:
    case TT_TIMELINE_MEMORY:
    case TT_TIMELINE_SM:
    case TT_TIMELINE_QUEUE:
    case TT_TIMELINE_RATE: tt_curve_row_text(t, n, unit, out, cap); return true;
    case TT_TIMELINE_IDLE:
    case TT_TIMELINE_PATH: /* with facts of their own */
    case TT_TIMELINE_TRACK: break;
    }
    return false;
}

/* ---- moving ---- */

bool tt_timeline_move_sample(tt_timeline *t, int dir)
{
    const tt_timeline_node *n = &t->nodes.at[t->lines.at[t->line].node];
    const tt_trace *s = t->session->traces[n->trace];
    if (n->kind == TT_TIMELINE_IDLE) return tt_idle_row_move(t, n, dir);
    if (n->kind == TT_TIMELINE_PATH) return tt_path_row_move(t, n, dir);
    if (n->kind > TT_TIMELINE_INSTANTS) return tt_curve_row_move(t, n, dir);
    int64_t offset = t->session->offset_ns[n->trace], to;
    bool counter = n->kind == TT_TIMELINE_COUNTER;
    const tt_sample *sample = counter ? s->samples + s->series[n->index].first : NULL;
    uint32_t count = counter ? s->series[n->index].n : n->n_instants;
    int64_t from = t->at + (dir > 0);
    uint32_t i = counter ? sample_from(sample, 0, count, offset, from) : instant_from(s, n, 0, offset, from);
    if (dir < 0 ? i == 0 : i == count) {
        return false;
    }
    i -= dir < 0;
    to = (counter ? sample[i].ts : s->instants[n->instants[i]].ts) + offset;
    if (to < t->t0 || to >= t->t1) {
        int64_t span = t->t1 - t->t0;
        tt_timeline_window(t, to - span / 2, to + span - span / 2);
    }
    t->at = to;
    return true;
}
