/* tui/screens/roofline.c - the Roofline screen: operators below the limits of their device, and their table. The row
 * under the cursor is marked in the picture. The tab exists for traces with shapes and device work. */
#include "model/tables/operators/roofline.h"
#include "tui/charts/roofline_plot.h"
#include "tui/screen/host.h"
#include "tui/table/panes.h"

static const tt_pane panes[] = {
    {"roofline", "Roofline", "No operators with shapes, GPU time and a FLOP formula"},
};

static bool wanted(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (tt_roofline_any(s->traces[i])) return true;
    return false;
}

static void open_roofline(tt_screen *s) { tt_panes_open(s, panes, sizeof panes / sizeof *panes, false); }

static void draw_roofline(tt_screen *s, tt_canvas *c)
{
    enum { LEAST_TABLE = 7, LEAST_W = 50 };
    tt_panes *p = s->state;
    const tt_table_view *v = tt_panes_view(p);
    const tt_table *t = v ? tt_table_view_table(v) : NULL;
    int h = c->h - c->h * 2 / 5;
    if (c->h - h < LEAST_TABLE) h = c->h - LEAST_TABLE;
    if (!t || !t->n_rows || h < TT_ROOFLINE_PLOT_LEAST || c->w < LEAST_W) h = 0;
    if (h) {
        tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w);
        tt_roofline_plot_draw(t, tt_table_view_current(v), (tt_unit)tt_host_unit(s->host), &top);
    }
    tt_canvas rest = tt_canvas_window(c, h, 0, c->h - h, c->w);
    tt_panes_draw(p, &rest, h);
}

const tt_screen_ops tt_screen_roofline = {
    .tab = {.name = "roofline", .title = "Roofline", .brief = "Roof", .wanted = wanted},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(tt_panes),
    .open = open_roofline,
    .close = tt_panes_close,
    .renew = tt_panes_renew,
    .scope = tt_panes_scope,
    .draw = draw_roofline,
    .act = tt_panes_act,
    .focus = tt_panes_focus,
    .mouse = tt_panes_mouse,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
