/* tui/screens/distributed/distributed.c - the Distributed screen: how each rank spends its time, which rank keeps
 * the others waiting, the collectives.
 *
 * If the profilers of a cluster recorded links, the screen shows the links between ranks and the slow one among
 * them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/cells.h"
#include "model/tables/communication/columns.h"
#include "tui/charts/link_matrix.h"
#include "tui/charts/rank_wall.h"
#include "tui/charts/stacked_bar.h"
#include "tui/charts/step_parts.h"
#include "tui/charts/wait_matrix.h"
#include "tui/screen/host.h"
#include "tui/screen/table_fetch.h"
#include "tui/screens/distributed/cluster_ranks.h"
#include "tui/screens/distributed/rank_partner.h"
#include "tui/screens/empty.h"
#include "tui/screens/straggler.h"
#include "tui/table/panes.h"
#include "tui/widgets/format_value.h"
#include "tui/widgets/scroll.h"

static const tt_pane panes[] = {
    {"comm_ranks", "Stragglers", NULL}, {"comm_calls", "Calls", NULL}, {"comm_ops", "Operations", NULL},
    {"comm_groups", "Groups", NULL},    {"rank_times", "Ranks", NULL}, {"comm_wait", "Waiting", NULL},
    {"comm_steps", "Steps", NULL},
};
/* tables of a cluster */
static const tt_pane cluster_panes[] = {
    {"cluster_steps", "Step times", NULL}, {"cluster_communication", "Communication", NULL},
    {"cluster_links", "Links", NULL},      {"comm_ranks", "Stragglers", NULL},
    {"comm_calls", "Calls", NULL},         {"comm_ops", "Operations", NULL},
    {"comm_wait", "Waiting", NULL},        {"comm_steps", "Steps", NULL},
};
enum {
    N_PANES = sizeof panes / sizeof *panes,
    N_CLUSTER = sizeof cluster_panes / sizeof *cluster_panes,
    LINKS_PANE = 2
};

static const tt_stack_part parts[] = {
    {TT_COMM_STEPS_COMPUTATION, "Compute", TT_HUE_KERNEL},
    {TT_COMM_STEPS_OVERLAP, "Overlapped comm.", TT_HUE_MEMCPY},
    {TT_COMM_STEPS_COMMUNICATION, "Exposed comm.", TT_HUE_COMMUNICATION},
    {TT_COMM_STEPS_OTHER, "Idle + CPU", TT_HUE_OTHER},
};
enum { N_PARTS = sizeof parts / sizeof *parts, LEAST_BELOW = 9, MOST_PARTS = 5, NARROW = 60 };
_Static_assert((int)N_PARTS <= (int)MOST_PARTS && (int)TT_CLUSTER_PARTS <= (int)MOST_PARTS, "MOST_PARTS");
enum { STEPS, RANKS, WAITS, CLUSTER, LINKS, BREAKDOWN, TIMES, STEP_WAITS };
static const char *const ids[] = {"comm_steps",    "comm_ranks",    "comm_waits",
                                  "cluster_steps", "cluster_links", "step_breakdown",
                                  "rank_times",    "comm_wait",     NULL};

typedef struct bar { /* the bar of a worker: means over its steps in scope */
    const char *worker;
    char label[40]; /* label of the bar, "rank 0" */
    int64_t ns[MOST_PARTS], total;
    uint32_t steps;
    char slow[80]; /* why the worker keeps the others waiting; "" = it does not */
} bar;

typedef struct distributed {
    tt_panes panes; /* first: see tui/table/panes.h */
    tt_table_fetch tables;
    bar *bars;
    const char **names, **labels; /* names of the bars */
    uint32_t n, at, top;
    bool moved;       /* the user chose the bar; else the screen chooses the straggler */
    char chosen[128]; /* the worker of bar `at`, kept while the bars are made anew */
    tt_wait_matrix matrix;
    tt_straggler straggler;
    tt_cluster_ranks cluster;
    tt_link_matrix links;
    tt_rank_wall wall; /* drawn instead of the bars if there are many ranks */
    bool on_links;     /* the link matrix has the keys, not the bars */
    int links_y, links_h;
    const tt_stack_part *parts;
    int n_parts;
    int64_t longest;
    int y, h; /* place of the list in the last frame */
} distributed;

static distributed *of(const tt_screen *s) { return s->state; }

/* The row of a worker among the stragglers, TT_NONE = none. */
static uint32_t rank_of(const distributed *d, const char *worker)
{
    const tt_table *t = d->tables.at[RANKS];
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        if (strcmp(tt_cell_worker(t, r), worker) == 0) return r;
    }
    return TT_NONE;
}

/* Make the bars from the events of the traces. */
static void bars_of_steps(distributed *d)
{
    const tt_table *t = d->tables.at[STEPS];
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *worker = tt_cell_worker(t, r);
        uint32_t i =
            /* mostly the worker of the row before */
            d->n && !strcmp(d->bars[d->n - 1].worker, worker) ? d->n - 1 : 0;
        while (i < d->n && strcmp(d->bars[i].worker, worker) != 0) i++;
        if (i == d->n) d->bars[d->n++].worker = worker;
        for (int p = 0; p < N_PARTS; p++) {
            int64_t ns = tt_cell_i(t, r, parts[p].column);
            if (ns > 0) d->bars[i].ns[p] += ns;
        }
        d->bars[i].steps++;
    }
    for (uint32_t i = 0; i < d->n; i++) {
        for (int p = 0; p < N_PARTS; p++) d->bars[i].ns[p] /= d->bars[i].steps;
    }
}

/* Make the bars from the tables of the ranks' profilers. */
static void bars_of_cluster(distributed *d)
{
    for (uint32_t i = 0; i < d->cluster.n; i++) {
        const tt_cluster_rank *r = &d->cluster.ranks[i];
        bar *b = &d->bars[d->n++];
        *b = (bar){.worker = *r->worker ? r->worker : r->name};
        for (int p = 0; p < TT_CLUSTER_PARTS; p++) b->ns[p] = r->ns[p];
        snprintf(b->slow, sizeof b->slow, "%s", r->slow);
    }
}

static void make_bars(tt_screen *s)
{
    distributed *d = of(s);
    const tt_table *t = d->tables.at[STEPS];
    tt_cluster_ranks_set(&d->cluster, d->tables.at[CLUSTER]);
    tt_link_matrix_set(&d->links, d->tables.at[LINKS]);
    bool ranks = d->cluster.n > 0, cluster = ranks || tt_link_matrix_any(&d->links);
    tt_panes_change(s, cluster ? cluster_panes : panes, cluster ? N_CLUSTER : N_PANES);
    d->on_links = d->on_links && tt_link_matrix_any(&d->links);
    d->parts = ranks ? tt_cluster_parts : parts;
    d->n_parts = ranks ? (int)TT_CLUSTER_PARTS : (int)N_PARTS;
    free(d->bars);
    free(d->names);
    d->bars = tt_calloc((ranks ? d->cluster.n : t->n_rows) + 1u, sizeof *d->bars);
    d->n = 0;
    d->longest = 0;
    if (ranks)
        bars_of_cluster(d);
    else
        bars_of_steps(d);
    free(d->labels);
    d->names = tt_calloc(d->n + 1u, sizeof *d->names);
    d->labels = tt_calloc(d->n + 1u, sizeof *d->labels);
    for (uint32_t i = 0; i < d->n; i++) {
        bar *b = &d->bars[i];
        for (int p = 0; p < d->n_parts; p++) b->total += b->ns[p];
        if (b->total > d->longest) d->longest = b->total;
    }
    for (uint32_t i = 0; i < d->n; i++) {
        char buf[32];
        const char *name =
            ranks ? d->cluster.ranks[i].name : tt_rank_name(tt_host_session(s->host), d->bars[i].worker, buf);
        snprintf(d->bars[i].label, sizeof d->bars[i].label, "%s", name);
        d->names[i] = d->bars[i].worker;
        d->labels[i] = d->bars[i].label;
    }
    tt_wait_matrix_set(&d->matrix, d->tables.at[WAITS], d->names, d->n);
    tt_rank_wall_set(&d->wall, ranks ? NULL : d->tables.at[TIMES], t, d->tables.at[STEP_WAITS], d->names, d->n);
    tt_straggler_free(&d->straggler);
    d->straggler = tt_straggler_of(d->tables.at[RANKS], d->tables.at[WAITS], d->tables.at[BREAKDOWN]);
    uint32_t slow = d->straggler.row;
    for (uint32_t i = 0; i < d->n; i++) {
        if (strcmp(d->names[i], d->chosen) == 0) d->at = i;
        if (!d->moved && ranks && i == d->cluster.worst) d->at = i;
        if (!d->moved && !ranks && rank_of(d, d->names[i]) == slow && slow != TT_NONE) d->at = i;
    }
    d->chosen[0] = 0;
    if (d->at >= d->n) d->at = d->n ? d->n - 1 : 0;
}

static void open_distributed(tt_screen *s)
{
    distributed *d = of(s);
    tt_panes_open(s, panes, N_PANES, true);
    d->panes.all_workers = d->panes.skips_empty = true;
    d->straggler.row = TT_NONE;
    d->tables = (tt_table_fetch){.screen = s, .ids = ids, .ready = make_bars, .all_workers = true};
    tt_table_fetch_ask(&d->tables);
}

static void close_distributed(tt_screen *s)
{
    tt_panes_close(s);
    free(of(s)->bars);
    free(of(s)->names);
    free(of(s)->labels);
    tt_wait_matrix_free(&of(s)->matrix);
    tt_straggler_free(&of(s)->straggler);
    tt_cluster_ranks_free(&of(s)->cluster);
    tt_link_matrix_free(&of(s)->links);
    tt_rank_wall_free(&of(s)->wall);
}

static void scope_distributed(tt_screen *s)
{
    tt_table_fetch_ask(&of(s)->tables);
    tt_panes_scope(s);
}

static void renew_distributed(tt_screen *s, int64_t shift)
{
    distributed *d = of(s);
    if (d->at < d->n) snprintf(d->chosen, sizeof d->chosen, "%s", d->bars[d->at].worker);
    d->n = 0; /* the names belong to the old session */
    tt_straggler_free(&d->straggler);
    tt_wait_matrix_set(&d->matrix, NULL, NULL, 0);
    tt_cluster_ranks_set(&d->cluster, NULL);
    tt_link_matrix_set(&d->links, NULL);
    tt_rank_wall_free(&d->wall);
    tt_table_fetch_renew(&of(s)->tables);
    tt_panes_renew(s, shift);
}

/* ---- drawing ---- */

static int wait_text(const distributed *d, const char *worker, char *out, size_t cap)
{
    char waited[TT_TEXT_CAP], calls[TT_TEXT_CAP], last[TT_TEXT_CAP];
    const tt_table *t = d->tables.at[RANKS];
    uint32_t r = rank_of(d, worker);
    out[0] = 0;
    if (r == TT_NONE) return d->matrix.n_doubtful ? snprintf(out, cap, "waits inconclusive") : 0;
    return snprintf(out, cap, "waited %s   last to arrive %s/%s",
                    tt_brief_ns(waited, tt_cell_i(t, r, TT_COMM_RANKS_WAITED)),
                    tt_format_count(last, tt_cell_i(t, r, TT_COMM_RANKS_LAST_CALLS)),
                    tt_format_count(calls, tt_cell_i(t, r, TT_COMM_RANKS_CALLS)));
}

static void draw_bar(const tt_screen *s, tt_canvas *c, int y, uint32_t i, bool slow)
{
    const distributed *d = of(s);
    const bar *b = &d->bars[i];
    bool on = tt_panes_on_chart(&d->panes) && !d->on_links && i == d->at;
    char text[TT_TEXT_CAP], wait[128];
    int name_w = c->w / 5 < 20 ? c->w / 5 : 20;
    tt_put_char(c, y, 0, slow ? TT_ROLE_WARN : TT_ROLE_STRONG, on ? '>' : slow ? '!' : ' ');
    tt_put_cut(c, y, 1, on ? TT_ROLE_CURSOR : slow ? TT_ROLE_WARN : TT_ROLE_NAME, b->label, name_w, TT_CUT_START);
    tt_put_right(c, y, name_w + 1, 11, TT_ROLE_NUMBER,
                 tt_format_duration(text, b->total, (tt_unit)tt_host_unit(s->host)));
    int x = name_w + 14, room = c->w - x - 1;
    int n = wait_text(d, b->worker, wait, sizeof wait);
    if (b->slow[0]) n = snprintf(wait, sizeof wait, "%s", b->slow);
    if (room - n >= 24 && n) {
        room -= 42;
        tt_put_cut(c, y, x + room + 2, b->slow[0] ? TT_ROLE_WARN : TT_ROLE_DIM, wait, 40, TT_CUT_END);
    }
    tt_stacked_bar(c, y, x, room, d->parts, b->ns, d->n_parts, d->longest);
}

/* Count the collectives whose last rank is unknown: "2 of 24 collectives inconclusive"; "" = none. */
static void doubt_text(const distributed *d, char *out, size_t cap)
{
    char n[TT_TEXT_CAP], of[TT_TEXT_CAP];
    out[0] = 0;
    if (!d->matrix.n_doubtful) return;
    snprintf(out, cap, "%s of %s inconclusive", tt_format_count(n, d->matrix.n_doubtful),
             tt_format_counted(of, d->matrix.n_calls, "collective"));
}

/* The verdict in as few words as possible, for a narrow screen. */
static void brief_verdict(const tt_session *s, const tt_straggler *x, char *out, size_t cap)
{
    char ns[TT_TEXT_CAP], more[TT_TEXT_CAP], buf[32];
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "Straggler: %s, last in %lld/%lld, made others wait %s", tt_rank_name(s, x->worker, buf),
               (long long)x->last, (long long)x->calls, tt_brief_ns(ns, x->caused));
    if (x->part >= 0)
        tt_buf_add(&line, ". Why: %s%s%s%s +%s", *x->step ? "step " : "", x->step, *x->step ? ": " : "",
                   tt_step_parts_shown[x->part].title, tt_brief_ns(more, x->part_more));
}

/* The bars in words: the straggler, its cost and the reason why it is late. "" = no rank is late. */
static void verdict_text(const tt_session *s, const distributed *d, int w, char *out, size_t cap)
{
    const tt_straggler *x = &d->straggler;
    char ns[TT_TEXT_CAP], once[TT_TEXT_CAP], calls[TT_TEXT_CAP], last[TT_TEXT_CAP], why[160], doubt[80], buf[32];
    out[0] = 0;
    doubt_text(d, doubt, sizeof doubt);
    if (d->cluster.n) {
        snprintf(out, cap, "%s", d->cluster.verdict);
        return;
    }
    if (x->row == TT_NONE || !x->worker) { /* no straggler, or not known yet */
        if (*doubt) snprintf(out, cap, "Straggler unknown: %s: their ends differ by more than they last", doubt);
        return;
    }
    if (w < NARROW) {
        brief_verdict(s, x, out, cap);
        return;
    }
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "Straggler: %s, last to arrive in %s of %s, made others wait %s", tt_rank_name(s, x->worker, buf),
               tt_format_count(last, x->last), tt_format_counted(calls, x->calls, "collective"),
               tt_brief_ns(ns, x->caused));
    if (x->once * 2 >= x->caused && x->calls > 1)
        tt_buf_add(&line, " (%s in one%s%s)", tt_brief_ns(once, x->once), *x->step ? ", step " : "", x->step);
    if (*doubt) tt_buf_add(&line, "; %s", doubt);
    tt_straggler_why(x, why, sizeof why);
    tt_buf_add(&line, ". %s%s", *why ? "Why: " : "No part of its steps is longer: check its clock and network", why);
}

/* Lines of the verdict, which is never cut. Lines break between words. */
static int verdict_height(const char *text, int w)
{
    int one = w > 30 ? w - 12 : 20;
    return (int)strlen(text) <= w - 2 ? 1 : 1 + ((int)strlen(text) - 1) / one;
}

static void draw_ranks(tt_screen *s, tt_canvas *c)
{
    distributed *d = of(s);
    const tt_scope *scope = tt_host_scope(s->host);
    const tt_table *t = d->tables.at[STEPS];
    char title[128];
    bool one = scope->has_steps && scope->step_first == scope->step_last;
    if (one) {
        snprintf(title, sizeof title, "Ranks, step %lld", (long long)scope->step_first);
    } else {
        snprintf(title, sizeof title, d->cluster.stored ? "Ranks, average step" : "Ranks, average of %s steps",
                 scope->has_steps ? "the chosen" : "all");
    }
    bool summary = tt_host_session(s->host)->traces[0]->summary != NULL;
    const char *keys = summary ? "h l step   Enter open rank" : "h l step   Enter limit to rank   = beside median rank";
    tt_rule(c, 0, title, c->w >= 70 ? keys : NULL);
    d->h = 0;
    if (!d->n) {
        tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM,
                       !t        ? "computing ..."
                       : t->note ? t->note
                                 : "No steps in this scope");
        return;
    }
    char verdict[512];
    const tt_session *session = tt_host_session(s->host);
    verdict_text(session, d, c->w, verdict, sizeof verdict);
    int foot = *verdict && c->h >= 4 ? verdict_height(verdict, c->w) : 0, y = 1;
    if (foot > c->h - 3) foot = c->h - 3;
    if (foot)
        y += tt_put_wrapped(c, y, 1, foot, c->w - 2, d->straggler.row == TT_NONE ? TT_ROLE_WARN : TT_ROLE_STRONG,
                            verdict);
    if (c->h >= 5) tt_stack_legend(c, y++, 1, d->parts, d->n_parts);
    d->y = y;
    d->h = c->h - y;
    d->top = tt_scroll_to(d->top, d->at, d->h);
    uint32_t slow = d->straggler.row;
    for (uint32_t i = d->top; i < d->n && (int)(i - d->top) < d->h; i++)
        draw_bar(s, c, y + (int)(i - d->top), i,
                 d->cluster.n ? d->bars[i].slow[0] != 0 : slow != TT_NONE && rank_of(d, d->bars[i].worker) == slow);
}

/* Lines that the bars and the verdict would take. */
static int bars_height(const tt_screen *s, int w)
{
    const distributed *d = of(s);
    char verdict[512];
    verdict_text(tt_host_session(s->host), d, w, verdict, sizeof verdict);
    return d->n ? 2 + (int)d->n + (*verdict ? verdict_height(verdict, w) : 0) : 4;
}

/* Draw the ranks, the links below them, then the tables; with little room only the part that has the keys. */
static void draw_with_links(tt_screen *s, tt_canvas *c)
{
    distributed *d = of(s);
    bool chart = tt_panes_on_chart(&d->panes), small = c->h < 14;
    int bars = bars_height(s, c->w), links = tt_link_matrix_height(&d->links), least = chart ? 5 : c->h / 2, y = 0;
    if (small) {
        bars = chart && !d->on_links ? c->h : 0;
        links = chart && d->on_links ? c->h : 0;
    } else {
        int most = d->on_links ? (c->h - least) / 3 : (c->h - least) / 2;
        if (bars > most && bars + links > c->h - least) bars = most < 5 ? 5 : most;
        if (links > c->h - bars - least) links = c->h - bars - least;
        if (links < 4) links = 0;
    }
    if (bars) {
        tt_canvas top = tt_canvas_window(c, 0, 0, bars, c->w);
        draw_ranks(s, &top);
        y = bars;
    }
    if (links) {
        tt_canvas middle = tt_canvas_window(c, y, 0, links, c->w);
        tt_link_matrix_draw(&d->links, &middle, y, chart && d->on_links, (tt_unit)tt_host_unit(s->host));
        d->links_y = y;
        d->links_h = links;
        y += links;
    }
    if (y < c->h) {
        tt_canvas rest = tt_canvas_window(c, y, 0, c->h - y, c->w);
        tt_panes_draw(&d->panes, &rest, y);
    }
}

/* Draw the verdict, the wall of all ranks, and the tables below. */
static void draw_wall(tt_screen *s, tt_canvas *c)
{
    distributed *d = of(s);
    char verdict[512], title[96], n[TT_TEXT_CAP], of_all[TT_TEXT_CAP];
    bool chart = tt_panes_on_chart(&d->panes), small = c->h < 18;
    int wall = small ? (chart ? c->h : 0) : c->h - LEAST_BELOW, y = 1;
    verdict_text(tt_host_session(s->host), d, c->w, verdict, sizeof verdict);
    if (wall) {
        tt_canvas top = tt_canvas_window(c, 0, 0, wall, c->w);
        tt_format_count(n, d->wall.to - d->wall.from);
        tt_format_count(of_all, d->wall.n_ranks);
        bool all = d->wall.to - d->wall.from == d->wall.n_ranks;
        snprintf(title, sizeof title, all ? "Ranks (%s)" : "Ranks (%s of %s)", n, of_all);
        tt_rule(&top, 0, title,
                c->w < 90 ? NULL
                : all     ? "Enter into a line, or its rank"
                          : "Enter open rank   Esc all ranks");
        if (*verdict && wall > 8)
            y += tt_put_wrapped(&top, y, 1, verdict_height(verdict, c->w), c->w - 2, TT_ROLE_STRONG, verdict);
        tt_canvas rows = tt_canvas_window(&top, y, 0, wall - y, c->w);
        tt_rank_wall_draw(&d->wall, &rows, y, d->labels, d->at, chart);
    }
    if (c->h - wall > 0) {
        tt_canvas rest = tt_canvas_window(c, wall, 0, c->h - wall, c->w);
        tt_panes_draw(&d->panes, &rest, wall);
    }
}

static void draw_distributed(tt_screen *s, tt_canvas *c)
{
    distributed *d = of(s);
    d->h = d->links_h = d->links.grid.h = d->wall.grid.h = d->matrix.grid.h = 0;
    if (tt_rank_wall_wanted(&d->wall)) {
        draw_wall(s, c);
        return;
    }
    if (tt_link_matrix_any(&d->links)) {
        draw_with_links(s, c);
        return;
    }
    int bars = bars_height(s, c->w), most = c->h < 16 ? c->h : c->h / 2;
    bool small = c->h < 14;
    bool waits = tt_wait_matrix_any(&d->matrix), chart = tt_panes_on_chart(&d->panes);
    int share = (c->h - LEAST_BELOW + 1) / 2; /* the matrix of waits below says more about many ranks */
    if (waits && most > share && share >= 5) most = share;
    if (bars > most && !small) most = most + bars - 3 - (int)d->n; /* the verdict is never cut */
    if (small && waits) most = c->h - 1;                           /* the matrix always has one line */
    if (bars > most) bars = most;
    if (small && !(chart && waits)) bars = chart ? c->h : 0;
    /* besides the lines: the rule and the steps */
    int picture = c->h - bars - (small ? 0 : LEAST_BELOW), full = (int)d->n + 2;
    if (picture > full) picture = full;
    if (bars) {
        tt_canvas top = tt_canvas_window(c, 0, 0, bars, c->w);
        draw_ranks(s, &top);
    }
    if (picture > 0 && waits && (chart || !small)) {
        tt_canvas middle = tt_canvas_window(c, bars, 0, picture, c->w);
        int name_w = c->w / 5 < 20 ? c->w / 5 : 20;
        tt_wait_matrix_draw(&d->matrix, &middle, bars, d->labels, d->at, name_w, name_w + 14,
                            (tt_unit)tt_host_unit(s->host));
        bars += picture;
    }
    if (c->h - bars >= (small ? 4 : 1)) {
        tt_canvas rest = tt_canvas_window(c, bars, 0, c->h - bars, c->w);
        tt_panes_draw(&d->panes, &rest, bars);
    }
}

static void status_chart(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const distributed *d = of(s);
    char wait[128], ns[TT_TEXT_CAP];
    if (d->on_links) {
        tt_link_matrix_text(&d->links, (tt_unit)tt_host_unit(s->host), out, cap);
        return;
    }
    snprintf(out, cap, "distributed");
    if (d->at >= d->n) return;
    const bar *b = &d->bars[d->at];
    wait_text(d, b->worker, wait, sizeof wait);
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s", b->label);
    for (int p = 0; p < d->n_parts; p++)
        tt_buf_add(&line, "   %s %s", d->parts[p].title,
                   tt_format_duration(ns, b->ns[p], (tt_unit)tt_host_unit(s->host)));
    if (wait[0]) tt_buf_add(&line, "   %s", wait);
}

/* ---- keys ---- */

/* Choose the step before or after the chosen one; all steps lie before the first and after the last. */
static void other_step(tt_screen *s, int dir)
{
    const tt_session *session = tt_host_session(s->host);
    tt_scope scope = *tt_host_scope(s->host);
    const tt_trace *st = session->traces[0];
    int64_t n = st->n_steps && st->steps[0].row != TT_NONE ? st->n_steps : 0, at = -1;
    for (uint32_t i = 0; i < n && scope.has_steps; i++) {
        if (st->steps[i].number == scope.step_first) at = i;
    }
    if (!n) {
        tt_host_set_status(s->host, "this trace has no profiler steps");
        return;
    }
    at = at < 0 ? (dir > 0 ? 0 : n - 1) : at + dir;
    scope.has_steps = at >= 0 && at < n;
    if (scope.has_steps) scope.step_first = scope.step_last = st->steps[at].number;
    tt_host_set_scope(s->host, &scope);
}

/* Set the scope of all screens to the chosen rank, or to all ranks again. */
static void scope_rank(tt_screen *s)
{
    distributed *d = of(s);
    const tt_session *session = tt_host_session(s->host);
    tt_scope scope = *tt_host_scope(s->host);
    int32_t chosen = TT_ALL;
    for (uint32_t i = 0; i < session->n_workers && d->at < d->n; i++) {
        if (strcmp(session->workers[i], d->bars[d->at].worker) == 0) chosen = (int32_t)i;
    }
    scope.worker = scope.worker == chosen ? TT_ALL : chosen;
    tt_host_set_scope(s->host, &scope);
    tt_host_set_status(s->host, scope.worker == TT_ALL ? "all ranks"
                                                       : "the other screens show this rank (Enter again: all ranks)");
}

typedef struct exposed_bar {
    int64_t ns;
    uint32_t bar;
} exposed_bar;

/* The rank with the median of the time that it communicates and waits: the usual rank. Only ranks in a process group
 * of the chosen rank count, if there are any. TT_NONE: no other rank. */
static uint32_t median_rank(const distributed *d)
{
    enum { EXPOSED = 2 }; /* index of the part in both kinds of bars */
    exposed_bar *others = tt_malloc((d->n + (size_t)1) * sizeof *others);
    uint32_t n = 0, middle = TT_NONE;
    bool *with = tt_rank_partners(&d->matrix, d->at, d->n);
    for (uint32_t i = 0; i < d->n; i++)
        if (i != d->at && (!with || with[i])) others[n++] = (exposed_bar){d->bars[i].ns[EXPOSED], i};
    if (n) {
        TT_SORT_BY(others, n, TT_ASC(exposed_bar, ns), TT_ASC(exposed_bar, bar));
        middle = others[(n - 1) / 2].bar;
    }
    free(with);
    free(others);
    return middle;
}

/* Open the recording of a rank beside the median rank's, if the traces are summaries; else limit the scope to the
 * rank. */
static void open_rank(tt_screen *s)
{
    const distributed *d = of(s);
    const tt_session *session = tt_host_session(s->host);
    uint32_t traces[2] = {TT_NONE, TT_NONE}, other = median_rank(d);
    for (uint32_t i = 0; i < session->n_traces && d->at < d->n; i++) {
        const char *worker = session->traces[i]->worker;
        if (!strcmp(worker, d->bars[d->at].worker)) traces[0] = i;
        if (other != TT_NONE && !strcmp(worker, d->bars[other].worker)) traces[1] = i;
    }
    if (traces[0] == TT_NONE || !session->traces[traces[0]]->summary)
        scope_rank(s);
    else
        tt_host_open_recordings(s->host, traces, traces[1] == TT_NONE ? 1 : 2);
}

/* Compare the chosen rank with the median rank: show both timelines at the collective where the median rank waited
 * most for the chosen one, and behind them the comparison of the step with that collective. */
static void compare_with_median(tt_screen *s)
{
    distributed *d = of(s);
    const tt_session *session = tt_host_session(s->host);
    const tt_table *waits = d->tables.at[WAITS];
    uint32_t other = median_rank(d), row[2];
    tt_scope part[2] = {*tt_host_scope(s->host), *tt_host_scope(s->host)};
    char step[40] = "", text[160];
    if (other == TT_NONE || session->n_workers < 2) {
        tt_host_set_status(s->host, "there is no other rank to compare with");
        return;
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < session->n_workers; i++)
            if (!strcmp(session->workers[i], d->bars[k ? d->at : other].worker)) part[k].worker = (int32_t)i;
    bool both = tt_rank_longest_wait(waits, d->matrix.n_calls, d->bars[d->at].worker, d->bars[other].worker, row);
    const char *number = both ? tt_cell_s(waits, row[1], TT_COMM_WAITS_STEP) : "";
    for (int k = 0; k < 2 && *number && !part[k].has_steps; k++) {
        part[k].has_steps = true;
        part[k].step_first = part[k].step_last = strtoll(number, NULL, 10);
        snprintf(step, sizeof step, ", in step %.20s", number);
    }
    tt_drilldown at[2] = {0};
    for (int k = 0; k < 2 && both; k++) at[k] = waits->drilldowns[row[k]];
    snprintf(text, sizeof text, "%.60s against %.60s, the median rank%s", d->bars[d->at].label, d->bars[other].label,
             step);
    tt_host_push_jump(s->host);
    tt_host_compare_parts(s->host, &part[0], &part[1]);
    if (both) tt_host_show_both(s->host, at);
    tt_host_set_status(s->host, "%s", text);
}

static void move(distributed *d, int64_t by)
{
    d->moved = true;
    int64_t to = (int64_t)d->at + by, last = d->n ? (int64_t)d->n - 1 : 0;
    d->at = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
}

static bool act_on_links(tt_screen *s, tt_action a)
{
    distributed *d = of(s);
    tt_link_matrix *m = &d->links;
    int page = m->grid.h > 1 ? m->grid.h : 1;
    int64_t to = tt_action_moved(a, m->src, m->n_senders, page, page);
    if (to >= 0) {
        tt_link_matrix_move(m, to - (int64_t)m->src, 0);
        return true;
    }
    switch (a) {
    case TT_ACT_LEFT: tt_link_matrix_move(m, 0, -1); return true;
    case TT_ACT_RIGHT: tt_link_matrix_move(m, 0, 1); return true;
    case TT_ACT_LINKS_NEXT: tt_link_matrix_next_transport(m); return true;
    case TT_ACT_ENTER: d->panes.focus = LINKS_PANE; return true;
    default: return false;
    }
}

/* Handle the actions on the wall; all other actions act as on the bars. */
static bool act_on_wall(tt_screen *s, tt_action a)
{
    distributed *d = of(s);
    tt_rank_wall *w = &d->wall;
    uint32_t fold = w->fold ? w->fold : 1, lines = (w->to - w->from + fold - 1) / fold;
    uint32_t line = d->at < w->from ? 0 : (d->at - w->from) / fold;
    int page = w->grid.h > 1 ? w->grid.h : 1;
    int64_t to = tt_action_moved(a, line, lines, page, page);
    if (to >= 0) {
        d->moved = true;
        d->at = tt_rank_wall_moved(w, d->at, to - (int64_t)line);
        return true;
    }
    if (a == TT_ACT_CANCEL) return tt_rank_wall_out(w);
    if (a != TT_ACT_ENTER) return false;
    d->moved = true;
    if (!tt_rank_wall_into(w, &d->at)) open_rank(s);
    return true;
}

static bool act_distributed(tt_screen *s, tt_action a)
{
    distributed *d = of(s);
    int page = d->h > 1 ? d->h : 1;
    if (tt_panes_on_chart(&d->panes) && a == (d->on_links ? TT_ACT_TAB_PREV : TT_ACT_TAB_NEXT) &&
        tt_link_matrix_any(&d->links)) {
        d->on_links = !d->on_links;
        return true;
    }
    if (!tt_panes_on_chart(&d->panes) || a == TT_ACT_TAB_NEXT || a == TT_ACT_TAB_PREV) return tt_panes_act(s, a);
    if (d->on_links) return act_on_links(s, a);
    if (d->wall.grid.h && act_on_wall(s, a)) return true;
    int64_t to = tt_action_moved(a, d->at, d->n, page, page);
    if (to >= 0) {
        d->moved = true;
        d->at = (uint32_t)to;
        return true;
    }
    switch (a) {
    case TT_ACT_LEFT: other_step(s, -1); return true;
    case TT_ACT_RIGHT: other_step(s, 1); return true;
    case TT_ACT_ENTER: open_rank(s); return true;
    case TT_ACT_COMPARE:
        if (d->n) compare_with_median(s);
        return true;
    default: return false;
    }
}

/* Select the chosen step on the chosen rank. */
static bool selection_chart(void *o, tt_drilldown *out)
{
    const distributed *d = of(o);
    const tt_table *t = d->tables.at[STEPS];
    for (uint32_t r = 0; t && t->drilldowns && r < t->n_rows && d->at < d->n; r++) {
        if (strcmp(tt_cell_worker(t, r), d->bars[d->at].worker) != 0) continue;
        *out = t->drilldowns[r];
        out->alone = true; /* only the tracks of that rank */
        return true;
    }
    return false;
}

static char *copy_chart(void *o, bool all)
{
    const distributed *d = of(o);
    (void)all;
    if (d->on_links) {
        char text[256];
        tt_link_matrix_text(&d->links, TT_UNIT_AUTO, text, sizeof text);
        return tt_strdup(text);
    }
    return d->at < d->n ? tt_strdup(d->bars[d->at].worker) : NULL;
}

static const tt_focus_ops chart_focus = {.status = status_chart, .selection = selection_chart, .copy = copy_chart};

static tt_focus focus_distributed(const tt_screen *s)
{
    const distributed *d = of(s);
    if (!tt_panes_on_chart(&d->panes)) return tt_panes_focus(s);
    return tt_panes_focus_with(s, &chart_focus, d->on_links ? TT_CTX_LINKS : TT_CTX_MOTION);
}

static bool mouse_distributed(tt_screen *s, const tt_mouse *m)
{
    distributed *d = of(s);
    uint32_t row, line = tt_wait_matrix_at(&d->matrix, m->y, m->x, &row);
    if (line != TT_NONE &&
        (m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE)) { /* a wait: its rank, its place on the timeline */
        d->panes.focus = TT_PANE_CHART;
        d->at = line;
        d->moved = true;
        if (m->what == TT_MOUSE_DOUBLE && row != TT_NONE)
            tt_host_show_drilldown(s->host, &d->tables.at[WAITS]->drilldowns[row]);
        return true;
    }
    if (d->links_h && m->y >= d->links_y && m->y < d->links_y + d->links_h) {
        d->panes.focus = TT_PANE_CHART;
        d->on_links = true;
        if (m->what == TT_MOUSE_WHEEL) tt_link_matrix_move(&d->links, m->wheel, 0);
        if (m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) tt_link_matrix_choose(&d->links, m->y, m->x);
        return true;
    }
    if (tt_rank_wall_at(&d->wall, m->y) != TT_NONE) {
        d->panes.focus = TT_PANE_CHART;
        d->moved = true;
        if (m->what == TT_MOUSE_WHEEL)
            d->at = tt_rank_wall_moved(&d->wall, d->at, m->wheel);
        else if (m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE)
            d->at = tt_rank_wall_at(&d->wall, m->y);
        if (m->what == TT_MOUSE_DOUBLE) act_on_wall(s, TT_ACT_ENTER);
        return true;
    }
    if (!d->h || m->y >= d->y + d->h) return tt_panes_mouse(s, m);
    d->panes.focus = TT_PANE_CHART;
    d->on_links = false;
    if (m->what == TT_MOUSE_WHEEL) move(d, m->wheel);
    if ((m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE) && m->y >= d->y) {
        d->at = d->top;
        move(d, m->y - d->y);
        if (m->what == TT_MOUSE_DOUBLE) open_rank(s);
    }
    return true;
}

const tt_screen_ops tt_screen_distributed = {
    .tab = {.name = "distributed", .title = "Distributed", .brief = "Dist", .empty = tt_empty_distributed},
    .context = TT_CTX_MOTION,
    .state_size = sizeof(distributed),
    .open = open_distributed,
    .close = close_distributed,
    .renew = renew_distributed,
    .scope = scope_distributed,
    .draw = draw_distributed,
    .act = act_distributed,
    .focus = focus_distributed,
    .mouse = mouse_distributed,
    .place = {.save = tt_panes_save, .restore = tt_panes_restore},
};
