/* tui/screens/overview/overview.c - the Overview: the bottleneck, how busy the devices are, where the time goes,
 * findings with their fixes, the slowest steps.
 *
 * Everything shown comes from tables of the engine. They are computed on the worker: first the tables in scope, then
 * those over all ranks, then those made from both. A part without content leaves its lines to the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "model/tables/cells.h"
#include "model/tables/devices/columns.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/idle/columns.h"
#include "model/tables/operators/columns.h"
#include "model/tables/steps/columns.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"

static const char *const part_tables[N_PARTS + 1] = {
    [STEPS] = "step_breakdown", [OPERATORS] = "operators",   [KERNELS] = "kernels",
    [STEP_TIME] = "gpu_time",   [STEP_IDLE] = "idle_causes", [SERVING] = "serving",
};
static const char *const part_groups[N_PARTS + 1] = {[STEP_TIME] = "step", [STEP_IDLE] = "step"};
static const char *const tables_of_all[N_OF_ALL + 1] = {
    [GPU_TIME] = "gpu_time", [OVERVIEW] = "overview", [FINDINGS] = "findings",
    [RANKS] = "comm_ranks",  [WAITS] = "comm_waits",  [ALL_STEPS] = "step_breakdown",
};

static overview *of(const tt_screen *s) { return s->state; }

/* ---- what is shown ---- */

static bool order_by(const tt_table *const *at, int p, tt_row_order_spec *spec)
{
    if ((p != OPERATORS && p != KERNELS) || !at[p]) return false;
    *spec = tt_row_order_default(at[p]);
    bool host_only = p == OPERATORS && at[KERNELS] && !at[KERNELS]->n_rows;
    if (host_only) spec->sort_col = tt_column_shown(at[p], TT_OPERATORS_HOST_SELF);
    return true;
}

typedef struct facts_job {
    tt_screen *screen;
    tt_session *session;
    tt_scope scope;
    const tt_table *all[N_OF_ALL];
    unsigned serial;
    overview_facts *facts;
} facts_job;

static void facts_run(void *arg)
{
    facts_job *j = arg;
    j->facts = tt_calloc(1, sizeof *j->facts);
    tt_overview_strips(j->session, &j->scope, j->facts);
    tt_overview_memory(j->session, &j->scope, j->facts);
    j->facts->straggler = tt_straggler_of(j->all[RANKS], j->all[WAITS], j->all[ALL_STEPS]);
}

static void facts_done(void *arg, tt_host *a)
{
    facts_job *j = arg;
    overview *o = of(j->screen);
    if (j->serial == o->facts_serial && j->facts) {
        tt_overview_facts_free(o->facts);
        o->facts = j->facts;
        tt_host_dirty(a);
    } else {
        tt_overview_facts_free(j->facts);
    }
    free(j);
}

static void ask_facts(tt_screen *s)
{
    overview *o = of(s);
    facts_job *j = tt_calloc(1, sizeof *j);
    *j = (facts_job){.screen = s,
                     .session = tt_host_session(s->host),
                     .scope = *tt_host_scope(s->host),
                     .serial = ++o->facts_serial};
    memcpy(j->all, o->all.at, sizeof j->all);
    tt_host_job(s->host, facts_run, facts_done, j);
}

static void ready(tt_screen *s) { tt_overview_make_steps(of(s)); }

static void ready_all(tt_screen *s)
{
    overview *o = of(s);
    tt_overview_make_findings(o);
    if (o->all.serial == 1 && o->n_lines[LIST_FINDINGS]) o->focus = LIST_FINDINGS, o->at[LIST_FINDINGS] = 0;
    if (o->at[LIST_FINDINGS] >= o->n_lines[LIST_FINDINGS]) o->at[LIST_FINDINGS] = 0;
    ask_facts(s);
}

static void open_overview(tt_screen *s)
{
    overview *o = of(s);
    o->focus = STEPS;
    o->slowest.row = TT_NONE;
    o->tables =
        (tt_table_fetch){.screen = s, .ids = part_tables, .groups = part_groups, .ready = ready, .order_by = order_by};
    o->all = (tt_table_fetch){.screen = s, .ids = tables_of_all, .ready = ready_all, .all_workers = true};
    tt_table_fetch_ask(&o->tables);
    tt_table_fetch_ask(&o->all);
    tt_overview_ask_wall(s, false);
}

static void close_overview(tt_screen *s)
{
    overview *o = of(s);
    tt_table_fetch_free(&o->tables);
    tt_overview_facts_free(o->facts);
    tt_rank_wall_free(&o->wall);
    free(o->by_length);
    free(o->step_ns);
    free(o->found_on);
    for (int i = 0; i < N_LISTS; i++) free(o->line[i]);
}

static void scope_overview(tt_screen *s)
{
    tt_table_fetch_ask(&of(s)->tables);
    tt_table_fetch_ask(&of(s)->all);
    tt_overview_ask_wall(s, false);
}

static void renew_overview(tt_screen *s, int64_t shift)
{
    overview *o = of(s);
    (void)shift;
    tt_overview_facts_free(o->facts); /* the facts hold names of the old session */
    o->facts = NULL;
    o->facts_serial++;
    o->slowest.row = TT_NONE;
    for (int i = 0; i < N_LISTS; i++) o->n_lines[i] = 0;
    tt_table_fetch_renew(&o->tables);
    tt_table_fetch_renew(&o->all);
    tt_overview_ask_wall(s, true);
}

/* ---- layout ---- */

enum { VERDICT, DEVICE_LINES, ACCOUNT, FINDING_LINES, MEMORY, STEP_LINES, TOPS, N_SECTIONS };

/* The order in which parts get lines: up to `to` lines, in chunks of at least `chunk`. */
static const struct {
    int section, to, chunk;
} turns[] = {
    {VERDICT, 1, 1},       {ACCOUNT, 1, 1},        {DEVICE_LINES, 2, 1}, {FINDING_LINES, 4, 2},  {ACCOUNT, 3, 1},
    {FINDING_LINES, 6, 1}, {MEMORY, 99, 4},        {DEVICE_LINES, 3, 1}, {STEP_LINES, 4, 3},     {DEVICE_LINES, 5, 1},
    {STEP_LINES, 7, 2},    {TOPS, 4, 3},           {ACCOUNT, 5, 1},      {FINDING_LINES, 12, 1}, {DEVICE_LINES, 9, 1},
    {TOPS, 6, 1},          {STEP_LINES, 13, 2},    {TOPS, 9, 1},         {FINDING_LINES, 99, 1}, {TOPS, 99, 1},
    {STEP_LINES, 999, 2},  {DEVICE_LINES, 999, 1},
};

static void share_out(int h, const int want[N_SECTIONS], int have[N_SECTIONS])
{
    memset(have, 0, N_SECTIONS * sizeof *have);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        int s = turns[i].section, more = least(least(turns[i].to, want[s]) - have[s], h);
        if (more <= 0 || have[s] + more < least(turns[i].chunk, want[s])) continue;
        have[s] += more;
        h -= more;
    }
}

/* Draw the verdict word for word, cut at the edge of the screen. */
static void draw_verdict(const overview *o, tt_canvas *c)
{
    tt_style style;
    const char *text = tt_verdict_text(o->all.at[OVERVIEW], findings_of(o), &style);
    if (!findings_of(o) && o->all.running) text = "computing ...";
    int x = 1 + tt_put(c, 0, 1, style | TT_BOLD, tt_verdict_sign(style), -1);
    tt_put_cut(c, 0, x, style | TT_BOLD, text, c->w - x - 1, TT_CUT_END);
}

static void draw_phases_and_steps(tt_screen *s, overview *o, tt_canvas *c, int y0)
{
    int h = least(tt_overview_phases_want(o), c->h);
    tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w), rest = tt_canvas_window(c, h, 0, c->h - h, c->w);
    if (h) tt_overview_draw_phases(s, o, &top);
    if (h < c->h) tt_overview_draw_steps(s, o, &rest, y0 + h);
}

static void draw_overview(tt_screen *s, tt_canvas *c)
{
    overview *o = of(s);
    int want[N_SECTIONS], have[N_SECTIONS], y = 0;
    const tt_session *session = tt_host_session(s->host);
    int32_t worker = tt_host_scope(s->host)->worker;
    o->one_worker = worker != TT_ALL;
    o->worker = worker != TT_ALL ? session->workers[worker] : "";
    memset(o->h, 0, sizeof o->h);
    if (!o->tables.at[STEPS] && o->tables.running) {
        tt_put(c, 1, 2, TT_ROLE_DIM, "computing ...", -1);
        return;
    }
    want[VERDICT] = 1;
    want[DEVICE_LINES] = tt_overview_devices_want(o);
    want[ACCOUNT] = tt_overview_account_want(o, c->w);
    bool many = tt_overview_wall_want(o) > 0;
    want[STEP_LINES] = many ? tt_overview_wall_want(o) : tt_overview_phases_want(o) + tt_overview_steps_want(o);
    want[FINDING_LINES] = tt_overview_findings_want(o, c->w);
    want[MEMORY] = tt_overview_memory_want(o);
    want[TOPS] = tt_overview_tops_want(o, c->w);
    share_out(c->h, want, have);
    for (int k = 0; k < N_SECTIONS; k++) {
        tt_canvas in = tt_canvas_window(c, y, 0, have[k], c->w);
        if (!have[k]) continue;
        switch (k) {
        case VERDICT: draw_verdict(o, &in); break;
        case DEVICE_LINES: tt_overview_draw_devices(s, o, &in, y); break;
        case ACCOUNT: tt_overview_draw_account(o, &in); break;
        case MEMORY: tt_overview_draw_memory(o, &in); break;
        case STEP_LINES:
            if (many)
                tt_overview_draw_wall(s, o, &in, y);
            else
                draw_phases_and_steps(s, o, &in, y);
            break;
        case FINDING_LINES: tt_overview_draw_findings(s, o, &in, y); break;
        default: tt_overview_draw_tops(s, o, &in, y);
        }
        y += have[k];
    }
}

/* ---- keys ---- */

/* lists in their order on the screen */
static const int lists[N_LISTS] = {LIST_DEVICES, LIST_FINDINGS, STEPS, KERNELS, OPERATORS};

static uint32_t walked(const overview *o, int list) { return o->h[list] > 0 ? o->n_lines[list] : 0; }

/* Go to the next list (dir 1) or the previous one that has lines; false = none. */
static bool next_list(overview *o, int dir)
{
    int at = 0;
    while (lists[at] != o->focus) at++;
    for (at += dir; at >= 0 && at < N_LISTS; at += dir) {
        if (!walked(o, lists[at])) continue;
        o->focus = lists[at];
        if (o->at[o->focus] >= walked(o, o->focus)) o->at[o->focus] = 0;
        return true;
    }
    return false;
}

static const tt_table *table_of(const overview *o, int list)
{
    return list == LIST_DEVICES ? o->all.at[GPU_TIME] : list == LIST_FINDINGS ? findings_of(o) : o->tables.at[list];
}

/* The row under the cursor, TT_NONE: no row, or the line stands for several rows. */
static uint32_t row_of(const overview *o)
{
    uint32_t at = o->at[o->focus];
    if (at >= o->n_lines[o->focus]) return TT_NONE;
    uint32_t row = o->line[o->focus][at];
    const tt_table *t = table_of(o, o->focus);
    return t && row < t->n_rows ? row : TT_NONE;
}

static bool selection_overview(void *s, tt_drilldown *out)
{
    const overview *o = of(s);
    const tt_table *t = table_of(o, o->focus);
    uint32_t row = row_of(o);
    if (row == TT_NONE || !t->drilldowns) return false;
    *out = t->drilldowns[row];
    return out->what != TT_DRILL_NONE;
}

/* Set the scope to the chosen step, or to all steps again; the line of all other steps leads to the Steps screen. */
static void enter_step(tt_screen *s)
{
    overview *o = of(s);
    char *end, buf[24];
    uint32_t row = row_of(o);
    if (row == TT_NONE) {
        tt_host_push_jump(s->host);
        tt_host_show_tab(s->host, "steps");
        return;
    }
    const char *text = tt_cell_label(o->tables.at[STEPS], row, TT_STEP_BREAKDOWN_STEP, buf);
    long long n = strtoll(text, &end, 10);
    if (end != text) tt_host_toggle_step(s->host, n);
}

static void enter(tt_screen *s)
{
    overview *o = of(s);
    tt_drilldown drilldown;
    bool there = selection_overview(s, &drilldown);
    switch (o->focus) {
    case STEPS: enter_step(s); break;
    case OPERATORS:
        if (row_of(o) != TT_NONE) tt_host_show_row(s->host, "operators", o->tables.at[OPERATORS], row_of(o));
        break;
    case KERNELS:
        if (there) tt_host_show_kernel(s->host, &drilldown);
        break;
    case LIST_FINDINGS:
        if (!there || !tt_host_show_evidence(s->host, &drilldown))
            tt_host_set_status(s->host, "this finding concerns the whole run");
        break;
    case LIST_DEVICES:
        if (row_of(o) == TT_NONE && tt_host_session(s->host)->n_workers > 1) {
            tt_host_push_jump(s->host);
            tt_host_show_tab(s->host, "distributed");
            break;
        } /* fall through */
    default:
        if (!there || !tt_host_show_drilldown(s->host, &drilldown)) tt_host_set_status(s->host, "this row has no time");
    }
}

static bool act_overview(tt_screen *s, tt_action a)
{
    overview *o = of(s);
    int page = o->h[o->focus] > 0 ? o->h[o->focus] : 1;
    int64_t to = tt_action_moved(a, o->at[o->focus], walked(o, o->focus), page, page);
    if (to >= 0) {
        o->at[o->focus] = (uint32_t)to;
        return true;
    }
    switch (a) {
    case TT_ACT_TAB_NEXT: return next_list(o, 1);
    case TT_ACT_TAB_PREV: return next_list(o, -1);
    case TT_ACT_ENTER: enter(s); return true;
    case TT_ACT_FIND: tt_host_find_anywhere(s->host); return true;
    case TT_ACT_COPY_ALL: tt_host_copy_run(s->host); return true;
    default: return false;
    }
}

static void status_overview(void *s, char *out, size_t cap)
{
    static const char *const what[N_LISTS][2] = {
        [STEPS] = {"step", "Enter limits to it"},
        [LIST_FINDINGS] = {"finding", "Enter shows its evidence"},
        [OPERATORS] = {"operator", "Enter opens its row"},
        [KERNELS] = {"kernel", "Enter opens its card"},
        [LIST_DEVICES] = {"device", "Enter shows it on the timeline"},
    };
    const overview *o = of(s);
    snprintf(out, cap, "overview");
    if (walked(o, o->focus))
        snprintf(out, cap, "%s %u of %u   %s   Tab: next pane", what[o->focus][0], o->at[o->focus] + 1,
                 walked(o, o->focus), what[o->focus][1]);
}

static const char *name_of(const overview *o, uint32_t row, char buf[24])
{
    static const uint32_t column[N_LISTS] = {
        [STEPS] = TT_STEP_BREAKDOWN_STEP, [LIST_FINDINGS] = TT_FINDING_TITLE,  [OPERATORS] = TT_OPERATORS_NAME,
        [KERNELS] = TT_KERNELS_NAME,      [LIST_DEVICES] = TT_GPU_TIME_DEVICE,
    };
    const tt_table *t = table_of(o, o->focus);
    return tt_cell_label(t, row, column[o->focus], buf);
}

static char *copy_overview(void *s, bool all)
{
    const overview *o = of(s);
    char buf[24];
    (void)all;
    uint32_t row = row_of(o);
    return row == TT_NONE ? NULL : tt_strdup(name_of(o, row, buf));
}

static tt_focus focus_overview(const tt_screen *s)
{
    static const tt_focus_ops list = {
        .status = status_overview, .selection = selection_overview, .copy = copy_overview};
    return tt_focus_on(s, &list);
}

static bool mouse_overview(tt_screen *s, const tt_mouse *m)
{
    overview *o = of(s);
    for (int list = 0; list < N_LISTS; list++) {
        int line = m->y - o->y[list];
        if (line < 0 || line >= o->h[list] || m->x < o->x[list] || m->x >= o->x[list] + o->w[list]) continue;
        if (list == LIST_FINDINGS) line = line < 128 ? (int)o->finding_on[line] : 0;
        o->focus = list;
        if (m->what == TT_MOUSE_WHEEL) act_overview(s, m->wheel < 0 ? TT_ACT_UP : TT_ACT_DOWN);
        if (m->what != TT_MOUSE_PRESS && m->what != TT_MOUSE_DOUBLE) return true;
        if ((uint32_t)line < o->n_lines[list]) o->at[list] = (uint32_t)line;
        if (m->what == TT_MOUSE_DOUBLE) enter(s);
        return true;
    }
    return false;
}

static void save_overview(const tt_screen *s, tt_screen_place *p)
{
    p->overview.list = of(s)->focus;
    p->overview.at = of(s)->at[of(s)->focus];
}

static void restore_overview(tt_screen *s, const tt_screen_place *p)
{
    overview *o = of(s);
    if (p->overview.list < 0 || p->overview.list >= N_LISTS) return;
    o->focus = p->overview.list;
    o->at[o->focus] = p->overview.at;
}

const tt_screen_ops tt_screen_overview = {
    .tab = {.name = "overview", .title = "Overview", .brief = "Over"},
    .context = TT_CTX_MOTION,
    .state_size = sizeof(overview),
    .open = open_overview,
    .close = close_overview,
    .renew = renew_overview,
    .scope = scope_overview,
    .draw = draw_overview,
    .act = act_overview,
    .focus = focus_overview,
    .mouse = mouse_overview,
    .place = {.save = save_overview, .restore = restore_overview},
};
