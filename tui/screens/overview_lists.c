/* tui/screens/overview_lists.c - the lists of the Overview that say what to look at: the slowest steps, and findings,
 * each root with what to do and its symptoms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/median.h"
#include "model/base/mem.h"
#include "model/tables/analysis/python_line.h"
#include "tui/screen/app.h"
#include "tui/screens/overview.h"

void tt_overview_lines(overview *o, int list, uint32_t n)
{
    free(o->line[list]);
    o->line[list] = tt_malloc((n + (size_t)1) * sizeof *o->line[list]);
    o->n_lines[list] = 0;
}

static int by_row(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void tt_overview_in_order(overview *o, int list)
{
    qsort(o->line[list], o->n_lines[list], sizeof *o->line[list], by_row);
}

void tt_overview_mark(tt_canvas *c, int y)
{
    for (int x = 0; x < c->w && y >= 0 && y < c->h; x++) {
        tt_cellc *cell = c->cells + (size_t)y * (size_t)c->stride + x;
        if (!(cell->style & TT_STYLE_FILL)) cell->style = TT_ROLE_CURSOR;
    }
    tt_put_char(c, y, 0, TT_ROLE_CURSOR, '>');
}

/* ---- steps ---- */

enum { LEGEND_W = 98 }; /* of all parts of a step */

typedef struct step_row {
    int64_t ns;
    uint32_t row;
} step_row;

static int slowest_first(const void *a, const void *b)
{
    const step_row *x = a, *y = b;
    if (x->ns != y->ns) return x->ns > y->ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

int tt_overview_steps_want(const overview *o) { return has_steps(o) ? (int)rows(o, STEPS) + 1 : 0; }

void tt_overview_make_steps(overview *o)
{
    const tt_table *t = o->tables.at[STEPS];
    uint32_t n = rows(o, STEPS);
    step_row *all = tt_malloc((n + (size_t)1) * sizeof *all);
    free(o->by_length);
    free(o->runs);
    o->by_length = tt_malloc((n + (size_t)1) * sizeof *o->by_length);
    o->runs = tt_malloc((n + (size_t)1) * sizeof *o->runs);
    o->n_runs = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *worker = tt_cell_str(t, i, "worker");
        all[i] = (step_row){tt_cell_int(t, i, "total_ns"), i};
        if (!o->n_runs || strcmp(o->runs[o->n_runs - 1].worker, worker) != 0) /* rows of a worker follow each other */
            o->runs[o->n_runs++] = (struct worker_run){worker, 0};
        if (all[i].ns > 0) o->runs[o->n_runs - 1].ns += all[i].ns;
    }
    qsort(all, n, sizeof *all, slowest_first);
    for (uint32_t i = 0; i < n; i++) o->by_length[i] = all[i].row;
    free(all);
    o->slowest = tt_slowest_step_of(t);
}

/* Place of the step that began last among those by length. */
static uint32_t newest_step(const overview *o)
{
    const tt_table *t = o->tables.at[STEPS];
    uint32_t at = 0;
    for (uint32_t i = 1; i < t->n_rows; i++) {
        if (tt_cell_int(t, o->by_length[i], "start_at_ns") > tt_cell_int(t, o->by_length[at], "start_at_ns")) at = i;
    }
    return at;
}

/* What is at one place to another one; those between make room, in their order. */
static void move_place(uint32_t *list, uint32_t from, uint32_t to)
{
    uint32_t row = list[from];
    if (from < to)
        memmove(list + from, list + from + 1, (to - from) * sizeof *list);
    else
        memmove(list + to + 1, list + to, (from - to) * sizeof *list);
    list[to] = row;
}

/* All steps where there is room; else the slowest, and the newest of a recording that is followed, in their order, and
 * one line for the others, whose median is *median. */
static void choose_steps(overview *o, int h, bool live, int64_t *median)
{
    uint32_t n = rows(o, STEPS), from = 0, room = (uint32_t)most(h, 0),
             kept = n <= room  ? n
                    : room > 1 ? room - 1
                               : room;
    tt_overview_lines(o, STEPS, kept + 1);
    *median = TT_UNKNOWN;
    if (live && kept && kept < n) from = newest_step(o);
    if (from >= kept) move_place(o->by_length, from, kept - 1);
    for (uint32_t i = 0; i < kept; i++) tt_overview_add(o, STEPS, o->by_length[i]);
    tt_overview_in_order(o, STEPS);
    if (kept == n) return;
    uint32_t others = n - kept, middle = kept + others / 2; /* of an even number the mean of two */
    *median = tt_cell_int(o->tables.at[STEPS], o->by_length[middle], "total_ns");
    if (others % 2 == 0)
        *median = tt_middle(*median, tt_cell_int(o->tables.at[STEPS], o->by_length[middle - 1], "total_ns"));
    if (room > 1) tt_overview_add(o, STEPS, TT_NONE);
    if (from >= kept) move_place(o->by_length, kept - 1, from); /* the next frame may have other room */
}

/* One step as a stacked bar: the length is its time compared with the longest. */
static void draw_step(const tt_session *s, const overview *o, uint32_t row, int w, tt_canvas *c, int y)
{
    const tt_table *t = o->tables.at[STEPS];
    char text[TT_TEXT_CAP], buf[32], number[32];
    const char *worker = worker_of(o, t, row);
    int x = 1;
    if (*worker) {
        int name_w = least(c->w / 6, 12);
        tt_put_cut(c, y, x, TT_ROLE_DIM, tt_rank_name(s, worker, buf), name_w, TT_CUT_START);
        x += name_w + 1;
    }
    tt_putf(c, y, x, TT_ROLE_TEXT, 11, "step %-6.6s", tt_step_label(t, row, number));
    tt_put_right(c, y, x + 11, 10, TT_ROLE_NUMBER, tt_brief_ns(text, tt_cell_int(t, row, "total_ns")));
    int64_t ns[TT_STEP_PARTS];
    tt_step_parts_of(t, row, ns);
    int64_t longest = o->slowest.row != TT_NONE ? tt_cell_int(t, o->slowest.row, "total_ns") : 0;
    for (uint32_t i = 0; i < t->n_rows && !longest; i++) longest = tt_cell_int(t, i, "total_ns");
    tt_stacked_bar(c, y, x + 22, w - x - 22, tt_step_parts_shown, ns, TT_STEP_PARTS, longest);
}

void tt_overview_draw_steps(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    const tt_session *s = tt_app_session(screen->app);
    char why[160] = "", ns[TT_TEXT_CAP], count[TT_TEXT_CAP], title[96];
    int64_t median;
    bool matters = tt_slowest_step_matters(&o->slowest, o->tables.at[STEPS]);
    choose_steps(o, c->h - 1, tt_app_follows(screen->app), &median);
    tt_overview_stands(o, STEPS, y0 + 1, 0, c->h - 1, c->w);
    snprintf(title, sizeof title, "Steps%s", c->w >= 60 ? "   Enter: limit to step   t: timeline" : "");
    tt_rule(c, 0, title, NULL);
    if (c->w >= LEGEND_W + 60) {
        tt_canvas legend = tt_canvas_window(c, 0, c->w - LEGEND_W - 2, 1, LEGEND_W);
        tt_fill(&legend, 0, 0, 1, LEGEND_W, TT_ROLE_TEXT, ' ');
        tt_stack_legend(&legend, 0, 1, tt_step_parts_shown, TT_STEP_PARTS);
    }
    if (matters) tt_slowest_step_text(&o->slowest, o->tables.at[STEPS], why, sizeof why);
    int why_w = tt_width_of(why), bars = c->w - 2;
    if (why_w && why_w > c->w / 2) { /* the factor is in the lengths: the reason matters more */
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

static tt_style severity_style(const char *severity)
{
    if (strcasecmp(severity, "high") == 0) return TT_ROLE_ERROR;
    return strcasecmp(severity, "medium") == 0 ? TT_ROLE_WARN : TT_ROLE_DIM;
}

static bool is_root(const tt_table *t, uint32_t row) { return !*tt_cell_str(t, row, "cause"); }

static int64_t run_of(const overview *o, const char *worker)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < o->n_runs; i++)
        if (!*worker || !*o->runs[i].worker || !strcmp(o->runs[i].worker, worker)) sum += o->runs[i].ns;
    return sum;
}

/* "up to 80.1 ms (8.5% of the run)"; "" = it does not say how much. */
static void saving_text(const overview *o, uint32_t row, bool brief, char *out, size_t cap)
{
    const tt_table *t = o->tables.at[FINDINGS];
    char ns_text[TT_TEXT_CAP];
    int64_t ns = tt_cell_int(t, row, "saving_ns"), run = run_of(o, tt_cell_str(t, row, "worker"));
    out[0] = 0;
    if (ns == TT_UNKNOWN || ns <= 0 || !is_root(t, row)) return;
    size_t n = (size_t)snprintf(out, cap, "up to %s", tt_brief_ns(ns_text, ns));
    if (run >= ns && n < cap)
        snprintf(out + n, cap - n, brief ? " (%.1f%%)" : " (%.1f%% of the run)", 100 * (double)ns / (double)run);
}

static void draw_finding(const tt_session *s, const overview *o, uint32_t row, tt_canvas *c, int y)
{
    const tt_table *t = o->tables.at[FINDINGS];
    char saving[96], buf[32], title[512];
    const char *worker = worker_of(o, t, row), *severity = tt_cell_str(t, row, "severity");
    tt_format_micro(tt_cell_str(t, row, "title"), title, sizeof title);
    int x = 1, right = 2;
    if (is_root(t, row)) {
        saving_text(o, row, c->w < 100, saving, sizeof saving);
        right += *saving ? tt_width_of(saving) + 2 : 0;
        x += tt_put_cut(c, y, x, severity_style(severity), severity, 6, TT_CUT_END);
        x = 8;
        if (*worker)
            x += 1 + tt_put_cut(c, y, x, TT_ROLE_DIM, tt_rank_name(s, worker, buf), least(c->w / 6, 16), TT_CUT_START);
        tt_put_cut(c, y, x, TT_ROLE_TEXT, title, c->w - x - right, TT_CUT_END);
        if (*saving) tt_put_right(c, y, c->w - right, right - 2, TT_ROLE_STRONG, saving);
        return;
    }
    x = 10 + tt_put(c, y, 10, TT_ROLE_DIM, "with it: ", -1);
    tt_put_cut(c, y, x, TT_ROLE_DIM, title, c->w - x - right, TT_CUT_END);
}

/* Where the evidence of a finding is: the slice with its length and time, or the time from and to. */
static void evidence_text(const tt_session *s, const tt_table *t, uint32_t row, char *out, size_t cap)
{
    char dur[TT_TEXT_CAP], at[TT_TEXT_CAP], buf[32], frame[256], line[128];
    const tt_drilldown *e = t->origins ? &t->origins[row] : NULL;
    snprintf(out, cap, "the whole run");
    if (e && e->what == TT_ORIGIN_ROW) {
        const tt_trace *st = s->traces[e->trace];
        char name[160];
        tt_text_cut(name, sizeof name, tt_row_name(st, e->row), 60, TT_CUT_KERNEL, false);
        tt_python_line_of_slice(st, e->row, frame, sizeof frame);
        tt_frame_file_line(frame, line, sizeof line);
        snprintf(out, cap, "%s%s%s, %s at %s%s%.60s", line, *line ? "  " : "", name, tt_brief_ns(dur, st->dur[e->row]),
                 tt_brief_ns(at, st->start[e->row] + s->offset_ns[e->trace]), s->n_workers > 1 ? ", " : "",
                 s->n_workers > 1 ? tt_rank_name(s, st->worker, buf) : "");
    } else if (e && e->what == TT_ORIGIN_RANGE) {
        snprintf(out, cap, "%s from %s on", tt_brief_ns(dur, e->t1 - e->t0), tt_brief_ns(at, e->t0));
    }
}

/* Lines under a finding: what to do (one, of the selected one up to two), and the evidence of the selected one. */
static int wanted_under(const overview *o, uint32_t row, int w)
{
    const tt_table *t = o->tables.at[FINDINGS];
    int fix = (int)strlen(tt_cell_str(t, row, "detail"));
    if (row == o->at[FINDINGS]) return (fix ? 1 + (fix > w - 20) : 0) + 1;
    return is_root(t, row) && fix;
}

/* Who gets how many of them: first the selected one, then roots from the top. Returns the sum of all lines. */
static int share_lines(const overview *o, int w, int room, int *under)
{
    uint32_t n = rows(o, FINDINGS), at = o->at[FINDINGS];
    int left = room - (int)n, all = (int)n;
    for (uint32_t k = 0; k <= n; k++) { /* the first round is the selected one's; it never stays alone */
        uint32_t r = k ? k - 1 : at;
        if (r >= n || (k && r == at)) continue;
        int want = wanted_under(o, r, w), have = least(want, left);
        if (!k && have < 2) have = least(want, most(room - 1, 0));
        under[r] = most(have, 0);
        left -= under[r];
        all += under[r];
    }
    return all;
}

int tt_overview_findings_want(const overview *o, int w)
{
    int n = 1;
    for (uint32_t r = 0; r < rows(o, FINDINGS); r++) n += 1 + wanted_under(o, r, w);
    return n > 1 ? n : 0;
}

static int draw_under(const tt_session *s, const overview *o, uint32_t row, int h, tt_canvas *c, int y)
{
    const tt_table *t = o->tables.at[FINDINGS];
    const char *fix = tt_cell_str(t, row, "detail");
    char text[320];
    int used = 0;
    if (h > 0 && *fix) {
        int fix_h = row == o->at[FINDINGS] && h > 1 ? h - 1 : h;
        tt_put(c, y, 8, TT_ROLE_STRONG, "fix", -1);
        if (fix_h == 1)
            tt_put_cut(c, y, 17, TT_ROLE_TEXT, fix, c->w - 19, TT_CUT_END);
        else
            fix_h = tt_put_wrapped(c, y, 17, fix_h, c->w - 19, TT_ROLE_TEXT, fix);
        used = fix_h;
    }
    if (h <= used || row != o->at[FINDINGS]) return used;
    evidence_text(s, t, row, text, sizeof text);
    tt_put(c, y + used, 8, TT_ROLE_STRONG, "evidence", -1);
    tt_put_cut(c, y + used, 17, TT_ROLE_TEXT, text, c->w - 19, TT_CUT_MIDDLE);
    return used + 1;
}

void tt_overview_draw_findings(tt_screen *screen, overview *o, tt_canvas *c, int y0)
{
    const tt_session *s = tt_app_session(screen->app);
    uint32_t n = rows(o, FINDINGS), at = o->at[FINDINGS], top = 0;
    int room = c->h - 1, *under = tt_calloc(n + (size_t)1, sizeof *under);
    int all = share_lines(o, c->w, room, under);
    tt_rule(c, 0, c->w >= 70 ? "Findings, largest possible saving first" : "Findings",
            o->focus == FINDINGS ? "Enter: evidence" : NULL);
    tt_overview_lines(o, FINDINGS, n);
    for (uint32_t r = 0; r < n; r++) tt_overview_add(o, FINDINGS, r);
    tt_overview_stands(o, FINDINGS, y0 + 1, 0, room, c->w);
    for (uint32_t r = at, used = 0; all > room; r--) { /* not all: those up to the selected one */
        used += 1 + (uint32_t)under[r];
        if ((int)used > room && r < at) top = r + 1;
        if ((int)used > room || !r) break;
    }
    o->top[FINDINGS] = top;
    int y = 1;
    for (uint32_t r = top; r < n && y <= room; r++) {
        int below = least(under[r], room - y);
        for (int k = 0; k <= below && y + k <= 128; k++) o->finding_on[y + k - 1] = r;
        draw_finding(s, o, r, c, y);
        if (is_on(o, FINDINGS, r)) tt_overview_mark(c, y);
        y += 1 + draw_under(s, o, r, below, c, y + 1);
    }
    uint32_t shown = 0;
    for (int k = 0; k < y - 1 && k < 128; k++)
        if (o->finding_on[k] >= shown) shown = o->finding_on[k] + 1;
    if (top || shown < n) { /* what is out of sight */
        char more[48];
        snprintf(more, sizeof more, "%u of %u", at + 1, n);
        tt_rule(c, 0, c->w >= 70 ? "Findings, largest possible saving first" : "Findings", more);
    }
    free(under);
}
