/* tui/timeline/screen/screen_keys.c - keys that only the Timeline screen has, not every timeline. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/navigate/bookmarks.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/screen/act.h"
#include "tui/timeline/screen/screen.h"

typedef bool (*handler)(tt_screen *s, int arg);

static bool go_to(tt_screen *s, const tt_bookmark *b)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    char at[TT_TEXT_CAP];
    tt_host_push_jump(s->host);
    tt_timeline_goto(t, b);
    tt_host_set_status(s->host, "bookmark %s at %s", b->name, tt_format_time(at, b->a, tt_timeline_screen_unit(s)));
    return true;
}

static void bookmark_picked(tt_screen *s, int index)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (index >= 0 && (size_t)index < t->bookmarks.n) go_to(s, &t->bookmarks.at[index]);
}

static bool set_or_list_bookmarks(tt_screen *s, int list)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (!list) return tt_timeline_screen_bookmark_command(s, "bookmark", "");
    if (t->bookmarks.n == 0) {
        tt_host_set_status(s->host, "no bookmarks yet: B sets one");
        return true;
    }
    char **items = tt_calloc(t->bookmarks.n, sizeof *items), from[TT_TEXT_CAP], len[TT_TEXT_CAP], line[160];
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        snprintf(line, sizeof line, "%-20s %14s %12s", b->name, tt_format_time(from, b->a, tt_timeline_screen_unit(s)),
                 b->b > b->a ? tt_format_duration(len, b->b - b->a, tt_timeline_screen_unit(s)) : "");
        items[i] = tt_strdup(line);
    }
    tt_host_pick(s->host, "Bookmarks", items, (int)t->bookmarks.n, bookmark_picked);
    return true;
}

bool tt_timeline_screen_bookmark_command(tt_screen *s, const char *verb, const char *arg)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    const tt_bookmark *b = tt_timeline_find_bookmark(t, arg);
    char at[TT_TEXT_CAP];
    if (strcmp(verb, "goto") == 0) {
        return b && go_to(s, b);
    } else if (strcmp(verb, "bookmark") == 0) {
        b = tt_timeline_bookmark(t, arg);
        tt_host_set_status(s->host, "bookmark %s at %s; ' lists them", b->name,
                           tt_format_time(at, b->a, tt_timeline_screen_unit(s)));
    } else if (strcmp(verb, "unbookmark") == 0 && (b || strcmp(arg, "all") == 0)) {
        tt_host_set_status(s->host, b ? "bookmark %s removed" : "bookmarks removed", arg);
        if (b) {
            tt_timeline_remove_bookmark(t, arg);
        } else {
            t->bookmarks.n = 0;
        }
    } else {
        return false;
    }
    tt_timeline_screen_keep_write(s);
    return true;
}

static bool set_range(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    tt_scope scope = *tt_host_scope(s->host);
    int64_t a, b;
    if (!tt_timeline_marked(t, &a, &b)) {
        if (!tt_timeline_span(t, &a, &b)) {
            tt_host_set_status(s->host, "select a slice or set A and B (m m) first");
            return true;
        }
        b = b > a ? b : a + 1;
    }
    if (scope.has_range && scope.t0 == a && scope.t1 == b) {
        scope.has_range = false;
        tt_host_set_status(s->host, "scope cleared");
    } else {
        char len[TT_TEXT_CAP];
        scope.has_range = true;
        scope.t0 = a;
        scope.t1 = b;
        tt_host_set_status(s->host, "limited to %s; r clears",
                           tt_format_duration(len, b - a, tt_timeline_screen_unit(s)));
    }
    tt_host_set_scope(s->host, &scope);
    return true;
}

/* Select the slice of the segment at the cursor of the path row. */
static bool to_segment(tt_screen *s)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    const tt_timeline_node *n = tt_timeline_here(t);
    tt_slice_ref r = {n->trace, tt_row_source_of(t, n)->slice(t, n)};
    if (r.row == TT_NONE) {
        tt_host_set_status(s->host, "no slice of the critical path here");
        return true;
    }
    tt_host_push_jump(s->host);
    if (!tt_timeline_passes(t, r)) tt_timeline_screen_filter_drop(s);
    tt_timeline_select(t, r, true);
    return true;
}

static bool act_shared(tt_screen *s, tt_action a)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    bool done = tt_timeline_act(x->t, s->host, a, a == x->last);
    if (done && a == TT_ACT_STACKS) x->view = x->t->view;
    if (done && tt_timeline_act_changes_rows(a)) tt_timeline_screen_keep_write(s);
    return done;
}

/* Open the card of the selected kernel; false = no kernel is selected. */
static bool open_card(tt_screen *s)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    const tt_trace *st = tt_timeline_has_sel(t) ? tt_timeline_trace(t, t->sel) : NULL;
    if (!st || tt_row_kind(st, t->sel.row) != TT_KIND_KERNEL) return false;
    const tt_drilldown o = {.what = TT_DRILL_SLICES,
                            .kinds = 1u << TT_KIND_KERNEL,
                            .trace = t->sel.trace,
                            .name = tt_row_name(st, t->sel.row)};
    return tt_host_show_kernel(s->host, &o);
}

/* raw: show the event of a kernel, not its card. */
static bool open_page(tt_screen *s, int raw)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_row_source *of = tt_row_source_here(x->t);
    if (!raw && open_card(s)) return true;
    if (of->slice) return to_segment(s);
    if (!tt_timeline_has_sel(x->t) && !of->is_wait) {
        if (x->t->line < x->t->lines.n && x->t->lines.at[x->t->line].depth == TT_NONE) {
            return act_shared(s, TT_ACT_COLLAPSE);
        }
        tt_host_set_status(s->host, "select a slice first");
        return true;
    }
    x->page.shown = true;
    x->page.top = 0;
    return true;
}

/* Actions of the Timeline screen only; act.c has the actions of every timeline. */
static const struct {
    tt_action action;
    handler run;
    int arg;
} handlers[] = {
    {TT_ACT_BOOKMARK, set_or_list_bookmarks, 0},
    {TT_ACT_BOOKMARKS, set_or_list_bookmarks, 1},
    {TT_ACT_FIND_NEXT, tt_timeline_screen_step_range, 1},
    {TT_ACT_FIND_PREV, tt_timeline_screen_step_range, -1},
    {TT_ACT_LAYERS, tt_timeline_screen_layers, 0},
    {TT_ACT_PATH, tt_timeline_screen_path, 0},
    {TT_ACT_RANGE, set_range, 0},
    {TT_ACT_INTERVAL_TRACK, tt_timeline_screen_one_track, 0},
    {TT_ACT_FLAME, tt_timeline_screen_flame, 0},
    {TT_ACT_ENTER, open_page, 0},
    {TT_ACT_RAW_EVENT, open_page, 1},
};

/* Keys while the page is shown; the timeline behind it gets all others. */
static bool act_page(tt_timeline_screen *x, tt_action a)
{
    int by = 0;
    switch (a) {
    case TT_ACT_UP: by = -1; break;
    case TT_ACT_DOWN: by = 1; break;
    case TT_ACT_HALF_UP: by = -8; break;
    case TT_ACT_HALF_DOWN: by = 8; break;
    case TT_ACT_PAGE_UP: by = -16; break;
    case TT_ACT_PAGE_DOWN: by = 16; break;
    case TT_ACT_TOP:
    case TT_ACT_HOME: by = -x->page.top; break;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: by = x->page.lines; break;
    case TT_ACT_ENTER:
    case TT_ACT_RAW_EVENT:
    case TT_ACT_CANCEL:
    case TT_ACT_BACK_OR_QUIT: x->page.shown = false; return true;
    default: x->page.top = 0; return false;
    }
    x->page.top = x->page.top + by > 0 ? x->page.top + by : 0;
    return true;
}

bool tt_timeline_screen_act(tt_screen *s, tt_action a)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    bool done = x->page.shown ? act_page(x, a) : tt_interval_pane_act(&x->interval, s->host, a);
    done = done || tt_timeline_screen_evidence_act(s, a);
    if (!done && a == TT_ACT_BACK_OR_QUIT && x->interval.shown) { /* closes the pane, never the program */
        x->t->mark_a = x->t->mark_b = TT_UNKNOWN;
        done = true;
    }
    for (size_t i = 0; !done && i < sizeof handlers / sizeof *handlers; i++) {
        if (handlers[i].action == a) done = handlers[i].run(s, handlers[i].arg);
    }
    done = done || act_shared(s, a);
    x->last = a;
    x->acted_at = tt_host_now(s->host);
    return done;
}
