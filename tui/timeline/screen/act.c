/* tui/timeline/screen/act.c - keys and the mouse on a timeline: one handler per family of actions, one table. */
#include "tui/timeline/screen/act.h"

#include <stdio.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/links.h"
#include "tui/timeline/navigate/select.h"
#include "tui/widgets/cause_style.h"

typedef struct hand { /* arguments of a handler */
    tt_timeline *t;
    tt_host *host;
    bool again; /* the last action was the same */
} hand;
typedef bool (*handler)(const hand *h, int arg);

void tt_timeline_marks_text(tt_timeline *t, tt_unit unit, char *out, size_t cap)
{
    int64_t a, b, busy;
    char from[TT_TEXT_CAP], to[TT_TEXT_CAP], len[TT_TEXT_CAP], sum[TT_TEXT_CAP], n[TT_TEXT_CAP];
    uint32_t count;
    out[0] = '\0';
    if (tt_timeline_marked(t, &a, &b)) {
        if (tt_row_source_here(t)->never_busy) {
            snprintf(out, cap, "A %s  B %s  between %s", tt_format_time(from, a, unit), tt_format_time(to, b, unit),
                     tt_format_duration(len, b - a, unit));
            return;
        }
        tt_timeline_busy(t, a, b, &busy, &count);
        tt_buf text = tt_buf_on(out, cap);
        tt_buf_add(&text, "A %s  B %s  between %s: this row %s busy (%.1f%%)", tt_format_time(from, a, unit),
                   tt_format_time(to, b, unit), tt_format_duration(len, b - a, unit),
                   tt_format_duration(sum, busy, unit), (double)busy * 100 / (double)(b - a));
        if (count > 0) tt_buf_add(&text, ", %s", tt_format_counted(n, count, "slice"));
    } else if (t->mark_a != TT_UNKNOWN) {
        snprintf(out, cap, "A set at %s: move and press m for B", tt_format_time(from, t->mark_a, unit));
    }
}

static bool move_line(const hand *h, int by)
{
    tt_timeline_move_line(h->t, by);
    return true;
}

static bool move_page(const hand *h, int half_pages)
{
    int rows = h->t->rows / 2;
    return move_line(h, half_pages * (rows > 0 ? rows : 1));
}

static bool move_slice(const hand *h, int dir)
{
    const char *noun = tt_row_source_here(h->t)->noun;
    if (!tt_timeline_move_slice(h->t, dir)) {
        tt_host_set_status(h->host, "the %s %s of this row", dir > 0 ? "last" : "first", noun ? noun : "slice");
    }
    return true;
}

static bool select_family(const hand *h, int child)
{
    if (!tt_timeline_has_sel(h->t)) {
        tt_host_set_status(h->host, "select a slice first");
    } else if (child ? !tt_timeline_child(h->t) : !tt_timeline_parent(h->t)) {
        tt_host_set_status(h->host, child ? "no child slice" : "no parent slice");
    }
    return true;
}

static bool follow_link(const hand *h, int dir)
{
    tt_slice_ref was = h->t->sel;
    if (dir != 0 && tt_row_source_here(h->t)->links_move) return move_slice(h, dir);
    tt_host_push_jump(h->host);
    const char *why = dir == 0 ? tt_timeline_fwdbwd(h->t) : tt_timeline_link(h->t, dir);
    if (why) {
        tt_host_set_status(h->host, "%s", why);
    } else if (was.row != h->t->sel.row) {
        char text[TT_TEXT_CAP];
        int64_t by = tt_timeline_start(h->t, h->t->sel) - tt_timeline_start(h->t, was);
        tt_host_set_status(
            h->host, "%s, %s %s", tt_kind_title[tt_row_kind(tt_timeline_trace(h->t, h->t->sel), h->t->sel.row)],
            tt_format_duration(text, by < 0 ? -by : by, (tt_unit)tt_host_unit(h->host)), by < 0 ? "earlier" : "later");
    }
    return true;
}

static bool fit_selection(const hand *h, int arg)
{
    (void)arg;
    if (h->again || !tt_timeline_has_sel(h->t)) {
        tt_timeline_fit(h->t);
    } else {
        tt_timeline_centre(h->t);
    }
    return true;
}

static bool show_whole(const hand *h, int arg)
{
    (void)arg;
    tt_timeline_whole(h->t);
    return true;
}

static bool at_end(const hand *h, int arg)
{
    (void)arg;
    tt_timeline *t = h->t;
    tt_timeline_window(t, t->axis.end - (t->t1 - t->t0), t->axis.end);
    t->at = t->axis.end;
    tt_timeline_pick(t);
    return true;
}

/* Select the slice on the cursor's line after rows appeared or disappeared. */
static void select_here(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t) || tt_timeline_line_of(t, t->sel) != t->line) {
        tt_timeline_pick(t);
    }
}

static bool fold_rows(const hand *h, int arg)
{
    if (arg == 0) {
        tt_timeline_collapse(h->t);
    } else if (arg == 1) {
        tt_timeline_collapse_others(h->t);
    } else if (arg == 2) {
        h->t->flat = !h->t->flat;
        tt_timeline_layout(h->t);
    } else {
        bool folded = h->t->view == TT_VIEW_BANDS;
        h->t->flat = false;
        tt_view_show(h->t, folded ? TT_VIEW_STACKS : TT_VIEW_BANDS);
        tt_host_set_status(h->host, folded ? "stacks as recorded; z folds them"
                                           : "stacks folded to modules, operators and launches; z unfolds them");
    }
    if (tt_timeline_has_sel(h->t)) select_here(h->t);
    return true;
}

static bool set_flag(const hand *h, int flag)
{
    char label[128] = "";
    if (h->t->line < h->t->lines.n)
        tt_timeline_label(h->t, &h->t->nodes.at[h->t->lines.at[h->t->line].node], label, sizeof label);
    bool on = tt_timeline_flag_here(h->t, (tt_timeline_row_flag)flag);
    select_here(h->t);
    if (flag == TT_TIMELINE_HIDDEN) {
        tt_host_set_status(h->host, "%s is hidden; X shows all hidden tracks", label);
    } else {
        tt_host_set_status(h->host, on ? "%s pinned (p unpins, P all)" : "%s unpinned", label);
    }
    return true;
}

static bool clear_flag(const hand *h, int flag)
{
    uint32_t n = tt_timeline_clear_flag(h->t, (tt_timeline_row_flag)flag);
    select_here(h->t);
    if (n == 0) {
        tt_host_set_status(h->host, flag == TT_TIMELINE_PINNED ? "nothing is pinned" : "nothing is hidden");
    } else {
        tt_host_set_status(h->host, flag == TT_TIMELINE_PINNED ? "unpinned: %u" : "shown again: %u", n);
    }
    return true;
}

void tt_timeline_flag_words(tt_timeline *t, tt_host *a, tt_timeline_row_flag flag, const char *words)
{
    uint32_t n = tt_timeline_flag_named(t, flag, words);
    select_here(t);
    tt_host_set_status(a, "%u %s: %s", n, flag == TT_TIMELINE_PINNED ? "pinned" : "hidden", words);
}

static bool move_track(const hand *h, int dir)
{
    if (!tt_timeline_next_track(h->t, dir)) {
        tt_host_set_status(h->host, dir > 0 ? "the last track" : "the first track");
    }
    return true;
}

void tt_timeline_say_hits(const tt_timeline *t, tt_host *a)
{
    char place[TT_TEXT_CAP], n[TT_TEXT_CAP], sum[TT_TEXT_CAP];
    uint64_t at = tt_timeline_hit_place(t);
    tt_format_count(n, (int64_t)t->search.n_hits);
    tt_format_duration(sum, t->search.hits_ns, (tt_unit)tt_host_unit(a));
    if (at)
        tt_host_set_status(a, "%s of %s   n N next, previous   * highlight all   total %s   %s",
                           tt_format_count(place, (int64_t)at), n, sum, t->search.pattern);
    else
        tt_host_set_status(a, "%s matches   n N next, previous   total %s   %s", n, sum, t->search.pattern);
}

static bool highlight_name(const hand *h, int arg)
{
    (void)arg;
    const char *name =
        tt_timeline_has_sel(h->t) ? tt_row_name(tt_timeline_trace(h->t, h->t->sel), h->t->sel.row) : NULL;
    if (!name || (h->t->search.dim_others && h->t->search.pattern && h->t->search.exact &&
                  strcmp(h->t->search.pattern, name) == 0)) {
        tt_host_set_status(h->host, name || h->t->search.pattern ? "no highlight" : "select a slice first");
        tt_timeline_match(h->t, NULL, false);
    } else {
        tt_timeline_match(h->t, name, true);
        tt_timeline_say_hits(h->t, h->host);
    }
    return true;
}

static bool step_match(const hand *h, int dir)
{
    if (!h->t->search.pattern || !h->t->search.exact) {
        return false; /* the application steps through matches of the search text */
    }
    bool wrapped;
    tt_slice_ref r = tt_timeline_next_match(h->t, dir, &wrapped);
    if (r.row != TT_NONE) {
        tt_timeline_select(h->t, r, true);
        tt_timeline_say_hits(h->t, h->host);
    }
    return true;
}

static bool set_mark(const hand *h, int arg)
{
    if (arg) {
        h->t->mark_a = h->t->mark_b = TT_UNKNOWN;
        return true;
    }
    char text[256];
    tt_timeline_mark(h->t);
    tt_timeline_marks_text(h->t, (tt_unit)tt_host_unit(h->host), text, sizeof text);
    tt_host_set_status(h->host, "%s", text);
    return true;
}

static bool cancel_step(const hand *h, int arg)
{
    (void)arg;
    if (h->t->search.pattern || h->t->search.ranges.n > 0) {
        tt_timeline_match(h->t, NULL, false);
    } else if (h->t->mark_a != TT_UNKNOWN) {
        h->t->mark_a = h->t->mark_b = TT_UNKNOWN;
    } else if (tt_timeline_has_sel(h->t)) {
        h->t->sel.row = TT_NONE;
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
    {TT_ACT_UP, move_line, -1},
    {TT_ACT_DOWN, move_line, 1},
    {TT_ACT_HALF_UP, move_page, -1},
    {TT_ACT_HALF_DOWN, move_page, 1},
    {TT_ACT_PAGE_UP, move_page, -2},
    {TT_ACT_PAGE_DOWN, move_page, 2},
    {TT_ACT_TOP, move_line, INT32_MIN / 2},
    {TT_ACT_BOTTOM, move_line, INT32_MAX / 2},
    {TT_ACT_LEFT, move_slice, -1},
    {TT_ACT_RIGHT, move_slice, 1},
    {TT_ACT_PREV_SLICE, move_slice, -1},
    {TT_ACT_NEXT_SLICE, move_slice, 1},
    {TT_ACT_PARENT, select_family, 0},
    {TT_ACT_CHILD, select_family, 1},
    {TT_ACT_LINK_BACK, follow_link, -1},
    {TT_ACT_LINK_FORWARD, follow_link, 1},
    {TT_ACT_FWDBWD, follow_link, 0},
    {TT_ACT_FIT, fit_selection, 0},
    {TT_ACT_WHOLE, show_whole, 0},
    {TT_ACT_HOME, show_whole, 0},
    {TT_ACT_END, at_end, 0},
    {TT_ACT_COLLAPSE, fold_rows, 0},
    {TT_ACT_COLLAPSE_OTHERS, fold_rows, 1},
    {TT_ACT_FLAT, fold_rows, 2},
    {TT_ACT_STACKS, fold_rows, 3},
    {TT_ACT_PIN, set_flag, TT_TIMELINE_PINNED},
    {TT_ACT_UNPIN_ALL, clear_flag, TT_TIMELINE_PINNED},
    {TT_ACT_HIDE, set_flag, TT_TIMELINE_HIDDEN},
    {TT_ACT_SHOW_HIDDEN, clear_flag, TT_TIMELINE_HIDDEN},
    {TT_ACT_NEXT_TRACK, move_track, 1},
    {TT_ACT_PREV_TRACK, move_track, -1},
    {TT_ACT_HIGHLIGHT, highlight_name, 0},
    {TT_ACT_FIND_NEXT, step_match, 1},
    {TT_ACT_FIND_PREV, step_match, -1},
    {TT_ACT_MARK, set_mark, 0},
    {TT_ACT_MARK_CLEAR, set_mark, 1},
    {TT_ACT_CANCEL, cancel_step, 0},
};

bool tt_timeline_act(tt_timeline *t, tt_host *a, tt_action act, bool again)
{
    const hand h = {t, a, again};
    if (tt_timeline_navigate(t, act)) return true;
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (handlers[i].action == act) return handlers[i].run(&h, handlers[i].arg);
    }
    return false;
}

bool tt_timeline_act_changes_rows(tt_action act)
{
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++) {
        if (handlers[i].action == act)
            return handlers[i].run == fold_rows || handlers[i].run == set_flag || handlers[i].run == clear_flag;
    }
    return false;
}

bool tt_timeline_legend(const tt_timeline *t, tt_canvas *c, int y, int x)
{
    if (!tt_row_source_here(t)->causes) return false;
    unsigned which = tt_row_source_here(t)->causes(t, tt_timeline_here(t));
    int used = tt_cause_legend(c, y, x + 1, c->w - x - 4, which);
    tt_put(c, y, x, TT_ROLE_TEXT, used ? " " : "", 1);
    tt_put(c, y, x + 1 + used, TT_ROLE_TEXT, used ? " " : "", 1);
    return used > 0;
}

/* ---- the mouse ---- */

static bool press_mouse(tt_timeline *t, const tt_timeline_plan *p, const tt_mouse *m, bool *dragging)
{
    int col = m->x - p->label_w, row = m->y - p->rows_y;
    if (m->y == p->overview_y || m->y == p->bracket_y) {
        if (col < 0) {
            return false;
        }
        int64_t a, b, span = t->t1 - t->t0;
        tt_timeline_strip(t, &a, &b);
        int64_t at = a + (int64_t)((__int128)(b - a) * col / t->cols);
        tt_timeline_window(t, at - span / 2, at + span - span / 2);
        t->at = at;
        return true;
    }
    if (col >= 0) {
        t->at = tt_timeline_edge(t, col);
    }
    if (m->y == p->ruler_y && col >= 0) {
        t->mark_a = m->what == TT_MOUSE_PRESS ? t->at : t->mark_a;
        t->mark_b = m->what == TT_MOUSE_PRESS ? TT_UNKNOWN : t->at;
        *dragging = true;
        return true;
    }
    uint32_t line = tt_timeline_line_at(t, row);
    if (line == TT_NONE) {
        return false;
    }
    t->line = line;
    tt_timeline_pick(t);
    if (col < 0) {
        tt_timeline_collapse(t);
    }
    return true;
}

bool tt_timeline_mouse(tt_timeline *t, const tt_timeline_plan *p, const tt_mouse *m, bool *dragging)
{
    switch (m->what) {
    case TT_MOUSE_WHEEL:
        if (m->y <= p->ruler_y && m->x >= p->label_w) { /* the wheel on the ruler zooms at the pointer */
            t->at = tt_timeline_edge(t, m->x - p->label_w);
            t->sel.row = TT_NONE;
            return tt_timeline_navigate(t, m->wheel < 0 ? TT_ACT_ZOOM_IN : TT_ACT_ZOOM_OUT);
        }
        tt_timeline_move_line(t, 3 * m->wheel);
        return true;
    case TT_MOUSE_PRESS: *dragging = false; return press_mouse(t, p, m, dragging);
    case TT_MOUSE_DRAG:
        if (*dragging && m->x >= p->label_w && m->x < p->label_w + t->cols) {
            t->at = tt_timeline_edge(t, m->x - p->label_w);
            t->mark_b = t->at;
            return true;
        }
        return (m->y == p->overview_y || m->y == p->bracket_y) && press_mouse(t, p, m, dragging);
    case TT_MOUSE_RELEASE:
        if (*dragging && t->mark_b == TT_UNKNOWN) {
            t->mark_a = TT_UNKNOWN; /* a click marks nothing */
        }
        *dragging = false;
        return true;
    case TT_MOUSE_DOUBLE: return press_mouse(t, p, m, dragging);
    }
    return false;
}
