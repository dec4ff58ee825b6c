/* tui/screens/steps/steps.c - the Steps screen: a stacked bar for each step, two marked steps compared, stages,
 * throughput. If the trace knows the phases of its steps, a column for each step replaces the bars (step_chart.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/compare/step_compare.h"
#include "model/tables/steps/columns.h"
#include "tui/charts/step_chart.h"
#include "tui/charts/step_parts.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/panes.h"
#include "tui/widgets/scroll.h"

static const tt_pane panes[] = {
    {"step_compare", "Compare", NULL},
    {"step_breakdown", "Breakdown", NULL},
    {"stages", "Stages", NULL},
    {"stages_by_step", "Phases by step", NULL},
    {"throughput", "Throughput", NULL},
    {"event_types", "Event types", NULL},
    {"distribution", "Distribution", NULL},
};
enum { N_PANES = sizeof panes / sizeof *panes };
/* tables of a trace with phases */
static const tt_pane phase_panes[] = {
    {"step_trace", "Step trace", NULL},         {"step_collectives", "Collectives", "No collectives in these steps"},
    {"step_trace_summary", "Average", NULL},    {"step_compare", "Compare", NULL},
    {"step_breakdown", "Breakdown", NULL},      {"stages", "Stages", NULL},
    {"stages_by_step", "Phases by step", NULL}, {"throughput", "Throughput", NULL},
    {"event_types", "Event types", NULL},       {"distribution", "Distribution", NULL},
};
enum { N_PHASE_PANES = sizeof phase_panes / sizeof *phase_panes };
/* tables of a trace with steps of a serving engine */
static const tt_pane engine_panes[] = {
    {"engine_steps", "Engine steps", NULL}, {"serving", "Phases", NULL}, {"step_compare", "Compare", NULL},
    {"step_breakdown", "Breakdown", NULL},  {"stages", "Stages", NULL},  {"event_types", "Event types", NULL},
    {"distribution", "Distribution", NULL},
};
enum { N_ENGINE_PANES = sizeof engine_panes / sizeof *engine_panes };

enum { BREAKDOWN, PHASES, AVERAGE, COLLECTIVES, SERVING };
static const char *const ids[] = {"step_breakdown",   "step_trace", "step_trace_summary",
                                  "step_collectives", "serving",    NULL};

typedef struct pane_list {
    const tt_pane *at;
    int n;
} pane_list;

typedef struct steps {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_table_fetch tables;
    tt_step_chart phases;
    uint32_t at, top;
    bool began;   /* the cursor was put on the slowest step, or on the newest step of a running recording */
    bool on_last; /* the chosen step was the newest when the session was replaced by a larger one */
    int64_t longest;
    struct {
        int64_t number;
        uint32_t trace;
    } mark[2];
    int n_marks;
    char title[256];
    tt_slowest_step slowest; /* the slowest step of the breakdown */
    int y, h;                /* place of the list in the last frame */
} steps;

static steps *of(const tt_screen *s) { return s->state; }
/* The table with a row for each bar or column of the chart. */
static const tt_table *list(const steps *x)
{
    return x->tables.at[tt_table_fetch_rows(&x->tables, PHASES) ? PHASES : BREAKDOWN];
}
static uint32_t rows(const steps *x) { return list(x) ? list(x)->n_rows : 0; }

/* The label of a step of list(), and its duration. */
static const char *name_of(const steps *x, uint32_t row, char buf[TT_CELL_LABEL])
{
    bool phases = tt_table_fetch_rows(&x->tables, PHASES) > 0;
    return tt_cell_label(list(x), row, phases ? TT_STEP_TRACE_STEP : TT_STEP_BREAKDOWN_STEP, buf);
}
static int64_t length_of(const steps *x, uint32_t row)
{
    bool phases = tt_table_fetch_rows(&x->tables, PHASES) > 0;
    return tt_cell_i(list(x), row, phases ? TT_STEP_TRACE_TOTAL : TT_STEP_BREAKDOWN_TOTAL);
}

static bool number_of(const steps *x, uint32_t row, int64_t *out)
{
    char *end, buf[24];
    const char *text = name_of(x, row, buf);
    *out = strtoll(text, &end, 10);
    return end != text;
}

/* Name the steps that the table compares while the user has marked none: "Step 21 (slowest, 202.6 ms) vs step 17
 * (median, 122.5 ms)". With several workers the table has a pair for each. */
static void name_compared(tt_screen *s)
{
    steps *x = of(s);
    const tt_table *t = x->tables.at[BREAKDOWN];
    int pane = tt_panes_find_pane(&x->panes, "step_compare");
    char ns[2][TT_TEXT_CAP], buf[2][24];
    bool one = x->slowest.row != TT_NONE && !strcmp(tt_cell_worker(t, 0), tt_cell_worker(t, t->n_rows - 1));
    if (one)
        snprintf(x->title, sizeof x->title, "Step %s (slowest, %s) vs step %s (median, %s)",
                 tt_cell_label(t, x->slowest.row, TT_STEP_BREAKDOWN_STEP, buf[0]),
                 tt_brief_ns(ns[0], tt_cell_i(t, x->slowest.row, TT_STEP_BREAKDOWN_TOTAL)),
                 tt_cell_label(t, x->slowest.middle, TT_STEP_BREAKDOWN_STEP, buf[1]),
                 tt_brief_ns(ns[1], tt_cell_i(t, x->slowest.middle, TT_STEP_BREAKDOWN_TOTAL)));
    if (pane >= 0) tt_table_view_set_title(tt_panes_view_of(&x->panes, pane), one ? x->title : NULL);
}

static pane_list panes_of(const steps *x)
{
    if (tt_step_chart_any(&x->phases)) return (pane_list){phase_panes, N_PHASE_PANES};
    if (tt_table_fetch_rows(&x->tables, SERVING)) return (pane_list){engine_panes, N_ENGINE_PANES};
    return (pane_list){panes, N_PANES};
}

static void ready(tt_screen *s)
{
    steps *x = of(s);
    x->longest = 0;
    for (uint32_t i = 0; i < rows(x); i++) {
        int64_t ns = length_of(x, i);
        if (ns > x->longest) x->longest = ns;
    }
    if (x->at >= rows(x)) x->at = rows(x) ? rows(x) - 1 : 0;
    tt_step_chart_set(&x->phases, x->tables.at[PHASES], x->tables.at[AVERAGE], x->tables.at[COLLECTIVES]);
    bool phases = tt_step_chart_any(&x->phases);
    pane_list l = panes_of(x);
    tt_panes_change(s, l.at, l.n);
    x->slowest = tt_slowest_step_of(x->tables.at[BREAKDOWN]);
    if (!x->began && rows(x)) {
        x->began = true;
        if (!phases && x->slowest.row != TT_NONE) x->at = x->slowest.row;
        x->on_last = tt_host_follows(s->host);
    }
    if (x->on_last && rows(x)) x->at = rows(x) - 1;
    x->on_last = false;
    if (x->n_marks < 2) name_compared(s);
}

static void open_steps(tt_screen *s)
{
    steps *x = of(s);
    tt_panes_open(s, panes, N_PANES, true);
    x->panes.skips_empty = true;
    x->slowest.row = TT_NONE;
    x->tables = (tt_table_fetch){.screen = s, .ids = ids, .ready = ready};
    tt_table_fetch_ask(&x->tables);
}

static void close_steps(tt_screen *s)
{
    tt_panes_close(s);
    tt_step_chart_free(&of(s)->phases);
}

static void scope_steps(tt_screen *s)
{
    tt_table_fetch_ask(&of(s)->tables);
    tt_panes_scope(s);
}

static void renew_steps(tt_screen *s, int64_t shift)
{
    steps *x = of(s);
    for (int k = 0; k < x->n_marks; k++) {
        x->mark[k].trace = tt_host_trace_now(s->host, x->mark[k].trace);
        if (x->mark[k].trace == TT_NONE) x->n_marks = 0;
    }
    tt_step_chart_set(&x->phases, NULL, NULL, NULL);
    x->slowest.row = TT_NONE;
    x->on_last |= tt_host_follows(s->host) && rows(x) && x->at == rows(x) - 1;
    tt_table_fetch_renew(&x->tables);
    tt_panes_renew(s, shift);
}

/* ---- drawing ---- */

/* The trace with the step of a row. */
static uint32_t trace_of(const tt_screen *s, uint32_t row)
{
    const tt_table *t = list(of(s));
    const tt_session *session = tt_host_session(s->host);
    const char *worker = tt_cell_worker(t, row), *span = tt_cell_span(t, row);
    for (uint32_t i = 0; i < session->n_traces; i++) {
        const tt_trace *st = session->traces[i];
        if (!tt_scope_has_trace(session, tt_host_scope(s->host), i)) continue;
        if ((!*worker || !strcmp(worker, st->worker)) && (!*span || !strcmp(span, st->span))) return i;
    }
    return 0;
}

static bool is_marked(const tt_screen *s, uint32_t row, int *which)
{
    const steps *x = of(s);
    int64_t number;
    if (!x->n_marks || !number_of(x, row, &number)) return false;
    for (*which = 0; *which < x->n_marks; ++*which) {
        if (x->mark[*which].number == number && x->mark[*which].trace == trace_of(s, row)) return true;
    }
    return false;
}

static void draw_step(const tt_screen *s, tt_canvas *c, int y, uint32_t row)
{
    const steps *x = of(s);
    const tt_table *t = x->tables.at[0];
    const char *worker = tt_cell_worker(t, row);
    bool on = tt_panes_on_chart(&x->panes) && row == x->at;
    char label[48], text[TT_TEXT_CAP];
    int64_t ns[TT_STEP_PARTS];
    int at = 1, which;
    if (is_marked(s, row, &which))
        tt_put_char(c, y, 0, TT_ROLE_MARKED, which ? 'B' : 'A');
    else if (on)
        tt_put_char(c, y, 0, TT_ROLE_STRONG, '>');
    if (*worker && tt_host_scope(s->host)->worker == TT_ALL) { /* otherwise the first line names the worker */
        int w = c->w / 6 < 16 ? c->w / 6 : 16;
        tt_put_cut(c, y, at, on ? TT_ROLE_CURSOR : TT_ROLE_DIM, worker, w, TT_CUT_START);
        at += w + 1;
    }
    tt_putf(c, y, at, on ? TT_ROLE_CURSOR : TT_ROLE_TEXT, 14, "%-14.14s",
            tt_step_title(tt_host_session(s->host), t, row, TT_STEP_BREAKDOWN_STEP, label));
    tt_put_right(c, y, at + 12, 11, on ? TT_ROLE_CURSOR : TT_ROLE_NUMBER,
                 tt_format_duration(text, tt_cell_i(t, row, TT_STEP_BREAKDOWN_TOTAL), (tt_unit)tt_host_unit(s->host)));
    tt_step_parts_of(t, row, ns);
    tt_stacked_bar(c, y, at + 25, c->w - at - 26, tt_step_parts_shown, ns, TT_STEP_PARTS, x->longest);
}

/* Whether the slowest step says something: steps of an engine differ by their batch. */
static bool slowest_matters(const steps *x)
{
    return !tt_table_fetch_rows(&x->tables, SERVING) && tt_slowest_step_matters(&x->slowest, x->tables.at[BREAKDOWN]);
}

static void draw_bars(tt_screen *s, tt_canvas *c)
{
    steps *x = of(s);
    const tt_table *t = x->tables.at[0];
    char right[TT_TEXT_CAP];
    tt_format_counted(right, rows(x), "step");
    tt_rule(c, 0, c->w >= 70 ? "Steps   Enter limit   m compare two   c compare ranks" : "Steps", right);
    x->h = 0;
    if (!rows(x)) {
        tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM,
                       !t        ? "computing ..."
                       : t->note ? t->note
                                 : "No steps: call prof.step() in the training loop");
        return;
    }
    int y = 1;
    if (c->h >= 5 && slowest_matters(x)) {
        char why[160], buf[24];
        tt_slowest_step_text(&x->slowest, t, why, sizeof why);
        int at = 1 + tt_putf(c, y, 1, TT_ROLE_STRONG, c->w - 2, "Slowest: step %s  ",
                             tt_cell_label(t, x->slowest.row, TT_STEP_BREAKDOWN_STEP, buf));
        tt_put_cut(c, y++, at, TT_ROLE_WARN, why, c->w - at - 1, TT_CUT_END);
    }
    if (c->h >= 5) tt_stack_legend(c, y++, 1, tt_step_parts_shown, TT_STEP_PARTS);
    x->y = y;
    x->h = c->h - y;
    x->top = tt_scroll_to(x->top, x->at, x->h);
    for (uint32_t i = x->top; i < rows(x) && (int)(i - x->top) < x->h; i++) draw_step(s, c, y + (int)(i - x->top), i);
}

/* Draw the phases above, the tables below; if only one fits, the part that has the focus. */
static void draw_phases(tt_screen *s, tt_canvas *c)
{
    steps *x = of(s);
    bool chart = tt_panes_on_chart(&x->panes), small = c->h < 14;
    int h = small ? (chart ? c->h : 0) : chart ? c->h - c->h / 3 : c->h / 2;
    tt_step_chart_view v = {.at = x->at,
                            .focus = chart,
                            .mark = {TT_NONE, TT_NONE},
                            .hint = "h l step   Enter limit   m compare two",
                            .unit = (tt_unit)tt_host_unit(s->host)};
    for (uint32_t r = 0; r < rows(x) && x->n_marks; r++) {
        int which;
        if (is_marked(s, r, &which)) v.mark[which] = r;
    }
    x->phases.h = 0;
    if (h) {
        tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w);
        tt_step_chart_draw(&x->phases, &top, &v);
    }
    if (h < c->h) {
        tt_canvas rest = tt_canvas_window(c, h, 0, c->h - h, c->w);
        tt_panes_draw(&x->panes, &rest, h);
    }
}

static void draw_steps(tt_screen *s, tt_canvas *c)
{
    steps *x = of(s);
    if (tt_step_chart_any(&x->phases)) {
        draw_phases(s, c);
        return;
    }
    int bars = 2 + slowest_matters(x) + (rows(x) ? (int)(rows(x) < 100 ? rows(x) : 100) : 2), most = c->h / 2;
    if (bars > most) bars = most;
    if (c->h < 14) bars = tt_panes_on_chart(&x->panes) ? c->h : 0;
    x->h = 0;
    if (bars) {
        tt_canvas top = tt_canvas_window(c, 0, 0, bars, c->w);
        draw_bars(s, &top);
    }
    if (bars < c->h) {
        tt_canvas rest = tt_canvas_window(c, bars, 0, c->h - bars, c->w);
        tt_panes_draw(&x->panes, &rest, bars);
    }
}

static void status_chart(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const steps *x = of(s);
    char ns[TT_TEXT_CAP], label[48];
    snprintf(out, cap, "steps");
    if (!rows(x)) return;
    if (tt_step_chart_any(&x->phases)) {
        tt_step_chart_text(&x->phases, x->at, (tt_unit)tt_host_unit(s->host), out, cap);
        return;
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s",
               tt_step_title(tt_host_session(s->host), x->tables.at[0], x->at, TT_STEP_BREAKDOWN_STEP, label));
    for (int p = 0; p < TT_STEP_PARTS; p++) {
        int64_t v = tt_cell_i(x->tables.at[0], x->at, tt_step_parts_shown[p].column);
        if (v > 0)
            tt_buf_add(&line, "   %s %s", tt_step_parts_shown[p].title,
                       tt_format_duration(ns, v, (tt_unit)tt_host_unit(s->host)));
    }
}

/* ---- keys ---- */

static void move(steps *x, int64_t by)
{
    int64_t to = (int64_t)x->at + by, last = rows(x) ? (int64_t)rows(x) - 1 : 0;
    x->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

/* Set the scope to the chosen step, or to all steps again. */
static void scope_step(tt_screen *s)
{
    int64_t n;
    if (number_of(of(s), of(s)->at, &n)) tt_host_toggle_step(s->host, n);
}

/* Duration of a step, TT_UNKNOWN = no step has the number. */
static int64_t step_ns(const tt_session *session, uint32_t trace, int64_t number)
{
    const tt_trace *st = session->traces[trace];
    for (uint32_t i = 0; i < st->n_steps; i++) {
        if (st->steps[i].number == number && st->steps[i].row != TT_NONE && st->steps[i].kept)
            return st->steps[i].end - st->steps[i].start;
    }
    return TT_UNKNOWN;
}

/* Name the marked steps: "Step 4 (A) and step 5 (B): 56.411 ms and 27.458 ms, -28.953 ms" */
static void title(tt_screen *s, bool ranks)
{
    steps *x = of(s);
    const tt_session *session = tt_host_session(s->host);
    int64_t ns[2];
    char text[3][TT_TEXT_CAP], name[2][96];
    for (int k = 0; k < 2; k++) {
        ns[k] = step_ns(session, x->mark[k].trace, x->mark[k].number);
        tt_format_duration(text[k], ns[k], (tt_unit)tt_host_unit(s->host));
        snprintf(name[k], sizeof name[k], "step %lld (%c%s%.60s)", (long long)x->mark[k].number, 'A' + k,
                 ranks ? ", " : "", ranks ? session->traces[x->mark[k].trace]->worker : "");
    }
    *name[0] = 'S';
    tt_buf line = tt_buf_of(x->title);
    tt_buf_add(&line, "%s and %s compared", name[0], name[1]);
    if (ns[0] == TT_UNKNOWN || ns[1] == TT_UNKNOWN) return;
    tt_format_duration(text[2], ns[1] - ns[0], (tt_unit)tt_host_unit(s->host));
    tt_buf_add(&line, ": %s, %s, %s%s", text[0], text[1], ns[1] > ns[0] ? "+" : "", text[2]);
}

static void compare(tt_screen *s)
{
    steps *x = of(s);
    bool both = x->n_marks == 2;
    int pane = tt_panes_find_pane(&x->panes, "step_compare");
    tt_table_view *v = tt_panes_view_of(&x->panes, pane);
    x->panes.first = both ? pane : 0;
    tt_options o = *tt_table_view_options(v);
    bool ranks = both && x->mark[0].trace != x->mark[1].trace;
    o.arg[0] = both ? x->mark[0].number + 1 : 0;
    o.arg[1] = both ? x->mark[1].number + 1 : 0;
    bool one = ranks || (both && tt_host_session(s->host)->n_traces > 1 && tt_host_scope(s->host)->worker == TT_ALL);
    o.arg[2] = one ? TT_COMPARE_STORES(x->mark[0].trace, x->mark[1].trace) : 0;
    if (both) {
        title(s, ranks);
        tt_table_view_set_title(v, x->title);
    } else {
        name_compared(s);
    }
    tt_table_view_set_options(v, &o);
    if (both)
        tt_host_set_status(s->host,
                           "compared below: Tab goes there, b groups by kernel or operator, = compares everything");
}

/* Mark the step, or remove its mark; a third mark removes the first two. */
static void mark(tt_screen *s)
{
    steps *x = of(s);
    int64_t n;
    int which;
    if (!number_of(x, x->at, &n)) return;
    if (is_marked(s, x->at, &which)) {
        x->mark[which] = x->mark[1];
        x->n_marks--;
    } else {
        if (x->n_marks == 2) x->n_marks = 0;
        x->mark[x->n_marks].number = n;
        x->mark[x->n_marks++].trace = trace_of(s, x->at);
        if (x->n_marks == 1) tt_host_set_status(s->host, "step %lld is A: mark another one to compare", (long long)n);
    }
    if (x->n_marks != 1) compare(s);
}

/* Compare the chosen step with the same step of another worker, after the next key press with the step of the worker
 * after that. */
static void compare_ranks(tt_screen *s)
{
    steps *x = of(s);
    const tt_session *session = tt_host_session(s->host);
    int64_t n;
    if (!number_of(x, x->at, &n)) return;
    uint32_t a = trace_of(s, x->at), from = a;
    if (x->n_marks == 2 && x->mark[0].trace == a && x->mark[0].number == n && x->mark[1].number == n)
        from = x->mark[1].trace;
    for (uint32_t k = 1; k <= session->n_traces; k++) {
        uint32_t b = (from + k) % session->n_traces;
        const tt_trace *st = session->traces[b];
        if (b == a || strcmp(st->span, session->traces[a]->span) != 0 || step_ns(session, b, n) == TT_UNKNOWN) continue;
        x->mark[0].number = x->mark[1].number = n;
        x->mark[0].trace = a;
        x->mark[1].trace = b;
        x->n_marks = 2;
        compare(s);
        return;
    }
    tt_host_set_status(s->host, "no other rank has step %lld", (long long)n);
}

/* A marked step as a part of the session. */
static tt_scope part_of(const tt_screen *s, int mark)
{
    const steps *x = of(s);
    const tt_session *session = tt_host_session(s->host);
    const tt_trace *t = session->traces[x->mark[mark].trace];
    tt_scope part = *tt_host_scope(s->host);
    for (uint32_t i = 0; session->n_workers > 1 && i < session->n_workers; i++)
        if (!strcmp(session->workers[i], t->worker)) part.worker = (int32_t)i;
    for (uint32_t i = 0; session->n_spans > 1 && i < session->n_spans; i++)
        if (!strcmp(session->spans[i], t->span)) part.span = (int32_t)i;
    part.has_steps = true;
    part.step_first = part.step_last = x->mark[mark].number;
    return part;
}

/* Compare the two marked steps on the tab Compare, A as the base; if a mark is missing, the chosen step gets it. */
static void compare_all(tt_screen *s)
{
    steps *x = of(s);
    int64_t n;
    int which;
    if (x->n_marks < 2 && number_of(x, x->at, &n) && !is_marked(s, x->at, &which)) {
        x->mark[x->n_marks].number = n;
        x->mark[x->n_marks++].trace = trace_of(s, x->at);
    }
    if (x->n_marks < 2) {
        if (x->n_marks) tt_host_set_status(s->host, "base: this step; press = on another one");
        return;
    }
    compare(s);
    tt_scope base = part_of(s, 0), now = part_of(s, 1);
    tt_host_compare_parts(s->host, &base, &now);
}

static bool act_steps(tt_screen *s, tt_action a)
{
    steps *x = of(s);
    int page = x->h > 1 ? x->h : 1;
    if (a == TT_ACT_COMPARE && rows(x)) {
        compare_all(s);
        return true;
    }
    if (!tt_panes_on_chart(&x->panes) || a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV) return tt_panes_act(s, a);
    if (tt_step_chart_any(&x->phases)) { /* steps lie side by side */
        page = x->phases.cell > 0 ? x->phases.w / x->phases.cell : 1;
        if (a == TT_ACT_LEFT || a == TT_ACT_RIGHT) a = a == TT_ACT_LEFT ? TT_ACT_UP : TT_ACT_DOWN;
    }
    int64_t to = tt_action_moved(a, x->at, rows(x), page, page);
    if (to >= 0) {
        x->at = (uint32_t)to;
        return true;
    }
    switch (a) {
    case TT_ACT_ENTER: scope_step(s); return true;
    case TT_ACT_STEP_MARK: mark(s); return true;
    case TT_ACT_STEP_RANKS: compare_ranks(s); return true;
    case TT_ACT_STEP_CLEAR:
        x->n_marks = 0;
        compare(s);
        return true;
    default: return false;
    }
}

static bool selection_chart(void *o, tt_drilldown *out)
{
    const steps *x = of(o);
    const tt_table *t = list(x);
    if (!rows(x) || !t->drilldowns) return false;
    *out = t->drilldowns[x->at];
    return out->what != TT_DRILL_NONE;
}

static char *copy_chart(void *o, bool all)
{
    const steps *x = of(o);
    char buf[24];
    (void)all;
    return rows(x) ? tt_strdup(name_of(x, x->at, buf)) : NULL;
}

static const tt_focus_ops chart_focus = {.status = status_chart, .selection = selection_chart, .copy = copy_chart};

static tt_focus focus_steps(const tt_screen *s)
{
    bool chart = tt_panes_on_chart(&of(s)->panes);
    return chart ? tt_panes_focus_with(s, &chart_focus, TT_CTX_STEPS) : tt_panes_focus(s);
}

static bool mouse_phases(tt_screen *s, const tt_mouse *m)
{
    steps *x = of(s);
    uint32_t row = tt_step_chart_at(&x->phases, m->y, m->x);
    if (row == TT_NONE) return tt_panes_mouse(s, m);
    x->panes.focus = TT_PANE_CHART;
    if (m->what == TT_MOUSE_WHEEL) move(x, m->wheel);
    if (m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) x->at = row;
    if (m->what == TT_MOUSE_DOUBLE) scope_step(s);
    return true;
}

static bool mouse_steps(tt_screen *s, const tt_mouse *m)
{
    steps *x = of(s);
    if (tt_step_chart_any(&x->phases)) return mouse_phases(s, m);
    if (!x->h || m->y >= x->y + x->h) return tt_panes_mouse(s, m);
    x->panes.focus = TT_PANE_CHART;
    if (m->what == TT_MOUSE_WHEEL) move(x, m->wheel);
    if ((m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) && m->y >= x->y) {
        x->at = x->top;
        move(x, m->y - x->y);
        if (m->what == TT_MOUSE_DOUBLE) scope_step(s);
    }
    return true;
}

const tt_screen_ops tt_screen_steps = {
    .tab = {.name = "steps", .title = "Steps", .brief = "Steps"},
    .context = TT_CTX_STEPS,
    .state_size = sizeof(steps),
    .open = open_steps,
    .close = close_steps,
    .renew = renew_steps,
    .scope = scope_steps,
    .draw = draw_steps,
    .act = act_steps,
    .focus = focus_steps,
    .mouse = mouse_steps,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
