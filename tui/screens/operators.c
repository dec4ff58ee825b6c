/* tui/screens/operators.c - the Operators screen: the table of operators, the functions that they call, and
 * PyTorch's own table of operators.
 *
 * If the trace knows types of operators by core, a key switches between those tables and bars of the types over the
 * operators of the chosen type. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "tui/charts/stacked_bar.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/panes.h"
#include "tui/widgets/format_value.h"

#define OP_DETAILS                                                                                                     \
    {                                                                                                                  \
        "op_details", "Details", "No operators of this type are listed by name"                                        \
    }
#define LISTS                                                                                                          \
    {"operators", "Operators", NULL}, {"operator_tree", "Operator tree", NULL}, { "key_averages", "Key averages", NULL }
static const tt_pane lists[] = {LISTS, OP_DETAILS}, types[] = {OP_DETAILS, LISTS};
enum { N_LISTS = 3, N_PANES = N_LISTS + 1 };
static const char *const ids[] = {"op_types", NULL};
enum { MOST = 20, LEAST_BELOW = 9 }; /* MOST: the number of types shown, as draw_types() says */

typedef struct operators {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_table_fetch tables;
    tt_row_order order; /* rows of types in the chosen order */
    int sort;           /* index into keys[] */
    bool upwards;       /* the smallest type comes first */
    bool types;         /* the bars of types are shown, not the table */
    bool chosen;        /* the user chose between bars and tables */
    uint32_t at;
    int y, h; /* place of the bars in the last frame */
} operators;

/* the keys that types can be sorted by */
static const struct {
    uint32_t column;
    const char *title;
} keys[] = {{TT_OP_TYPES_TOTAL, "total"},
            {TT_OP_TYPES_CALLS, "calls"},
            {TT_OP_TYPES_MEAN, "mean"},
            {TT_OP_TYPES_MAX, "max"}};
enum { N_KEYS = sizeof keys / sizeof *keys };

static operators *of(const tt_screen *s) { return s->state; }
static tt_table_view *table_of(operators *x)
{
    return tt_panes_view_of(&x->panes, tt_panes_find_pane(&x->panes, "operators"));
}
static const tt_table *types_of(const operators *x) { return x->tables.at[0]; }
static bool has_types(const operators *x) { return tt_table_fetch_rows(&x->tables, 0) > 0; }
static uint32_t shown(const operators *x) { return x->order.n < MOST ? x->order.n : MOST; }

/* ---- types ---- */

static uint32_t row_at(const operators *x, uint32_t i) { return i < x->order.n ? x->order.rows[i] : TT_NONE; }

/* Tell the lower table to list the operators of the chosen type. */
static void tell_details(tt_screen *s)
{
    operators *x = of(s);
    uint32_t row = row_at(x, x->at);
    if (row == TT_NONE || !x->types) return;
    tt_table_only only = {
        .key = {types_of(x)->desc->cols[TT_OP_TYPES_CORE].key, types_of(x)->desc->cols[TT_OP_TYPES_TYPE].key},
        .text = {tt_cell_s(types_of(x), row, TT_OP_TYPES_CORE), tt_cell_s(types_of(x), row, TT_OP_TYPES_TYPE)}};
    tt_table_view_set_only(tt_panes_view(&x->panes), &only);
}

static void sort_types(tt_screen *s)
{
    operators *x = of(s);
    tt_row_order_free(&x->order);
    if (!has_types(x)) return;
    tt_row_order_spec spec = {.sort_col = tt_column_shown(types_of(x), keys[x->sort].column), .desc = !x->upwards};
    if (tt_row_order_make(types_of(x), &spec, &x->order, NULL) != TT_OK) x->order = (tt_row_order){0};
    if (x->at >= shown(x)) x->at = shown(x) ? shown(x) - 1 : 0;
    tell_details(s);
}

/* Show the bars of types over their operators, or the tables. */
static void show_panes(tt_screen *s, bool with_types)
{
    operators *x = of(s);
    x->types = with_types;
    x->panes.has_chart = with_types;
    tt_panes_change(s, with_types ? types : lists, N_PANES);
    x->panes.n_open = with_types ? 1 : N_LISTS;
    x->panes.focus = with_types ? TT_PANE_CHART : 0;
}

/* Show the types first if the table of operators is empty. */
static void ready(tt_screen *s)
{
    operators *x = of(s);
    const tt_table *t = tt_table_view_table(table_of(x));
    bool with_types = has_types(x) && (x->chosen ? x->types : t && !t->n_rows);
    if (with_types != x->types) show_panes(s, with_types);
    sort_types(s);
}

static void open_operators(tt_screen *s)
{
    operators *x = of(s);
    tt_panes_open(s, lists, N_PANES, false);
    x->panes.one = true;
    x->panes.n_open = N_LISTS;
    (void)table_of(x); /* fetch this table first: it decides whether types come first */
    x->tables = (tt_table_fetch){.screen = s, .ids = ids, .ready = ready};
    tt_table_fetch_ask(&x->tables);
}

static void close_operators(tt_screen *s)
{
    tt_row_order_free(&of(s)->order);
    tt_panes_close(s);
}

static void renew_operators(tt_screen *s, int64_t shift)
{
    operators *x = of(s);
    tt_row_order_free(&x->order);
    tt_panes_renew(s, shift);
    tt_table_fetch_renew(&x->tables);
}

static void scope_operators(tt_screen *s)
{
    tt_panes_scope(s);
    tt_table_fetch_ask(&of(s)->tables);
}

/* ---- drawing ---- */

/* The usual name of a core: "AICORE", "AI_VECTOR_CORE". */
static const char *core_name(const char *core)
{
    static const char *const names[][2] = {{"AICORE", "AI Core"},
                                           {"AI_CORE", "AI Core"},
                                           {"AICPU", "AI CPU"},
                                           {"AI_CPU", "AI CPU"},
                                           {"AI_VECTOR_CORE", "AI Vector Core"},
                                           {"HOST", "host"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(core, names[i][0])) return names[i][1];
    }
    return core;
}

/* The colour of a core by its kind: computing cores, vector cores, processors, the host. */
static tt_hue core_hue(const char *core)
{
    if (!strcmp(core, "HOST")) return TT_HUE_CPU_OP;
    if (strstr(core, "CPU")) return TT_HUE_RUNTIME;
    if (strstr(core, "VECTOR") || strstr(core, "AIV")) return TT_HUE_MEMCPY;
    return TT_HUE_KERNEL;
}

static int64_t longest(const operators *x, uint32_t column)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < x->order.n; i++) {
        int64_t v = tt_cell_i(types_of(x), x->order.rows[i], column);
        if (v > most) most = v;
    }
    return most;
}

static void draw_type(const tt_screen *s, tt_canvas *c, int y, uint32_t i, int64_t most)
{
    const operators *x = of(s);
    const tt_table *t = types_of(x);
    uint32_t row = x->order.rows[i];
    bool on = tt_panes_on_chart(&x->panes) && i == x->at, wide = c->w >= 70;
    const char *core = tt_cell_s(t, row, TT_OP_TYPES_CORE);
    uint32_t column = keys[x->sort].column;
    char text[TT_TEXT_CAP];
    int at = 1, name_w = c->w / 4 < 12 ? 12 : c->w / 4 > 36 ? 36 : c->w / 4, core_w = wide ? 14 : 8;
    tt_put_char(c, y, 0, TT_ROLE_STRONG, on ? '>' : ' ');
    at += tt_put_cut(c, y, at, on ? TT_ROLE_CURSOR : TT_ROLE_NAME, tt_cell_s(t, row, TT_OP_TYPES_TYPE), name_w,
                     TT_CUT_MIDDLE);
    at = name_w + 2;
    tt_put_cut(c, y, at, TT_ROLE_DIM, core_name(core), core_w, TT_CUT_END);
    at += core_w + 1;
    int64_t value = tt_cell_i(t, row, column);
    tt_put_right(c, y, at, 11, on ? TT_ROLE_STRONG : TT_ROLE_NUMBER,
                 value == TT_UNKNOWN           ? "-"
                 : column == TT_OP_TYPES_CALLS ? tt_format_count(text, value)
                                               : tt_format_duration(text, value, (tt_unit)tt_host_unit(s->host)));
    at += 12;
    if (wide) {
        double pct = tt_cell_d(t, row, TT_OP_TYPES_RATIO_PCT);
        if (pct == pct) tt_put_right(c, y, at, 7, TT_ROLE_NUMBER, tt_format_percent(text, pct));
        at += 8;
        tt_put_right(c, y, at, 8, TT_ROLE_DIM, tt_format_count(text, tt_cell_i(t, row, TT_OP_TYPES_CALLS)));
        tt_put(c, y, at + 8, TT_ROLE_DIM, "x", 1);
        at += 10;
    }
    tt_stack_part part = {column, "", core_hue(core)};
    int64_t shown_value = value > 0 && most > 0 && value < most / (c->w - at > 1 ? c->w - at - 1 : 1) + 1
                              ? most / (c->w - at > 1 ? c->w - at - 1 : 1) + 1
                              : value; /* a value above 0 takes at least one cell */
    tt_stacked_bar(c, y, at, c->w - at - 1, &part, &shown_value, 1, most);
}

static void draw_types(tt_screen *s, tt_canvas *c)
{
    operators *x = of(s);
    char title[128], right[64], n[TT_TEXT_CAP];
    tt_format_counted(n, x->order.n, "type");
    snprintf(right, sizeof right, "%s%s", x->order.n > MOST ? "20 of " : "", n);
    snprintf(title, sizeof title, c->w >= 70 ? "Operator types by %s   < > sort, b operators" : "Operator types by %s",
             keys[x->sort].title);
    tt_rule(c, 0, title, right);
    x->y = 1;
    x->h = c->h - 1;
    int64_t most = longest(x, keys[x->sort].column);
    uint32_t h = x->h > 0 ? (uint32_t)x->h : 0, top = h && x->at >= h ? x->at - h + 1 : 0;
    for (uint32_t i = top; i < shown(x) && i - top < h; i++) draw_type(s, c, 1 + (int)(i - top), i, most);
}

static void draw_operators(tt_screen *s, tt_canvas *c)
{
    operators *x = of(s);
    x->h = 0;
    if (!x->types) {
        tt_panes_draw(&x->panes, c, 0);
        return;
    }
    bool chart = tt_panes_on_chart(&x->panes);
    int h = 1 + (int)shown(x), most = c->h - LEAST_BELOW;
    if (c->h < 14)
        h = chart ? c->h : 0;
    else if (h > most)
        h = most < c->h / 2 ? c->h / 2 : most;
    if (!chart && h > c->h / 2) h = c->h / 2;
    if (h) {
        tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w);
        draw_types(s, &top);
    }
    if (h < c->h) {
        tt_canvas rest = tt_canvas_window(c, h, 0, c->h - h, c->w);
        tt_panes_draw(&x->panes, &rest, h);
    }
}

static void status_types(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const operators *x = of(s);
    static const struct {
        uint32_t column;
        const char *title;
    } times[] = {
        {TT_OP_TYPES_TOTAL, "total"}, {TT_OP_TYPES_MEAN, "mean"}, {TT_OP_TYPES_MAX, "max"}, {TT_OP_TYPES_MIN, "min"}};
    char text[TT_TEXT_CAP];
    uint32_t row = row_at(x, x->at);
    snprintf(out, cap, "operator types");
    if (row == TT_NONE) return;
    const tt_table *t = types_of(x);
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%.80s on %.30s   %s", tt_cell_s(t, row, TT_OP_TYPES_TYPE),
               core_name(tt_cell_s(t, row, TT_OP_TYPES_CORE)),
               tt_format_counted(text, tt_cell_i(t, row, TT_OP_TYPES_CALLS), "call"));
    for (int i = 0; i < 4; i++) {
        int64_t v = tt_cell_i(t, row, times[i].column);
        if (v != TT_UNKNOWN)
            tt_buf_add(&line, "   %s %s", times[i].title, tt_format_duration(text, v, (tt_unit)tt_host_unit(s->host)));
    }
}

/* ---- keys ---- */

static void show_types(tt_screen *s, bool on)
{
    operators *x = of(s);
    show_panes(s, on);
    x->chosen = true;
    tell_details(s);
    tt_host_set_status(s->host, on ? "types of operators by core" : "operators");
}

/* Go through the groupings of the table, then the types, then begin again. */
static bool next_group(tt_screen *s)
{
    operators *x = of(s);
    const tt_table *t = tt_table_view_table(table_of(x));
    if (!has_types(x)) return tt_table_view_act(table_of(x), TT_ACT_GROUP);
    if (x->types) {
        show_types(s, false);
        return true;
    }
    const tt_options *o = tt_table_view_options(table_of(x));
    if (t && !t->n_rows) { /* another grouping would be empty, too */
        show_types(s, true);
        return true;
    }
    bool last = !t || !t->desc->groups || !t->desc->groups[0] || !t->desc->groups[o->group + 1];
    if (last) show_types(s, true);
    return tt_table_view_act(table_of(x), TT_ACT_GROUP) || last;
}

static bool act_on_types(tt_screen *s, tt_action a)
{
    operators *x = of(s);
    int page = x->h > 1 ? x->h : 1;
    int64_t to = tt_action_moved(a, x->at, shown(x), page, page);
    if (to >= 0) {
        x->at = (uint32_t)to;
        tell_details(s);
        return true;
    }
    switch (a) {
    case TT_ACT_ENTER: x->panes.focus = 0; return true;
    case TT_ACT_SORT_NEXT:
    case TT_ACT_SORT_PREV: x->sort = (x->sort + (a == TT_ACT_SORT_NEXT ? 1 : N_KEYS - 1)) % N_KEYS; break;
    case TT_ACT_SORT_REVERSE: x->upwards = !x->upwards; break;
    case TT_ACT_SORT_ORIGINAL: x->sort = 0, x->upwards = false; break;
    default: return false;
    }
    sort_types(s);
    return true;
}

static bool act_operators(tt_screen *s, tt_action a)
{
    operators *x = of(s);
    if (a == TT_ACT_GROUP && (x->types || x->panes.focus == 0)) return next_group(s);
    if (!x->types) return tt_panes_act(s, a);
    if (!tt_panes_on_chart(&x->panes) || a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV) return tt_panes_act(s, a);
    return act_on_types(s, a);
}

static char *copy_types(void *o, bool all)
{
    operators *x = of(o);
    if (all) return tt_table_view_copy(tt_panes_view(&x->panes), all);
    uint32_t row = row_at(x, x->at);
    return row == TT_NONE ? NULL : tt_strdup(tt_cell_s(types_of(x), row, TT_OP_TYPES_TYPE));
}

static const tt_focus_ops types_focus = {.status = status_types,
                                         .selection = tt_focus_selects_nothing,
                                         .copy = copy_types};

static tt_focus focus_operators(const tt_screen *s)
{
    const operators *x = of(s);
    bool on_types = x->types && tt_panes_on_chart(&x->panes);
    return on_types ? tt_panes_focus_with(s, &types_focus, TT_CTX_TABLE) : tt_panes_focus(s);
}

static bool mouse_operators(tt_screen *s, const tt_mouse *m)
{
    operators *x = of(s);
    if (!x->types) return tt_panes_mouse(s, m);
    if (m->y >= x->y + x->h) return tt_panes_mouse(s, m);
    x->panes.focus = TT_PANE_CHART;
    uint32_t h = x->h > 0 ? (uint32_t)x->h : 0, top = h && x->at >= h ? x->at - h + 1 : 0, last = shown(x);
    int64_t to = x->at;
    if (m->what == TT_MOUSE_WHEEL) to += m->wheel;
    if ((m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) && m->y >= x->y) to = top + (uint32_t)(m->y - x->y);
    x->at = to < 0 || !last ? 0 : to >= last ? last - 1 : (uint32_t)to;
    if (m->what == TT_MOUSE_DOUBLE) x->panes.focus = 0;
    tell_details(s);
    return true;
}

const tt_screen_ops tt_screen_operators = {
    .tab = {.name = "operators", .title = "Operators", .brief = "Ops"},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(operators),
    .open = open_operators,
    .close = close_operators,
    .renew = renew_operators,
    .scope = scope_operators,
    .draw = draw_operators,
    .act = act_operators,
    .focus = focus_operators,
    .mouse = mouse_operators,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
