/* tui/screens/compare/compare.c - the Compare tab: what changed from the base to the new run, or between two parts
 * of one run (steps, workers, spans).
 *
 * The verdict and a bar for each part of a step stand at the top, below them the tables of differences, at the
 * bottom facts about the selected row. Unchanged rows are hidden at first. */
#include <stdio.h>
#include <string.h>

#include "model/tables/compare/matching.h"
#include "tui/screen/host.h"
#include "tui/screens/compare/compare.h"
#include "tui/table/panes.h"

#define NOTHING "nothing of the kind in either run"
static const tt_pane panes[] = {
    {"diff_kernels", "Kernels", NOTHING},        {"diff_operators", "Operators", NOTHING},
    {"diff_operator_tree", "Tree", NOTHING},     {"diff_memcpy", "Copies", NOTHING},
    {"diff_runtime_api", "Runtime", NOTHING},    {"diff_user_ranges", "Ranges", NOTHING},
    {"diff_modules", "Modules", NOTHING},        {"diff_stages", "Stages", NOTHING},
    {"diff_comm_sizes", "Collectives", NOTHING}, {"diff_memory", "Memory", NOTHING},
    {"diff_summary", "Metrics", NOTHING},        {"diff_causes", "Causes", NOTHING},
};
enum { KERNELS, OPERATORS, TREE, METRICS = 10, CAUSES, N_PANES };
_Static_assert(N_PANES == sizeof panes / sizeof *panes && (int)N_PANES <= (int)TT_MAX_PANES, "a pane each");

typedef struct compare {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_compare_head head;
    tt_compare_rows rows; /* the rows that are shown */
    bool folded;          /* the tree was folded to its outermost rows when it came */
    bool chosen;          /* the user has chosen a table, or the screen has chosen one for the runs */
    struct {              /* counted when another table is there */
        const tt_table *of;
        uint32_t n[TT_ROWS_COUNT_];
        tt_compare_rows rows;
        char text[200];
    } title[N_PANES];
    int head_h; /* lines above the tables in the last frame */
} compare;

static compare *of(const tt_screen *s) { return s->state; }

/* The table lists each name with its verdict; the other tables have a few rows, all of which are shown. */
static bool is_list(int pane) { return pane != TREE && pane != METRICS && pane != CAUSES; }

static void show_rows(compare *x)
{
    tt_table_only only = {.keep = x->rows == TT_ROWS_ALL ? NULL : tt_compare_row_is,
                          .what = (int)x->rows,
                          .none = x->rows == TT_ROWS_CHANGED
                                      ? "nothing changed: every row is the same in both runs (a shows them)"
                                      : "none of these (a shows all rows, f the next kind)"};
    for (int i = 0; i < N_PANES; i++) {
        if (x->panes.view[i] && is_list(i)) tt_table_view_set_only(x->panes.view[i], &only);
    }
}

static void open_compare(tt_screen *s)
{
    compare *x = of(s);
    tt_panes_open(s, panes, N_PANES, false);
    x->panes.bare = (1u << N_PANES) - 1;
    x->head = (tt_compare_head){.screen = s};
    tt_compare_head_ask(&x->head);
}

static void forget_titles(compare *x)
{
    for (int i = 0; i < N_PANES; i++) x->title[i].of = NULL;
}

static void scope_compare(tt_screen *s)
{
    forget_titles(of(s));
    tt_compare_head_ask(&of(s)->head);
    tt_panes_scope(s);
}

static void renew_compare(tt_screen *s, int64_t shift)
{
    forget_titles(of(s));
    tt_compare_head_forget(&of(s)->head);
    tt_compare_head_ask(&of(s)->head);
    tt_panes_renew(s, shift);
}

/* ---- drawing ---- */

/* Make the titles, which say how many rows have which verdict; needed when the rows are new. True: a title is new. */
static bool name_tables(compare *x)
{
    bool any = false;
    for (int i = 0; i < N_PANES; i++) {
        const tt_table *t = x->panes.view[i] ? tt_table_view_table(x->panes.view[i]) : NULL;
        if (!t || (t == x->title[i].of && x->title[i].rows == x->rows)) continue;
        if (t != x->title[i].of) tt_compare_count(t, x->title[i].n);
        if (!is_list(i)) memset(x->title[i].n, 0, sizeof x->title[i].n);
        x->title[i].of = t;
        x->title[i].rows = x->rows;
        tt_compare_title(panes[i].title, x->title[i].n, is_list(i) ? x->rows : TT_ROWS_ALL, x->title[i].text,
                         sizeof x->title[i].text);
        tt_table_view_set_title(x->panes.view[i], x->title[i].text);
        any = true;
    }
    return any;
}

/* Begin with the operators if the runs have no device work. */
static void choose_first(compare *x)
{
    const tt_table *t = x->chosen ? NULL : tt_table_view_table(tt_panes_view_of(&x->panes, KERNELS));
    if (!t || !t->options.compare || x->panes.focus != KERNELS) return;
    x->chosen = true;
    if (!t->n_rows) x->panes.focus = OPERATORS;
}

/* Fold a tree of thousands of rows to its outermost rows, which hold the differences of the rows below them. */
static void fold_tree(compare *x)
{
    tt_table_view *v = x->folded ? NULL : x->panes.view[TREE];
    if (!v || !tt_table_view_table(v) || tt_table_view_current(v) == TT_NONE) return;
    x->folded = true;
    tt_table_view_act(v, TT_ACT_FOLD_ALL);
}

/* Draw the screen while the other run is still being read, or without another run. */
static void draw_nothing(const tt_host *a, tt_canvas *c)
{
    char base[256], now[256], text[700];
    tt_host_sides(a, base, now, sizeof base);
    snprintf(text, sizeof text, "%s%s",
             base[0] ? "reading "
                     : "nothing to compare with: tracetty diff BASE NEW, or :diff PATH compares what is open "
                       "with another run; = in the lists of steps and workers compares two of them",
             base);
    tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM, text);
}

static void draw_compare(tt_screen *s, tt_canvas *c)
{
    compare *x = of(s);
    int detail = c->h < 14 ? 0 : c->h >= 50 ? 8 : c->h >= 30 ? 6 : 4, most = c->h - detail - 8;
    if (!tt_host_comparison(s->host)) {
        draw_nothing(s->host, c);
        return;
    }
    if (most > 4 + c->h / 5) most = 4 + c->h / 5;
    tt_canvas head = tt_canvas_window(c, 0, 0, most > 2 ? most : c->h >= 8 ? 2 : 0, c->w);
    x->head_h = tt_compare_head_draw(&x->head, &head);
    choose_first(x);
    show_rows(x);
    fold_tree(x);
    name_tables(x);
    tt_canvas rest = tt_canvas_window(c, x->head_h, 0, c->h - x->head_h - detail, c->w);
    tt_panes_draw(&x->panes, &rest, x->head_h);
    if (name_tables(x)) { /* the new rows are drawn for the first time */
        show_rows(x);
        fold_tree(x);
        tt_fill(&rest, 0, 0, rest.h, rest.w, TT_ROLE_TEXT, ' ');
        tt_panes_draw(&x->panes, &rest, x->head_h);
    }
    if (!detail) return;
    tt_canvas pane = tt_canvas_window(c, c->h - detail, 0, detail, c->w);
    const tt_table_view *v = tt_panes_view(&x->panes);
    tt_compare_detail_draw(s->host, tt_table_view_table(v), tt_table_view_current(v), &x->head.facts, &pane);
}

/* ---- keys ---- */

/* Find the selected row in both runs; false: neither run has it, or the rows are no differences. */
static bool places_of(compare *x, tt_drilldown at[TT_SIDES])
{
    const tt_table_view *v = tt_panes_view(&x->panes);
    const tt_table *t = tt_table_view_table(v);
    uint32_t row = tt_table_view_current(v);
    memset(at, 0, TT_SIDES * sizeof *at);
    if (!t || row == TT_NONE) return false;
    if (t->base_drilldowns) at[TT_BASE] = t->base_drilldowns[row];
    if (t->drilldowns) at[TT_NEW] = t->drilldowns[row];
    return at[TT_BASE].what != TT_DRILL_NONE || at[TT_NEW].what != TT_DRILL_NONE;
}

static void say_rows(tt_screen *s) { tt_host_set_status(s->host, "rows: %s", tt_compare_rows_text[of(s)->rows]); }

static bool act_kernel(tt_screen *s)
{
    tt_drilldown at[TT_SIDES];
    if (!places_of(of(s), at) || at[TT_NEW].what != TT_DRILL_SLICES || at[TT_NEW].kinds != 1u << TT_KIND_KERNEL) {
        tt_host_set_status(s->host, "no kernel of the new run here");
        return true;
    }
    return tt_host_show_kernel(s->host, &at[TT_NEW]);
}

static bool act_compare(tt_screen *s, tt_action a)
{
    compare *x = of(s);
    tt_drilldown at[TT_SIDES];
    const tt_comparison *now = tt_host_comparison(s->host);
    tt_comparison c = now ? *now : TT_COMPARISON_DEFAULT;
    switch (a) {
    case TT_ACT_COMPARE_ROWS:
        x->rows = (tt_compare_rows)((x->rows + 1) % TT_ROWS_COUNT_);
        say_rows(s);
        return true;
    case TT_ACT_COMPARE_ALL:
        x->rows = x->rows == TT_ROWS_ALL ? TT_ROWS_CHANGED : TT_ROWS_ALL;
        say_rows(s);
        return true;
    case TT_ACT_COMPARE_PER:
        c.per_run = !c.per_run;
        if (now) tt_host_compare_how(s->host, &c);
        tt_host_set_status(s->host, c.per_run ? "totals of the scope" : "per step");
        return now != NULL;
    case TT_ACT_COMPARE_MATCH:
        c.short_names = !c.short_names;
        if (now) tt_host_compare_how(s->host, &c);
        tt_host_set_status(s->host,
                           c.short_names ? "kernels meet by their short names" : "rows meet by their exact names");
        return now != NULL;
    case TT_ACT_COMPARE_SWAP: tt_host_swap_sides(s->host); return true;
    case TT_ACT_COMPARE_KERNEL: return act_kernel(s);
    case TT_ACT_ENTER:
        if (places_of(x, at)) return tt_host_show_both(s->host, at);
        tt_host_set_status(s->host, "this row has no time");
        return true;
    case TT_ACT_TAB_NEXT:
    case TT_ACT_TAB_PREV: x->chosen = true; return tt_panes_act(s, a);
    default: return tt_panes_act(s, a);
    }
}

static bool mouse_compare(tt_screen *s, const tt_mouse *m)
{
    if (!tt_panes_mouse(s, m)) return false;
    of(s)->chosen = true;
    return m->what != TT_MOUSE_DOUBLE || act_compare(s, TT_ACT_ENTER);
}

static void status_compare(void *o, char *out, size_t cap)
{
    compare *x = of(o);
    size_t n = (size_t)snprintf(out, cap, "%s: ", tt_compare_rows_text[x->rows]);
    if (n < cap) tt_panes_focus_ops.status(&x->panes, out + n, cap - n);
}

static const tt_focus_ops rows_focus = {.status = status_compare};

static tt_focus focus_compare(const tt_screen *s) { return tt_panes_focus_with(s, &rows_focus, TT_CTX_COMPARE); }

const tt_screen_ops tt_screen_compare = {
    .tab = {.name = "compare", .title = "Compare", .brief = "Cmp"},
    .context = TT_CTX_COMPARE,
    .state_size = sizeof(compare),
    .open = open_compare,
    .close = tt_panes_close,
    .renew = renew_compare,
    .scope = scope_compare,
    .draw = draw_compare,
    .act = act_compare,
    .focus = focus_compare,
    .mouse = mouse_compare,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
