/* tui/table/panes.c - several tables on one screen: tables that are shown, focus, clicks. */
#include "tui/table/panes.h"

#include <stdio.h>
#include <string.h>

#include "model/tables/registry/registry.h"
#include "tui/screen/host.h"

enum { LEAST = 9 };  /* least lines of a table among others: rule, heads, seven rows */
enum { DETAIL = 7 }; /* lines of the pane with the selected row */

static tt_panes *of(const tt_screen *s) { return s->state; }

/* Number of panes that can be shown and reached. */
static int open_panes(const tt_panes *p) { return p->n_open > 0 && p->n_open < p->n ? p->n_open : p->n; }

/* The view of a pane, made when the pane is first looked at: only then is its table computed. */
static tt_table_view *view_of(tt_panes *p, int i)
{
    tt_table_style style = {.empty = p->spec[i].empty,
                            .all_workers = p->all_workers,
                            .everything = p->everything,
                            .no_detail = (p->bare >> i & 1) != 0};
    const tt_session *session = tt_host_session(p->screen->host);
    if (!p->view[i])
        p->view[i] = tt_table_view_new(p->screen->host, tt_session_table(session, p->spec[i].table), &style);
    return p->view[i];
}

tt_table_view *tt_panes_view(tt_panes *p) { return view_of(p, p->focus < 0 ? 0 : p->focus); }

int tt_panes_find_pane(const tt_panes *p, const char *table)
{
    for (int i = 0; i < p->n; i++) {
        if (!strcmp(p->spec[i].table, table)) return i;
    }
    return -1;
}

tt_table_view *tt_panes_view_of(tt_panes *p, int i) { return view_of(p, i); }

void tt_panes_open(tt_screen *s, const tt_pane *spec, int n, bool has_chart)
{
    tt_panes *p = of(s);
    p->screen = s;
    p->spec = spec;
    p->n = n;
    p->has_chart = has_chart;
    p->focus = has_chart ? TT_PANE_CHART : 0;
}

void tt_panes_change(tt_screen *s, const tt_pane *spec, int n)
{
    tt_panes *p = of(s);
    tt_table_view *old[TT_MAX_PANES];
    const tt_pane *was = p->spec;
    int focus = p->focus, n_was = p->n;
    if (was == spec) return;
    memcpy(old, p->view, sizeof old);
    memset(p->view, 0, sizeof p->view);
    memset(p->place, 0, sizeof p->place);
    p->spec = spec;
    p->n = n;
    p->first = 0;
    p->focus = p->has_chart ? TT_PANE_CHART : 0;
    for (int i = 0; i < n_was; i++) {
        int to = tt_panes_find_pane(p, was[i].table);
        if (to < 0) {
            tt_table_view_free(old[i]);
            continue;
        }
        p->view[to] = old[i];
        if (i == focus) p->focus = to;
    }
}

void tt_panes_close(tt_screen *s)
{
    for (int i = 0; i < of(s)->n; i++) tt_table_view_free(of(s)->view[i]);
}

void tt_panes_scope(tt_screen *s)
{
    for (int i = 0; i < of(s)->n; i++) {
        if (of(s)->view[i]) tt_table_view_scope(of(s)->view[i]);
    }
}

void tt_panes_renew(tt_screen *s, int64_t shift)
{
    for (int i = 0; i < of(s)->n; i++) {
        if (of(s)->view[i]) tt_table_view_renew(of(s)->view[i], shift);
    }
}

/* ---- drawing ---- */

/* The pane that is shown in any case: the pane with the focus, else the first with rows. */
static int chief(tt_panes *p)
{
    if (p->focus < 0 && p->first > 0 && p->first < open_panes(p)) return p->first;
    for (int i = 0; i < open_panes(p) && p->focus < 0 && p->skips_empty; i++) {
        const tt_table *t = tt_table_view_table(view_of(p, i));
        if (!t || t->n_rows) return i;
    }
    return p->focus < 0 ? 0 : p->focus;
}

static int name_width(const tt_panes *p, int i)
{
    return 2 + tt_text_width(p->spec[i].title, strlen(p->spec[i].title));
}

/* The first name on a line without room for all names, so that the name of pane `on` and the next are in sight. */
static int first_name(const tt_panes *p, int on, int w)
{
    int first = 0, need = 0;
    for (int i = 0; i < open_panes(p) && i <= on + 1; i++) need += name_width(p, i);
    while (first < on && need > w) need -= name_width(p, first++);
    return first;
}

static void draw_names(tt_panes *p, tt_canvas *c)
{
    int x = 1, on = chief(p), first = first_name(p, on, c->w - 4);
    tt_rule(c, 0, NULL, NULL);
    if (first > 0) tt_put_char(c, 0, x++, TT_ROLE_STRONG, '<');
    int n = open_panes(p);
    for (int i = 0; i < n; i++) {
        p->tab_x[i] = x;
        if (i < first) continue;
        if (x + name_width(p, i) > c->w - 1) { /* no room for further names: a click on the mark opens the next pane */
            tt_put_char(c, 0, c->w - 1, TT_ROLE_STRONG, '>');
            p->tab_x[i] = c->w - 1;
            for (int k = i + 1; k <= n; k++) p->tab_x[k] = c->w;
            return;
        }
        x += tt_putf(c, 0, x, i == on ? TT_ROLE_TAB_ON : TT_ROLE_TAB, -1, i == on ? "[%s]" : " %s ", p->spec[i].title);
    }
    p->tab_x[n] = x;
}

/* Lines that a table can use: head, rows and the pane of the selected row. */
static int wanted(tt_panes *p, int i)
{
    uint32_t rows = tt_table_view_table(view_of(p, i)) ? tt_table_view_rows(p->view[i]) : 0;
    return rows > 200 ? 200 : 3 + (int)rows;
}

/* The least lines of a table. */
static int least(tt_panes *p, int i)
{
    int w = wanted(p, i);
    return w < 4 ? 4 : w < LEAST ? w : LEAST;
}

/* Share h lines among the tables: the chief table, tables behind it, tables in front of it, while there is room. Each
 * gets its least, then the chief table what it wants, then the others; the last table gets the rest. True = all tables
 * are shown. */
static bool share_out(tt_panes *p, int h, int out[TT_MAX_PANES])
{
    int on = chief(p), first = on, last = on, n = open_panes(p);
    if (p->one && n > 1) {
        out[on] = h - 1;
        return false;
    }
    int left = h - 1; /* without the line of names, which is left out when all tables are shown */
    if (n > 1) left -= least(p, on);
    while (n > 1 && last + 1 < n && left >= least(p, last + 1)) left -= least(p, ++last);
    while (n > 1 && first > 0 && left >= least(p, first - 1)) left -= least(p, --first);
    bool all = first == 0 && last == n - 1;
    left += all;
    for (int i = first; i <= last && n > 1; i++) out[i] = least(p, i);
    if (n == 1) left = h;
    for (int i = first - 1; i <= last; i++) {
        int k = i < first ? on : i, more = i == last ? left : wanted(p, k) + (k == p->focus ? DETAIL : 0) - out[k];
        if (more > left) more = left;
        if (more < 0) more = 0;
        out[k] += more;
        left -= more;
    }
    if (out[on] > h - !all) out[on] = h - !all;
    return all;
}

void tt_panes_draw(tt_panes *p, tt_canvas *c, int y0)
{
    int heights[TT_MAX_PANES] = {0}, y = 0;
    memset(p->place, 0, sizeof p->place);
    p->tab_y = -1;
    if (c->h < 1) return;
    if (!share_out(p, c->h, heights)) {
        draw_names(p, c);
        p->tab_y = y0;
        y = 1;
    }
    for (int i = 0; i < p->n; i++) {
        if (heights[i] <= 0) continue;
        tt_canvas pane = tt_canvas_window(c, y, 0, heights[i], c->w);
        tt_table_view_draw(view_of(p, i), &pane, i == p->focus);
        p->place[i].y = y0 + y;
        p->place[i].h = heights[i];
        y += heights[i];
    }
}

void tt_panes_draw_all(tt_screen *s, tt_canvas *c) { tt_panes_draw(of(s), c, 0); }

/* ---- keys ---- */

static bool next_pane(tt_panes *p, int dir)
{
    int to = p->focus + dir;
    if (to < (p->has_chart ? TT_PANE_CHART : 0) || to >= open_panes(p)) return false;
    p->focus = to;
    return true;
}

bool tt_panes_act(tt_screen *s, tt_action a)
{
    tt_panes *p = of(s);
    if (a == TT_ACT_TAB_NEXT) return next_pane(p, 1);
    if (a == TT_ACT_TAB_PREV) return next_pane(p, -1);
    return tt_table_view_act(tt_panes_view(p), a);
}

bool tt_panes_mouse(tt_screen *s, const tt_mouse *m)
{
    tt_panes *p = of(s);
    if (m->what == TT_MOUSE_PRESS && m->y == p->tab_y) {
        for (int i = 0; i < open_panes(p); i++) {
            if (m->x >= p->tab_x[i] && m->x < p->tab_x[i + 1]) p->focus = i;
        }
        return true;
    }
    for (int i = 0; i < open_panes(p); i++) {
        if (m->y < p->place[i].y || m->y >= p->place[i].y + p->place[i].h) continue;
        tt_mouse in = *m;
        in.y -= p->place[i].y;
        if (m->what == TT_MOUSE_PRESS) p->focus = i;
        return tt_table_view_mouse(p->view[i], &in);
    }
    return false;
}

void tt_panes_save(const tt_screen *s, tt_screen_place *place)
{
    tt_panes *p = of(s);
    tt_table_view_save(tt_panes_view(p), &place->table);
    place->pane = p->focus;
}

void tt_panes_restore(tt_screen *s, const tt_screen_place *place)
{
    tt_panes *p = of(s);
    if (place->pane < (p->has_chart ? TT_PANE_CHART : 0) || place->pane >= open_panes(p)) return;
    p->focus = place->pane;
    tt_table_view_restore(tt_panes_view(p), &place->table);
}

/* ---- the focus ---- */

static void focus_status(void *o, char *out, size_t cap)
{
    tt_panes *p = o;
    size_t n = (size_t)snprintf(out, cap, "%s   ", p->spec[p->focus < 0 ? 0 : p->focus].title);
    if (n < cap) tt_table_view_status(tt_panes_view(p), out + n, cap - n);
}

/* "pane NAME" shows a table. */
static bool focus_command(void *o, const char *verb, const char *arg)
{
    tt_panes *p = o;
    for (int i = 0; !strcmp(verb, "pane") && i < open_panes(p); i++) {
        if (strcmp(p->spec[i].table, arg) && strcasecmp(p->spec[i].title, arg)) continue;
        p->focus = i;
        return true;
    }
    return false;
}

const tt_focus_ops tt_panes_focus_ops = {.status = focus_status, .command = focus_command};

/* The panes, then their table with the focus, behind `before` parts of the screen. */
static void add_panes(tt_focus *f, int before, const tt_screen *s)
{
    f->at[before] = (tt_focus_part){&tt_panes_focus_ops, s->state};
    f->at[before + 1] = (tt_focus_part){&tt_table_focus, tt_panes_view(of(s))};
}

tt_focus tt_panes_focus(const tt_screen *s)
{
    tt_focus f = {.context = TT_CTX_TABLE};
    add_panes(&f, 0, s);
    return f;
}

tt_focus tt_panes_focus_with(const tt_screen *s, const tt_focus_ops *own, tt_context keys)
{
    tt_focus f = tt_focus_on(s, own);
    add_panes(&f, 1, s);
    f.context = keys;
    return f;
}
