/* tui/screens/overview_lists.c - the lists of the Overview: steps as bars, findings with the advice on the selected
 * one. */
#include <stdio.h>
#include <string.h>

#include "tui/screen/app.h"
#include "tui/screens/overview.h"
#include "tui/widgets/format_value.h"

/* One step as a stacked bar: the length is its time compared with the longest, the parts are its categories. */
static void draw_step(const overview *o, uint32_t row, tt_canvas *c, int y, int64_t longest, bool on)
{
    const tt_table *t = o->tables.at[STEPS];
    char total[TT_TEXT_CAP];
    const char *worker = worker_of(o, t, row);
    int x = 1;
    tt_put_char(c, y, 0, TT_ROLE_STRONG, on ? '>' : ' ');
    if (*worker) {
        int w = least(c->w / 6, 16);
        tt_put_cut(c, y, x, on ? TT_ROLE_CURSOR : TT_ROLE_DIM, worker, w, TT_CUT_START);
        x += w + 1;
    }
    tt_putf(c, y, x, on ? TT_ROLE_CURSOR : TT_ROLE_TEXT, 12, "step %-7.7s", tt_cell_str(t, row, "step"));
    tt_put_right(c, y, x + 12, 11, on ? TT_ROLE_CURSOR : TT_ROLE_NUMBER,
                 tt_format_duration(total, tt_cell_int(t, row, "total_ns"), TT_UNIT_AUTO));
    x += 25;
    int64_t ns[N_KINDS];
    for (int k = 0; k < N_KINDS; k++) ns[k] = tt_cell_int(t, row, tt_overview_kinds[k].key);
    tt_stacked_bar(c, y, x, c->w - x - 2, tt_overview_kinds, ns, N_KINDS, longest);
}

static void scroll_to(overview *o, part p, int page)
{
    uint32_t at = o->at[p], h = page > 0 ? (uint32_t)page : 1;
    o->page[p] = (int)h;
    if (o->top[p] > at) o->top[p] = at;
    if (at >= o->top[p] + h) o->top[p] = at - h + 1;
}

void tt_overview_draw_steps(overview *o, tt_canvas *c)
{
    const tt_table *t = o->tables.at[STEPS];
    char right[64];
    int64_t longest = 0;
    snprintf(right, sizeof right, "%u step%s", rows(o, STEPS), rows(o, STEPS) == 1 ? "" : "s");
    tt_rule(c, 0, c->w >= 90 ? "Steps  Enter looks at one step only, t shows it on the timeline" : "Steps", right);
    for (uint32_t i = 0; i < rows(o, STEPS); i++) {
        int64_t ns = tt_cell_int(t, i, "total_ns");
        if (ns > longest) longest = ns;
    }
    scroll_to(o, STEPS, c->h - 1);
    for (int y = 1; y < c->h && o->top[STEPS] + (uint32_t)y - 1 < rows(o, STEPS); y++) {
        uint32_t row = o->top[STEPS] + (uint32_t)y - 1;
        draw_step(o, row, c, y, longest, o->focus == STEPS && row == o->at[STEPS]);
    }
}

/* ---- what to look at first ---- */

static tt_style severity_style(const char *severity)
{
    if (strcasecmp(severity, "high") == 0) return TT_ROLE_ERROR;
    return strcasecmp(severity, "medium") == 0 ? TT_ROLE_WARN : TT_ROLE_DIM;
}

static void draw_finding(const overview *o, uint32_t row, tt_canvas *c, int y, bool on)
{
    const tt_table *t = o->tables.at[FINDINGS];
    char saving[TT_TEXT_CAP];
    const char *severity = tt_cell_str(t, row, "severity"), *worker = worker_of(o, t, row);
    int64_t ns = tt_cell_int(t, row, "saving_ns");
    int x = 8, right = ns != TT_UNKNOWN ? 18 : 2;
    if (on) tt_fill(c, y, 0, 1, c->w, TT_ROLE_CURSOR, ' ');
    tt_put_char(c, y, 0, on ? TT_ROLE_CURSOR : TT_ROLE_TEXT, on ? '>' : ' ');
    tt_put_cut(c, y, 1, on ? TT_ROLE_CURSOR : severity_style(severity), severity, 6, TT_CUT_END);
    if (*worker)
        x += 1 + tt_put_cut(c, y, x, on ? TT_ROLE_CURSOR : TT_ROLE_DIM, worker, least(c->w / 6, 16), TT_CUT_START);
    tt_put_cut(c, y, x, on ? TT_ROLE_CURSOR : TT_ROLE_TEXT, tt_cell_str(t, row, "title"), c->w - x - right, TT_CUT_END);
    if (ns == TT_UNKNOWN) return;
    tt_putf(c, y, c->w - 17, on ? TT_ROLE_CURSOR : TT_ROLE_STRONG, 16, "save %s",
            tt_format_duration(saving, ns, TT_UNIT_AUTO));
}

/* Where the evidence of a finding is: the slice with its length and time, or the time from and to. */
static void evidence_text(const tt_session *s, const tt_table *t, uint32_t row, char *out, size_t cap)
{
    char dur[TT_TEXT_CAP], at[TT_TEXT_CAP];
    const tt_drilldown *e = t->origins ? &t->origins[row] : NULL;
    snprintf(out, cap, "all of the trace");
    if (e && e->what == TT_ORIGIN_ROW) {
        const tt_trace *st = s->traces[e->trace];
        char name[160];
        tt_text_cut(name, sizeof name, tt_row_name(st, e->row), 60, TT_CUT_KERNEL, false);
        snprintf(out, cap, "%s, %s at %s%s%.60s", name, tt_format_duration(dur, st->dur[e->row], TT_UNIT_AUTO),
                 tt_format_time(at, st->start[e->row] + s->offset_ns[e->trace], TT_UNIT_AUTO),
                 s->n_workers > 1 ? " of " : "", s->n_workers > 1 ? st->worker : "");
    } else if (e && e->what == TT_ORIGIN_RANGE) {
        snprintf(out, cap, "%s from %s on", tt_format_duration(dur, e->t1 - e->t0, TT_UNIT_AUTO),
                 tt_format_time(at, e->t0, TT_UNIT_AUTO));
    }
}

int tt_overview_draw_advice(const tt_session *s, const overview *o, tt_canvas *c, int y, int w, int most)
{
    const tt_table *t = o->tables.at[FINDINGS];
    uint32_t row = selected(o, FINDINGS);
    const char *title = tt_cell_str(t, row, "title"), *detail = tt_cell_str(t, row, "detail");
    bool whole = (int)strlen(title) <= w - 26 - (*worker_of(o, t, row) ? 17 : 0); /* it is in the list */
    char proof[320];
    int title_h = whole ? 0 : 1 + ((int)strlen(title) - 1) / (w - 10), n = 0;
    int detail_h = *detail ? 1 + ((int)strlen(detail) + 4) / (w - 17) : 0; /* words do not fill lines */
    if (!c) return least(title_h + detail_h + 1, most);
    if (!whole) n += tt_put_wrapped(c, y, 8, most, w - 10, TT_ROLE_DIM, title);
    if (*detail && n < most) {
        tt_put(c, y + n, 8, TT_ROLE_STRONG, "do", -1);
        n += tt_put_wrapped(c, y + n, 15, n + 1 < most ? most - n - 1 : 1, w - 17, TT_ROLE_TEXT, detail);
    }
    if (n < most) {
        evidence_text(s, t, row, proof, sizeof proof);
        tt_put(c, y + n, 8, TT_ROLE_STRONG, "proof", -1);
        tt_put_cut(c, y + n, 15, TT_ROLE_TEXT, proof, w - 17, TT_CUT_MIDDLE);
    }
    return most;
}

void tt_overview_draw_findings(tt_screen *s, overview *o, tt_canvas *c)
{
    const tt_table *t = o->tables.at[FINDINGS];
    tt_rule(c, 0, c->w >= 70 ? "Findings  by what they could save at most" : "Findings", "Enter shows the evidence");
    const tt_session *session = tt_app_session(s->app);
    int room = t && t->n_rows ? c->h - 1 - (int)t->n_rows : 0;
    int rather = least(c->h - 3, 4); /* better the advice on one finding than a list of titles */
    if (room < 3 && rather > room) room = rather;
    int detail = room > 0 && c->w > 40 ? tt_overview_draw_advice(session, o, NULL, 0, c->w, room) : 0;
    if (detail < 2) detail = 0;
    scroll_to(o, FINDINGS, c->h - 1 - detail);
    for (int y = 1; y < c->h - detail && o->top[FINDINGS] + (uint32_t)y - 1 < rows(o, FINDINGS); y++) {
        uint32_t line = o->top[FINDINGS] + (uint32_t)y - 1;
        draw_finding(o, row_at(o, FINDINGS, line), c, y, o->focus == FINDINGS && line == o->at[FINDINGS]);
    }
    if (!detail) return;
    tt_fill(c, c->h - detail, 0, detail, c->w, TT_ROLE_TEXT, ' ');
    tt_overview_draw_advice(session, o, c, c->h - detail, c->w, detail);
}
