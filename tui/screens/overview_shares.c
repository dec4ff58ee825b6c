/* tui/screens/overview_shares.c - where a step goes: one bar whose parts add up to 100.0%. */
#include <stdio.h>
#include <string.h>

#include "tui/screens/overview.h"

/* "[]compute 67.6% 21.9 ms" and so on, over as many lines as it takes, at most h; c NULL: only counted. With `each`
 * the time a step. The lines it takes, more than h where it does not fit. */
static int legend(const overview *o, const int *order, tt_canvas *c, int y, int h, int w, bool each)
{
    int x = 1, lines = 1;
    bool idle = false;
    for (int i = 0; i < o->shares.n; i++) {
        const tt_time_share *s = &o->shares.at[order[i]];
        char text[96], ns[TT_TEXT_CAP] = "";
        if (!s->permille) continue;
        if (each && o->shares.mean_step > 0)
            tt_brief_ns(ns, (int64_t)((__int128)o->shares.mean_step * s->ns / o->shares.ns));
        snprintf(text, sizeof text, "%s%s %d.%d%%%s%s", s->idle && !idle ? "idle: " : "", s->title, s->permille / 10,
                 s->permille % 10, *ns ? " " : "", ns);
        int need = 3 + tt_width_of(text);
        if (x > 1 && x + need > w - 1) x = 1, lines++;
        if (lines > h) return lines;
        if (c) {
            tt_fill_paint(c, y + lines - 1, x, 2, tt_paint_hue(s->hue, 0));
            tt_put(c, y + lines - 1, x + 3, TT_ROLE_TEXT, text, -1);
        }
        idle = s->idle;
        x += need + 2;
    }
    return lines;
}

static const int as_stacked[TT_TIME_SHARES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* Where there is no room for all of them, the largest are named. */
static void draw_legend(const overview *o, tt_canvas *c, int y, int h, bool each)
{
    int order[TT_TIME_SHARES];
    memcpy(order, as_stacked, sizeof order);
    if (legend(o, order, NULL, 0, h, c->w, each) > h) {
        for (int i = 1; i < o->shares.n; i++)
            for (int k = i; k > 0 && o->shares.at[order[k]].ns > o->shares.at[order[k - 1]].ns; k--) {
                int t = order[k];
                order[k] = order[k - 1];
                order[k - 1] = t;
            }
    }
    legend(o, order, c, y, h, c->w, each);
}

static bool with_times(const overview *o, int w) { return legend(o, as_stacked, NULL, 0, 9, w, true) == 1; }

int tt_overview_shares_want(const overview *o, int w)
{
    return o->shares.n ? 2 + least(legend(o, as_stacked, NULL, 0, 3, w, with_times(o, w)), 3) : 0;
}

void tt_overview_draw_shares(const overview *o, tt_canvas *c)
{
    char title[128], mean[TT_TEXT_CAP], count[TT_TEXT_CAP], right[128] = "";
    uint32_t n = rows(o, STEPS);
    bool steps = has_steps(o);
    if (c->h < 1 || !o->shares.n) return;
    snprintf(title, sizeof title, "Where %s goes", steps ? "a step" : "the time");
    if (o->shares.mean_step != TT_UNKNOWN && steps)
        snprintf(right, sizeof right, "average step %s, %s", tt_brief_ns(mean, o->shares.mean_step),
                 tt_format_counted(count, n, "step"));
    int y = c->h >= 3;
    if (y) tt_rule(c, 0, title, right);
    tt_stack_part bar[TT_TIME_SHARES];
    int64_t ns[TT_TIME_SHARES];
    for (int i = 0; i < o->shares.n; i++) {
        bar[i] = (tt_stack_part){NULL, o->shares.at[i].title, o->shares.at[i].hue};
        ns[i] = o->shares.at[i].ns;
    }
    tt_stacked_bar(c, y, 1, c->w - 2, bar, ns, o->shares.n, o->shares.ns);
    if (c->h > y + 1) draw_legend(o, c, y + 1, c->h - y - 1, with_times(o, c->w));
}
