/* tui/screens/compare/compare_head.c - the head of the Compare tab: the two sides, the verdict in words, a warning,
 * and the parts of a step with a bar each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/base/mem.h"
#include "model/tables/analysis/device/device_work.h"
#include "model/tables/analysis/device/wait_cause.h"
#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/tables/compare/matching.h"
#include "tui/screens/compare/compare.h"
#include "tui/widgets/cause_style.h"

enum { SUMMARY, CAUSES };
static const char *const ids[] = {"diff_summary", "diff_causes", NULL};
enum { FEW = 4, MOST_PARTS = 16, NARROW = 56 }; /* FEW: with fewer steps a side there is no interval */

/* ---- what meets what ---- */

typedef struct facts_job {
    tt_compare_head *head;
    unsigned serial;
    const tt_session *session;
    tt_scope scope;
    tt_comparison compare;
    tt_compare_facts facts;
} facts_job;

static void device_of(const tt_session *s, char *out, size_t cap)
{
    out[0] = 0;
    for (uint32_t i = 0; i < s->n_traces && !out[0]; i++) {
        const tt_trace *t = s->traces[i];
        if (t->n_devices && t->devices[0].name) snprintf(out, cap, "%s", tt_str(&t->strings, t->devices[0].name));
    }
}

static void facts_run(void *arg)
{
    facts_job *j = arg;
    tt_compare_facts *f = &j->facts;
    tt_matching m = tt_matching_make(j->session, &j->scope, &j->compare);
    f->per_step = m.per_step;
    f->workers = (uint32_t)m.workers.n;
    for (int k = 0; k < TT_SIDES; k++) {
        f->samples[k] = m.n_samples[k];
        f->unmatched[k] = (uint32_t)m.unmatched[k].n;
        f->slow_first[k] = m.slow_first[k];
        if (m.unmatched[k].n && !f->unmatched_name[0])
            snprintf(f->unmatched_name, sizeof f->unmatched_name, "%s", m.unmatched[k].at[0]);
    }
    tt_matching_free(&m);
    device_of(j->compare.base, f->device[TT_BASE], sizeof f->device[TT_BASE]);
    device_of(j->session, f->device[TT_NEW], sizeof f->device[TT_NEW]);
    f->other_device = f->device[TT_BASE][0] && f->device[TT_NEW][0] && strcmp(f->device[TT_BASE], f->device[TT_NEW]);
    f->known = true;
}

static void facts_done(void *arg, tt_host *a)
{
    facts_job *j = arg;
    if (j->serial == j->head->serial && j->facts.known) {
        j->head->facts = j->facts;
        tt_host_dirty(a);
    }
    free(j);
}

void tt_compare_head_ask(tt_compare_head *h)
{
    tt_host *a = h->screen->host;
    const tt_comparison *c = tt_host_comparison(a);
    h->serial++;
    if (!h->tables.screen) h->tables = (tt_table_fetch){.screen = h->screen, .ids = ids};
    if (!c) {
        tt_compare_head_forget(h);
        return;
    }
    facts_job *j = tt_calloc(1, sizeof *j);
    *j = (facts_job){.head = h, .serial = h->serial, .session = tt_host_session(a), .scope = *tt_host_scope(a)};
    j->compare = *c;
    tt_host_job(a, facts_run, facts_done, j);
    tt_table_fetch_ask(&h->tables);
}

void tt_compare_head_forget(tt_compare_head *h)
{
    memset(&h->facts, 0, sizeof h->facts);
    memset(h->tables.at, 0, sizeof h->tables.at);
}

/* ---- words ---- */

const char *tt_compare_confidence(const tt_host *a, char out[TT_TEXT_CAP])
{
    const tt_comparison *c = tt_host_comparison(a);
    return tt_format_number(out, c ? c->confidence : 95);
}

static void sides_text(const tt_compare_head *h, int cap_each, char *out, size_t cap)
{
    char base[256], now[256], b[256], n[256];
    tt_compare_sides(h->screen->host, base, now, sizeof base);
    tt_text_cut(b, sizeof b, base, cap_each, TT_CUT_MIDDLE, true);
    tt_text_cut(n, sizeof n, now, cap_each, TT_CUT_MIDDLE, true);
    snprintf(out, cap, "Base %s   New %s", b, n);
}

static void matched_text(const tt_compare_facts *f, char *out, size_t cap)
{
    char workers[TT_TEXT_CAP];
    tt_buf line = tt_buf_on(out, cap);
    if (!f->known) return;
    if (f->workers > 1) tt_buf_add(&line, "%s, ", tt_format_counted(workers, (int64_t)f->workers, "worker"));
    if (!f->per_step) {
        tt_buf_add(&line, "totals, not per step");
    } else {
        tt_buf_add(&line, "%u step%s against %u", f->samples[TT_NEW], f->samples[TT_NEW] == 1 ? "" : "s",
                   f->samples[TT_BASE]);
    }
}

/* The warning about the comparison; "" = none. */
static void warning_text(const tt_host *a, const tt_compare_facts *f, char *out, size_t cap)
{
    const tt_comparison *c = tt_host_comparison(a);
    tt_buf line = tt_buf_on(out, cap);
    if (!f->known || !c) return;
    uint32_t least = f->samples[TT_BASE] < f->samples[TT_NEW] ? f->samples[TT_BASE] : f->samples[TT_NEW];
    if (!f->workers) tt_buf_add(&line, "no worker of one run is in the other; ");
    if (f->per_step && least < FEW)
        tt_buf_add(&line, "%u step%s a side: noise is unknown, record %d or more; ", least, least == 1 ? "" : "s", FEW);
    if (!f->per_step && !c->per_run && f->workers)
        tt_buf_add(&line, "no steps on both sides: totals, noise is unknown; ");
    if (f->slow_first[TT_BASE] || f->slow_first[TT_NEW]) {
        const char *who = !f->slow_first[TT_NEW] ? " of the base" : !f->slow_first[TT_BASE] ? " of the new run" : "";
        tt_buf_add(&line, "the first step%s is slow: warm-up, :diff skip=%" PRIu32 "; ", who, c->skip + 1);
    }
    uint32_t alone = f->unmatched[TT_BASE] + f->unmatched[TT_NEW];
    if (alone)
        tt_buf_add(&line, "left out: %.40s%s%s; ", f->unmatched_name, alone > 1 ? " and others" : "",
                   ", only in one run");
    if (f->other_device) tt_buf_add(&line, "other device: %s, was %s; ", f->device[TT_NEW], f->device[TT_BASE]);
    if (line.n >= 2) out[line.n - 2] = 0;
}

/* ---- the verdict ---- */

/* The row of a metric in diff_summary, TT_NONE = none. */
static uint32_t row_of(const tt_table *t, const char *metric)
{
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        if (!strcmp(tt_cell_s(t, r, TT_DIFF_SUMMARY_METRIC), metric)) return r;
    }
    return TT_NONE;
}

/* The confidence interval in w cells: "(95%: +37.7 to +75.5 ms, p 0.002)"; for lack of room without p, then without
 * the confidence. */
static void sure_text(const tt_host *a, const tt_table *t, uint32_t row, int w, char *out, size_t cap)
{
    char range[2 * TT_TEXT_CAP] = "", p[TT_TEXT_CAP], sure[TT_TEXT_CAP];
    int64_t from = tt_cell_i(t, row, TT_DIFF_SUMMARY_LOW), to = tt_cell_i(t, row, TT_DIFF_SUMMARY_HIGH);
    tt_compare_p(p, tt_cell_d(t, row, TT_DIFF_SUMMARY_P_VALUE));
    tt_compare_confidence(a, sure);
    bool known = from != TT_UNKNOWN && to != TT_UNKNOWN;
    if (known) tt_compare_range(range, from, to, (tt_unit)tt_host_unit(a));
    out[0] = 0;
    for (int less = 0; less < 3; less++) {
        if (!known)
            snprintf(out, cap, p[0] ? "(%s)" : "%s", p);
        else
            snprintf(out, cap, "(%s%s%s%s%s)", less < 2 ? sure : "", less < 2 ? "%: " : "", range,
                     !less && p[0] ? ", " : "", less ? "" : p);
        if ((int)strlen(out) <= w) return;
    }
    out[0] = 0;
}

static void draw_verdict(const tt_compare_head *h, tt_canvas *c, int y)
{
    const tt_host *a = h->screen->host;
    const tt_table *t = h->tables.at[SUMMARY];
    tt_unit unit = (tt_unit)tt_host_unit(a);
    char base[TT_TEXT_CAP], now[TT_TEXT_CAP], delta[TT_TEXT_CAP], ratio[TT_TEXT_CAP], sure[160];
    uint32_t row = row_of(t, "step");
    if (row == TT_NONE && t && t->n_rows) row = 0;
    if (row == TT_NONE) {
        tt_put_cut(c, y, 1, TT_ROLE_DIM,
                   !t        ? "computing ..."
                   : t->note ? t->note
                             : "nothing to compare here",
                   c->w - 2, TT_CUT_END);
        return;
    }
    int64_t was = tt_cell_i(t, row, TT_DIFF_SUMMARY_BASE), is = tt_cell_i(t, row, TT_DIFF_SUMMARY_NEW);
    int64_t diff = tt_cell_i(t, row, TT_DIFF_SUMMARY_DELTA);
    const char *verdict = tt_cell_s(t, row, TT_DIFF_SUMMARY_VERDICT);
    int x = 1;
    bool all = h->facts.known && !h->facts.per_step; /* without steps: the time of the whole scope */
    x += tt_put(c, y, x, TT_ROLE_STRONG, all ? "in all" : tt_cell_s(t, row, TT_DIFF_SUMMARY_METRIC), 24) + 1;
    if (c->w >= NARROW)
        x += tt_putf(c, y, x, TT_ROLE_TEXT, -1, "%s -> %s", was == TT_UNKNOWN ? "-" : tt_compare_brief(base, was, unit),
                     is == TT_UNKNOWN ? "-" : tt_compare_brief(now, is, unit));
    if (diff != TT_UNKNOWN) {
        tt_compare_ratio(ratio, was, diff);
        x += c->w >= NARROW ? 2 : 0;
        x += tt_putf(c, y, x, tt_verdict_style(verdict), -1, "%s%s%s%s", tt_compare_signed(delta, diff, unit),
                     ratio[0] ? " (" : "", ratio, ratio[0] ? ")" : "");
    }
    x += 2 + tt_put(c, y, x + 2, tt_verdict_style(verdict), verdict, 12);
    sure_text(a, t, row, c->w - x - 2, sure, sizeof sure);
    tt_put(c, y, x + 2, TT_ROLE_DIM, sure, -1);
}

/* ---- the parts of a step ---- */

typedef struct part {
    const char *name; /* name of the cause in diff_causes */
    char text[48];
    unsigned category; /* category of cause_style.h */
    int64_t base, now, delta;
} part;

/* Set the name and the colour of a cause, as the tables of waiting and of classes of work have them. */
static void describe(part *p)
{
    static const struct {
        const char *name, *text;
        unsigned category;
    } known[] = {{"computation", "computation", TT_WAIT_COUNT_ + TT_WORK_COMPUTATION},
                 {"communication_exposed", "communication", TT_WAIT_COUNT_ + TT_WORK_COMMUNICATION},
                 {"copy_exposed", "copies", TT_WAIT_COUNT_ + TT_WORK_COPY},
                 {"dataloader", "input data", TT_WAIT_INPUT}, /* causes of runs without a device */
                 {"cpu_exec", "operators", TT_WAIT_OPERATOR},
                 {"other", "other", TT_WAIT_BETWEEN}};
    p->category = TT_WAIT_UNKNOWN;
    snprintf(p->text, sizeof p->text, "%s", p->name);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(p->name, known[k].name) != 0) continue;
        p->category = known[k].category;
        snprintf(p->text, sizeof p->text, "%s", known[k].text);
        return;
    }
    for (int k = 0; k < TT_WAIT_COUNT_; k++) {
        if (strcmp(p->name, tt_wait_name[k]) != 0) continue;
        p->category = (unsigned)k;
        snprintf(p->text, sizeof p->text, "%s%s", k == TT_WAIT_INPUT ? "" : "idle: ", tt_wait_text[k]);
    }
}

/* Read the parts, the most changed first; the parts that do not fit become one more part. */
static int parts_of(const tt_table *t, part out[MOST_PARTS], int most)
{
    int n = 0;
    for (uint32_t r = 0; t && r < t->n_rows && n < MOST_PARTS; r++) {
        part p = {.name = tt_cell_s(t, r, TT_DIFF_CAUSES_CAUSE),
                  .base = tt_cell_i(t, r, TT_DIFF_CAUSES_BASE),
                  .now = tt_cell_i(t, r, TT_DIFF_CAUSES_NEW),
                  .delta = tt_cell_i(t, r, TT_DIFF_CAUSES_DELTA)};
        if (p.base == TT_UNKNOWN || p.now == TT_UNKNOWN || p.delta == TT_UNKNOWN || (!p.base && !p.now)) continue;
        describe(&p);
        int at = n++;
        for (; at > 0 && llabs(out[at - 1].delta) < llabs(p.delta); at--) out[at] = out[at - 1];
        out[at] = p;
    }
    if (n <= most) return n;
    part rest = {.name = "", .category = TT_WAIT_UNKNOWN};
    for (int i = most - 1; i < n; i++) {
        rest.base += out[i].base;
        rest.now += out[i].now;
        rest.delta += out[i].delta;
    }
    snprintf(rest.text, sizeof rest.text, "%d others", n - most + 1);
    out[most - 1] = rest;
    return most;
}

/* Draw the time that both sides have in the colour of the part, then what the new run has more ('+') or less ('-'). */
static void draw_bar(tt_canvas *c, int y, int x, int w, const part *p, int64_t longest)
{
    double scale = longest > 0 ? (double)w / (double)longest : 0;
    int base = (int)((double)p->base * scale + 0.5), now = (int)((double)p->now * scale + 0.5);
    int both = base < now ? base : now, all = base < now ? now : base;
    bool more = now > base;
    uint32_t ch = c->ascii ? (more ? '+' : '-') : tt_glyph_of(c, more ? TT_G_SHADE2 : TT_G_SHADE1);
    for (int i = 0; i < all && i < w; i++) {
        if (i < both) {
            tt_cause_put(c, y, x + i, p->category);
        } else {
            tt_put_char(c, y, x + i, more ? TT_ROLE_WORSE : TT_ROLE_BETTER, ch);
        }
    }
}

typedef struct layout {
    int text, base, now, delta, sure, bar; /* first columns of the texts, 0 = left out */
    int w_text, w_bar;
} layout;

static layout layout_of(int w)
{
    layout l = {.text = 1, .w_text = w >= 70 ? 24 : 15};
    int x = l.text + l.w_text;
    l.base = x + 1;
    l.now = x + 11;
    l.delta = x + 21;
    x += 32;
    if (w >= 110) {
        l.sure = x + 1;
        x += 30;
    }
    l.bar = x + 2;
    l.w_bar = w - l.bar - 1;
    if (l.w_bar > 100) l.w_bar = 100;
    if (l.w_bar < 4) l.bar = l.w_bar = 0;
    return l;
}

static void draw_heads(const tt_compare_head *h, tt_canvas *c, int y, const layout *l)
{
    char sure[TT_TEXT_CAP];
    tt_put_cut(c, y, l->text, TT_ROLE_HEAD, h->facts.per_step ? "Part of the mean step" : "Part of the time", l->w_text,
               TT_CUT_END);
    tt_put_right(c, y, l->base, 9, TT_ROLE_HEAD, "Base");
    tt_put_right(c, y, l->now, 9, TT_ROLE_HEAD, "New");
    tt_put_right(c, y, l->delta, 10, TT_ROLE_HEAD, "Change");
    if (l->sure && h->facts.per_step)
        tt_putf(c, y, l->sure, TT_ROLE_HEAD, 29, "Of the medians, %s%% sure",
                tt_compare_confidence(h->screen->host, sure));
    if (l->w_bar < 24) return;
    int x = l->bar;
    part both = {.category = TT_WAIT_COUNT_ + TT_WORK_COMPUTATION, .base = 1, .now = 1};
    draw_bar(c, y, x, 1, &both, 1);
    x += 2 + tt_put(c, y, x + 2, TT_ROLE_HEAD, "both", -1) + 2;
    part more = {.base = 0, .now = 1}, less = {.base = 1, .now = 0};
    draw_bar(c, y, x, 1, &more, 1);
    x += 2 + tt_put(c, y, x + 2, TT_ROLE_HEAD, "more", -1) + 2;
    draw_bar(c, y, x, 1, &less, 1);
    tt_put(c, y, x + 2, TT_ROLE_HEAD, "less", -1);
}

static void draw_part(const tt_compare_head *h, tt_canvas *c, int y, const layout *l, const part *p, int64_t longest)
{
    const tt_host *a = h->screen->host;
    const tt_table *t = h->tables.at[SUMMARY];
    tt_unit unit = (tt_unit)tt_host_unit(a);
    char text[TT_TEXT_CAP], range[2 * TT_TEXT_CAP];
    uint32_t metric = row_of(t, p->name);
    const char *verdict = metric == TT_NONE ? "" : tt_cell_s(t, metric, TT_DIFF_SUMMARY_VERDICT);
    tt_put_cut(c, y, l->text, TT_ROLE_TEXT, p->text, l->w_text, TT_CUT_END);
    tt_put_right(c, y, l->base, 9, TT_ROLE_NUMBER, tt_compare_brief(text, p->base, unit));
    tt_put_right(c, y, l->now, 9, TT_ROLE_NUMBER, tt_compare_brief(text, p->now, unit));
    tt_style st = p->delta > 0 ? TT_ROLE_WORSE : p->delta < 0 ? TT_ROLE_BETTER : TT_ROLE_DIM;
    tt_put_right(c, y, l->delta, 10, st, tt_compare_signed(text, p->delta, unit));
    if (l->sure && metric != TT_NONE) {
        int64_t from = tt_cell_i(t, metric, TT_DIFF_SUMMARY_LOW), to = tt_cell_i(t, metric, TT_DIFF_SUMMARY_HIGH);
        int x = l->sure;
        if (from != TT_UNKNOWN && to != TT_UNKNOWN)
            x += tt_put(c, y, x, TT_ROLE_DIM, tt_compare_range(range, from, to, unit), 26) + 2;
        tt_put(c, y, x, tt_verdict_style(verdict), verdict, 8);
    }
    if (l->bar) draw_bar(c, y, l->bar, l->w_bar, p, longest);
}

static int draw_parts(const tt_compare_head *h, tt_canvas *c, int y)
{
    part p[MOST_PARTS];
    layout l = layout_of(c->w);
    int room = c->h - y - 1, n = room > 0 ? parts_of(h->tables.at[CAUSES], p, room) : 0;
    int64_t longest = 0;
    for (int i = 0; i < n; i++) {
        if (p[i].base > longest) longest = p[i].base;
        if (p[i].now > longest) longest = p[i].now;
    }
    if (!n) return y;
    draw_heads(h, c, y++, &l);
    for (int i = 0; i < n; i++) draw_part(h, c, y++, &l, &p[i], longest);
    return y;
}

int tt_compare_head_draw(const tt_compare_head *h, tt_canvas *c)
{
    char left[600], right[120], warning[400];
    int y = 0;
    if (c->h < 2) return 0;
    matched_text(&h->facts, right, sizeof right);
    if (c->w < NARROW) right[0] = 0;
    sides_text(h, (c->w - (int)strlen(right) - 20) / 2, left, sizeof left);
    tt_rule(c, y++, left, right);
    draw_verdict(h, c, y++);
    warning_text(h->screen->host, &h->facts, warning, sizeof warning);
    if (warning[0] && y < c->h) {
        tt_put(c, y, 1, TT_ROLE_WARN, "!", 1);
        tt_put_cut(c, y++, 3, TT_ROLE_WARN, warning, c->w - 4, TT_CUT_END);
    }
    return c->h - y >= 2 ? draw_parts(h, c, y) : y;
}
