/* tui/table/interval_pane.c - the pane of the marked interval: its tables side by side, as many as have room. */
#include "tui/table/interval_pane.h"

#include <stdio.h>
#include <string.h>

#include "model/tables/registry/registry.h"
#include "tui/screen/host.h"

static const char *const names[TT_INTERVAL_GROUPS] = {"Categories", "Devices", "Kernels", "Operators"};

int tt_interval_pane_height(int h) { return h >= 30 ? h * 3 / 10 + 2 : h >= 18 ? h * 2 / 5 : h >= 14 ? 5 : 0; }

/* How many tables stand side by side in w cells: all, two or one. */
static int columns_of(int w) { return w >= 240 ? TT_INTERVAL_GROUPS : w >= 110 ? 2 : 1; }

static tt_table_view *view_of(tt_interval_pane *p, tt_host *host, int i)
{
    tt_table_style style = {.no_detail = true, .title = names[i]};
    tt_options o = {.group = (uint8_t)i};
    memcpy(o.arg, p->arg, sizeof o.arg);
    if (!p->view[i]) {
        p->view[i] = tt_table_view_new_with(host, tt_table_find("interval"), &style, &o);
    } else if (memcmp(tt_table_view_options(p->view[i])->arg, o.arg, sizeof o.arg) != 0 &&
               !tt_table_view_busy(p->view[i])) {
        tt_table_view_set_options(p->view[i], &o);
    }
    return p->view[i];
}

static void draw_names(tt_interval_pane *p, tt_canvas *c, const char *title, const char *right)
{
    tt_rule(c, 0, title, right);
    int x = 5 + tt_text_width(title, strlen(title));
    for (int i = 0; i < TT_INTERVAL_GROUPS; i++) {
        bool on = p->w[i] > 0;
        p->name_x[i] = x;
        x += tt_putf(c, 0, x, on ? TT_ROLE_TAB_ON : TT_ROLE_TAB, -1, on ? "[%s]" : " %s ", names[i]);
    }
    p->name_x[TT_INTERVAL_GROUPS] = x;
}

void tt_interval_pane_draw(tt_interval_pane *p, tt_host *host, tt_canvas *c, int y, const int64_t arg[3],
                           const char *title, const char *right)
{
    int n = columns_of(c->w), first = p->at / n * n;
    memcpy(p->arg, arg, sizeof p->arg);
    memset(p->w, 0, sizeof p->w);
    p->shown = c->h > 1;
    p->y = y;
    p->h = c->h;
    p->top = n > 1; /* one table alone: the pane's title stands on the table's title */
    if (!p->shown) return;
    for (int i = first; i < first + n; i++) {
        p->x[i] = c->w * (i - first) / n;
        p->w[i] = c->w * (i - first + 1) / n - p->x[i] - (i < first + n - 1);
        tt_canvas part = tt_canvas_window(c, p->top, p->x[i], c->h - p->top, p->w[i]);
        tt_table_view_draw(view_of(p, host, i), &part, p->focus && i == p->at);
    }
    draw_names(p, c, title, right);
}

tt_table_view *tt_interval_pane_focus(const tt_interval_pane *p)
{
    return p->shown && p->focus ? p->view[p->at] : NULL;
}

static bool next(tt_interval_pane *p, int dir)
{
    if (!p->focus) {
        p->focus = dir > 0;
        return p->focus;
    }
    if (p->at + dir >= TT_INTERVAL_GROUPS) {
        p->focus = false;
        p->at = 0;
        return false;
    }
    p->focus = p->at + dir >= 0;
    p->at += p->focus ? dir : 0;
    return true;
}

bool tt_interval_pane_act(tt_interval_pane *p, tt_host *host, tt_action a)
{
    tt_table_view *v = tt_interval_pane_focus(p);
    if (!p->shown) return false;
    if (a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV) return next(p, a == TT_ACT_TAB_NEXT ? 1 : -1);
    if (!v) return false;
    if (a == TT_ACT_GROUP) { /* each table is a grouping already */
        p->at = (p->at + 1) % TT_INTERVAL_GROUPS;
        return true;
    }
    if (a == TT_ACT_ENTER || a == TT_ACT_SHOW) {
        tt_drilldown o;
        tt_host_push_jump(host);
        if (tt_table_view_selection(v, &o) && tt_host_show_drilldown(host, &o)) {
            p->focus = false;
        } else {
            tt_host_set_status(host, "no slices behind this row");
        }
        return true;
    }
    if (tt_table_view_act(v, a)) return true;
    if (a != TT_ACT_CANCEL && a != TT_ACT_BACK_OR_QUIT) return false;
    p->focus = false;
    return true;
}

bool tt_interval_pane_mouse(tt_interval_pane *p, const tt_mouse *m)
{
    if (!p->shown || m->y < p->y || m->y >= p->y + p->h) {
        if (m->what == TT_MOUSE_PRESS) p->focus = false;
        return false;
    }
    bool press = m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE;
    for (int i = 0; i < TT_INTERVAL_GROUPS && press && m->y == p->y; i++) {
        if (m->x < p->name_x[i] || m->x >= p->name_x[i + 1]) continue;
        p->at = i;
        p->focus = true;
        return true;
    }
    for (int i = 0; i < TT_INTERVAL_GROUPS; i++) {
        if (!p->w[i] || m->x < p->x[i] || m->x >= p->x[i] + p->w[i]) continue;
        tt_mouse in = *m;
        in.y -= p->y + p->top;
        in.x -= p->x[i];
        p->at = press ? i : p->at;
        p->focus |= press;
        return tt_table_view_mouse(p->view[i], &in);
    }
    return true;
}

void tt_interval_pane_scope(tt_interval_pane *p)
{
    for (int i = 0; i < TT_INTERVAL_GROUPS; i++)
        if (p->view[i]) tt_table_view_scope(p->view[i]);
}

void tt_interval_pane_free(tt_interval_pane *p)
{
    for (int i = 0; i < TT_INTERVAL_GROUPS; i++) tt_table_view_free(p->view[i]);
    *p = (tt_interval_pane){0};
}
