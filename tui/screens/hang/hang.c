/* tui/screens/hang/hang.c - who is stuck, from the dumps of all ranks: the verdict, the wall of ranks and groups, and
 * the tables behind them, one at a time. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/hang/wall.h"
#include "model/tables/cells.h"
#include "model/tables/hang/columns.h"
#include "tui/screen/host.h"
#include "tui/table/panes.h"
#include "tui/widgets/format_value.h"

static const tt_pane panes[] = {
    {"hang_faults", "Faults", NULL},          {"hang_ranks", "Ranks", NULL},
    {"hang_collectives", "Open calls", NULL}, {"hang_mismatches", "Differing calls", NULL},
    {"hang_groups", "Groups", NULL},          {"hang_wall", "By group", NULL},
    {"hang_entries", "All calls", NULL},
};
enum { FAULTS, RANKS, OPEN, DIFFERING, GROUPS, BY_GROUP, CALLS, N_PANES = sizeof panes / sizeof *panes };
enum { LEAST_TABLE = 7, VERDICT_MOST = 5, HEADS = 3 /* lines of names of groups at most */ };

typedef struct hang_screen {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_wall *wall;
    const char *verdict, *next; /* next: what to look at; NULL */
    tt_arena arena;             /* their texts */
    uint32_t row, column, top;  /* cursor in the wall, and its first line */
    bool chosen;                /* the calls are those of one fault or cell, not all */
    char title[160];            /* which calls those are */
    int y, h;                   /* lines of rows of the wall in the last frame */
} hang_screen;

static hang_screen *of(const tt_screen *s) { return s->state; }
static const tt_hang *hang_of(const tt_screen *s) { return tt_hang_get(tt_host_session(s->host)); }

/* ---- begin and end ---- */

static void take_verdict(tt_screen *s)
{
    hang_screen *x = of(s);
    const tt_hang *h = hang_of(s);
    x->verdict = x->next = NULL;
    if (!h) return;
    x->wall = tt_wall_new(h);
    x->verdict = tt_hang_verdict(h, &x->arena);
    if (h->n_faults) x->next = tt_hang_advice(h, &h->faults[0], &x->arena);
}

static void forget_verdict(tt_screen *s)
{
    hang_screen *x = of(s);
    tt_wall_free(x->wall);
    x->wall = NULL;
    tt_arena_free(&x->arena);
    x->arena = (tt_arena){0};
}

static void open_hang(tt_screen *s)
{
    tt_panes_open(s, panes, N_PANES, true);
    of(s)->panes.one = true;
    of(s)->panes.all_workers = true;
    of(s)->panes.focus = FAULTS;
    take_verdict(s);
}

static void close_hang(tt_screen *s)
{
    forget_verdict(s);
    tt_panes_close(s);
}

static void renew_hang(tt_screen *s, int64_t shift)
{
    forget_verdict(s);
    take_verdict(s);
    if (of(s)->wall && of(s)->row >= of(s)->wall->n_rows) of(s)->row = 0;
    tt_panes_renew(s, shift);
}

static bool wanted_hang(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (s->traces[i]->flight) return true;
    return false;
}

/* ---- the wall ---- */

static const char *ranks_text(const tt_screen *s, uint32_t row, tt_arena *a)
{
    const tt_wall *w = of(s)->wall;
    const tt_hang_list *l = &w->rows[row].ranks;
    return tt_hang_indices_text(hang_of(s), w->ranks + l->first, l->n, a);
}

/* Columns of the wall that are shown: all where there is room, else those in which some rank is not even. */
typedef struct shown_columns {
    uint32_t at[256], n;
    int width;   /* width of each column, with the blank in front */
    int ranks_w; /* width of the list of ranks */
} shown_columns;

enum { LEAST_WIDTH = 6, MOST_WIDTH = 18, RANKS_MOST = 24 };

static void choose_columns(const tt_screen *s, int w, shown_columns *out)
{
    const tt_wall *x = of(s)->wall;
    tt_arena a = {0};
    int room;
    *out = (shown_columns){.ranks_w = 6};
    for (uint32_t r = 0; r < x->n_rows && r < 200; r++) {
        int len = (int)strlen(ranks_text(s, r, &a));
        if (len > out->ranks_w) out->ranks_w = len;
    }
    tt_arena_free(&a);
    if (out->ranks_w > RANKS_MOST) out->ranks_w = w >= 120 && out->ranks_w < w / 3 ? out->ranks_w : RANKS_MOST;
    room = w - 4 - out->ranks_w;
    bool all = (int)x->n_columns * LEAST_WIDTH <= room;
    for (uint32_t c = 0; c < x->n_columns && out->n < 256; c++)
        if (all || !x->even[c]) out->at[out->n++] = c;
    if (!out->n)
        for (uint32_t c = 0; c < x->n_columns && c < 256; c++) out->at[out->n++] = c;
    out->width = out->n ? room / (int)out->n : room;
    if (out->width < LEAST_WIDTH) out->width = LEAST_WIDTH;
    if (out->width > MOST_WIDTH) out->width = MOST_WIDTH;
    if (out->n * (uint32_t)out->width > (uint32_t)room) out->n = (uint32_t)(room / out->width);
}

/* Draw the words of a group's description one below the other, at the bottom of `lines` lines. */
static void draw_head(tt_canvas *c, int y, int lines, int x, int w, const char *desc, bool on)
{
    char initials[32];
    tt_style style = on ? TT_ROLE_HEAD_SORT : TT_ROLE_HEAD;
    int len = (int)strlen(desc);
    if (len < w) {
        tt_put_right(c, y + lines - 1, x, w, style, desc);
        return;
    }
    if (w <= 8 || lines < 2) {
        tt_put_right(c, y + lines - 1, x, w, style, tt_wall_initials(desc, initials, sizeof initials));
        return;
    }
    const char *p = desc;
    for (int i = 0; i < lines && *p; i++) { /* break at underscores, the rest of the words on the last line is cut */
        char part[64];
        size_t n = 0, best = 0;
        while (p[n] && (int)n < w - 1) {
            n++;
            if (p[n] == '_' || !p[n]) best = n;
        }
        if (!best || !p[n]) best = n;
        snprintf(part, sizeof part, "%.*s", (int)best, p);
        tt_put_right(c, y + i, x, w, style, part);
        p += best + (p[best] == '_');
    }
}

static tt_style style_of(const tt_wall_cell *cell, bool culprit)
{
    switch ((tt_wall_kind)cell->kind) {
    case TT_WALL_BEHIND:
    case TT_WALL_UNFINISHED: return culprit ? TT_ROLE_ERROR | TT_BOLD : TT_ROLE_WARN;
    case TT_WALL_NO_DUMP: return TT_ROLE_ERROR;
    default: return TT_ROLE_DIM;
    }
}

static void draw_row(const tt_screen *s, tt_canvas *c, int y, uint32_t row, const shown_columns *cols)
{
    const hang_screen *x = of(s);
    const tt_wall_row *r = &x->wall->rows[row];
    tt_arena a = {0};
    char text[24];
    if (r->culprit) tt_put(c, y, 0, TT_ROLE_ERROR | TT_BOLD, ">", 1);
    tt_put_cut(c, y, 2, r->culprit ? TT_ROLE_ERROR | TT_BOLD : TT_ROLE_NAME, ranks_text(s, row, &a), cols->ranks_w,
               TT_CUT_END);
    for (uint32_t i = 0; i < cols->n; i++) {
        const tt_wall_cell *cell = tt_wall_at(x->wall, row, cols->at[i]);
        tt_style style = x->wall->p2p[cols->at[i]] ? TT_ROLE_DIM : style_of(cell, r->culprit);
        tt_put_right(c, y, 2 + cols->ranks_w + (int)i * cols->width, cols->width, style, tt_wall_text(cell, text));
    }
    if (row == x->row && tt_panes_on_chart(&x->panes)) tt_restyle(c, y, 1, 1, cols->ranks_w + 1, TT_ROLE_CURSOR);
    tt_arena_free(&a);
}

/* Number of lines for the names of the groups. */
static int head_lines(const tt_screen *s, const shown_columns *cols)
{
    bool short_names = true;
    for (uint32_t i = 0; i < cols->n; i++)
        short_names = short_names && (int)strlen(of(s)->wall->columns[cols->at[i]]) < cols->width;
    return short_names || cols->width <= 8 ? 1 : HEADS;
}

static void draw_wall(tt_screen *s, tt_canvas *c)
{
    hang_screen *x = of(s);
    shown_columns cols;
    char right[96], ranks[TT_TEXT_CAP];
    const tt_hang *h = hang_of(s);
    choose_columns(s, c->w, &cols);
    int heads = head_lines(s, &cols);
    bool chart = tt_panes_on_chart(&x->panes);
    uint32_t hidden = x->wall->n_columns - cols.n;
    tt_format_counted(ranks, h->n_ranks, "rank");
    if (hidden)
        snprintf(right, sizeof right, "%s, %u more groups", ranks, hidden);
    else
        snprintf(right, sizeof right, "%s", ranks);
    tt_rule(c, 0,
            c->w >= 100 ? "Wall  . even  -3 calls behind  !3 finished fewer  x no dump  ? not recorded"
                        : "Wall  . even  -3 calls behind",
            right);
    for (uint32_t i = 0; i < cols.n; i++)
        draw_head(c, 1, heads, 2 + cols.ranks_w + (int)i * cols.width, cols.width, x->wall->columns[cols.at[i]],
                  chart && cols.at[i] == x->column);
    tt_put(c, heads, 2, TT_ROLE_HEAD, "ranks", -1);
    x->y = 1 + heads;
    x->h = c->h - x->y;
    uint32_t lines = x->h > 0 ? (uint32_t)x->h : 0;
    if (x->row < x->top) x->top = x->row;
    if (lines && x->row >= x->top + lines) x->top = x->row - lines + 1;
    for (uint32_t r = x->top; r < x->wall->n_rows && r - x->top < lines; r++)
        draw_row(s, c, x->y + (int)(r - x->top), r, &cols);
}

static int wall_height(const tt_screen *s, int w, int room)
{
    shown_columns cols;
    choose_columns(s, w, &cols);
    int h = 1 + head_lines(s, &cols) + (int)of(s)->wall->n_rows;
    int most = room - LEAST_TABLE;
    return h < most ? h : most;
}

/* Draw the verdict, and what to look at next; returns the lines used. */
static int draw_verdict(const tt_screen *s, tt_canvas *c)
{
    const hang_screen *x = of(s);
    const tt_hang *h = hang_of(s);
    tt_style style = h->n_faults && h->faults[0].certainty != TT_HANG_POSSIBLE ? TT_ROLE_ERROR | TT_BOLD
                     : h->n_faults || h->apart                                 ? TT_ROLE_WARN | TT_BOLD
                                                                               : TT_ROLE_STRONG;
    int y = tt_put_wrapped(c, 0, 1, VERDICT_MOST, c->w - 2, style, x->verdict);
    if (x->next && c->h >= 20) y += tt_put_wrapped(c, y, 1, c->h >= 30 ? 3 : 2, c->w - 2, TT_ROLE_DIM, x->next);
    return y;
}

static void draw_hang(tt_screen *s, tt_canvas *c)
{
    hang_screen *x = of(s);
    x->h = 0;
    if (!x->wall) {
        tt_put(c, 0, 1, TT_ROLE_DIM, "No dumps of a flight recorder", -1);
        return;
    }
    int y = draw_verdict(s, c), h = wall_height(s, c->w, c->h - y);
    if (h >= 3) {
        tt_canvas wall = tt_canvas_window(c, y, 0, h, c->w);
        draw_wall(s, &wall);
        x->y += y;
        y += h;
    }
    if (y < c->h) {
        tt_canvas rest = tt_canvas_window(c, y, 0, c->h - y, c->w);
        tt_panes_draw(&x->panes, &rest, y);
    }
}

/* ---- the calls of a fault, of a cell ---- */

static bool has_seq(const tt_table *t, uint32_t row, int what)
{
    return tt_cell_i(t, row, TT_HANG_ENTRIES_SEQ) == what;
}

static bool is_open_of(const tt_table *t, uint32_t row, int what)
{
    return tt_cell_i(t, row, TT_HANG_ENTRIES_RANK) == what && tt_cell_i(t, row, TT_HANG_ENTRIES_OPEN) == 1;
}

static void show_calls(tt_screen *s, const tt_table_only *only)
{
    hang_screen *x = of(s);
    tt_table_view *v = tt_panes_view_of(&x->panes, CALLS);
    tt_table_view_set_only(v, only);
    tt_table_view_set_title(v, x->title);
    x->chosen = true;
    x->panes.focus = CALLS;
}

static void show_all_calls(tt_screen *s)
{
    hang_screen *x = of(s);
    tt_table_view *v = tt_panes_view_of(&x->panes, CALLS);
    tt_table_only none = {.key = {NULL}};
    tt_table_view_set_only(v, &none);
    tt_table_view_set_title(v, NULL);
    x->chosen = false;
}

/* The members of a fault's call: who called it when, in which state, with which sizes. */
static bool show_fault(tt_screen *s)
{
    hang_screen *x = of(s);
    tt_table_view *v = tt_panes_view_of(&x->panes, FAULTS);
    const tt_table *t = tt_table_view_table(v);
    uint32_t row = t ? tt_table_view_current(v) : TT_NONE;
    if (row == TT_NONE) return false;
    const char *group = tt_cell_s(t, row, TT_HANG_FAULTS_GROUP);
    int64_t seq = tt_cell_i(t, row, TT_HANG_FAULTS_SEQ);
    if (!*group || seq == TT_UNKNOWN || seq > INT32_MAX) return false;
    tt_table_only only = {.key = {"group"},
                          .text = {group},
                          .keep = has_seq,
                          .what = (int)seq,
                          .none = "No dump holds this call any more"};
    snprintf(x->title, sizeof x->title, "Calls of %.40s seq %" PRId64 " in group %.40s   Esc: all calls",
             tt_cell_s(t, row, TT_HANG_FAULTS_OP), seq, group);
    show_calls(s, &only);
    return true;
}

/* The open calls of the first rank of a row, in groups of the column's description. */
static bool show_cell(tt_screen *s)
{
    hang_screen *x = of(s);
    const tt_wall *w = x->wall;
    if (x->row >= w->n_rows || x->column >= w->n_columns) return false;
    int64_t rank = hang_of(s)->ranks[w->ranks[w->rows[x->row].ranks.first]].rank;
    tt_table_only only = {.key = {"group_desc"},
                          .text = {w->columns[x->column]},
                          .keep = is_open_of,
                          .what = (int)rank,
                          .none = "This rank has no open call there"};
    snprintf(x->title, sizeof x->title, "Open calls of rank %" PRId64 " in %.80s   Esc: all calls", rank,
             w->columns[x->column]);
    show_calls(s, &only);
    return true;
}

/* ---- keys ---- */

static void move_column(hang_screen *x, int by)
{
    int64_t to = (int64_t)x->column + by, n = x->wall->n_columns;
    x->column = (uint32_t)(to < 0 ? 0 : to >= n ? n - 1 : to);
}

static bool act_on_wall(tt_screen *s, tt_action a)
{
    hang_screen *x = of(s);
    if (!x->wall || !x->wall->n_rows) return false;
    int page = x->h > 1 ? x->h : 1;
    int64_t to = tt_action_moved(a, x->row, x->wall->n_rows, page, page);
    if (to >= 0) {
        x->row = (uint32_t)to;
        return true;
    }
    switch (a) {
    case TT_ACT_LEFT:
    case TT_ACT_COL_LEFT: move_column(x, -1); return true;
    case TT_ACT_RIGHT:
    case TT_ACT_COL_RIGHT: move_column(x, 1); return true;
    case TT_ACT_ENTER: return show_cell(s);
    default: return false;
    }
}

static bool act_hang(tt_screen *s, tt_action a)
{
    hang_screen *x = of(s);
    bool tab = a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV;
    if (tt_panes_on_chart(&x->panes) && !tab) return act_on_wall(s, a);
    if (x->panes.focus == FAULTS && a == TT_ACT_ENTER && show_fault(s)) return true;
    if (x->panes.focus == CALLS && x->chosen && a == TT_ACT_CANCEL) {
        show_all_calls(s);
        return true;
    }
    return tt_panes_act(s, a);
}

/* ---- focus ---- */

static void status_wall(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const hang_screen *x = of(s);
    tt_buf line = tt_buf_on(out, cap);
    tt_arena a = {0};
    *out = '\0';
    if (!x->wall || x->row >= x->wall->n_rows) return;
    const tt_wall_row *r = &x->wall->rows[x->row];
    tt_buf_add(&line, "rank%s %.60s", r->ranks.n > 1 ? "s" : "", ranks_text(s, x->row, &a));
    if (r->culprit) tt_buf_add(&line, ": culprit of fault %u", r->fault + 1);
    if (x->column < x->wall->n_columns) {
        static const char *const words[] = {"no member",   "even", "not recorded", "no dump", "finished fewer calls",
                                            "calls behind"};
        const tt_wall_cell *c = tt_wall_at(x->wall, x->row, x->column);
        tt_buf_add(&line, "   %.60s: ", x->wall->columns[x->column]);
        if (c->n) tt_buf_add(&line, "%" PRId64 " ", c->n);
        tt_buf_add(&line, "%s", words[c->kind]);
    }
    tt_arena_free(&a);
}

/* Whether the row has the rank, as a whole number. */
static bool has_rank(const tt_screen *s, uint32_t row, int64_t rank)
{
    const tt_wall *w = of(s)->wall;
    const tt_wall_row *r = &w->rows[row];
    for (uint32_t i = 0; i < r->ranks.n; i++)
        if (hang_of(s)->ranks[w->ranks[r->ranks.first + i]].rank == rank) return true;
    return false;
}

/* Find a rank by its number, or a group by a part of its description. */
static bool find_in_wall(void *o, const char *text, int dir)
{
    const tt_screen *s = o;
    hang_screen *x = of(s);
    char *end;
    int64_t rank = strtoll(text, &end, 10), n;
    if (!x->wall || !*text) return false;
    n = *end ? x->wall->n_columns : x->wall->n_rows;
    int64_t at = *end ? x->column : x->row;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = (at + (dir ? (i + 1) * dir : i)) % n;
        if (k < 0) k += n;
        if (!*end && has_rank(s, (uint32_t)k, rank)) {
            x->row = (uint32_t)k;
            return true;
        }
        if (*end && strcasestr(x->wall->columns[k], text)) {
            x->column = (uint32_t)k;
            return true;
        }
    }
    return false;
}

static char *copy_verdict(void *o, bool all)
{
    hang_screen *x = of(o);
    if (all) return tt_table_view_copy(tt_panes_view(&x->panes), all);
    return x->verdict ? tt_strdup(x->verdict) : NULL;
}

static const tt_focus_ops wall_focus = {.status = status_wall,
                                        .find = find_in_wall,
                                        .selection = tt_focus_selects_nothing,
                                        .copy = copy_verdict};
static const tt_focus_ops faults_focus = {.copy = copy_verdict};

static tt_focus focus_hang(const tt_screen *s)
{
    const hang_screen *x = of(s);
    if (tt_panes_on_chart(&x->panes)) return tt_panes_focus_with(s, &wall_focus, TT_CTX_TABLE);
    if (x->panes.focus == FAULTS) return tt_panes_focus_with(s, &faults_focus, TT_CTX_TABLE);
    return tt_panes_focus(s);
}

static bool mouse_hang(tt_screen *s, const tt_mouse *m)
{
    hang_screen *x = of(s);
    if (!x->wall || m->y < x->y || m->y >= x->y + x->h) return tt_panes_mouse(s, m);
    x->panes.focus = TT_PANE_CHART;
    int64_t to = x->row, n = x->wall->n_rows;
    if (m->what == TT_MOUSE_WHEEL) to += m->wheel;
    if (m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) to = (int64_t)x->top + m->y - x->y;
    x->row = (uint32_t)(to < 0 || !n ? 0 : to >= n ? n - 1 : to);
    if (m->what == TT_MOUSE_DOUBLE) (void)show_cell(s);
    return true;
}

const tt_screen_ops tt_screen_hang = {
    .tab = {.name = "hang", .title = "Hang", .brief = "Hang", .wanted = wanted_hang, .of_dumps = true},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(hang_screen),
    .open = open_hang,
    .close = close_hang,
    .renew = renew_hang,
    .scope = tt_panes_scope,
    .draw = draw_hang,
    .act = act_hang,
    .focus = focus_hang,
    .mouse = mouse_hang,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
