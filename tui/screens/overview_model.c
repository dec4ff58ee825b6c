/* tui/screens/overview_model.c - the part of the Overview about the model: phases of the step on the CPU and the GPU,
 * and where there is room the phases of each step, and what kinds of events take the time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/screen/app.h"
#include "tui/screens/overview.h"

/* ---- phases of the model ---- */

static const struct {
    const char *stage, *title;
    tt_hue hue;
} phases[] = {
    {"DataLoader", "DataLoader", TT_HUE_DATALOADER},
    {"Forward", "Forward", TT_HUE_FORWARD},
    {"Backward", "Backward", TT_HUE_BACKWARD},
    {"Optimization", "Optimizer", TT_HUE_OPTIMIZATION},
    {"Others", "Other", TT_HUE_OTHER},
};
enum { N_PHASES = sizeof phases / sizeof *phases, LEAST_BAR = 8 };
static const char *const phase_lines[][2] = {{"CPU", "host_total_ns"}, {"GPU", "device_total_ns"}};

/* Time of each phase by a column of table stages; how many of them have some, the rest aside. */
static int phase_times(const overview *o, const char *key, int64_t ns[N_PHASES])
{
    const tt_table *t = o->facts ? o->facts->stages : NULL;
    int n = 0;
    memset(ns, 0, N_PHASES * sizeof *ns);
    for (uint32_t r = 0; t && r < t->n_rows; r++)
        for (int p = 0; p < N_PHASES; p++) {
            int64_t v = tt_cell_int(t, r, key);
            if (v > 0 && !strcmp(tt_cell_str(t, r, "stage"), phases[p].stage)) ns[p] += v;
        }
    for (int p = 0; p + 1 < N_PHASES; p++) n += ns[p] > 0;
    return n;
}

/* The legend of a line: patches with shares; the cells it takes. c NULL: only counted. */
static int phase_legend(const int64_t ns[N_PHASES], tt_canvas *c, int y, int x)
{
    int from = x;
    int64_t sum = 0;
    for (int p = 0; p < N_PHASES; p++) sum += ns[p];
    for (int p = 0; p < N_PHASES; p++) {
        char text[48];
        if (!ns[p]) continue;
        snprintf(text, sizeof text, "%s %.1f%%", phases[p].title, 100 * (double)ns[p] / (double)sum);
        if (c) {
            tt_fill_paint(c, y, x, 2, tt_paint_hue(phases[p].hue, 0));
            tt_put(c, y, x + 3, TT_ROLE_TEXT, text, -1);
        }
        x += 5 + tt_width_of(text);
    }
    return x - from;
}

int tt_overview_phases_want(const overview *o, int w)
{
    int64_t ns[N_PHASES];
    int n = 0;
    for (int k = 0; k < 2; k++)
        if (phase_times(o, phase_lines[k][1], ns) > 1) n += phase_legend(ns, NULL, 0, 0) + 7 + LEAST_BAR <= w ? 1 : -2;
    return n > 0 ? 1 + n : 0;
}

void tt_overview_draw_phases(const overview *o, tt_canvas *c)
{
    int64_t ns[2][N_PHASES], sum;
    tt_stack_part bars[N_PHASES];
    int legend = 0, y = 1;
    bool shown[2];
    for (int k = 0; k < 2; k++) {
        shown[k] = phase_times(o, phase_lines[k][1], ns[k]) > 1;
        if (shown[k]) legend = most(legend, phase_legend(ns[k], NULL, 0, 0));
    }
    int bar = most(least(c->w - 7 - legend, c->w / 3), LEAST_BAR);
    for (int p = 0; p < N_PHASES; p++) bars[p] = (tt_stack_part){NULL, phases[p].title, phases[p].hue};
    tt_rule(c, 0, "Phases of the step", NULL);
    for (int k = 0; k < 2 && y < c->h; k++) {
        if (!shown[k]) continue;
        sum = 0;
        for (int p = 0; p < N_PHASES; p++) sum += ns[k][p];
        tt_put(c, y, 1, TT_ROLE_STRONG, phase_lines[k][0], -1);
        tt_stacked_bar(c, y, 5, bar, bars, ns[k], N_PHASES, sum);
        phase_legend(ns[k], c, y++, 7 + bar);
    }
}

/* ---- each step, and kinds of events ---- */

enum { MODEL_W = 150, MODEL_ROWS = 8, TYPE_W = 22 };

static const tt_table *by_step(const overview *o) { return o->model.at[STAGES_BY_STEP]; }
static const tt_table *types(const overview *o) { return o->model.at[EVENT_TYPES]; }

/* Phases of a row of step_breakdown by a column of stages_by_step; their sum. */
static int64_t phases_of_step(const overview *o, uint32_t row, const char *key, int64_t ns[N_PHASES])
{
    const tt_table *t = by_step(o), *steps = o->tables.at[STEPS];
    char a[24], b[24];
    int64_t sum = 0;
    memset(ns, 0, N_PHASES * sizeof *ns);
    const char *step = tt_cell_label(steps, row, "step", a);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        int64_t v = tt_cell_int(t, r, key);
        if (v <= 0 || strcmp(tt_cell_label(t, r, "step", b), step) != 0) continue;
        if (strcmp(tt_cell_str(t, r, "worker"), tt_cell_str(steps, row, "worker")) != 0 ||
            strcmp(tt_cell_str(t, r, "span"), tt_cell_str(steps, row, "span")) != 0)
            continue;
        for (int p = 0; p < N_PHASES; p++)
            if (!strcmp(tt_cell_str(t, r, "stage"), phases[p].stage)) ns[p] += v, sum += v;
    }
    return sum;
}

/* Steps as the list of steps shows them, so many lines. */
static uint32_t steps_shown(const overview *o)
{
    int64_t ns[N_PHASES];
    return by_step(o) && by_step(o)->n_rows && has_steps(o) && phase_times(o, phase_lines[0][1], ns) > 1
               ? o->n_lines[STEPS]
               : 0;
}

int tt_overview_model_want(const overview *o, int w)
{
    uint32_t n = types(o) ? types(o)->n_rows : 0;
    return w >= MODEL_W && n ? 1 + least(most((int)n, (int)steps_shown(o)), MODEL_ROWS) : 0;
}

static void draw_by_step(const tt_session *s, const overview *o, tt_canvas *c)
{
    static const char *const keys[] = {"host_ns", "device_ns"};
    int64_t ns[MODEL_ROWS][2][N_PHASES], sum[MODEL_ROWS][2], longest = 0;
    tt_stack_part bars[N_PHASES];
    char text[TT_TEXT_CAP], label[32], name[32];
    int all = (int)steps_shown(o), n = least(least(all, c->h - 1), MODEL_ROWS), x = 9,
        worker_w = o->one_worker || o->n_runs < 2 ? 0 : 9;
    for (int p = 0; p < N_PHASES; p++) bars[p] = (tt_stack_part){NULL, phases[p].title, phases[p].hue};
    for (int i = 0; i < n; i++) {
        uint32_t row = o->line[STEPS][i];
        for (int k = 0; k < 2 && row != TT_NONE; k++) {
            sum[i][k] = phases_of_step(o, row, keys[k], ns[i][k]);
            if (sum[i][k] > longest) longest = sum[i][k];
        }
    }
    x += worker_w;
    int half = (c->w - x - 2) / 2, bar = half - 14;
    tt_rule(c, 0, "Phases of each step, CPU and GPU", NULL);
    for (int i = 0; i < n; i++) {
        uint32_t row = o->line[STEPS][i];
        bool cut = i + 1 == n && n < all;
        if (row == TT_NONE || cut) {
            tt_put(c, 1 + i, 1, TT_ROLE_DIM, "... more: Steps, Phases by step", c->w - 2);
            continue;
        }
        if (worker_w)
            tt_put_cut(c, 1 + i, 1, TT_ROLE_DIM, tt_rank_name(s, tt_cell_str(o->tables.at[STEPS], row, "worker"), name),
                       worker_w - 1, TT_CUT_START);
        tt_putf(c, 1 + i, 1 + worker_w, TT_ROLE_TEXT, 9, "step %s", tt_step_label(o->tables.at[STEPS], row, label));
        for (int k = 0; k < 2; k++) {
            int at = x + 1 + k * half;
            tt_put(c, 1 + i, at, TT_ROLE_DIM, phase_lines[k][0], -1);
            tt_put_right(c, 1 + i, at + 3, 9, TT_ROLE_NUMBER, tt_brief_ns(text, sum[i][k]));
            tt_stacked_bar(c, 1 + i, at + 13, bar, bars, ns[i][k], N_PHASES, longest);
        }
    }
}

static void draw_types(const overview *o, tt_canvas *c)
{
    const tt_table *t = types(o);
    const tt_row_order *order = &o->model.order[EVENT_TYPES];
    int64_t longest = 0;
    int n = least((int)order->n, c->h - 1), time_x = TYPE_W + 20, bar_x = time_x + 18, bar = c->w - bar_x - 1;
    char text[TT_TEXT_CAP], count[TT_TEXT_CAP];
    tt_rule(c, 0, "Event types by time", NULL);
    for (int i = 0; i < n; i++) {
        uint32_t row = order->rows[i];
        int64_t ns = tt_cell_int(t, row, "time_ns");
        double pct = tt_cell_num(t, row, "ratio_pct");
        if (i + 1 == n && n < (int)order->n) {
            tt_putf(c, 1 + i, 1, TT_ROLE_DIM, c->w - 2, "+%u more: Steps, Event types", order->n - (uint32_t)i);
            break;
        }
        if (ns > longest) longest = ns;
        tt_put_cut(c, 1 + i, 1, TT_ROLE_NAME, tt_cell_str(t, row, "type"), TYPE_W - 1, TT_CUT_END);
        tt_put_cut(c, 1 + i, TYPE_W + 1, TT_ROLE_DIM, !strcmp(tt_cell_str(t, row, "side"), "host") ? "CPU" : "GPU", 6,
                   TT_CUT_END);
        tt_put_right(c, 1 + i, TYPE_W + 6, 13, TT_ROLE_NUMBER,
                     tt_format_counted(count, tt_cell_int(t, row, "calls"), "event"));
        tt_put_right(c, 1 + i, time_x, 9, TT_ROLE_NUMBER, tt_brief_ns(text, ns));
        if (!isnan(pct)) tt_putf(c, 1 + i, time_x + 10, TT_ROLE_DIM, 7, pct > 100 ? " >100%%" : "%5.1f%%", pct);
        if (longest > 0 && bar > 3) tt_hbar(c, 1 + i, bar_x, bar, (double)ns / (double)longest, TT_ROLE_BAR);
    }
}

void tt_overview_draw_model(const tt_session *s, const overview *o, tt_canvas *c)
{
    int left = steps_shown(o) ? c->w / 2 : 0;
    tt_canvas one = tt_canvas_window(c, 0, 0, c->h, left), two = tt_canvas_window(c, 0, left, c->h, c->w - left);
    if (left) draw_by_step(s, o, &one);
    draw_types(o, &two);
}
