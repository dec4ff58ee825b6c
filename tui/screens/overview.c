/* tui/screens/overview.c - one screen that answers: what ran, where did the step go, what to look at first.
 *
 * Everything shown is a table of the engine (run, devices, execution_summary, step_breakdown, findings), computed on
 * the worker; a table that does not exist or is empty leaves its room to the others. Two lists can be walked: steps
 * and findings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/screen/app.h"
#include "tui/screens/overview.h"
#include "tui/widgets/format_value.h"

static const char *const part_tables[N_PARTS + 1] = {"run",      "devices",   "execution_summary", "step_breakdown",
                                                     "findings", "operators", "kernels",           NULL};

const tt_stack_part tt_overview_kinds[N_KINDS] = {
    {"kernel_ns", "Kernel", TT_HUE_KERNEL},     {"communication_ns", "Communication", TT_HUE_COMMUNICATION},
    {"memcpy_ns", "Memcpy", TT_HUE_MEMCPY},     {"memset_ns", "Memset", TT_HUE_MEMSET},
    {"runtime_ns", "Runtime", TT_HUE_RUNTIME},  {"dataloader_ns", "DataLoader", TT_HUE_DATALOADER},
    {"cpu_exec_ns", "CPU Exec", TT_HUE_CPU_OP}, {"other_ns", "Other", TT_HUE_OTHER},
};

static overview *of(const tt_screen *s) { return s->state; }

/* ---- tables ---- */

/* What puts all other findings in doubt comes before them. */
static void losses_first(const tt_table *t, tt_row_order *order)
{
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t row = order->rows[i];
        if (strcmp(tt_cell_str(t, row, "id"), "events_lost") != 0 ||
            strcmp(tt_cell_str(t, row, "severity"), "high") != 0)
            continue;
        memmove(order->rows + 1, order->rows, i * sizeof *order->rows);
        order->rows[0] = row;
        return;
    }
}

static bool order_by(const tt_table *const *at, int p, tt_row_order_spec *spec)
{
    if (p < FINDINGS || !at[p]) return false;
    *spec = tt_row_order_default(at[p]);
    if (p == FINDINGS) *spec = (tt_row_order_spec){.sort_col = tt_table_column(at[p], "saving_ns"), .desc = true};
    bool host_only = p == OPERATORS && at[KERNELS] && !at[KERNELS]->n_rows;
    if (host_only) spec->sort_col = tt_table_column(at[p], "host_self_ns");
    return true;
}

static void ready(tt_screen *s)
{
    overview *o = of(s);
    for (int p = 0; p < N_PARTS; p++) {
        if (o->at[p] >= rows(o, p)) o->at[p] = rows(o, p) ? rows(o, p) - 1 : 0;
    }
    if (o->tables.at[FINDINGS]) losses_first(o->tables.at[FINDINGS], &o->tables.order[FINDINGS]);
    if (o->tables.serial == 1 && rows(o, FINDINGS)) o->focus = FINDINGS;
}

static void open_overview(tt_screen *s)
{
    overview *o = of(s);
    o->focus = STEPS;
    o->tables = (tt_table_fetch){.screen = s, .ids = part_tables, .ready = ready, .order_by = order_by};
    tt_table_fetch_ask(&o->tables);
}

static void close_overview(tt_screen *s) { tt_table_fetch_free(&of(s)->tables); }
static void scope_overview(tt_screen *s) { tt_table_fetch_ask(&of(s)->tables); }

static void renew_overview(tt_screen *s, int64_t shift)
{
    (void)shift;
    tt_table_fetch_renew(&of(s)->tables);
}

static double number_of(const tt_table *t, uint32_t row, const char *key)
{
    int c = tt_table_column(t, key);
    return c < 0 ? NAN : tt_table_cell(t, row, (uint32_t)c).d;
}

/* With several workers, step time is that of the worker whose step is selected. */
static const char *shown_worker(const overview *o)
{
    return rows(o, STEPS) ? worker_of(o, o->tables.at[STEPS], o->at[STEPS]) : "";
}

static bool is_shown(const tt_table *t, uint32_t row, const char *worker)
{
    const char *w = tt_cell_str(t, row, "worker");
    return !*worker || !*w || strcmp(w, worker) == 0;
}

/* ---- what ran ---- */

/* What matters most first; what is not named here comes behind, in the order of the table. */
static const char *const first_facts[] = {"framework",
                                          "recorder",
                                          "recorded_time",
                                          "world_size",
                                          "rank",
                                          "gpu",
                                          "run",
                                          "worker",
                                          "span",
                                          "devices",
                                          "steps",
                                          "process",
                                          "capture_overhead",
                                          "with_stack",
                                          "record_shapes",
                                          "profile_memory",
                                          "with_modules",
                                          "start_time",
                                          "cuda_runtime_version"};
enum { N_FIRST = sizeof first_facts / sizeof *first_facts, MAX_FACTS = 64 };

static int facts_in_order(const tt_table *t, uint32_t out[MAX_FACTS])
{
    bool taken[MAX_FACTS] = {false};
    uint32_t rows_n = t ? t->n_rows < MAX_FACTS ? t->n_rows : MAX_FACTS : 0;
    int n = 0;
    for (int f = 0; f <= N_FIRST; f++) { /* the last round takes the others */
        for (uint32_t i = 0; i < rows_n; i++) {
            if (taken[i] || (f < N_FIRST && strcmp(tt_cell_str(t, i, "key"), first_facts[f]) != 0)) continue;
            taken[i] = true;
            out[n++] = i;
        }
    }
    return n;
}

static void draw_facts(const overview *o, tt_canvas *c, int lines)
{
    const tt_table *t = o->tables.at[RUN];
    uint32_t fact[MAX_FACTS];
    int n = facts_in_order(t, fact), cols = c->w >= 110 ? 4 : c->w >= 76 ? 2 : 1, w = (c->w - 2) / cols;
    int label = w < 36 ? 15 : 22, taken = 0;
    for (int i = 0; i < n && taken < lines * cols; i++) {
        const char *worker = tt_cell_str(t, fact[i], "worker");
        if (!o->one_worker && *worker && !is_shown(t, fact[i], shown_worker(o))) continue;
        int x = 1 + taken / lines * w, y = 1 + taken % lines;
        taken++;
        tt_put_cut(c, y, x, TT_ROLE_DIM, tt_cell_str(t, fact[i], "key"), label - 1, TT_CUT_END);
        tt_put_cut(c, y, x + label, TT_ROLE_TEXT, tt_cell_str(t, fact[i], "value"), w - label - 1,
                   strcmp(tt_cell_str(t, fact[i], "key"), "path") == 0 ? TT_CUT_START : TT_CUT_END);
    }
}

static void draw_device(const overview *o, uint32_t row, tt_canvas *c, int y)
{
    const tt_table *t = o->tables.at[DEVICES];
    char mem[TT_TEXT_CAP] = "", pct[TT_TEXT_CAP];
    const char *worker = worker_of(o, t, row);
    double busy = number_of(t, row, "utilization_pct");
    int64_t bytes = tt_cell_int(t, row, "memory_bytes");
    int x = 1, fixed = 10 + (isnan(busy) ? 0 : 16);
    if (*worker) x += 1 + tt_put_cut(c, y, 1, TT_ROLE_DIM, worker, c->w / 6, TT_CUT_START);
    x += 1 + tt_put_cut(c, y, x, TT_ROLE_STRONG, tt_cell_str(t, row, "device"), 14, TT_CUT_END);
    int name_w = c->w - x - fixed - 1;
    x += 2 + tt_put_cut(c, y, x, TT_ROLE_TEXT, tt_cell_str(t, row, "name"), name_w < 34 ? name_w : 34, TT_CUT_END);
    if (bytes != TT_UNKNOWN) x += 2 + tt_put(c, y, x, TT_ROLE_DIM, tt_format_bytes(mem, bytes), -1);
    if (isnan(busy) || x + 13 > c->w) return;
    tt_put(c, y, x, TT_ROLE_DIM, "busy", -1);
    tt_put_right(c, y, x + 4, 8, TT_ROLE_STRONG, tt_format_percent(pct, busy));
    int room = c->w - x - 15;
    if (room > 4) tt_hbar(c, y, x + 13, room < 40 ? room : 40, busy / 100, TT_ROLE_BAR);
}

static void draw_run(const overview *o, tt_canvas *c)
{
    int devices = (int)rows(o, DEVICES), most = c->h - 2;
    if (devices > most) devices = most > 0 ? most : 0;
    tt_rule(c, 0, "Run", NULL);
    draw_facts(o, c, c->h - 1 - devices);
    for (int i = 0; i < devices; i++) draw_device(o, (uint32_t)i, c, c->h - devices + i);
}

/* ---- where the step went ---- */

static tt_hue hue_of_category(const char *category)
{
    for (int k = 0; k < N_KINDS; k++) {
        if (strcmp(tt_overview_kinds[k].title, category) == 0) return tt_overview_kinds[k].hue;
    }
    return TT_HUE_OTHER;
}

static void draw_summary(const overview *o, tt_canvas *c)
{
    const tt_table *t = o->tables.at[SUMMARY];
    if (c->h < 1) return;
    const char *worker = shown_worker(o);
    char mean[TT_TEXT_CAP], pct[TT_TEXT_CAP], title[192] = "Step time";
    int y = 1;
    for (uint32_t i = 0; t && i < t->n_rows; i++) {
        if (strcmp(tt_cell_str(t, i, "category"), "Average Step Time") == 0 && is_shown(t, i, worker)) {
            snprintf(title, sizeof title, "Step time  mean %s%s%.80s",
                     tt_format_duration(mean, tt_cell_int(t, i, "mean_ns"), TT_UNIT_AUTO), *worker ? "  of " : "",
                     worker);
            break;
        }
    }
    tt_rule(c, 0, title, NULL);
    for (uint32_t i = 0; t && i < t->n_rows && y < c->h; i++) {
        const char *category = tt_cell_str(t, i, "category");
        if (strcmp(category, "Average Step Time") == 0 || !is_shown(t, i, worker)) continue;
        double share = number_of(t, i, "pct");
        if (!(share >= o->least_share)) continue;
        tt_paint p = tt_paint_hue(hue_of_category(category), 0);
        tt_fill_paint(c, y, 1, 2, p);
        tt_put_cut(c, y, 4, TT_ROLE_TEXT, category, 14, TT_CUT_END);
        tt_put_right(c, y, 18, 8, TT_ROLE_NUMBER, tt_format_percent(pct, share));
        tt_put_right(c, y, 27, 11, TT_ROLE_STRONG,
                     tt_format_duration(mean, tt_cell_int(t, i, "mean_ns"), TT_UNIT_AUTO));
        tt_hbar(c, y, 40, c->w - 42, share / 100, c->mono ? TT_ROLE_BAR : tt_style_fill(p, TT_PAINT_NONE));
        y++;
    }
    if (!t || !t->n_rows)
        tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM,
                       t && t->note ? t->note : "no steps in what is looked at");
}

/* ---- layout ---- */

/* Facts and step time side by side, or below each other; the lines used. */
static int draw_top_wide(overview *o, tt_canvas *c)
{
    o->least_share = 0;
    int facts = 1 + (int)rows(o, RUN) / 2 + (int)rows(o, DEVICES),
        h = least(c->h - 4, N_KINDS + 1 + (facts > N_KINDS + 1));
    tt_canvas left = tt_canvas_window(c, 0, 0, h, c->w / 2 - 1);
    tt_canvas right = tt_canvas_window(c, 0, c->w / 2, h, c->w - c->w / 2);
    draw_run(o, &left);
    draw_summary(o, &right);
    return h;
}

/* Categories of the step that have at least this share. */
static int categories(const overview *o, double least_share)
{
    int n = 0;
    const tt_table *t = o->tables.at[SUMMARY];
    for (uint32_t i = 0; t && i < t->n_rows; i++) {
        bool mean = strcmp(tt_cell_str(t, i, "category"), "Average Step Time") == 0;
        n += !mean && is_shown(t, i, shown_worker(o)) && number_of(t, i, "pct") >= least_share;
    }
    return n;
}

/* Where room is short, facts have one line and categories below one percent none: findings and steps need it more. */
static int draw_top_narrow(overview *o, tt_canvas *c)
{
    int devices = (int)rows(o, DEVICES), facts = c->h >= 28 ? 4 : c->h >= 18 ? 1 : 0;
    if (devices > 2 && c->h < 28) devices = 2;
    int h = c->h >= 14 ? 1 + facts + devices : 0;
    o->least_share = c->h >= 28 ? 0 : c->h >= 14 ? 1 : 2;
    int summary = rows(o, SUMMARY) ? 1 + categories(o, o->least_share) : 2;
    tt_canvas top = tt_canvas_window(c, 0, 0, h, c->w);
    tt_canvas mid = tt_canvas_window(c, h, 0, least(summary, c->h - h), c->w);
    if (h) draw_run(o, &top);
    draw_summary(o, &mid);
    return h + least(summary, c->h - h);
}

/* The first rows of a table with a bar each. */
static void draw_top(const overview *o, part p, const char *title, const char *key, const char *tab, tt_canvas *c)
{
    const tt_table *t = o->tables.at[p];
    int column = t ? tt_table_column(t, key) : -1;
    char text[TT_TEXT_CAP];
    int64_t most = 0;
    if (column < 0 || !t->n_rows) return;
    tt_rule(c, 0, title, tab);
    for (int y = 1; y < c->h && (uint32_t)y <= o->tables.order[p].n; y++) {
        uint32_t row = o->tables.order[p].rows[y - 1];
        int64_t ns = tt_table_cell(t, row, (uint32_t)column).i;
        int w = c->w - 32 > 60 ? 60 : c->w - 32;
        if (ns == TT_UNKNOWN || (ns == 0 && most > 0)) continue;
        if (ns > most) most = ns;
        const char *worker = worker_of(o, t, row);
        int x = 1;
        if (*worker) x += 1 + tt_put_cut(c, y, 1, TT_ROLE_DIM, worker, least(c->w / 6, 12), TT_CUT_START);
        tt_put_cut(c, y, x, TT_ROLE_NAME, tt_cell_str(t, row, "name"), w - x + 1, TT_CUT_KERNEL);
        tt_put_right(c, y, w + 1, 12, TT_ROLE_NUMBER, tt_format_duration(text, ns, TT_UNIT_AUTO));
        if (most > 0) tt_hbar(c, y, w + 15, c->w - w - 17, (double)ns / (double)most, TT_ROLE_BAR);
    }
}

static void draw_tops(const overview *o, tt_canvas *c, int y)
{
    bool device = rows(o, KERNELS) > 0, both = device && rows(o, OPERATORS) && c->w >= 120;
    tt_canvas left = tt_canvas_window(c, y, 0, c->h - y, both ? c->w / 2 - 1 : c->w);
    tt_canvas right = tt_canvas_window(c, y, c->w / 2, c->h - y, c->w - c->w / 2);
    if (device) draw_top(o, KERNELS, "Kernels that took longest", "total_ns", "3", both ? &right : &left);
    if (device && !both) return;
    bool ranges = rows(o, OPERATORS) && o->tables.at[OPERATORS]->note; /* they stand for operators */
    draw_top(o, OPERATORS, ranges ? "Ranges that took longest" : "Operators that took longest",
             device ? "device_self_ns" : "host_self_ns", "2", &left);
}

static void draw_overview(tt_screen *s, tt_canvas *c)
{
    overview *o = of(s);
    o->one_worker = tt_app_scope(s->app)->worker != TT_ALL;
    if (!o->tables.at[RUN] && o->tables.running) {
        tt_put(c, 1, 2, TT_ROLE_DIM, "computing ...", -1);
        return;
    }
    int y = c->w >= 120 ? draw_top_wide(o, c) : draw_top_narrow(o, c);
    int left = c->h - y, steps = rows(o, STEPS) ? (int)rows(o, STEPS) + 1 : 0;
    int findings = rows(o, FINDINGS) ? (int)rows(o, FINDINGS) + 1 : 0;
    if (findings)
        findings += tt_overview_draw_advice(tt_app_session(s->app), o, NULL, 0, c->w, 6); /* the selected one in full */
    if (findings + steps > left) { /* half of the room each, but what one does not need is the other's */
        int half = left / 2;
        if (findings > half) findings = steps > left - half ? half : left - steps;
        if (steps > left - findings) steps = left - findings;
    }
    if (rows(o, FINDINGS) && left < 6) findings = left, steps = 0; /* no room for both */
    if (steps > 1) {
        tt_canvas pane = tt_canvas_window(c, y, 0, steps, c->w);
        tt_overview_draw_steps(o, &pane);
        y += steps;
    }
    if (findings > 1) {
        tt_canvas pane = tt_canvas_window(c, y, 0, findings, c->w);
        tt_overview_draw_findings(s, o, &pane);
        y += findings;
    }
    if (c->h - y >= 4 && (rows(o, OPERATORS) || rows(o, KERNELS))) draw_tops(o, c, y);
}

/* ---- keys ---- */

static void move(overview *o, int64_t by)
{
    int64_t n = rows(o, o->focus), to = (int64_t)o->at[o->focus] + by;
    if (n) o->at[o->focus] = (uint32_t)(to < 0 ? 0 : to >= n ? n - 1 : to);
}

static bool selection_overview(const tt_screen *s, tt_drilldown *out)
{
    const overview *o = of(s);
    const tt_table *t = o->tables.at[o->focus];
    if (!rows(o, o->focus) || !t->origins) return false;
    *out = t->origins[selected(o, o->focus)];
    return out->what != TT_ORIGIN_NONE;
}

/* Look at the chosen step only, or at all again. */
static void scope_step(tt_screen *s)
{
    overview *o = of(s);
    char *end;
    const char *text = rows(o, STEPS) ? tt_cell_str(o->tables.at[STEPS], o->at[STEPS], "step") : "";
    long long n = strtoll(text, &end, 10);
    if (end != text) tt_app_toggle_step(s->app, n);
}

static bool act_overview(tt_screen *s, tt_action a)
{
    overview *o = of(s);
    int page = o->page[o->focus] > 0 ? o->page[o->focus] : 1;
    int64_t to = tt_action_moved(a, o->at[o->focus], rows(o, o->focus), page, page);
    if (to >= 0) {
        o->at[o->focus] = (uint32_t)to;
        return true;
    }
    switch (a) {
    case TT_ACT_TAB_NEXT:
    case TT_ACT_TAB_PREV: {
        part other = o->focus == STEPS ? FINDINGS : STEPS;
        bool forward = a == TT_ACT_TAB_NEXT;
        if (!rows(o, other) || forward != (o->focus == STEPS)) return false;
        o->focus = other;
        return true;
    }
    case TT_ACT_ENTER: {
        tt_drilldown origin;
        if (o->focus == STEPS) {
            scope_step(s);
        } else if (selection_overview(s, &origin)) {
            tt_app_show_drilldown(s->app, &origin);
        } else {
            tt_app_set_status(s->app, "this finding is about the whole run");
        }
        return true;
    }
    default: return false;
    }
}

static void status_overview(const tt_screen *s, char *out, size_t cap)
{
    const overview *o = of(s);
    const char *what = o->focus == STEPS ? "step" : "finding";
    snprintf(out, cap, "overview");
    if (rows(o, o->focus)) snprintf(out, cap, "overview   %s %u of %u", what, o->at[o->focus] + 1, rows(o, o->focus));
}

static bool find_overview(tt_screen *s, const char *text, int dir)
{
    overview *o = of(s);
    uint32_t n = rows(o, o->focus), at = o->at[o->focus];
    for (uint32_t i = 0; i <= n && n; i++) {
        const char *line = o->focus == STEPS ? tt_cell_str(o->tables.at[STEPS], at, "step")
                                             : tt_cell_str(o->tables.at[FINDINGS], row_at(o, FINDINGS, at), "title");
        if ((i > 0 || dir == 0) && strcasestr(line, text)) {
            o->at[o->focus] = at;
            return true;
        }
        at = dir < 0 ? (at ? at - 1 : n - 1) : (at + 1) % n;
    }
    return false;
}

static char *copy_overview(const tt_screen *s, bool all)
{
    const overview *o = of(s);
    (void)all;
    if (!rows(o, o->focus)) return NULL;
    return tt_strdup(o->focus == STEPS ? tt_cell_str(o->tables.at[STEPS], o->at[STEPS], "step")
                                       : tt_cell_str(o->tables.at[FINDINGS], selected(o, FINDINGS), "title"));
}

static void save_overview(const tt_screen *s, tt_screen_place *p)
{
    p->overview.list = (int)of(s)->focus;
    p->overview.at = of(s)->at[of(s)->focus];
}

static void restore_overview(tt_screen *s, const tt_screen_place *p)
{
    overview *o = of(s);
    o->focus = (part)p->overview.list;
    o->at[o->focus] = 0;
    move(o, p->overview.at);
}

const tt_screen_ops tt_screen_overview = {
    .name = "overview",
    .title = "Overview",
    .brief = "Over",
    .context = TT_CTX_MOTION,
    .state_size = sizeof(overview),
    .open = open_overview,
    .close = close_overview,
    .renew = renew_overview,
    .scope = scope_overview,
    .draw = draw_overview,
    .act = act_overview,
    .status = status_overview,
    .find = find_overview,
    .selection = selection_overview,
    .copy = copy_overview,
    .save = save_overview,
    .restore = restore_overview,
};
