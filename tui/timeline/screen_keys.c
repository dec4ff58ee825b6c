/* tui/timeline/screen_keys.c - what the keys do on the Trace screen: one handler per family of actions, one table. */
#include <stdio.h>
#include <string.h>

#include "tui/timeline/screen.h"

typedef bool (*handler)(tt_screen *s, int arg);

static bool line(tt_screen *s, int by)
{
    tt_timeline_move_line(tt_timeline_screen_of(s)->t, by);
    return true;
}

static bool page(tt_screen *s, int half_pages)
{
    int rows = tt_timeline_screen_of(s)->t->rows / 2;
    return line(s, half_pages * (rows > 0 ? rows : 1));
}

static bool slice(tt_screen *s, int dir)
{
    if (!tt_timeline_move_slice(tt_timeline_screen_of(s)->t, dir)) {
        tt_app_set_status(s->app, dir > 0 ? "the last slice of this row" : "the first slice of this row");
    }
    return true;
}

static bool family(tt_screen *s, int child)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (!tt_timeline_has_sel(t)) {
        tt_app_set_status(s->app, "select a slice first");
    } else if (child ? !tt_timeline_child(t) : !tt_timeline_parent(t)) {
        tt_app_set_status(s->app, child ? "nothing inside this slice" : "nothing around this slice");
    }
    return true;
}

static bool link(tt_screen *s, int dir)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_slice_ref was = x->t->sel;
    tt_app_push_jump(s->app);
    const char *why = dir == 0 ? tt_timeline_fwdbwd(x->t) : tt_timeline_link(x->t, dir);
    if (why) {
        tt_app_set_status(s->app, "%s", why);
    } else if (was.row != x->t->sel.row) {
        char a[TT_TEXT_CAP];
        int64_t by = tt_timeline_start(x->t, x->t->sel) - tt_timeline_start(x->t, was);
        tt_app_set_status(
            s->app, "%s, %s %s", tt_kind_title[tt_row_kind(tt_timeline_store(x->t, x->t->sel), x->t->sel.row)],
            tt_format_duration(a, by < 0 ? -by : by, tt_timeline_screen_unit(s)), by < 0 ? "earlier" : "later");
    }
    return true;
}

static bool fit(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (x->last == TT_ACT_FIT || !tt_timeline_has_sel(x->t)) {
        tt_timeline_fit(x->t);
    } else {
        tt_timeline_centre(x->t);
    }
    return true;
}

static bool whole(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline_whole(tt_timeline_screen_of(s)->t);
    return true;
}

static bool at_end(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    tt_timeline_window(t, t->session->end_ns - (t->t1 - t->t0), t->session->end_ns);
    t->at = t->session->end_ns;
    tt_timeline_pick(t);
    return true;
}

/* After rows have come or gone: the selection is what lies on the cursor's line. */
static void reselect(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t) || tt_timeline_line_of(t, t->sel, false) != t->line) {
        tt_timeline_pick(t);
    }
}

static bool fold(tt_screen *s, int arg)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (arg == 0) {
        tt_timeline_collapse(t);
    } else if (arg == 1) {
        tt_timeline_collapse_others(t);
    } else {
        t->flat = !t->flat;
        tt_timeline_layout(t);
    }
    if (tt_timeline_has_sel(t)) reselect(t);
    tt_timeline_screen_keep_write(s);
    return true;
}

static bool set_flag(tt_screen *s, int flag)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    char label[128] = "";
    if (t->line < t->lines.n) tt_timeline_label(t, &t->nodes.at[t->lines.at[t->line].node], label, sizeof label);
    bool on = tt_timeline_flag_here(t, (tt_timeline_row_flag)flag);
    reselect(t);
    tt_timeline_screen_keep_write(s);
    if (flag == TT_TIMELINE_HIDDEN) {
        tt_app_set_status(s->app, "%s is hidden; X shows all hidden tracks", label);
    } else {
        tt_app_set_status(s->app, on ? "%s is pinned; p lets it go, P all" : "%s is not pinned any more", label);
    }
    return true;
}

static bool clear_flag(tt_screen *s, int flag)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    uint32_t n = tt_timeline_clear_flag(t, (tt_timeline_row_flag)flag);
    reselect(t);
    tt_timeline_screen_keep_write(s);
    if (n == 0) {
        tt_app_set_status(s->app, flag == TT_TIMELINE_PINNED ? "nothing is pinned" : "nothing is hidden");
    } else {
        tt_app_set_status(s->app, flag == TT_TIMELINE_PINNED ? "let go: %u" : "shown again: %u", n);
    }
    return true;
}

bool tt_timeline_screen_flag_named(tt_screen *s, tt_timeline_row_flag flag, const char *words)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    uint32_t n = tt_timeline_flag_named(t, flag, words);
    reselect(t);
    tt_timeline_screen_keep_write(s);
    tt_app_set_status(s->app, "%u %s: %s", n, flag == TT_TIMELINE_PINNED ? "pinned" : "hidden", words);
    return true;
}

static bool bookmark(tt_screen *s, int list)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (!list) return tt_timeline_screen_bookmark_command(s, "bookmark", "");
    if (t->bookmarks.n == 0) {
        tt_app_set_status(s->app, "no bookmarks yet: B sets one");
        return true;
    }
    char **items = tt_calloc(t->bookmarks.n, sizeof *items), from[TT_TEXT_CAP], len[TT_TEXT_CAP], line[160];
    for (size_t i = 0; i < t->bookmarks.n; i++) {
        const tt_bookmark *b = &t->bookmarks.at[i];
        snprintf(line, sizeof line, "%-20s %14s %12s", b->name, tt_format_time(from, b->a, tt_timeline_screen_unit(s)),
                 b->b > b->a ? tt_format_duration(len, b->b - b->a, tt_timeline_screen_unit(s)) : "");
        items[i] = tt_strdup(line);
    }
    tt_app_pick(s->app, "Bookmarks", items, (int)t->bookmarks.n);
    return true;
}

static bool go_to(tt_screen *s, const tt_bookmark *b)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    char at[TT_TEXT_CAP];
    tt_app_push_jump(s->app);
    tt_timeline_goto(t, b);
    tt_app_set_status(s->app, "bookmark %s at %s", b->name, tt_format_time(at, b->a, tt_timeline_screen_unit(s)));
    return true;
}

void tt_timeline_screen_bookmark_picked(tt_screen *s, int index)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (index >= 0 && (size_t)index < t->bookmarks.n) go_to(s, &t->bookmarks.at[index]);
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
        tt_app_set_status(s->app, "bookmark %s at %s; ' lists them", b->name,
                          tt_format_time(at, b->a, tt_timeline_screen_unit(s)));
    } else if (strcmp(verb, "unbookmark") == 0 && (b || strcmp(arg, "all") == 0)) {
        tt_app_set_status(s->app, b ? "bookmark %s is gone" : "all bookmarks are gone", arg);
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

static bool track(tt_screen *s, int dir)
{
    if (!tt_timeline_next_track(tt_timeline_screen_of(s)->t, dir)) {
        tt_app_set_status(s->app, dir > 0 ? "the last track" : "the first track");
    }
    return true;
}

void tt_timeline_screen_say_hits(tt_screen *s)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    char n[TT_TEXT_CAP], sum[TT_TEXT_CAP];
    tt_app_set_status(s->app, "%s, %s in all: %s", tt_format_counted(n, (int64_t)t->n_hits, "slice"),
                      tt_format_duration(sum, t->hits_ns, tt_timeline_screen_unit(s)), t->pattern);
}

static bool highlight(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    const char *name = tt_timeline_has_sel(t) ? tt_row_name(tt_timeline_store(t, t->sel), t->sel.row) : NULL;
    if (!name || (t->dim_others && t->pattern && t->pattern_exact && strcmp(t->pattern, name) == 0)) {
        tt_app_set_status(s->app, name || t->pattern ? "no highlight" : "select a slice first");
        tt_timeline_match(t, NULL, false);
    } else {
        tt_timeline_match(t, name, true);
        tt_timeline_screen_say_hits(s);
    }
    return true;
}

static bool step_match(tt_screen *s, int dir)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (!t->pattern || !t->pattern_exact) {
        return false; /* the text of the search, which the application remembers */
    }
    bool wrapped;
    tt_slice_ref r = tt_timeline_next_match(t, dir, &wrapped);
    if (r.row != TT_NONE) {
        tt_timeline_select(t, r, true);
        tt_timeline_screen_say_hits(s);
    }
    return true;
}

static bool mark(tt_screen *s, int arg)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (arg) {
        x->t->mark_a = x->t->mark_b = TT_UNKNOWN;
        return true;
    }
    char text[256];
    tt_timeline_mark(x->t);
    tt_timeline_screen_marks_text(x, tt_timeline_screen_unit(s), text, sizeof text);
    tt_app_set_status(s->app, "%s", text);
    return true;
}

static bool range(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    tt_scope scope = *tt_app_scope(s->app);
    int64_t a, b;
    if (!tt_timeline_marked(t, &a, &b)) {
        if (!tt_timeline_has_sel(t)) {
            tt_app_set_status(s->app, "mark an interval (m m) or select a slice first");
            return true;
        }
        a = tt_timeline_start(t, t->sel);
        b = tt_timeline_end(t, t->sel);
        b = b > a ? b : a + 1;
    }
    if (scope.has_range && scope.t0 == a && scope.t1 == b) {
        scope.has_range = false;
        tt_app_set_status(s->app, "everything is in scope again");
    } else {
        char len[TT_TEXT_CAP];
        scope.has_range = true;
        scope.t0 = a;
        scope.t1 = b;
        tt_app_set_status(s->app, "scope: %s; tables follow it, r again ends it",
                          tt_format_duration(len, b - a, tt_timeline_screen_unit(s)));
    }
    tt_app_set_scope(s->app, &scope);
    return true;
}

static bool open_page(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (!tt_timeline_has_sel(x->t)) {
        if (x->t->line < x->t->lines.n && x->t->lines.at[x->t->line].depth == TT_NONE) {
            return fold(s, 0);
        }
        tt_app_set_status(s->app, "select a slice first");
        return true;
    }
    x->page = true;
    x->page_top = 0;
    return true;
}

static bool cancel(tt_screen *s, int arg)
{
    (void)arg;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (t->pattern) {
        tt_timeline_match(t, NULL, false);
    } else if (t->mark_a != TT_UNKNOWN) {
        t->mark_a = t->mark_b = TT_UNKNOWN;
    } else if (tt_timeline_has_sel(t)) {
        t->sel.row = TT_NONE;
    } else {
        return false;
    }
    return true;
}

static const struct {
    tt_action action;
    handler run;
    int arg;
} handlers[] = {
    {TT_ACT_UP, line, -1},
    {TT_ACT_DOWN, line, 1},
    {TT_ACT_HALF_UP, page, -1},
    {TT_ACT_HALF_DOWN, page, 1},
    {TT_ACT_PAGE_UP, page, -2},
    {TT_ACT_PAGE_DOWN, page, 2},
    {TT_ACT_TOP, line, INT32_MIN / 2},
    {TT_ACT_BOTTOM, line, INT32_MAX / 2},
    {TT_ACT_LEFT, slice, -1},
    {TT_ACT_RIGHT, slice, 1},
    {TT_ACT_PREV_SLICE, slice, -1},
    {TT_ACT_NEXT_SLICE, slice, 1},
    {TT_ACT_PARENT, family, 0},
    {TT_ACT_CHILD, family, 1},
    {TT_ACT_LINK_BACK, link, -1},
    {TT_ACT_LINK_FORWARD, link, 1},
    {TT_ACT_FWDBWD, link, 0},
    {TT_ACT_FIT, fit, 0},
    {TT_ACT_WHOLE, whole, 0},
    {TT_ACT_HOME, whole, 0},
    {TT_ACT_END, at_end, 0},
    {TT_ACT_COLLAPSE, fold, 0},
    {TT_ACT_COLLAPSE_OTHERS, fold, 1},
    {TT_ACT_FLAT, fold, 2},
    {TT_ACT_PIN, set_flag, TT_TIMELINE_PINNED},
    {TT_ACT_UNPIN_ALL, clear_flag, TT_TIMELINE_PINNED},
    {TT_ACT_HIDE, set_flag, TT_TIMELINE_HIDDEN},
    {TT_ACT_SHOW_HIDDEN, clear_flag, TT_TIMELINE_HIDDEN},
    {TT_ACT_BOOKMARK, bookmark, 0},
    {TT_ACT_BOOKMARKS, bookmark, 1},
    {TT_ACT_NEXT_TRACK, track, 1},
    {TT_ACT_PREV_TRACK, track, -1},
    {TT_ACT_HIGHLIGHT, highlight, 0},
    {TT_ACT_FIND_NEXT, step_match, 1},
    {TT_ACT_FIND_PREV, step_match, -1},
    {TT_ACT_MARK, mark, 0},
    {TT_ACT_MARK_CLEAR, mark, 1},
    {TT_ACT_RANGE, range, 0},
    {TT_ACT_INTERVAL_TRACK, tt_timeline_screen_one_track, 0},
    {TT_ACT_FLAME, tt_timeline_screen_flame, 0},
    {TT_ACT_ENTER, open_page, 0},
    {TT_ACT_CANCEL, cancel, 0},
};

/* Keys while the full detail is shown; what is not listed acts on the timeline behind it. */
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
    case TT_ACT_HOME: by = -x->page_top; break;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: by = x->page_lines; break;
    case TT_ACT_ENTER:
    case TT_ACT_CANCEL:
    case TT_ACT_BACK_OR_QUIT: x->page = false; return true;
    default: x->page_top = 0; return false;
    }
    x->page_top = x->page_top + by > 0 ? x->page_top + by : 0;
    return true;
}

bool tt_timeline_screen_act(tt_screen *s, tt_action a)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    bool done = x->page ? act_page(x, a) : tt_interval_pane_act(&x->interval, s->app, a);
    done = done || tt_timeline_navigate(x->t, a);
    for (size_t i = 0; !done && i < sizeof handlers / sizeof *handlers; i++) {
        if (handlers[i].action == a) {
            done = handlers[i].run(s, handlers[i].arg);
            break;
        }
    }
    x->last = a;
    x->acted_at = tt_app_now(s->app);
    return done;
}
