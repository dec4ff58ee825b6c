/* tui/screens/overview/overview_lists.c - two lists of the Overview: findings, and the slowest steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/median.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/tables/analysis/calls/python_line.h"
#include "model/tables/cells.h"
#include "model/tables/findings/claims/columns.h"
#include "model/tables/idle/columns.h"
#include "model/tables/steps/columns.h"
#include "model/tables/verdict/alike.h"
#include "tui/screen/host.h"
#include "tui/screens/overview/overview.h"
#include "tui/widgets/account_bar.h"

void tt_overview_lines(overview *o, int list, uint32_t n)
{
    free(o->line[list]);
    o->line[list] = tt_malloc((n + (size_t)1) * sizeof *o->line[list]);
    o->n_lines[list] = 0;
}

void tt_overview_in_order(overview *o, int list) { TT_SORT_UP(o->line[list], o->n_lines[list]); }

void tt_overview_mark(tt_canvas *c, int y)
{
    for (int x = 0; x < c->w && y >= 0 && y < c->h; x++) {
        tt_cellc *cell = c->cells + (size_t)y * (size_t)c->stride + x;
        if (!(cell->style & TT_STYLE_FILL)) cell->style = TT_ROLE_CURSOR;
    }
    tt_put_char(c, y, 0, TT_ROLE_CURSOR, '>');
}

/* ---- steps ---- */

typedef struct step_row {
    int64_t ns;
    uint32_t row;
} step_row;

int tt_overview_steps_want(const overview *o) { return has_steps(o) ? (int)rows(o, STEPS) + 1 : 0; }

/* Both are of the same step of the same worker. */
/* Row x of step_breakdown and row y of table b belong to the same step; step: the column `step` of b. */
static bool same_step(const tt_table *a, uint32_t x, const tt_table *b, uint32_t y, uint32_t step)
{
    char p[24], q[24];
    return !strcmp(tt_cell_label(a, x, TT_STEP_BREAKDOWN_STEP, p), tt_cell_label(b, y, step, q)) &&
           tt_cells_same_run(a, x, b, y);
}

/* Add the parts of each step over the devices of its worker: rows of gpu_time and idle_causes by step have the order
 * of the steps. Without devices the parts are the host's. */
static void add_device_parts(overview *o)
{
    static const struct {
        tt_account_part part;
        uint32_t column;
    } of[] = {{TT_ACCOUNT_COMPUTE, TT_GPU_TIME_COMPUTATION},
              {TT_ACCOUNT_COMMUNICATION, TT_GPU_TIME_COMMUNICATION_EXPOSED},
              {TT_ACCOUNT_COPY, TT_GPU_TIME_COPY_EXPOSED}};
    const tt_table *steps = o->tables.at[STEPS], *time = o->tables.at[STEP_TIME], *idle = o->tables.at[STEP_IDLE];
    uint32_t t = 0, i = 0;
    for (uint32_t r = 0; time && idle && r < steps->n_rows; r++) {
        for (; t < time->n_rows && same_step(steps, r, time, t, TT_GPU_TIME_STEP); t++)
            for (size_t k = 0; k < sizeof of / sizeof *of; k++)
                o->step_ns[r][of[k].part] += tt_cell_i(time, t, of[k].column);
        for (; i < idle->n_rows && same_step(steps, r, idle, i, TT_IDLE_CAUSES_STEP); i++) {
            tt_wait_cause cause = tt_wait_named(tt_cell_s(idle, i, TT_IDLE_CAUSES_CAUSE));
            o->step_ns[r][tt_account_part_of_wait(cause)] += tt_cell_i(idle, i, TT_IDLE_CAUSES_IDLE);
        }
    }
}

static void add_host_parts(overview *o)
{
    static const struct {
        tt_account_part part;
        uint32_t column;
    } of[] = {{TT_ACCOUNT_HOST_RUNTIME, TT_STEP_BREAKDOWN_RUNTIME},
              {TT_ACCOUNT_HOST_INPUT, TT_STEP_BREAKDOWN_DATALOADER},
              {TT_ACCOUNT_HOST_COMMUNICATION, TT_STEP_BREAKDOWN_COMMUNICATION},
              {TT_ACCOUNT_HOST_CPU, TT_STEP_BREAKDOWN_CPU_EXEC},
              {TT_ACCOUNT_HOST_OTHER, TT_STEP_BREAKDOWN_OTHER}};
    for (uint32_t r = 0; r < rows(o, STEPS); r++)
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            int64_t ns = tt_cell_i(o->tables.at[STEPS], r, of[k].column);
            if (ns > 0) o->step_ns[r][of[k].part] += ns;
        }
}

void tt_overview_make_steps(overview *o)
{
    const tt_table *t = o->tables.at[STEPS];
    uint32_t n = rows(o, STEPS);
    step_row *all = tt_malloc((n + (size_t)1) * sizeof *all);
    free(o->by_length);
    free(o->step_ns);
    o->by_length = tt_malloc((n + (size_t)1) * sizeof *o->by_length);
    o->step_ns = tt_calloc(n + (size_t)1, sizeof *o->step_ns);
    for (uint32_t i = 0; i < n; i++) all[i] = (step_row){tt_cell_i(t, i, TT_STEP_BREAKDOWN_TOTAL), i};
    TT_SORT_BY(all, n, TT_DESC(step_row, ns), TT_ASC(step_row, row));
    for (uint32_t i = 0; i < n; i++) o->by_length[i] = all[i].row;
    free(all);
    o->slowest = tt_slowest_step_of(t);
    if (rows(o, STEP_TIME))
        add_device_parts(o);
    else
        add_host_parts(o);
    o->longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int p = 0; p < TT_ACCOUNT_PARTS; p++) sum += o->step_ns[i][p];
        if (sum > o->longest) o->longest = sum;
    }
}

/* The index in by_length of the step that began last. */
static uint32_t newest_step(const overview *o)
{
    const tt_table *t = o->tables.at[STEPS];
    uint32_t at = 0;
    for (uint32_t i = 1; i < t->n_rows; i++) {
        if (tt_cell_i(t, o->by_length[i], TT_STEP_BREAKDOWN_START_AT) >
            tt_cell_i(t, o->by_length[at], TT_STEP_BREAKDOWN_START_AT))
            at = i;
    }
    return at;
}

/* Move an entry of a list; the entries between move by one. */
static void move_place(uint32_t *list, uint32_t from, uint32_t to)
{
    uint32_t row = list[from];
    if (from < to)
        memmove(list + from, list + from + 1, (to - from) * sizeof *list);
    else
        memmove(list + to + 1, list + to, (from - to) * sizeof *list);
    list[to] = row;
}

/* Choose the steps that are shown: all if they fit; else the slowest steps, and the newest step of a recording that
 * is followed, with one line for the others, whose median is *median. */
static void choose_steps(overview *o, int h, bool live, int64_t *median)
{
    uint32_t n = rows(o, STEPS), from = 0, room = (uint32_t)most(h, 0),
             kept = n <= room  ? n
                    : room > 1 ? room - 1
                               : room;
    tt_overview_lines(o, STEPS, kept + 1);
    *median = TT_UNKNOWN;
    if (live && kept && kept < n) from = newest_step(o);
    if (kept && from >= kept) move_place(o->by_length, from, kept - 1);
    for (uint32_t i = 0; i < kept; i++) tt_overview_add(o, STEPS, o->by_length[i]);
    tt_overview_in_order(o, STEPS);
    if (kept == n) return;
    /* for an even number the mean of the two in the middle */
    uint32_t others = n - kept, middle = kept + others / 2;
    *median = tt_cell_i(o->tables.at[STEPS], o->by_length[middle], TT_STEP_BREAKDOWN_TOTAL);
    if (others % 2 == 0)
        *median = tt_middle(*median, tt_cell_i(o->tables.at[STEPS], o->by_length[middle - 1], TT_STEP_BREAKDOWN_TOTAL));
    if (room > 1) tt_overview_add(o, STEPS, TT_NONE);
    if (kept && from >= kept) move_place(o->by_length, kept - 1, from); /* the next frame may have another height */
}

/* Draw one step as a stacked bar, its length in proportion to the longest step. */
static void draw_step(const tt_session *s, const overview *o, uint32_t row, int w, tt_canvas *c, int y)
{
    const tt_table *t = o->tables.at[STEPS];
    char text[TT_TEXT_CAP], buf[32], number[48];
    const char *worker = worker_of(o, t, row);
    int x = 1;
    if (*worker) {
        int name_w = least(c->w / 6, 12);
        tt_put_cut(c, y, x, TT_ROLE_DIM, tt_rank_name(s, worker, buf), name_w, TT_CUT_START);
        x += name_w + 1;
    }
    tt_putf(c, y, x, TT_ROLE_TEXT, 13, "%-13.13s", tt_step_title(s, t, row, TT_STEP_BREAKDOWN_STEP, number));
    tt_put_right(c, y, x + 11, 10, TT_ROLE_NUMBER, tt_brief_ns(text, tt_cell_i(t, row, TT_STEP_BREAKDOWN_TOTAL)));
    tt_account_bar(c, y, x + 22, w - x - 22, o->step_ns[row], o->longest);
}

void tt_overview_draw_steps(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    const tt_session *s = tt_host_session(screen->host);
    char why[160] = "", ns[TT_TEXT_CAP], count[TT_TEXT_CAP];
    int64_t median;
    /* steps of an engine differ by their batch */
    bool matters = !rows(o, SERVING) && tt_slowest_step_matters(&o->slowest, o->tables.at[STEPS]);
    choose_steps(o, c->h - 1, tt_host_follows(screen->host), &median);
    tt_overview_stands(o, STEPS, y0 + 1, 0, c->h - 1, c->w);
    tt_rule(c, 0, "Steps", c->w >= 60 && o->focus == STEPS ? "Enter: limit to step   t: timeline" : NULL);
    if (matters) tt_slowest_step_text(&o->slowest, o->tables.at[STEPS], why, sizeof why);
    int why_w = tt_width_of(why), bars = c->w - 2;
    if (why_w && why_w > c->w / 2) { /* the lengths show the factor already: the reason matters more */
        char *colon = strchr(why, ':'), *comma = strchr(why, ',');
        if (colon && comma) memmove(comma, colon, strlen(colon) + 1);
        why_w = tt_width_of(why);
    }
    if (why_w) bars -= why_w + 1;
    for (uint32_t i = 0; i < o->n_lines[STEPS]; i++) {
        uint32_t row = o->line[STEPS][i];
        int y = 1 + (int)i;
        if (row == TT_NONE) {
            tt_putf(c, y, 1, TT_ROLE_DIM, -1, "... %s more, median %s",
                    tt_format_count(count, rows(o, STEPS) - (o->n_lines[STEPS] - 1)), tt_brief_ns(ns, median));
        } else {
            draw_step(s, o, row, bars, c, y);
            if (matters && row == o->slowest.row) tt_put(c, y, bars + 1, TT_ROLE_WARN, why, c->w - bars - 2);
        }
        if (is_on(o, STEPS, i)) tt_overview_mark(c, y);
    }
}

/* ---- what to look at first ---- */

/* Findings of the same kind on several workers share a line. */
void tt_overview_make_findings(overview *o)
{
    uint32_t n = findings_of(o) ? findings_of(o)->n_rows : 0;
    free(o->found_on);
    o->found_on = n ? tt_findings_alike(findings_of(o)) : NULL;
    tt_overview_lines(o, LIST_FINDINGS, n);
    for (uint32_t r = 0; r < n; r++)
        if (o->found_on[r]) tt_overview_add(o, LIST_FINDINGS, r);
}

/* The number of findings that have finding `root` as their cause. */
static uint32_t explained(const tt_table *t, uint32_t root)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < t->n_rows; r++)
        n += !strcmp(tt_cell_s(t, r, TT_FINDING_CAUSE), tt_cell_s(t, root, TT_FINDING_ID)) &&
             !strcmp(tt_cell_worker(t, r), tt_cell_worker(t, root)) &&
             !strcmp(tt_cell_span(t, r), tt_cell_span(t, root));
    return n;
}

static void draw_finding(const tt_session *s, const overview *o, uint32_t row, tt_canvas *c, int y)
{
    const tt_table *t = findings_of(o);
    char more[64] = "", buf[32];
    const char *worker = tt_cell_worker(t, row), *severity = tt_cell_s(t, row, TT_FINDING_SEVERITY);
    uint32_t n = explained(t, row), workers = o->found_on[row];
    int x = 1, right = 1;
    tt_buf line = tt_buf_of(more);
    if (workers > 1 && c->w >= 100) tt_buf_add(&line, "on %u ranks%s", workers, n ? ", " : "");
    if (n) tt_buf_add(&line, c->w < 100 ? "+%u" : "explains %u more", n);
    if (*more) right += tt_width_of(more) + 2;
    tt_style style = tt_severity_style(severity);
    tt_put_cut(c, y, x, style == TT_ROLE_TEXT ? TT_ROLE_DIM : style, severity, 6, TT_CUT_END);
    x = 8;
    const char *title = tt_cell_s(t, row, TT_FINDING_TITLE);
    if (*worker && !strstr(title, tt_rank_name(s, worker, buf))) /* the title does not name the worker itself */
        x += 1 + tt_put_cut(c, y, x, TT_ROLE_DIM, tt_rank_name(s, worker, buf), least(c->w / 6, 16), TT_CUT_START);
    tt_put_cut(c, y, x, TT_ROLE_TEXT, title, c->w - x - right, TT_CUT_END);
    if (*more) tt_put_right(c, y, c->w - right, right - 1, TT_ROLE_DIM, more);
}

/* The evidence of a finding in words: the slice with its length and time, or the interval. */
static void evidence_text(const tt_session *s, const tt_table *t, uint32_t row, char *out, size_t cap)
{
    char dur[TT_TEXT_CAP], at[TT_TEXT_CAP], buf[32], frame[256], line[128];
    const tt_drilldown *e = t->drilldowns ? &t->drilldowns[row] : NULL;
    snprintf(out, cap, "the whole run");
    if (e && e->what == TT_DRILL_ROW) {
        const tt_trace *st = s->traces[e->trace];
        char name[160];
        tt_text_cut(name, sizeof name, tt_row_name(st, e->row), 60, TT_CUT_KERNEL, false);
        tt_python_line_of_slice(st, e->row, frame, sizeof frame);
        tt_frame_file_line(frame, line, sizeof line);
        snprintf(out, cap, "%s%s%s, %s at %s%s%.60s", line, *line ? "  " : "", name, tt_brief_ns(dur, st->dur[e->row]),
                 tt_brief_ns(at, st->start[e->row] + s->offset_ns[e->trace]), s->n_workers > 1 ? ", " : "",
                 s->n_workers > 1 ? tt_rank_name(s, st->worker, buf) : "");
    } else if (e && e->what == TT_DRILL_RANGE) {
        if (e->t1 - e->t0 > 1)
            snprintf(out, cap, "%s from %s on", tt_brief_ns(dur, e->t1 - e->t0), tt_brief_ns(at, e->t0));
        else /* a moment: a peak, an out of memory */
            snprintf(out, cap, "at %s", tt_brief_ns(at, e->t0));
    }
}

/* Lines below the selected finding: up to two of advice, and the evidence. */
static int wanted_under(const overview *o, int w)
{
    uint32_t at = o->at[LIST_FINDINGS];
    if (at >= o->n_lines[LIST_FINDINGS]) return 0;
    int fix = (int)strlen(tt_cell_s(findings_of(o), o->line[LIST_FINDINGS][at], TT_FINDING_DETAIL));
    return (fix ? 1 + (fix > w - 20) : 0) + 1;
}

int tt_overview_findings_want(const overview *o, int w)
{
    return o->n_lines[LIST_FINDINGS] ? 1 + (int)o->n_lines[LIST_FINDINGS] + wanted_under(o, w) : 0;
}

static void draw_under(const tt_session *s, const overview *o, uint32_t row, int h, tt_canvas *c, int y)
{
    const tt_table *t = findings_of(o);
    const char *fix = tt_cell_s(t, row, TT_FINDING_DETAIL);
    int64_t saving = tt_cell_i(t, row, TT_FINDING_SAVING);
    char text[320], ns[TT_TEXT_CAP], upto[96] = "";
    int used = 0;
    if (h > 0 && *fix) {
        int fix_h = h > 1 ? h - 1 : h;
        tt_put(c, y, 8, TT_ROLE_STRONG, "fix", -1);
        if (fix_h == 1)
            tt_put_cut(c, y, 17, TT_ROLE_TEXT, fix, c->w - 19, TT_CUT_END);
        else
            fix_h = tt_put_wrapped(c, y, 17, fix_h, c->w - 19, TT_ROLE_TEXT, fix);
        used = fix_h;
    }
    if (h <= used) return;
    if (saving != TT_UNKNOWN && saving > 0) snprintf(upto, sizeof upto, "saves up to %s", tt_brief_ns(ns, saving));
    int right = *upto ? tt_width_of(upto) + 2 : 0;
    evidence_text(s, t, row, text, sizeof text);
    tt_put(c, y + used, 8, TT_ROLE_STRONG, "evidence", -1);
    tt_put_cut(c, y + used, 17, TT_ROLE_TEXT, text, c->w - 19 - right, TT_CUT_MIDDLE);
    if (*upto) tt_put_right(c, y + used, c->w - right, right - 1, TT_ROLE_STRONG, upto);
}

void tt_overview_draw_findings(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    const tt_session *s = tt_host_session(screen->host);
    uint32_t n = o->n_lines[LIST_FINDINGS], at = o->at[LIST_FINDINGS];
    int room = c->h - 1, under = least(wanted_under(o, c->w), most(room - least((int)n, 3), 0)), y = 1;
    int lines = room - under; /* lines for the findings themselves */
    uint32_t top = 0;
    char more[64];
    if ((int)n > lines && lines > 0 && at >= (uint32_t)lines) top = at - (uint32_t)lines + 1;
    snprintf(more, sizeof more, "%u of %u", at + 1, n);
    tt_rule(c, 0, "Findings", (int)n > lines ? more : o->focus == LIST_FINDINGS ? "Enter: evidence" : NULL);
    tt_overview_stands(o, LIST_FINDINGS, y0 + 1, 0, room, c->w);
    o->top[LIST_FINDINGS] = top;
    for (uint32_t i = top; i < n && y <= room; i++) {
        int below = i == at ? least(under, room - y) : 0;
        for (int k = 0; k <= below && y + k <= 128; k++) o->finding_on[y + k - 1] = i;
        draw_finding(s, o, o->line[LIST_FINDINGS][i], c, y);
        if (is_on(o, LIST_FINDINGS, i)) tt_overview_mark(c, y);
        if (below) draw_under(s, o, o->line[LIST_FINDINGS][i], below, c, y + 1);
        y += 1 + below;
    }
}
