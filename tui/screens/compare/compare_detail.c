/* tui/screens/compare/compare_detail.c - facts about the selected row of a table of differences, in words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/cells.h"
#include "model/tables/compare/columns.h"
#include "model/tables/compare/matching.h"
#include "tui/screens/compare/compare.h"

/* The name of a row: its texts without the verdicts. */
static void name_of(const tt_table *t, const tt_diff_columns *in, uint32_t row, char *out, size_t cap)
{
    tt_buf line = tt_buf_on(out, cap);
    if (*tt_text_at(t, row, in->name)) {
        snprintf(out, cap, "%s", tt_text_at(t, row, in->name));
        return;
    }
    for (uint32_t c = 0; c < t->n_cols; c++) {
        const char *s = t->cols[c]->type == TT_T_STRING ? tt_table_cell(t, row, c).s : NULL;
        if (!s || (int)c == in->verdict || (int)c == in->change) continue;
        tt_buf_list(&line, "  ", "%s", s);
    }
}

/* texts side by side; a text that does not fit begins the next line */
typedef struct flow {
    tt_canvas *c;
    int y, x;
} flow;

static void flow_text(flow *f, tt_style st, const char *text)
{
    int w = tt_text_width(text, strlen(text));
    if (!w) return;
    if (f->x > 1 && f->x + w > f->c->w - 1) f->x = 1, f->y++;
    if (f->y >= f->c->h) return;
    f->x += tt_put_cut(f->c, f->y, f->x, st, text, f->c->w - f->x - 1, TT_CUT_END) + 3;
}

/* Write the verdict with the main time per step: "slower  6.10 ms -> 37.6 ms a step  +31.4 ms (+515%)  95%: ...". */
static void put_verdict(const tt_host *a, const tt_table *t, const tt_diff_columns *in, uint32_t row, flow *f)
{
    tt_unit unit = (tt_unit)tt_host_unit(a);
    char base[TT_TEXT_CAP], now[TT_TEXT_CAP], ratio[TT_TEXT_CAP], sure[TT_TEXT_CAP], text[4 * TT_TEXT_CAP];
    char range[2 * TT_TEXT_CAP];
    const char *verdict = tt_text_at(t, row, in->verdict);
    int64_t was = tt_whole_at(t, row, in->base), is = tt_whole_at(t, row, in->now);
    int64_t diff = tt_whole_at(t, row, in->delta);
    int64_t from = tt_whole_at(t, row, in->low), to = tt_whole_at(t, row, in->high);
    flow_text(f, tt_verdict_style(verdict), verdict);
    if (was == TT_UNKNOWN || is == TT_UNKNOWN || diff == TT_UNKNOWN) return;
    snprintf(text, sizeof text, "%s -> %s%s", tt_compare_brief(base, was, unit), tt_compare_brief(now, is, unit),
             in->by_step ? " a step" : "");
    flow_text(f, TT_ROLE_TEXT, text);
    tt_compare_ratio(ratio, was, diff);
    snprintf(text, sizeof text, "%s%s%s%s", tt_compare_signed(base, diff, unit), ratio[0] ? " (" : "", ratio,
             ratio[0] ? ")" : "");
    flow_text(f, tt_verdict_style(verdict), text);
    tt_compare_p(ratio, tt_real_at(t, row, in->p_value));
    if (from != TT_UNKNOWN && to != TT_UNKNOWN) {
        snprintf(text, sizeof text, "%s%%: %s%s%s", tt_compare_confidence(a, sure),
                 tt_compare_range(range, from, to, unit), ratio[0] ? ", " : "", ratio);
        flow_text(f, TT_ROLE_TEXT, text);
    } else {
        flow_text(f, TT_ROLE_TEXT, ratio);
    }
}

/* Why the comparison says no more than the verdict, and what the user can do. */
static const char *advice(const tt_host *a, const char *verdict, const tt_compare_facts *f, char *out, size_t cap)
{
    const tt_comparison *c = tt_host_comparison(a);
    char min[TT_TEXT_CAP];
    out[0] = 0;
    if (!strcmp(verdict, "unclear")) {
        bool few = f->known && (f->samples[TT_BASE] < 4 || f->samples[TT_NEW] < 4);
        snprintf(out, cap,
                 few ? "too few steps to say: record more steps"
                     : "the steps differ as much among themselves: record more steps");
    } else if (!strcmp(verdict, "same") && c) {
        snprintf(out, cap, "within %s%%, or too little of the step to matter", tt_format_number(min, c->min_effect));
    }
    return out;
}

static void value_text(const tt_column *col, int64_t v, tt_unit unit, char out[TT_TEXT_CAP])
{
    if (col->type == TT_T_DURATION && v != TT_UNKNOWN) {
        tt_compare_brief(out, v, unit);
    } else {
        tt_format_cell(out, col, (tt_cell){.i = v}, unit, NULL);
    }
}

/* The change of a pair of columns base_X and new_X: "calls 42 -> 43", "host total 12.0 ms -> 13.1 ms +1.10 ms";
 * false: base_col is no such column. */
static bool pair_text(const tt_table *t, uint32_t row, uint32_t base_col, tt_unit unit, char *out, size_t cap)
{
    char what[80], base[TT_TEXT_CAP], now[TT_TEXT_CAP], delta[TT_TEXT_CAP] = "";
    const tt_column *col = t->cols[base_col];
    bool numbers = col->type == TT_T_DURATION || col->type == TT_T_BYTES || col->type == TT_T_COUNT;
    int new_col = tt_diff_new_of(t, base_col);
    if (!numbers || new_col < 0) return false;
    int64_t was = tt_table_cell(t, row, base_col).i, is = tt_table_cell(t, row, (uint32_t)new_col).i;
    if (was == TT_UNKNOWN || is == TT_UNKNOWN) return false;
    snprintf(what, sizeof what, "%.60s", col->key + 5);
    size_t n = strlen(what);
    if (col->type == TT_T_DURATION && n > 3 && !strcmp(what + n - 3, "_ns")) what[n - 3] = 0;
    if (col->type == TT_T_BYTES && n > 6 && !strcmp(what + n - 6, "_bytes")) what[n - 6] = 0;
    for (char *p = what; *p; p++) {
        if (*p == '_') *p = ' ';
    }
    value_text(col, was, unit, base);
    value_text(col, is, unit, now);
    if (was != is && col->type == TT_T_DURATION) tt_compare_signed(delta, is - was, unit);
    if (was != is && col->type == TT_T_BYTES) tt_compare_signed_bytes(delta, is - was);
    if (was == is) {
        snprintf(out, cap, "%s %s on both sides", what, base);
    } else {
        snprintf(out, cap, "%s %s -> %s%s%s", what, base, now, delta[0] ? " " : "", delta);
    }
    return true;
}

static const char *change_text(const char *change)
{
    static const char *const words[][2] = {{"added", "only in the new run"},
                                           {"deleted", "only in the base"},
                                           {"increased", "called more often"},
                                           {"decreased", "called less often"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(change, words[i][0])) return words[i][1];
    }
    return "";
}

void tt_compare_detail_draw(const tt_host *a, const tt_table *t, uint32_t row, const tt_compare_facts *f, tt_canvas *c)
{
    char name[2048], text[400];
    flow to = {c, 1, 1};
    tt_rule(c, 0, "Row", c->w >= 60 ? "Enter both timelines  t new run  K kernel" : NULL);
    if (!t || row == TT_NONE || row >= t->n_rows || c->h < 2) return;
    tt_diff_columns in = tt_diff_columns_of(t);
    name_of(t, &in, row, name, sizeof name);
    if (c->h >= 5) {
        to.y += tt_put_wrapped(c, to.y, 1, c->h >= 7 ? 3 : 2, c->w - 2, TT_ROLE_NAME | TT_BOLD, name);
    } else {
        tt_put_cut(c, to.y++, 1, TT_ROLE_NAME | TT_BOLD, name, c->w - 2, TT_CUT_KERNEL);
    }
    put_verdict(a, t, &in, row, &to);
    flow_text(&to, TT_ROLE_STRONG, advice(a, tt_text_at(t, row, in.verdict), f, text, sizeof text));
    flow_text(&to, TT_ROLE_STRONG, change_text(tt_text_at(t, row, in.change)));
    for (uint32_t col = 0; col < t->n_cols && to.y < c->h; col++) {
        if (pair_text(t, row, col, (tt_unit)tt_host_unit(a), text, sizeof text)) flow_text(&to, TT_ROLE_TEXT, text);
    }
}
