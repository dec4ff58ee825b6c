/* tui/screens/overview/overview_account.c - the account as one bar from rows of table overview, with the only legend
 * of the screen. */
#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "model/tables/cells.h"
#include "model/tables/verdict/columns.h"
#include "tui/screens/overview/overview.h"
#include "tui/widgets/account_bar.h"
#include "tui/widgets/cause_style.h"

static bool is(const tt_table *t, uint32_t row, const char *what)
{
    return !strcmp(tt_cell_s(t, row, TT_OVERVIEW_WHAT), what);
}

uint32_t tt_overview_window_of(const overview *o, const char *worker, const char *span)
{
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t first = TT_NONE;
    for (uint32_t r = 0; t && r < t->n_rows; r++) {
        if (!is(t, r, "window")) continue;
        if (first == TT_NONE) first = r;
        if (!strcmp(tt_cell_worker(t, r), worker) && (!*span || !strcmp(tt_cell_span(t, r), span))) return r;
    }
    return first;
}

/* The account of the worker whose device or finding is selected, so that the bar matches the finding. */
static uint32_t shown_window(const overview *o)
{
    const tt_table *t = o->focus == LIST_DEVICES    ? o->all.at[GPU_TIME]
                        : o->focus == LIST_FINDINGS ? findings_of(o)
                                                    : NULL;
    uint32_t row = t && o->at[o->focus] < o->n_lines[o->focus] ? o->line[o->focus][o->at[o->focus]] : TT_NONE;
    const char *worker = t && row < t->n_rows ? tt_cell_worker(t, row) : "";
    return *worker ? tt_overview_window_of(o, worker, tt_cell_span(t, row)) : tt_overview_window_of(o, o->worker, "");
}

/* Find the rows of the parts of the account in row `window`: they come after it in the table. */
static uint32_t parts_of(const overview *o, uint32_t window, uint32_t row[TT_ACCOUNT_PARTS])
{
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t n = 0;
    for (uint32_t r = window == TT_NONE ? 0 : window + 1; t && window != TT_NONE && r < t->n_rows; r++) {
        if (is(t, r, "window")) break;
        if (is(t, r, "part") && n < TT_ACCOUNT_PARTS) row[n++] = r;
    }
    return n;
}

/* Draw the legend, "[] compute 67.6%  21.9 ms" and so on, on at most h lines; c NULL: only count. Returns the number
 * of lines. Parts of 0.0% are left out. */
static int legend(const overview *o, const uint32_t *row, uint32_t n, tt_canvas *c, int y, int h, int w, bool times)
{
    const tt_table *t = o->all.at[OVERVIEW];
    int x = 1, lines = 1;
    for (uint32_t i = 0; i < n; i++) {
        char text[96], ns[TT_TEXT_CAP] = "";
        const char *name = tt_cell_s(t, row[i], TT_OVERVIEW_NAME);
        double pct = tt_cell_d(t, row[i], TT_OVERVIEW_PCT);
        if (pct < 0.05) continue;
        if (times) tt_brief_ns(ns, tt_cell_i(t, row[i], TT_OVERVIEW_TIME));
        snprintf(text, sizeof text, "%s %.1f%%%s%s ", name, pct, times ? " " : "", ns);
        int need = 2 + tt_width_of(text);
        if (x > 1 && x + need > w) x = 1, lines++;
        if (lines > h) return lines;
        if (c) {
            tt_cause_put(c, y + lines - 1, x, tt_account_category(tt_account_part_of(name)));
            tt_put(c, y + lines - 1, x + 2, TT_ROLE_TEXT, text, -1);
        }
        x += need + 1;
    }
    return lines;
}

int tt_overview_account_want(const overview *o, int w)
{
    uint32_t window = shown_window(o), row[TT_ACCOUNT_PARTS], n = parts_of(o, window, row);
    if (n && !tt_cell_i(o->all.at[OVERVIEW], window, TT_OVERVIEW_TIME)) return 0; /* a trace with memory alone */
    return n ? 1 + least(legend(o, row, n, NULL, 0, 4, w, false), 4) : 0;
}

void tt_overview_draw_account(const overview *o, tt_canvas *c)
{
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t row[TT_ACCOUNT_PARTS], n = parts_of(o, shown_window(o), row);
    int64_t ns[TT_ACCOUNT_PARTS] = {0}, whole = 0;
    for (uint32_t i = 0; i < n; i++) {
        tt_account_part p = tt_account_part_of(tt_cell_s(t, row[i], TT_OVERVIEW_NAME));
        if (p == TT_ACCOUNT_PARTS) continue;
        ns[p] = tt_cell_i(t, row[i], TT_OVERVIEW_TIME);
        whole += ns[p];
    }
    tt_account_bar(c, 0, 1, c->w - 2, ns, whole);
    bool times = legend(o, row, n, NULL, 0, 9, c->w, true) <= legend(o, row, n, NULL, 0, 9, c->w, false);
    if (c->h > 1) legend(o, row, n, c, 1, c->h - 1, c->w, times);
}

/* The account in words: "6 steps, 1.066 s", "rank 3: the recording, 87.4 ms". */
void tt_overview_window_text(const tt_session *s, const overview *o, char *out, size_t cap)
{
    const tt_table *t = o->all.at[OVERVIEW];
    uint32_t row = shown_window(o);
    char count[TT_TEXT_CAP], ns[TT_TEXT_CAP], buf[32];
    out[0] = 0;
    if (row == TT_NONE) return;
    const char *worker = tt_cell_worker(t, row), *name = tt_cell_s(t, row, TT_OVERVIEW_NAME);
    int64_t n = tt_cell_i(t, row, TT_OVERVIEW_COUNT), length = tt_cell_i(t, row, TT_OVERVIEW_TIME);
    tt_buf line = tt_buf_on(out, cap);
    if (*worker) tt_buf_add(&line, "%s: ", tt_rank_name(s, worker, buf));
    bool steps = !strcmp(name, "steps") && n != TT_UNKNOWN;
    tt_buf_add(&line, "%s%s",
               steps    ? tt_format_counted(count, n, "step")
               : line.n ? "the "
                        : "The ",
               steps ? "" : name);
    if (length != TT_UNKNOWN) tt_buf_add(&line, ", %s", tt_format_duration(ns, length, TT_UNIT_AUTO));
}
