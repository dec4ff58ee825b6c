/* tui/timeline/screen/screen_marks.c - the pane of the marked interval on the Timeline screen: its tables, its title,
 * and which pane gets keys. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/screen/screen.h"

enum { BOTH_FROM = 30 }; /* lines of a screen with room for the interval and the selection */

static const char title_of_all[] = "all tracks";

int tt_timeline_screen_interval_height(const tt_timeline_screen *x, int h, int pane_h)
{
    int64_t a, b;
    int own = !x->alone.evidence.what && tt_timeline_marked(x->t, &a, &b) ? tt_interval_pane_height(h) : 0;
    if (!own) return pane_h;
    return h >= BOTH_FROM ? pane_h + own : own > pane_h ? own : pane_h;
}

/* The track that the tables count, if only the track of the cursor is wanted; 0 = all tracks. */
static int64_t track_of(const tt_timeline_screen *x, char *label, size_t cap)
{
    const tt_timeline *t = x->t;
    snprintf(label, cap, "%s", title_of_all);
    if (!x->one_track || t->line >= t->lines.n) return 0;
    const tt_timeline_node *n = &t->nodes.at[t->lines.at[t->line].node];
    if (n->kind != TT_TIMELINE_TRACK) return 0;
    tt_timeline_label(t, n, label, cap);
    return TT_INTERVAL_TRACK(n->trace, n->index);
}

/* Other limits of the tables: steps or a range in scope; "" = none. */
static void scope_text(const tt_screen *s, int64_t a, int64_t b, char *out, size_t cap)
{
    const tt_scope *scope = tt_host_scope(s->host);
    out[0] = '\0';
    if (scope->has_steps && scope->step_first == scope->step_last) {
        snprintf(out, cap, " in step %lld", (long long)scope->step_first);
    } else if (scope->has_steps) {
        snprintf(out, cap, " in the chosen steps");
    } else if (scope->has_range && (scope->t0 != a || scope->t1 != b)) {
        snprintf(out, cap, " in the chosen range");
    }
}

void tt_timeline_screen_interval_draw(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    int64_t a, b;
    char title[128], len[TT_TEXT_CAP], label[128], right[192], scope[64];
    int h = tt_interval_pane_height(c->h);
    x->interval.shown = false;
    if (x->alone.evidence.what || !tt_timeline_marked(x->t, &a, &b) || h > x->plan.pane_h || h <= 0) {
        x->interval.focus = false;
        return;
    }
    if (c->h < BOTH_FROM) h = x->plan.pane_h;
    int64_t arg[3] = {a, b, track_of(x, label, sizeof label)};
    scope_text(s, a, b, scope, sizeof scope);
    snprintf(title, sizeof title, "Interval %s%s", tt_format_duration(len, b - a, tt_timeline_screen_unit(s)), scope);
    if (c->w >= (*scope ? 140 : 110)) {
        snprintf(right, sizeof right, "%.60s   Tab rows   i %s   r scope", label, x->one_track ? "all" : "this track");
    } else {
        snprintf(right, sizeof right, "%.60s", label);
    }
    tt_canvas in = tt_canvas_window(c, x->plan.pane_y, 0, h, c->w);
    tt_interval_pane_draw(&x->interval, s->host, &in, x->plan.pane_y, arg, title, right);
    x->plan.pane_y += h;
    x->plan.pane_h -= h;
}

bool tt_timeline_screen_one_track(tt_screen *s, int arg)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    int64_t a, b;
    char label[128];
    (void)arg;
    x->one_track = !x->one_track;
    track_of(x, label, sizeof label);
    if (!tt_timeline_marked(x->t, &a, &b)) {
        tt_host_set_status(s->host, "set A and B first (m m): the pane then counts %s",
                           x->one_track ? "the track of the cursor" : title_of_all);
    } else {
        tt_host_set_status(s->host, "A-B contents: %s", label);
    }
    return true;
}

bool tt_timeline_screen_flame(tt_screen *s, int arg)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_drilldown o = {.what = TT_DRILL_RANGE};
    (void)arg;
    if (!tt_timeline_marked(x->t, &o.t0, &o.t1))
        return false; /* the explorer shows the selected slice, as on every screen */
    o.trace = x->t->sel.trace;
    return tt_host_show_flame(s->host, &o, x->t->sel);
}
