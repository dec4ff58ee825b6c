/* tui/screens/idle.c - why each device waits: a bar of the device's time with the causes of its waiting, its gaps
 * with the longest first and the program line behind each, and further tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/group_by.h"
#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/idle/columns.h"
#include "model/tables/idle/gap_detail.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/table/panes.h"
#include "tui/widgets/cause_style.h"
#include "tui/widgets/format_value.h"

static const tt_pane panes[] = {
    {"gpu_gaps", "Gaps", "No idle gaps: the GPU is never idle in this scope"},
    {"idle_causes", "Causes", "No idle gaps: the GPU is never idle in this scope"},
    {"critical_path", "Critical path", "No GPU activity in this scope"},
    {"what_if", "What if", "No GPU activity in this scope"},
    {"launches", "Launches", "No kernel launches recorded"},
    {"queue", "Queues", "No kernel launches recorded"},
    {"stream_idle", "By stream", "No stream waits in this scope"},
};
enum { GAPS, BY_CAUSE, N_PANES = sizeof panes / sizeof *panes };
enum { TIME, CAUSES }; /* the tables that the bars are drawn from */
static const char *const ids[] = {"gpu_time", "idle_causes", NULL};
enum { DETAIL_H = 7, MOST_DEVICES = 8 };
enum { MOST_HITS = 1 << 16 }; /* number of gaps that the timeline is given: the longest ones */

typedef struct idle_screen {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_table_fetch tables;
    tt_gap_detail gap; /* facts about the gap of the selected row */
    bool has_gap;
    int64_t of_t0, of_t1; /* begin and end of that gap; of_t1 < of_t0: no gap */
    uint32_t of_trace, of_device;
    int bars_h; /* lines above the tables in the last frame */
} idle_screen;

static idle_screen *of(const tt_screen *s) { return s->state; }

/* ---- tables ---- */

static void open_idle(tt_screen *s)
{
    idle_screen *x = of(s);
    tt_panes_open(s, panes, N_PANES, false);
    x->panes.bare = 1u << GAPS;
    x->of_t1 = -1;
    x->tables = (tt_table_fetch){.screen = s, .ids = ids};
    tt_table_fetch_ask(&x->tables);
}

static void scope_idle(tt_screen *s)
{
    tt_table_fetch_ask(&of(s)->tables);
    tt_panes_scope(s);
}

static void renew_idle(tt_screen *s, int64_t shift)
{
    of(s)->of_t1 = of(s)->of_t0 - 1;
    tt_table_fetch_renew(&of(s)->tables);
    tt_panes_renew(s, shift);
}

static bool wanted_idle(const tt_session *s)
{
    for (uint32_t i = 0; i < s->n_traces; i++) {
        const tt_trace *t = s->traces[i];
        for (uint32_t d = 0; d < t->n_dev; d++) {
            if (tt_kind_is_work(tt_row_kind(t, t->dev[d].row))) return true;
        }
    }
    return false;
}

/* ---- bars ---- */

/* Both rows belong to one device; of_a and of_b: the column `device` of each table. */
static bool same_device(const tt_table *a, uint32_t ra, uint32_t of_a, const tt_table *b, uint32_t rb, uint32_t of_b)
{
    return !strcmp(tt_cell_s(a, ra, of_a), tt_cell_s(b, rb, of_b)) && tt_cells_same_run(a, ra, b, rb);
}

/* Read the parts of a device's time by category (tt_wait_cause, then classes of work); returns their sum. */
static int64_t parts_of(const idle_screen *x, uint32_t row, int64_t part[TT_CAUSES])
{
    static const uint32_t busy[] = {TT_GPU_TIME_COMPUTATION, TT_GPU_TIME_COMMUNICATION_EXPOSED,
                                    TT_GPU_TIME_COPY_EXPOSED};
    const tt_table *time = x->tables.at[TIME], *causes = x->tables.at[CAUSES];
    int64_t sum = 0;
    memset(part, 0, TT_CAUSES * sizeof *part);
    for (int k = 0; k < 3; k++) part[TT_WAIT_COUNT_ + k] = tt_cell_i(time, row, busy[k]);
    for (uint32_t r = 0; causes && r < causes->n_rows; r++) {
        if (!same_device(time, row, TT_GPU_TIME_DEVICE, causes, r, TT_IDLE_CAUSES_DEVICE)) continue;
        for (int k = 0; k < TT_WAIT_COUNT_; k++) {
            if (!strcmp(tt_cell_s(causes, r, TT_IDLE_CAUSES_CAUSE), tt_wait_name[k]))
                part[k] += tt_cell_i(causes, r, TT_IDLE_CAUSES_IDLE);
        }
    }
    for (int k = 0; k < TT_CAUSES; k++) sum += part[k] > 0 ? part[k] : 0;
    return sum;
}

/* The i-th category of the bar: work first, then causes of waiting. */
static unsigned category_at(int i)
{
    return (unsigned)(i < TT_CAUSES - TT_WAIT_COUNT_ ? TT_WAIT_COUNT_ + i : i - (TT_CAUSES - TT_WAIT_COUNT_));
}

static void draw_bar(tt_canvas *c, int y, int x, int w, const int64_t part[TT_CAUSES], int64_t sum)
{
    double at = 0, scale = sum > 0 ? (double)w / (double)sum : 0;
    for (int i = 0; i < TT_CAUSES; i++) {
        unsigned k = category_at(i);
        if (part[k] <= 0) continue;
        int from = (int)(at * scale + 0.5), to = (int)((at + (double)part[k]) * scale + 0.5);
        at += (double)part[k];
        for (int col = from; col < to && col < w; col++) tt_cause_put(c, y, x + col, k);
    }
}

/* Draw patches with shares, "input data 16.76%", on at most `lines` lines; returns the number of lines used. */
static int draw_shares(tt_canvas *c, int y, int lines, const int64_t part[TT_CAUSES], int64_t sum)
{
    int x = 1, used = 1;
    for (int i = 0; i < TT_CAUSES; i++) {
        unsigned k = category_at(i);
        char pct[TT_TEXT_CAP], text[96];
        if (part[k] <= 0) continue;
        snprintf(text, sizeof text, "%s %s",
                 k < TT_WAIT_COUNT_ ? tt_wait_text[k] : tt_work_class_name[k - TT_WAIT_COUNT_],
                 tt_format_percent(pct, tt_pct((double)part[k], (double)sum)));
        int w = 2 + tt_text_width(text, strlen(text));
        if (x > 1 && x + w > c->w - 1) x = 1, used++;
        if (used > lines) return lines;
        tt_cause_put(c, y + used - 1, x, k);
        tt_put(c, y + used - 1, x + 2, TT_ROLE_TEXT, text, c->w - x - 3);
        x += w + 3;
    }
    return used;
}

static void draw_device(const tt_screen *s, tt_canvas *c, int y, uint32_t row, const int64_t part[TT_CAUSES],
                        int64_t sum)
{
    const tt_table *t = of(s)->tables.at[TIME];
    const char *worker = tt_host_scope(s->host)->worker == TT_ALL ? tt_cell_worker(t, row) : "";
    char ns[TT_TEXT_CAP], pct[TT_TEXT_CAP];
    int x = 1;
    if (*worker) x += 1 + tt_put_cut(c, y, x, TT_ROLE_DIM, worker, c->w / 6 < 16 ? c->w / 6 : 16, TT_CUT_START);
    x += 1 + tt_put_cut(c, y, x, TT_ROLE_STRONG, tt_cell_s(t, row, TT_GPU_TIME_DEVICE), 10, TT_CUT_END);
    x += tt_put(c, y, x, TT_ROLE_DIM, "idle", -1);
    tt_put_right(c, y, x, 8, TT_ROLE_STRONG, tt_format_percent(pct, tt_cell_d(t, row, TT_GPU_TIME_IDLE_PCT)));
    x += 9;
    if (c->w >= 100) {
        x += tt_put(c, y, x, TT_ROLE_DIM, "of", -1);
        tt_put_right(c, y, x, 12, TT_ROLE_NUMBER,
                     tt_format_duration(ns, tt_cell_i(t, row, TT_GPU_TIME_TOTAL), (tt_unit)tt_host_unit(s->host)));
        x += 13;
    }
    draw_bar(c, y, x, c->w - x - 2, part, sum);
}

/* The row of table gpu_time with the device of the selected gap; without a gap the first row. */
static uint32_t chosen_device(idle_screen *x)
{
    tt_table_view *v = tt_panes_view_of(&x->panes, GAPS);
    const tt_table *gaps = tt_table_view_table(v), *time = x->tables.at[TIME];
    uint32_t row = tt_table_view_current(v);
    for (uint32_t i = 0; gaps && row != TT_NONE && i < time->n_rows; i++) {
        if (same_device(time, i, TT_GPU_TIME_DEVICE, gaps, row, TT_GPU_GAPS_DEVICE)) return i;
    }
    return 0;
}

/* Draw a bar for each device, and below the bars the legend with the shares of the chosen device: shares of several
 * devices are not added. */
static int draw_bars(const tt_screen *s, tt_canvas *c, int most)
{
    idle_screen *x = of(s);
    int devices = (int)tt_table_fetch_rows(&x->tables, TIME), y = 1;
    int64_t part[TT_CAUSES], sum;
    char right[128] = "";
    if (devices > MOST_DEVICES) devices = MOST_DEVICES;
    if (devices > most - 2) devices = most - 2 > 0 ? most - 2 : 0;
    uint32_t chosen = devices ? chosen_device(x) : 0;
    if (devices > 1)
        snprintf(right, sizeof right, "percentages of %.60s %.30s", tt_cell_worker(x->tables.at[TIME], chosen),
                 tt_cell_s(x->tables.at[TIME], chosen, TT_GPU_TIME_DEVICE));
    tt_rule(c, 0, c->w >= 70 ? "Time of the device  work, then what it waited for" : "Time of the device", right);
    for (int i = 0; i < devices; i++) {
        sum = parts_of(x, (uint32_t)i, part);
        draw_device(s, c, y++, (uint32_t)i, part, sum);
    }
    if (!devices) {
        const tt_table *t = x->tables.at[TIME];
        tt_put_cut(c, y++, 2, TT_ROLE_DIM,
                   !t        ? "computing ..."
                   : t->note ? t->note
                             : "No GPU activity here",
                   c->w - 4, TT_CUT_END);
        return y < most ? y : most;
    }
    sum = parts_of(x, chosen, part);
    return y + draw_shares(c, y, most - y, part, sum);
}

/* ---- the selected gap ---- */

/* The facts about the selected gap, computed again when another row is selected. */
static const tt_gap_detail *selected_gap(const tt_screen *s)
{
    idle_screen *x = of(s);
    tt_table_view *v = tt_panes_view_of(&x->panes, GAPS);
    const tt_table *t = tt_table_view_table(v);
    uint32_t row = tt_table_view_current(v);
    const tt_session *session = tt_host_session(s->host);
    if (!t || row == TT_NONE || !t->drilldowns || t->drilldowns[row].what != TT_DRILL_RANGE) return NULL;
    const tt_drilldown *o = &t->drilldowns[row];
    uint32_t trace = o->trace, device = tt_gap_device(session, trace, tt_cell_s(t, row, TT_GPU_GAPS_DEVICE));
    if (x->of_t0 == o->t0 && x->of_t1 == o->t1 && x->of_trace == trace && x->of_device == device)
        return x->has_gap ? &x->gap : NULL;
    int64_t off = session->offset_ns[trace];
    x->of_t0 = o->t0;
    x->of_t1 = o->t1;
    x->of_trace = trace;
    x->of_device = device;
    x->has_gap = device != TT_NONE && tt_gap_detail_of(session, trace, device, o->t0 - off, o->t1 - off, &x->gap);
    return x->has_gap ? &x->gap : NULL;
}

static int key_text(tt_canvas *c, int y, const char *key, const char *text, int most)
{
    if (y >= c->h || !*text) return 0;
    tt_put(c, y, 1, TT_ROLE_DIM, key, 10);
    return tt_put_wrapped(c, y, 12, most < c->h - y ? most : c->h - y, c->w - 14, TT_ROLE_TEXT, text);
}

static void draw_gap(const tt_screen *s, tt_canvas *c)
{
    const tt_gap_detail *d = selected_gap(s);
    tt_rule(c, 0, "Why", c->w >= 60 ? "Enter shows the gap on the timeline, n N the next there" : NULL);
    if (!d) return;
    const tt_idle_gap *g = &d->gap;
    tt_unit unit = (tt_unit)tt_host_unit(s->host);
    char len[TT_TEXT_CAP], step[48] = "", where[700];
    int64_t part[TT_CAUSES] = {0};
    memcpy(part, g->part, sizeof g->part);
    if (d->step != TT_UNKNOWN) snprintf(step, sizeof step, " in step %lld", (long long)d->step);
    int x = 1 + tt_putf(c, 1, 1, tt_cause_style(g->cause) | TT_BOLD, -1, "%s", tt_wait_text[g->cause]);
    snprintf(where, sizeof where, " %s%s: %s", tt_format_duration(len, g->t1 - g->t0, unit), step,
             tt_wait_help[g->cause]);
    tt_put_cut(c, 1, x + 1, TT_ROLE_TEXT, where, c->w - x - 2, TT_CUT_END);
    int y = 2;
    int kinds = 0;
    for (int k = 0; k < TT_WAIT_COUNT_; k++) kinds += part[k] > 0;
    if (kinds > 1 && y < c->h) y += draw_shares(c, y, 1, part, g->t1 - g->t0);
    if (d->line[0]) y += key_text(c, y, "line", d->line, 1);
    snprintf(where, sizeof where, "%.200s%s%.300s", d->thread ? d->thread : "", d->thread && d->op ? ", in " : "",
             d->op ? d->op : "");
    y += key_text(c, y, "CPU", where, 1);
    if (d->next && c->h > DETAIL_H && y < c->h) { /* the list says it, too */
        tt_put(c, y, 1, TT_ROLE_DIM, "then", 10);
        tt_put_cut(c, y, 12, TT_ROLE_TEXT, d->next, c->w - 14, TT_CUT_KERNEL);
        y++;
    }
    const char *advice = tt_gap_advice(tt_host_session(s->host)->traces[d->trace], g->cause);
    if (advice) key_text(c, y, "fix", advice, 2);
}

/* ---- drawing ---- */

static void draw_idle(tt_screen *s, tt_canvas *c)
{
    idle_screen *x = of(s);
    bool gaps = x->panes.focus == GAPS && tt_table_view_rows(tt_panes_view_of(&x->panes, GAPS)) > 0;
    int detail = !gaps || c->h < 16 ? 0 : c->h >= 30 ? DETAIL_H + 1 : DETAIL_H;
    int most = c->h - detail - 6;
    x->bars_h = most >= 3 ? draw_bars(s, c, most < 12 ? most : 12) : 0;
    tt_canvas rest = tt_canvas_window(c, x->bars_h, 0, c->h - x->bars_h - detail, c->w);
    tt_panes_draw(&x->panes, &rest, x->bars_h);
    if (!detail) return;
    tt_canvas pane = tt_canvas_window(c, c->h - detail, 0, detail, c->w);
    draw_gap(s, &pane);
}

/* ---- keys ---- */

/* The longest gap with the cause of the selected row, TT_NONE = none; *like: the selected row. */
static uint32_t longest_of_cause(tt_screen *s, const tt_table *gaps, const tt_table **causes, uint32_t *like)
{
    tt_table_view *v = tt_panes_view_of(&of(s)->panes, BY_CAUSE);
    uint32_t best = TT_NONE;
    *causes = tt_table_view_table(v);
    *like = tt_table_view_current(v);
    for (uint32_t i = 0; *causes && *like != TT_NONE && i < gaps->n_rows; i++) {
        if (strcmp(tt_cell_s(gaps, i, TT_GPU_GAPS_CAUSE), tt_cell_s(*causes, *like, TT_IDLE_CAUSES_CAUSE)) != 0)
            continue;
        if (!same_device(gaps, i, TT_GPU_GAPS_DEVICE, *causes, *like, TT_IDLE_CAUSES_DEVICE)) continue;
        if (best == TT_NONE || tt_cell_i(gaps, i, TT_GPU_GAPS_DURATION) > tt_cell_i(gaps, best, TT_GPU_GAPS_DURATION))
            best = i;
    }
    return best;
}

/* Show the gap on the timeline, which walks through all listed gaps; by_cause: begin with the longest gap of the
 * selected cause, and walk through the gaps of that cause. */
static bool show_gaps(tt_screen *s, bool by_cause)
{
    tt_table_view *v = tt_panes_view_of(&of(s)->panes, GAPS);
    const tt_table *t = tt_table_view_table(v), *causes = NULL;
    uint32_t row = tt_table_view_current(v), like = TT_NONE;
    TT_VEC(tt_hit_range) list = {0};
    tt_hit_ranges r = {.what = "gaps"};
    if (!t || !t->drilldowns) return false;
    if (by_cause) row = longest_of_cause(s, t, &causes, &like);
    if (row == TT_NONE) return false;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        const tt_drilldown *o = &t->drilldowns[i];
        if (o->what != TT_DRILL_RANGE || (i != row && list.n >= MOST_HITS)) continue;
        if (by_cause && strcmp(tt_cell_s(t, i, TT_GPU_GAPS_CAUSE), tt_cell_s(causes, like, TT_IDLE_CAUSES_CAUSE)) != 0)
            continue;
        uint32_t device = tt_gap_device(tt_host_session(s->host), o->trace, tt_cell_s(t, i, TT_GPU_GAPS_DEVICE));
        if (device == TT_NONE) continue;
        if (i == row) r.show = list.n;
        *tt_vec_push(&list) = (tt_hit_range){o->t0, o->t1, o->trace, device};
    }
    r.at = list.at;
    r.n = list.n;
    bool shown = list.n > 0 && tt_host_show_ranges(s->host, &r);
    tt_vec_free(&list);
    return shown;
}

static bool act_idle(tt_screen *s, tt_action a)
{
    idle_screen *x = of(s);
    if (a == TT_ACT_WHY) { /* put the cursor on the longest gap */
        x->panes.focus = GAPS;
        tt_table_view_act(tt_panes_view_of(&x->panes, GAPS), TT_ACT_TOP);
        return true;
    }
    bool open = a == TT_ACT_ENTER || a == TT_ACT_SHOW;
    bool gaps = x->panes.focus == GAPS, causes = x->panes.focus == BY_CAUSE;
    if (open && (gaps || causes) && show_gaps(s, causes)) return true;
    return tt_panes_act(s, a);
}

/* Copy the Python line of the selected gap, if it is known. */
static char *copy_gap(void *o, bool all)
{
    const tt_screen *s = o;
    const tt_gap_detail *d = !all && of(s)->panes.focus == GAPS ? selected_gap(s) : NULL;
    return d && d->line[0] ? tt_strdup(d->line) : tt_table_view_copy(tt_panes_view(&of(s)->panes), all);
}

static const tt_focus_ops gap_focus = {.copy = copy_gap};

static tt_focus focus_idle(const tt_screen *s) { return tt_panes_focus_with(s, &gap_focus, TT_CTX_TABLE); }

const tt_screen_ops tt_screen_idle = {
    .tab = {.name = "idle", .title = "Idle", .brief = "Idle", .wanted = wanted_idle},
    .context = TT_CTX_TABLE,
    .state_size = sizeof(idle_screen),
    .open = open_idle,
    .close = tt_panes_close,
    .renew = renew_idle,
    .scope = scope_idle,
    .draw = draw_idle,
    .act = act_idle,
    .focus = focus_idle,
    .mouse = tt_panes_mouse,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
