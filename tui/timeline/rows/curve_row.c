/* tui/timeline/rows/curve_row.c - rows of a device that show a value over time: how busy it is, its SM efficiency, how
 * much launched work waits on each stream, the rate of each kind of copies.
 *
 * A share of time is the mean over each cell, drawn against 100%. Every other value is the largest of each cell, drawn
 * against the largest of the trace. Drawing is O(cells log samples). */
#include <stdio.h>

#include "model/index/curve.h"
#include "model/tables/devices/copy_rate.h"
#include "model/tables/devices/sm_curve.h"
#include "model/tables/launches/queue_length.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"

/* ---- where the values are ---- */

static const tt_curve *busy_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    (void)of;
    return &tt_busy_curves_get(t->session, n->trace)->of[device];
}

static const tt_curve *sm_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    (void)of;
    return &tt_sm_curves_get(t->session, n->trace)->of[device];
}

static const tt_curve *queue_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    const tt_device_work *w = tt_device_work_get(t->session, n->trace);
    const tt_queue_lengths *q = tt_queue_lengths_get(t->session, n->trace);
    uint32_t place = 0;
    for (uint32_t i = w->devices[device].first_stream, end = i + w->devices[device].n_streams; i < end; i++) {
        if (q->of[i].at.n == 0 || place++ != n->index) continue;
        *of = w->streams[i].name;
        return &q->of[i];
    }
    return NULL;
}

static const tt_curve *rate_at(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of)
{
    const tt_copy_rates *r = tt_copy_rates_get(t->session, n->trace);
    uint32_t place = 0;
    for (size_t i = 0; i < r->at.n; i++) {
        if (r->at.at[i].device != device || r->at.at[i].gb_per_s.at.n == 0 || place++ != n->index) continue;
        *of = r->at.at[i].kind;
        return &r->at.at[i].gb_per_s;
    }
    return NULL;
}

/* ---- the kinds ---- */

typedef struct curve_kind {
    const tt_curve *(*at)(const tt_timeline *t, const tt_timeline_node *n, uint32_t device, const char **of);
    bool share;          /* the value is a share of time, in percent */
    bool whole;          /* the value is a whole number */
    bool always;         /* the row is there even without values */
    const char *before;  /* label before the stream or the kind of copies */
    const char *unnamed; /* in place of that while it is not known */
    const char *after;   /* label behind it */
    const char *unit;    /* behind a value in the pane */
} curve_kind;

static const curve_kind kinds[TT_TIMELINE_KINDS_] = {
    [TT_TIMELINE_BUSY] = {busy_at, .share = true, .always = true, .before = "busy", .unnamed = "", .after = ""},
    [TT_TIMELINE_SM] = {sm_at, .share = true, .before = "SM efficiency", .unnamed = "", .after = ""},
    [TT_TIMELINE_QUEUE] = {queue_at, .whole = true, .before = "queue ", .unnamed = "?", .after = "",
                           .unit = " launched and waiting"},
    [TT_TIMELINE_RATE] = {rate_at, .before = "", .unnamed = "copies", .after = " GB/s", .unit = " GB/s"},
};

/* The curve of a row; NULL = not known yet, or the row has none. *of: the stream or the kind of copies, "" = none. */
static const tt_curve *curve_of(const tt_timeline *t, const tt_timeline_node *n, const char **of)
{
    *of = "";
    if (!tt_derived_known(t, n)) return NULL;
    uint32_t device = tt_derived_device(t, n);
    const tt_curve *c = device == TT_NONE ? NULL : kinds[n->kind].at(t, n, device, of);
    return c && c->at.n ? c : NULL;
}

/* ---- lines and labels ---- */

static void add_lines(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    const char *of;
    if (kinds[n->kind].always ? !tt_derived_gives_way(t, node) : curve_of(t, n, &of) != NULL)
        tt_lines_add(t, node, TT_NONE);
}

static void label_of(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const curve_kind *k = &kinds[n->kind];
    const char *of;
    curve_of(t, n, &of);
    snprintf(out, cap, "%s%s%s", k->before, *of ? of : k->unnamed, k->after);
}

/* The value of [a, b), trace time: the mean of a share, else the largest. */
static double value_in(const tt_timeline_node *n, const tt_curve *c, int64_t a, int64_t b)
{
    return kinds[n->kind].share ? tt_curve_mean(c, a, b) : tt_curve_largest(c, a, b);
}

static void side_text(const tt_timeline *t, const tt_timeline_node *n, char *out, size_t cap)
{
    const curve_kind *k = &kinds[n->kind];
    int64_t off = t->session->offset_ns[n->trace];
    const char *of;
    const tt_curve *c = curve_of(t, n, &of);
    out[0] = '\0';
    if (!c) return;
    double v = value_in(n, c, t->t0 - off, t->t1 - off);
    if (k->share)
        snprintf(out, cap, "%.1f%%", v > 100 ? 100 : v);
    else
        snprintf(out, cap, k->whole ? "%.0f" : "%.3g", v);
}

/* ---- picture ---- */

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline_node *n = &f->t->nodes.at[l->node];
    int64_t off = f->t->session->offset_ns[n->trace];
    const char *of;
    const tt_curve *curve = curve_of(f->t, n, &of);
    double whole = kinds[n->kind].share ? 100 : curve ? curve->top : 0;
    for (int col = 0; col < f->w; col++) {
        int64_t a = f->edge[col], b = f->edge[col + 1] > a ? f->edge[col + 1] : a + 1;
        tt_timeline_put_part(c, y, f, col, curve && whole > 0 ? value_in(n, curve, a - off, b - off) / whole : 0);
    }
}

/* ---- words ---- */

static void share_text(const tt_timeline *t, const tt_timeline_node *n, const tt_curve *c, char *out, size_t cap)
{
    int64_t off = t->session->offset_ns[n->trace], at, a, b;
    const char *what = kinds[n->kind].before;
    double window = tt_curve_mean(c, t->t0 - off, t->t1 - off);
    if (tt_timeline_cell_here(t, n, &at, &a, &b))
        snprintf(out, cap, "%s %.1f%% in this column, %.1f%% on screen", what, tt_curve_mean(c, a, b), window);
    else
        snprintf(out, cap, "%s %.1f%% on screen", what, window);
}

static void curve_text(const tt_timeline *t, const tt_timeline_node *n, tt_unit unit, char *out, size_t cap)
{
    const char *of;
    const tt_curve *curve = curve_of(t, n, &of);
    char now[TT_TEXT_CAP], window[TT_TEXT_CAP], top[TT_TEXT_CAP], at[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    if (!curve) {
        snprintf(out, cap, "not known yet");
    } else if (kinds[n->kind].share) {
        share_text(t, n, curve, out, cap);
    } else {
        snprintf(out, cap, "%s%s at %s   at most %s on screen, %s in all",
                 tt_format_number(now, tt_curve_value(curve, t->at - offset)), kinds[n->kind].unit,
                 tt_format_time(at, t->at, unit),
                 tt_format_number(window, tt_curve_largest(curve, t->t0 - offset, t->t1 - offset)),
                 tt_format_number(top, curve->top));
    }
}

/* To the next change of the value. */
static bool move_change(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    const char *of;
    const tt_curve *curve = curve_of(t, n, &of);
    if (!curve) return false;
    int64_t offset = t->session->offset_ns[n->trace], at = t->at - offset;
    size_t i = tt_curve_from(curve, dir > 0 ? at + 1 : at);
    if (dir < 0 ? i == 0 : i == curve->at.n) return false;
    tt_timeline_place(t, curve->at.at[dir < 0 ? i - 1 : i].ts + offset);
    return true;
}

/* ---- the sources ---- */

/* A row beside the idle row stays with its device while slices are filtered; a row below the header of curves stays. */
#define SOURCE(value, with, where)                                                                                     \
    {                                                                                                                  \
        .lines = add_lines, .filter = with, .needs = 1u << (value), .place_index = where, .label = label_of,           \
        .side = side_text, .cells = draw_cells, .move = move_change, .never_busy = true, .text = curve_text            \
    }

const tt_row_source tt_source_busy = SOURCE(TT_DERIVED_BUSY, TT_FILTER_PARENT, false);
const tt_row_source tt_source_sm = SOURCE(TT_DERIVED_SM, TT_FILTER_ALWAYS, false);
const tt_row_source tt_source_queue = SOURCE(TT_DERIVED_QUEUES, TT_FILTER_ALWAYS, true);
const tt_row_source tt_source_rate = SOURCE(TT_DERIVED_RATES, TT_FILTER_ALWAYS, true);
