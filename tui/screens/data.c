/* tui/screens/data.c - the Data screen: the input pipeline as a picture, its tables below. The tab exists for traces
 * with facts about an input pipeline. */
#include <stdio.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/trace/imported.h"
#include "tui/charts/pipeline.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/panes.h"

static const tt_pane panes[] = {
    {"data_pipeline", "Operators", "no operators of the input pipeline were recorded"},
    {"data_queues", "Queues", "no queues to training were recorded"},
    {"data_stages", "Stages", "nothing says what training waits for"},
    {"data_cpu", "CPU", "no use of the CPU was recorded"},
    {"data_queue_curve", "Samples", "no samples of queues were recorded"},
};
enum { N_PANES = sizeof panes / sizeof *panes, LEAST_BELOW = 8 };
static const char *const ids[] = {"data_pipeline",    "data_queues",        "data_stages", "data_cpu",
                                  "data_queue_curve", "step_trace_summary", NULL};

typedef struct data {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_table_fetch tables;
    tt_pipeline pipeline;
    uint32_t at;
    /* moved: the user chose the line; else the screen chooses the line that training waits for */
    bool ready, moved;
    int h; /* height of the picture in the last frame */
} data;

static data *of(const tt_screen *s) { return s->state; }

/* The trace has tables about the input pipeline: they come with the trace, so the tables present tell. */
static bool wanted(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        for (uint32_t k = 0; k < s->traces[i]->n_imported; k++) {
            const tt_imported *t = s->traces[i]->imported[k];
            for (int p = 0; p < N_PANES && t->n_rows; p++) {
                if (!strcmp(t->id, panes[p].table)) return true;
            }
        }
    }
    return false;
}

/* Begin with the first suspect, or with the queue that training waits for. */
static uint32_t first_line(const tt_pipeline *p)
{
    tt_pipeline_box box = p->waits == TT_BOX_DEVICE ? TT_BOX_DEVICE : TT_BOX_HOST;
    uint32_t line = tt_pipeline_first_of(p, box);
    return line == TT_NONE ? 0 : line;
}

static void ready(tt_screen *s)
{
    data *d = of(s);
    tt_pipeline_set(&d->pipeline, d->tables.at);
    d->ready = true;
    if (!d->moved) d->at = first_line(&d->pipeline);
    if (d->at >= d->pipeline.n_lines) d->at = d->pipeline.n_lines ? d->pipeline.n_lines - 1 : 0;
}

static void open_data(tt_screen *s)
{
    data *d = of(s);
    tt_panes_open(s, panes, N_PANES, true);
    tt_pipeline_set(&d->pipeline, NULL);
    d->tables = (tt_table_fetch){.screen = s, .ids = ids, .ready = ready};
    tt_table_fetch_ask(&d->tables);
}

static void close_data(tt_screen *s)
{
    tt_panes_close(s);
    tt_pipeline_free(&of(s)->pipeline);
}

static void scope_data(tt_screen *s)
{
    tt_table_fetch_ask(&of(s)->tables);
    tt_panes_scope(s);
}

static void renew_data(tt_screen *s, int64_t shift)
{
    tt_pipeline_set(&of(s)->pipeline, NULL);
    of(s)->ready = false;
    tt_table_fetch_renew(&of(s)->tables);
    tt_panes_renew(s, shift);
}

/* ---- drawing ---- */

static void draw_nothing(const tt_screen *s, tt_canvas *c)
{
    const data *d = of(s);
    const char *note = NULL;
    for (int i = 0; i < TT_PIPELINE_STEPS && !note; i++) note = d->tables.at[i] ? d->tables.at[i]->note : NULL;
    tt_rule(c, 0, "Input pipeline", NULL);
    tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM,
                   !d->ready ? "computing ..."
                   : note    ? note
                             : "this trace says nothing about the input pipeline: its operators and queues were not "
                               "profiled");
}

static void draw_data(tt_screen *s, tt_canvas *c)
{
    data *d = of(s);
    bool chart = tt_panes_on_chart(&d->panes);
    d->h = 0;
    if (!tt_pipeline_any(&d->pipeline)) {
        draw_nothing(s, c);
        return;
    }
    int h = tt_pipeline_height(&d->pipeline, c->w, !chart);
    if (chart && h > c->h - LEAST_BELOW) h = c->h;
    if (!chart && h > c->h - LEAST_BELOW + 2) h = 0; /* only the table */
    tt_pipeline_view v = {.at = d->at, .focus = chart, .brief = !chart, .unit = (tt_unit)tt_host_unit(s->host)};
    if (h) {
        tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w);
        tt_pipeline_draw(&d->pipeline, &top, &v);
    }
    d->h = h;
    if (h < c->h) {
        tt_canvas rest = tt_canvas_window(c, h, 0, c->h - h, c->w);
        tt_panes_draw(&d->panes, &rest, h);
    }
}

static void status_picture(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    tt_pipeline_text(&of(s)->pipeline, of(s)->at, (tt_unit)tt_host_unit(s->host), out, cap);
}

/* ---- keys ---- */

static void go(data *d, int64_t to)
{
    int64_t last = d->pipeline.n_lines ? (int64_t)d->pipeline.n_lines - 1 : 0;
    d->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
    d->moved = true;
}

/* Move to the first line of the next box of the picture that has a line. */
static void go_beside(data *d, int dir)
{
    const tt_pipeline *p = &d->pipeline;
    if (d->at >= p->n_lines) return;
    for (int box = (int)p->lines[d->at].box + dir; box >= 0 && box < TT_BOX_COUNT; box += dir) {
        uint32_t line = tt_pipeline_first_of(p, (tt_pipeline_box)box);
        if (line == TT_NONE) continue;
        go(d, line);
        return;
    }
}

/* Open the table with the chosen line. */
static void open_line(data *d)
{
    if (d->at < d->pipeline.n_lines) d->panes.focus = d->pipeline.lines[d->at].box == TT_BOX_OPERATORS ? 0 : 1;
}

static bool act_data(tt_screen *s, tt_action a)
{
    data *d = of(s);
    if (!tt_panes_on_chart(&d->panes) || a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV) {
        if (!tt_panes_on_chart(&d->panes) && a == TT_ACT_TAB_PREV && d->panes.focus == 0) {
            d->panes.focus = TT_PANE_CHART;
            return true;
        }
        return tt_panes_act(s, a);
    }
    int page = d->pipeline.list_h > 1 ? d->pipeline.list_h : 1;
    int64_t to = tt_action_moved(a, d->at, d->pipeline.n_lines, page, page);
    if (to >= 0) {
        go(d, to);
        return true;
    }
    switch (a) {
    case TT_ACT_LEFT: go_beside(d, -1); return true;
    case TT_ACT_RIGHT: go_beside(d, 1); return true;
    case TT_ACT_ENTER: open_line(d); return true;
    default: return false;
    }
}

static char *copy_picture(void *o, bool all)
{
    const data *d = of(o);
    char text[512];
    if (!tt_pipeline_any(&d->pipeline)) return NULL;
    tt_pipeline_verdict(&d->pipeline, text, sizeof text);
    return tt_strdup(all || d->at >= d->pipeline.n_lines ? text : d->pipeline.lines[d->at].name);
}

static const tt_focus_ops picture_focus = {.status = status_picture,
                                           .selection = tt_focus_selects_nothing,
                                           .copy = copy_picture};

static tt_focus focus_data(const tt_screen *s)
{
    bool chart = tt_panes_on_chart(&of(s)->panes);
    return chart ? tt_panes_focus_with(s, &picture_focus, TT_CTX_MOTION) : tt_panes_focus(s);
}

static bool mouse_data(tt_screen *s, const tt_mouse *m)
{
    data *d = of(s);
    if (m->y >= d->h) return tt_panes_mouse(s, m);
    d->panes.focus = TT_PANE_CHART;
    uint32_t line = tt_pipeline_at(&d->pipeline, m->y, m->x);
    if (m->what == TT_MOUSE_WHEEL) go(d, (int64_t)d->at + m->wheel);
    if ((m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) && line != TT_NONE) {
        go(d, line);
        if (m->what == TT_MOUSE_DOUBLE) open_line(d);
    }
    return true;
}

const tt_screen_ops tt_screen_data = {
    .tab = {.name = "data", .title = "Data", .brief = "Data", .wanted = wanted},
    .context = TT_CTX_MOTION,
    .state_size = sizeof(data),
    .open = open_data,
    .close = close_data,
    .renew = renew_data,
    .scope = scope_data,
    .draw = draw_data,
    .act = act_data,
    .focus = focus_data,
    .mouse = mouse_data,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
