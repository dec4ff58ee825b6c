/* tui/timeline/rows/idle_row.c - the row under a device that says why it waits: each cell has the colour of the cause
 * with the largest part of its idle time, as high as the cell is idle.
 *
 * Where colours do not tell causes apart the cell has the letter of the cause, a capital when most of the cell is idle.
 * Drawing is O(cells log gaps). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/idle/idle_gaps.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/rows/derived.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/sources.h"
#include "tui/widgets/cause_style.h"

static int64_t sum_of(const int64_t part[TT_WAIT_COUNT_], unsigned *most)
{
    int64_t sum = 0;
    *most = 0;
    for (unsigned k = 0; k < TT_WAIT_COUNT_; k++) {
        sum += part[k];
        *most = part[k] > part[*most] ? k : *most;
    }
    return sum;
}

/* The device of a row; TT_NONE = its gaps are not known yet, or it did nothing. */
static uint32_t device_of(const tt_timeline *t, const tt_timeline_node *n)
{
    return tt_derived_ready(t, n->trace, TT_DERIVED_IDLE) ? tt_derived_device(t, n) : TT_NONE;
}

/* Idle time of the window by cause. */
static void parts_on_screen(const tt_timeline *t, const tt_timeline_node *n, int64_t part[TT_WAIT_COUNT_])
{
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t device = device_of(t, n);
    memset(part, 0, TT_WAIT_COUNT_ * sizeof *part);
    if (device != TT_NONE) tt_idle_parts_in(t->session, n->trace, device, t->t0 - offset, t->t1 - offset, part);
}

/* ---- the picture ---- */

typedef struct run { /* idle cells of one cause, which get one word */
    unsigned cause;
    int from, to;
} run;

static void flush_run(tt_canvas *c, int y, const tt_timeline_frame *f, run *r)
{
    const char *word = tt_wait_text[r->cause];
    int w = r->to - r->from, n = (int)strlen(word);
    if (w < n + 2) {
        word = tt_wait_name[r->cause];
        n = (int)strlen(word);
    }
    if (w >= n + 2) tt_put(c, y, f->x + r->from + 1, tt_cause_style(r->cause) | TT_REVERSE, word, n);
    r->from = r->to = 0;
}

static void put_cell(tt_canvas *c, int y, int x, unsigned cause, int eighths, bool selected)
{
    int letter = (unsigned char)tt_cause_letter(cause);
    tt_style st = selected ? tt_style_fill(TT_PAINT_CONTRAST, TT_PAINT_ACCENT) : tt_cause_style(cause);
    if (tt_cause_needs_letter(c) || selected) {
        st |= eighths >= 8 && !selected ? TT_REVERSE : 0;
        tt_put_char(c, y, x, st, (uint32_t)(eighths >= 4 ? toupper(letter) : letter));
    } else if (eighths >= 8) {
        tt_cause_put(c, y, x, cause);
    } else {
        tt_put_char(c, y, x, st, tt_height(c, eighths));
    }
}

static bool lane_of(const tt_timeline *t, const tt_timeline_node *n, tt_idle_lane *out)
{
    uint32_t device = device_of(t, n);
    if (device != TT_NONE) *out = tt_idle_lane_of(t->session, n->trace, device);
    return device != TT_NONE;
}

/* Index of the gap at the cursor in its lane; l->n = the device is busy. */
static uint32_t gap_here(const tt_timeline *t, const tt_timeline_node *n, const tt_idle_lane *l)
{
    int64_t at, a, b, most = -1;
    uint32_t longest = l->n;
    if (!tt_timeline_cell_here(t, n, &at, &a, &b)) return l->n;
    uint32_t i = tt_idle_lane_after(l, at);
    if (t->at == t->placed && i < l->n && tt_idle_lane_at(l, i)->t0 <= at) return i;
    for (i = tt_idle_lane_after(l, a); i < l->n && tt_idle_lane_at(l, i)->t0 < b; i++) {
        const tt_idle_gap *x = tt_idle_lane_at(l, i);
        if (x->t1 - x->t0 <= most) continue;
        most = x->t1 - x->t0;
        longest = i;
    }
    return longest;
}

/* The gap that a person put the cursor in, else the longest gap in its cell; NULL = the device is busy. */
static const tt_idle_gap *gap_of(const tt_timeline *t, const tt_timeline_node *n)
{
    tt_idle_lane l;
    uint32_t i = lane_of(t, n, &l) ? gap_here(t, n, &l) : TT_NONE;
    return i != TT_NONE && i < l.n ? tt_idle_lane_at(&l, i) : NULL;
}

static void draw_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    const tt_timeline *t = f->t;
    const tt_timeline_node *n = &t->nodes.at[l->node];
    if (!tt_derived_ready(t, n->trace, TT_DERIVED_IDLE)) {
        tt_put(c, y, f->x + 1, TT_ROLE_DIM, "working out why it waits ...", f->w - 1);
        return;
    }
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t device = tt_derived_device(t, n);
    const tt_idle_gap *own = &t->lines.at[t->line] == l ? gap_of(t, n) : NULL;
    run r = {0};
    for (int col = 0; col < f->w; col++) {
        int64_t a = f->edge[col] - offset, b = f->edge[col + 1] - offset, part[TT_WAIT_COUNT_] = {0};
        unsigned cause;
        b = b > a ? b : a + 1;
        if (device != TT_NONE) tt_idle_parts_in(t->session, n->trace, device, a, b, part);
        int eighths = tt_timeline_eighths(sum_of(part, &cause), b - a);
        bool selected = eighths > 0 && own && tt_timeline_marks_span(f, own->t0 + offset, own->t1 + offset, col);
        bool full = eighths >= 8 && !selected;
        if (!full || cause != r.cause || r.to != col) flush_run(c, y, f, &r);
        if (eighths == 0) {
            tt_timeline_put_gap(c, y, f, col);
            continue;
        }
        put_cell(c, y, f->x + col, cause, eighths, selected);
        if (full) r = (run){cause, r.to == col && r.to > r.from ? r.from : col, col + 1};
    }
    flush_run(c, y, f, &r);
}

/* The cause of most idle time in the window, as "input"; "" = not known yet, or never idle. */
static const char *main_cause(const tt_timeline *t, const tt_timeline_node *n, unsigned *cause)
{
    int64_t part[TT_WAIT_COUNT_];
    parts_on_screen(t, n, part);
    return sum_of(part, cause) > 0 ? tt_wait_name[*cause] : "";
}

/* "idle:" and the main cause in its colour. */
static bool draw_label(tt_canvas *c, int y, int x, int w, tt_style st, const tt_timeline *t, const tt_timeline_node *n)
{
    unsigned cause = 0;
    const char *why = main_cause(t, n, &cause);
    if (!*why) return false;
    int used = tt_put(c, y, x, st, "idle:", w) + 1;
    if (used + (int)strlen(tt_wait_text[cause]) <= w) why = tt_wait_text[cause];
    tt_put_cut(c, y, x + used, tt_cause_style(cause), why, w - used, TT_CUT_END);
    return true;
}

/* ---- the gap at the cursor ---- */

static bool gap_time(const tt_timeline *t, const tt_timeline_node *n, int64_t *a, int64_t *b)
{
    const tt_idle_gap *gap = gap_of(t, n);
    if (!gap) return false;
    *a = gap->t0 + t->session->offset_ns[n->trace];
    *b = gap->t1 + t->session->offset_ns[n->trace];
    return true;
}

static bool move_gap(tt_timeline *t, const tt_timeline_node *n, int dir)
{
    tt_idle_lane l;
    if (!lane_of(t, n, &l)) return false;
    int64_t offset = t->session->offset_ns[n->trace];
    uint32_t i = gap_here(t, n, &l);
    bool own = i < l.n;
    i = own ? i : tt_idle_lane_after(&l, t->at - offset);
    if (dir < 0 ? i == 0 : own && i + 1 >= l.n) return false;
    i = dir < 0 ? i - 1 : own ? i + 1 : i;
    if (i >= l.n) return false;
    const tt_idle_gap *g = tt_idle_lane_at(&l, i);
    tt_timeline_place(t, g->t0 + (g->t1 - g->t0) / 2 + offset);
    return true;
}

/* ---- words ---- */

static void part_text(char *out, size_t cap, const int64_t part[TT_WAIT_COUNT_], int64_t whole, tt_unit unit)
{
    tt_buf line = tt_buf_on(out, cap);
    bool taken[TT_WAIT_COUNT_] = {false};
    for (int i = 0; i < TT_WAIT_COUNT_; i++) { /* the largest first */
        int most = -1;
        char ns[TT_TEXT_CAP];
        for (int k = 0; k < TT_WAIT_COUNT_; k++)
            if (!taken[k] && part[k] > 0 && (most < 0 || part[k] > part[most])) most = k;
        if (most < 0 || (i && part[most] < whole / 2000)) break; /* it would show as 0.0% */
        taken[most] = true;
        tt_buf_list(&line, ", ", "%s %s (%.1f%%)", tt_wait_text[most], tt_format_duration(ns, part[most], unit),
                    (double)part[most] * 100 / (double)whole);
    }
}

/* Write the thread that had to launch the next work, and its activity in the middle of its part of the gap. */
static void host_facts(tt_detail *d, const tt_timeline *t, const tt_timeline_node *n, const tt_idle_gap *g)
{
    const tt_trace *s = t->session->traces[n->trace];
    char label[256];
    if (g->track == TT_NONE) return;
    uint32_t node = t->track_node[n->trace][g->track];
    int64_t host = tt_idle_host_ns(g);
    if (g->op != TT_NONE) tt_detail_line(d, "operator", TT_CUT_END, "%s", tt_row_name(s, g->op));
    if (host > 0 && tt_python_line_at(s, g->track, g->t0 + host / 2, label, sizeof label))
        tt_detail_line(d, "python line", TT_CUT_START, "%s", label);
    if (node == TT_NONE) return;
    tt_timeline_label(t, &t->nodes.at[node], label, sizeof label);
    tt_detail_fact(d, "thread", "%s", label);
}

static void gap_facts(tt_detail *d, const tt_timeline *t, const tt_timeline_node *n, const tt_idle_gap *g)
{
    const tt_trace *s = t->session->traces[n->trace];
    char text[512], a[TT_TEXT_CAP];
    int64_t offset = t->session->offset_ns[n->trace];
    tt_detail_fact(d, "gap", "%s", tt_format_duration(a, g->t1 - g->t0, d->unit));
    tt_detail_fact(d, "start", "%s", tt_format_time(a, g->t0 + offset, d->unit));
    part_text(text, sizeof text, g->part, g->t1 - g->t0, d->unit);
    tt_detail_fact(d, "parts", "%s", text);
    host_facts(d, t, n, g);
    if (g->next != TT_NONE) {
        const tt_work *next = &tt_device_work_get(t->session, n->trace)->at[g->next];
        tt_detail_line(d, "then", TT_CUT_KERNEL, "%s", tt_row_name(s, next->row));
        if (next->launch != TT_NONE)
            tt_detail_line(d, "launched by", TT_CUT_END, "%s @ %s", tt_row_name(s, next->launch),
                           tt_format_time(a, s->start[next->launch] + offset, d->unit));
    }
    tt_detail_line(d, "means", TT_CUT_END, "%s", tt_wait_help[g->cause]);
}

static void make_facts(tt_detail *d, const tt_timeline *t, const tt_timeline_node *n, tt_unit unit)
{
    char text[512], ns[TT_TEXT_CAP], of[TT_TEXT_CAP], place[TT_TEXT_CAP], count[TT_TEXT_CAP], label[256];
    tt_idle_lane l;
    bool known = lane_of(t, n, &l);
    uint32_t i = known ? gap_here(t, n, &l) : TT_NONE;
    const tt_idle_gap *g = known && i < l.n ? tt_idle_lane_at(&l, i) : NULL;
    int64_t at, a, b, part[TT_WAIT_COUNT_] = {0};
    unsigned cause;
    tt_detail_free(d);
    d->unit = unit;
    tt_timeline_label(t, &t->nodes.at[n->parent], label, sizeof label);
    d->place = tt_arena_printf(&d->arena, "%s", label);
    if (!g) {
        d->name = known ? "busy: no gap in this cell" : "not known yet";
        return;
    }
    d->name = tt_arena_printf(&d->arena, "idle: %s", tt_wait_text[g->cause]);
    d->place = tt_arena_printf(&d->arena, "gap %s of %s, %s", tt_format_count(place, (int64_t)i + 1),
                               tt_format_count(count, l.n), label);
    gap_facts(d, t, n, g);
    if (tt_timeline_cell_here(t, n, &at, &a, &b) && (g->t0 > a || g->t1 < b)) {
        tt_idle_parts_in(t->session, n->trace, g->device, a, b, part);
        int64_t idle = sum_of(part, &cause);
        part_text(text, sizeof text, part, idle > 0 ? idle : 1, unit);
        tt_detail_fact(d, "this cell", "idle %s of %s: %s", tt_format_duration(ns, idle, unit),
                       tt_format_duration(of, b - a, unit), text);
    }
    d->n_own = d->facts.n;
}

static unsigned causes_on_screen(const tt_timeline *t, const tt_timeline_node *n)
{
    int64_t part[TT_WAIT_COUNT_];
    unsigned which = 0;
    parts_on_screen(t, n, part);
    for (unsigned k = 0; k < TT_WAIT_COUNT_; k++) which |= (unsigned)(part[k] > 0) << k;
    return which;
}

const tt_row_source tt_source_idle = {
    .filter = TT_FILTER_PARENT,
    .needs = 1u << TT_DERIVED_IDLE,
    .name = "idle, and why",
    .draw_label = draw_label,
    .cells = draw_cells,
    .causes = causes_on_screen,
    .hit = gap_time,
    .move = move_gap,
    .noun = "gap",
    .is_wait = true,
    .never_busy = true,
    .detail = make_facts,
};
