/* tui/pair/screen.c - both timelines of a comparison: keys, mouse, opening. The screen has no tab; a row of the
 * Compare tab opens it, and the jump-back key leads to the Compare tab again. */
#include "tui/pair/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/screen/act.h"

/* ---- opening and closing ---- */

static void end(tt_pair_screen *x)
{
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline_work_end(x->work[side]);
        tt_timeline_frame_free(&x->frame[side]);
        x->work[side] = NULL;
    }
    tt_pair_free(x->p);
    x->p = NULL;
}

static void close_pair(tt_screen *s) { end(tt_pair_screen_of(s)); }

/* ---- what the other half does when one has changed ---- */

/* A row without slices is matched by its index among the rows of its kind. */
static void follow_row(const tt_timeline *from, tt_timeline *to)
{
    if (from->line >= from->lines.n) return;
    const tt_timeline_node *n = &from->nodes.at[from->lines.at[from->line].node];
    uint32_t place = 0;
    if (n->kind == TT_TIMELINE_TRACK) return;
    for (const tt_timeline_node *i = from->nodes.at; i < n; i++)
        place += i->kind == n->kind && i->device == n->device && !i->hidden;
    for (uint32_t i = 0; i < to->lines.n; i++) {
        const tt_timeline_node *k = &to->nodes.at[to->lines.at[i].node];
        bool first = i == 0 || to->lines.at[i - 1].node != to->lines.at[i].node;
        if (!first || k->kind != n->kind || k->device != n->device || place--) continue;
        to->line = i;
        tt_timeline_scroll(to);
        return;
    }
}

static void find_calls(tt_pair_screen *x)
{
    tt_pair *p = x->p;
    tt_slice_ref sel = p->half[p->focus].t->sel;
    bool known = x->call_side == p->focus && x->call_of.row == sel.row && x->call_of.trace == sel.trace;
    for (int side = 0; side < TT_SIDES; side++) {
        known = known && x->call_sample[side] == p->half[side].sample;
        x->call_sample[side] = p->half[side].sample;
    }
    x->call_side = p->focus;
    x->call_of = sel;
    if (!known && sel.row != TT_NONE) tt_pair_calls(p, p->focus, sel, x->call);
}

static void follow(tt_pair_screen *x)
{
    tt_pair *p = x->p;
    const tt_timeline *from = p->half[p->focus].t;
    tt_timeline *to = p->half[!p->focus].t;
    find_calls(x);
    to->sel.row = TT_NONE;
    if (tt_timeline_has_sel(from) && x->call[!p->focus].r.row != TT_NONE) {
        tt_view_reveal(to, x->call[!p->focus].r);
        tt_timeline_select(to, x->call[!p->focus].r, false);
    } else if (!tt_timeline_has_sel(from)) {
        follow_row(from, to);
    }
    tt_pair_follow(p);
}

static void begin(tt_screen *s)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    const tt_comparison *c = tt_host_comparison(s->host);
    end(x);
    x->scope = *tt_host_scope(s->host);
    x->call_of.row = TT_NONE;
    x->dragging = false;
    if (!c) return;
    x->compare = *c;
    x->p = tt_pair_new(tt_host_session(s->host), &x->scope, c);
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline_work_expect(x->p->half[side].t);
        x->work[side] = tt_timeline_work_begin(s->host, x->p->half[side].t);
    }
    tt_timeline_pick(x->p->half[x->p->focus].t);
    follow(x);
}

/* Highlight in one half the names that are highlighted in the other. by_call: use the name that the call has there. */
static void follow_pattern(tt_pair_screen *x, bool by_call)
{
    const tt_pair *p = x->p;
    const tt_timeline *from = p->half[p->focus].t;
    tt_timeline *to = p->half[!p->focus].t;
    tt_slice_ref r = x->call[!p->focus].r;
    const bool named = by_call && tt_timeline_has_sel(from) && r.row != TT_NONE && from->search.pattern;
    tt_timeline_match(to, named ? tt_row_name(tt_timeline_trace(to, r), r.row) : from->search.pattern,
                      from->search.exact);
    to->search.dim_others = from->search.dim_others;
}

static int64_t moved(int64_t at, int64_t by) { return at == TT_UNKNOWN ? TT_UNKNOWN : at + by; }

/* Mark the same interval in both halves, from the same offset. */
static void follow_marks(tt_pair *p)
{
    const tt_pair_half *from = &p->half[p->focus];
    tt_pair_half *to = &p->half[!p->focus];
    to->t->mark_a = moved(from->t->mark_a, to->zero - from->zero);
    to->t->mark_b = moved(from->t->mark_b, to->zero - from->zero);
}

/* ---- keys ---- */

static void say_aligned(tt_screen *s)
{
    char text[160];
    tt_pair_screen_aligned_text(tt_pair_screen_of(s)->p, text, sizeof text);
    tt_host_set_status(s->host, "%s", text);
}

/* Select the same call in the step that is aligned now, so that the user follows it through the steps; else select
 * the slice at the cursor. */
static void select_again(tt_pair *p, const tt_pair_call *was, const char *name, tt_kind kind)
{
    tt_timeline *t = p->half[p->focus].t;
    tt_slice_ref r = tt_pair_call_at(p, p->focus, name, kind, was->place);
    if (r.row == TT_NONE) {
        tt_timeline_pick(t);
        return;
    }
    tt_view_reveal(t, r);
    tt_timeline_select(t, r, false);
}

static bool step(tt_screen *s, int dir)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    tt_pair *p = x->p;
    const tt_timeline *t = p->half[p->focus].t;
    bool sel = tt_timeline_has_sel(t);
    const tt_pair_call was = x->call[p->focus];
    const tt_trace *of = sel ? tt_timeline_trace(t, t->sel) : NULL;
    tt_row row = sel ? t->sel.row : TT_NONE;
    if (!tt_pair_step(p, dir)) {
        char text[160];
        tt_pair_screen_aligned_text(p, text, sizeof text);
        tt_host_set_status(s->host, "%s%s",
                           p->by != TT_PAIR_BY_STEP ? ""
                           : dir > 0                ? "the last: "
                                                    : "the first: ",
                           text);
        return true;
    }
    if (sel && was.in_sample)
        select_again(p, &was, tt_row_name(of, row), tt_row_kind(of, row));
    else
        tt_timeline_pick(p->half[p->focus].t);
    say_aligned(s);
    return true;
}

/* Open with Enter: unfold the row, or zoom until the slice fills the screen. */
static bool open_here(tt_screen *s, tt_timeline *t)
{
    return tt_timeline_act(t, s->host, tt_timeline_has_sel(t) ? TT_ACT_FIT : TT_ACT_COLLAPSE, true);
}

static bool act_pair(tt_screen *s, tt_action a)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    tt_pair *p = x->p;
    bool done = true;
    if (!p) return false;
    switch (a) {
    case TT_ACT_TAB_NEXT:
    case TT_ACT_TAB_PREV:
        p->focus = !p->focus;
        if (!tt_timeline_has_sel(p->half[p->focus].t)) tt_timeline_pick(p->half[p->focus].t);
        break;
    case TT_ACT_PAIR_NEXT: done = step(s, 1); break;
    case TT_ACT_PAIR_PREV: done = step(s, -1); break;
    case TT_ACT_PAIR_STEP: tt_pair_whole_step(p); break;
    case TT_ACT_ENTER: done = open_here(s, p->half[p->focus].t); break;
    case TT_ACT_SHOW_HIDDEN: /* tracks of other workers stay hidden */
        for (int side = 0; side < TT_SIDES; side++) tt_pair_show_hidden(p, side);
        break;
    default: done = tt_timeline_act(p->half[p->focus].t, s->host, a, a == x->last); break;
    }
    if (done && (a == TT_ACT_MARK || a == TT_ACT_MARK_CLEAR || a == TT_ACT_CANCEL)) follow_marks(p);
    follow(x);
    if (a == TT_ACT_HIGHLIGHT || a == TT_ACT_CANCEL) follow_pattern(x, true);
    x->last = a;
    x->acted_at = tt_host_now(s->host);
    return done;
}

static bool mouse_pair(tt_screen *s, const tt_mouse *m)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    tt_pair *p = x->p;
    if (!p) return false;
    const tt_timeline_plan *lower = &x->plan[TT_NEW];
    bool grip = m->what == TT_MOUSE_PRESS || m->what == TT_MOUSE_DOUBLE || m->what == TT_MOUSE_WHEEL;
    if (grip) x->pressed = m->y >= lower->rows_y - 1 ? TT_NEW : TT_BASE;
    bool on_ruler = x->plan[TT_BASE].ruler_y == m->y; /* the ruler belongs to both halves */
    if (grip && on_ruler) x->pressed = p->focus;
    p->focus = x->pressed;
    tt_timeline_plan plan = x->plan[p->focus];
    plan.ruler_y = x->plan[TT_BASE].ruler_y;
    bool inside = m->y >= plan.rows_y && m->y < plan.rows_y + plan.rows;
    bool done = (inside || on_ruler || x->dragging) && tt_timeline_mouse(p->half[p->focus].t, &plan, m, &x->dragging);
    if (done && m->what == TT_MOUSE_DOUBLE) done = tt_timeline_act(p->half[p->focus].t, s->host, TT_ACT_FIT, true);
    if (p->half[p->focus].t->mark_a != TT_UNKNOWN || m->what == TT_MOUSE_RELEASE) follow_marks(p);
    follow(x);
    x->acted_at = tt_host_now(s->host);
    return done;
}

/* ---- what the application asks ---- */

static void scope_pair(tt_screen *s)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    const tt_comparison *c = tt_host_comparison(s->host);
    bool same =
        x->p ? c && tt_comparison_equal(c, &x->compare) && tt_scope_equal(tt_host_scope(s->host), &x->scope) : !c;
    if (!same) begin(s);
}

static bool takes_pair(const tt_host *host, const tt_show_target *to)
{
    return to->kind == TT_SHOW_BOTH && tt_host_comparison(host) && (to->both[TT_BASE].what || to->both[TT_NEW].what);
}

/* Show the places of a row of a comparison; false = neither run has such a place. */
static bool show_pair(tt_screen *s, const tt_show_target *to)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    static const char *const names[TT_SIDES] = {"base", "new run"};
    char text[160];
    scope_pair(s);
    if (!x->p) return false;
    unsigned found = tt_pair_show(x->p, &x->scope, &x->compare, to->both);
    follow(x);
    tt_pair_screen_aligned_text(x->p, text, sizeof text);
    for (int side = 0; side < TT_SIDES; side++) {
        if (found == 1u << !side) snprintf(text, sizeof text, "nothing of it in the %s", names[side]);
    }
    if (found) tt_host_set_status(s->host, "%s", text);
    return found != 0;
}

static bool find_pair(void *o, const char *text, int dir)
{
    const tt_screen *s = o;
    tt_pair_screen *x = tt_pair_screen_of(s);
    bool wrapped;
    if (!x->p) return false;
    tt_timeline *t = x->p->half[x->p->focus].t;
    tt_timeline_match(t, text, false);
    tt_slice_ref r = tt_timeline_next_match(t, dir, &wrapped);
    if (r.row != TT_NONE) tt_timeline_select(t, r, true);
    if (r.row != TT_NONE && dir != 0) tt_timeline_say_hits(t, s->host);
    follow(x);
    follow_pattern(x, false);
    return r.row != TT_NONE;
}

/* The selection of the new run only: the other screens show the session, which is the new run. */
static bool selection_pair(void *s, tt_drilldown *out)
{
    const tt_pair_screen *x = tt_pair_screen_of(s);
    tt_slice_ref r = x->p ? x->p->half[TT_NEW].t->sel : (tt_slice_ref){0, TT_NONE};
    *out = (tt_drilldown){.what = TT_DRILL_ROW, .trace = r.trace, .row = r.row};
    return r.row != TT_NONE;
}

static char *copy_pair(void *s, bool all)
{
    (void)all;
    return tt_pair_screen_text(s);
}

static void status_pair(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    const tt_pair_screen *x = tt_pair_screen_of(s);
    char text[160], cell[TT_TEXT_CAP];
    out[0] = '\0';
    if (!x->p) return;
    const tt_timeline *t = x->p->half[x->p->focus].t;
    int64_t per = (t->t1 - t->t0) / t->cols;
    tt_pair_screen_aligned_text(x->p, text, sizeof text);
    snprintf(out, cap, "%s   1 cell = %s", text,
             tt_format_duration(cell, per > 0 ? per : 1, (tt_unit)tt_host_unit(s->host)));
}

static tt_focus focus_pair(const tt_screen *s)
{
    static const tt_focus_ops both = {
        .status = status_pair, .find = find_pair, .selection = selection_pair, .copy = copy_pair};
    return tt_focus_on(s, &both);
}

static void save_pair(const tt_screen *s, tt_screen_place *place)
{
    const tt_pair_screen *x = tt_pair_screen_of(s);
    if (!x->p) return;
    const tt_pair_half *h = &x->p->half[x->p->focus];
    place->pair.worker = x->p->worker;
    place->pair.focus = x->p->focus;
    for (int side = 0; side < TT_SIDES; side++) place->pair.sample[side] = x->p->half[side].sample;
    place->pair.t0 = h->t->t0 - h->zero;
    place->pair.t1 = h->t->t1 - h->zero;
    place->pair.at = h->t->at - h->zero;
}

static void restore_pair(tt_screen *s, const tt_screen_place *place)
{
    tt_pair_screen *x = tt_pair_screen_of(s);
    if (!x->p || place->pair.t1 <= place->pair.t0) return;
    x->p->focus = place->pair.focus;
    tt_pair_align(x->p, place->pair.worker, place->pair.sample[TT_BASE], place->pair.sample[TT_NEW]);
    const tt_pair_half *h = &x->p->half[x->p->focus];
    tt_timeline_window(h->t, h->zero + place->pair.t0, h->zero + place->pair.t1);
    h->t->at = h->zero + place->pair.at;
    tt_timeline_pick(h->t);
    follow(x);
}

const tt_screen_ops tt_screen_pair = {
    .tab = {.name = "pair", .title = "Both timelines", .brief = "Both"},
    .context = TT_CTX_PAIR,
    .state_size = sizeof(tt_pair_screen),
    .open = begin,
    .close = close_pair,
    .scope = scope_pair,
    .draw = tt_pair_screen_draw,
    .act = act_pair,
    .focus = focus_pair,
    .takes = takes_pair,
    .show = show_pair,
    .mouse = mouse_pair,
    .place = {.save = save_pair, .restore = restore_pair},
};
