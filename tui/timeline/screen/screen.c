/* tui/timeline/screen/screen.c - the Timeline screen: opening it, its panes, the functions that the explorer calls,
 * jumps from other screens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/buf.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/screen/act.h"
#include "tui/timeline/screen/screen.h"

#include "tui/args/parse_values.h"
#include "tui/timeline/draw/detail_draw.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"
#include "tui/timeline/rows/slice_row.h"

enum { LOOK_MS = 150 }; /* time after the last key until the cursor's column and links are drawn */

/* ---- opening and closing ---- */

/* When the scope names a worker or a span, open its traces and fold all others. */
static void open_scope(tt_timeline *t, const tt_scope *scope)
{
    if (scope->worker == TT_ALL && scope->span == TT_ALL) return;
    uint32_t first = TT_NONE;
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_WORKER) continue;
        n->collapsed = !tt_scope_has_trace(t->session, scope, n->trace);
        first = n->collapsed || first != TT_NONE ? first : i;
    }
    tt_timeline_layout(t);
    if (first == TT_NONE || (t->line < t->lines.n && !t->nodes.at[t->lines.at[t->line].node].collapsed)) return;
    t->line = tt_view_reveal_node(t, first);
    tt_timeline_scroll(t);
    tt_timeline_settle(t);
}

/* Open one trace and fold all others. */
static void open_alone(tt_timeline *t, uint32_t trace)
{
    uint32_t own = TT_NONE;
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_WORKER) continue;
        if (n->collapsed != (n->trace != trace)) tt_folds_keep_node(t, i);
        n->collapsed = n->trace != trace;
        own = n->collapsed ? own : i;
    }
    tt_timeline_layout(t);
    if (own == TT_NONE) return; /* there is only one trace */
    t->line = t->top = tt_view_reveal_node(t, own);
    tt_timeline_scroll(t);
    tt_timeline_settle(t);
}

/* Choose the slice to show for a drill-down: the longest device work with a launch, else the longest device work, else
 * the first host slice. O(slices). */
static bool slice_of(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, tt_slice_ref *out)
{
    enum { MANY = 1 << 20 };
    uint32_t cap = MANY;
    tt_slice_ref *at = tt_malloc(cap * sizeof *at);
    uint32_t n = tt_drilldown_slices(s, scope, o, at, cap);
    if (n > cap) {
        cap = n;
        at = tt_realloc(at, cap, sizeof *at);
        n = tt_drilldown_slices(s, scope, o, at, cap);
    }
    uint32_t best = 0;
    int64_t most = -1;
    bool launched = false;
    for (uint32_t i = 0; i < n; i++) {
        const tt_trace *t = s->traces[at[i].trace];
        const tt_activity *d = tt_row_dev(t, at[i].row);
        bool has = d && d->launch != TT_NONE;
        if (!d || (launched && !has) || (launched == has && t->dur[at[i].row] <= most)) continue;
        best = i;
        most = t->dur[at[i].row];
        launched = has;
    }
    if (n) *out = at[best];
    free(at);
    return n > 0;
}

/* made: a timeline with indices; NULL = make one. patient: rows of large tracks may be empty at first. */
static void begin(tt_screen *s, tt_timeline *made, bool patient)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    x->t = made ? made : tt_timeline_new(tt_host_session(s->host));
    if (patient) tt_timeline_work_expect(x->t);
    x->detail.of.row = TT_NONE;
    x->scope = *tt_host_scope(s->host);
    tt_view_show(x->t, TT_VIEW_BANDS);
    tt_view_start_line(x->t);
    x->view = x->t->view;
    tt_timeline_fit_axis(x->t, &x->scope);
    x->t->at = x->t->t0 + (x->t->t1 - x->t->t0) / 2;
    open_scope(x->t, &x->scope);
    x->work = tt_timeline_work_begin(s->host, x->t);
    tt_timeline_pick(x->t);
}

static void open_trace(tt_screen *s) { begin(s, NULL, true); }

/* Free everything but the timeline. */
static void close_parts(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline_work_end(x->work);
    free(x->filter);
    free(x->alone.filter);
    tt_detail_free(&x->detail);
    tt_interval_pane_free(&x->interval);
    tt_timeline_frame_free(&x->frame);
}

static void close_trace(tt_screen *s)
{
    close_parts(s);
    tt_timeline_free(tt_timeline_screen_of(s)->t);
}

/* The slice of the new session that was r in the old one; row TT_NONE = it is gone. */
static tt_slice_ref find_again(const tt_session *now, const tt_session *old, int64_t shift, tt_slice_ref r)
{
    const tt_trace *was = old->traces[r.trace];
    int64_t start = was->start[r.row] + old->offset_ns[r.trace] + shift;
    for (uint32_t i = 0; i < now->n_traces; i++) {
        const tt_trace *st = now->traces[i];
        if (strcmp(st->worker, was->worker) != 0) continue;
        tt_row row = tt_timeline_slice_named(st, start - now->offset_ns[i], tt_row_name(was, r.row));
        if (row != TT_NONE) return (tt_slice_ref){i, row};
    }
    return (tt_slice_ref){0, TT_NONE};
}

static void carry_trace(const tt_screen *s, const tt_session *old, int64_t shift, tt_screen_place *p)
{
    const tt_session *now = tt_host_session(s->host);
    tt_slice_ref *r = &p->timeline.sel;
    bool whole = p->timeline.t0 <= 0 && p->timeline.t1 >= old->end_ns;
    p->timeline.t0 = whole ? 0 : p->timeline.t0 + shift;
    p->timeline.t1 = whole ? now->end_ns : p->timeline.t1 + shift;
    p->timeline.at += shift;
    if (r->trace < old->n_traces && r->row < old->traces[r->trace]->n) *r = find_again(now, old, shift, *r);
    p->timeline.folds = SIZE_MAX;              /* folds changed by jumps are not kept: the new timeline has none */
    p->timeline.evidence.what = TT_DRILL_NONE; /* the rows of evidence belong to the old session */
}

/* ---- the next session ---- */

typedef struct foreseen {
    tt_session *session;
    tt_timeline_view view;
    tt_timeline *t; /* NULL until it is made */
} foreseen;

static void *foresee(const tt_screen *s, tt_session *next)
{
    foreseen *f = tt_calloc(1, sizeof *f);
    f->session = next;
    f->view = tt_timeline_screen_of(s)->t->view;
    return f;
}

static void foresee_run(void *arg, const atomic_bool *stop)
{
    foreseen *f = arg;
    f->t = tt_timeline_new(f->session);
    tt_view_show(f->t, TT_VIEW_BANDS); /* begin() starts with this view */
    if (!atomic_load(stop)) tt_timeline_prepare(f->t, TT_VIEW_BANDS, stop);
    if (f->view == TT_VIEW_BANDS || atomic_load(stop)) return;
    tt_view_show(f->t, f->view);
    tt_timeline_prepare(f->t, f->view, stop);
}

static void foresee_free(void *arg)
{
    foreseen *f = arg;
    tt_timeline_free(f->t);
    free(f);
}

static tt_timeline *take_foreseen(tt_screen *s)
{
    foreseen *f = tt_host_foreseen(s->host, s);
    tt_timeline *t = f ? f->t : NULL;
    free(f);
    return t;
}

static void free_timeline(void *t) { tt_timeline_free(t); }

static void renew_trace(tt_screen *s, int64_t shift)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    if (x->alone.filter) { /* a filter that evidence put aside is searched in the new session only */
        free(x->filter);
        x->filter = x->alone.filter;
        x->alone.filter = NULL;
    }
    tt_timeline_screen_evidence_end(s);
    tt_timeline *old = x->t;
    bool whole = tt_timeline_is_whole(old), had = tt_timeline_has_sel(old);
    int64_t a = old->mark_a == TT_UNKNOWN ? TT_UNKNOWN : old->mark_a + shift;
    int64_t b = old->mark_b == TT_UNKNOWN ? TT_UNKNOWN : old->mark_b + shift;
    int64_t at = old->at + shift;
    char *filter = x->filter;
    bool path = x->path.wanted;
    x->filter = NULL;
    close_parts(s);
    *x = (tt_timeline_screen){0};
    begin(s, take_foreseen(s), false); /* rows that were there must not become empty */
    tt_timeline_screen_carry(old, x->t, shift);
    tt_slice_ref r = {0, TT_NONE};
    if (had) r = find_again(x->t->session, old->session, shift, old->sel);
    tt_host_free_later(s->host, free_timeline, old);
    if (path) tt_timeline_screen_path(s, 0);
    if (filter) tt_timeline_screen_filter_set(s, filter);
    free(filter);
    if (r.row != TT_NONE) tt_timeline_select(x->t, r, false);
    if (!had) x->t->sel.row = TT_NONE;
    x->t->mark_a = a;
    x->t->mark_b = b;
    x->t->at = at;
    if (whole) { /* else the next frame takes over the shared window */
        x->look = tt_host_viewport(s->host)->serial;
    }
}

static void scope_changed(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_scope *now = tt_host_scope(s->host);
    if (now->worker != x->scope.worker || now->span != x->scope.span) open_scope(x->t, now);
    bool other = !tt_scope_equal(&x->scope, now); /* more than the time unit has changed */
    tt_scope was = x->scope;
    was.has_range = now->has_range;
    was.t0 = now->t0;
    was.t1 = now->t1;
    if (!tt_scope_equal(&was, now)) { /* the marked interval is on the screen already */
        tt_timeline_fit_axis(x->t, now);
        x->t->at = x->t->t0 + (x->t->t1 - x->t->t0) / 2;
    }
    x->scope = *now;
    tt_interval_pane_scope(&x->interval);
    if (other) tt_timeline_screen_path_scope(s);
}

/* ---- drawing ---- */

/* Lines of the pane, with its title: as many as its facts need. The pane grows with the selection and does not
 * shrink, so that rows of the timeline stay in place. */
static int pane_height(tt_screen *s, int h, int w)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    int most = h >= 50 ? 12 : h >= 36 ? 10 : h >= 26 ? 8 : h >= 20 ? 6 : h >= 18 ? 5 : h >= 14 ? 4 : 0;
    bool derived = tt_timeline_screen_derived_detail(s);
    if (derived || tt_timeline_has_sel(x->t)) {
        if (!derived) tt_detail_make(&x->detail, x->t, x->t->sel, tt_timeline_screen_unit(s), false);
        int lines = 1 + tt_detail_pane_lines(&x->detail, w);
        x->pane_lines = lines > x->pane_lines ? lines : x->pane_lines;
    }
    int want = x->pane_lines > 4 ? x->pane_lines : 4;
    return want < most ? want : most;
}

static void draw_pane(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    char marks[256];
    tt_timeline_marks_text(x->t, tt_timeline_screen_unit(s), marks, sizeof marks);
    tt_rule(c, x->plan.pane_y, "Selection", NULL);
    if (!tt_timeline_legend(x->t, c, x->plan.pane_y, 14)) { /* behind the title */
        tt_timeline_class_legend(&x->frame, c, x->plan.pane_y, 14);
    }
    tt_canvas in = tt_canvas_window(c, x->plan.pane_y + 1, 0, x->plan.pane_h - 1, c->w);
    int y = 0;
    if (marks[0] && !x->interval.shown) {
        tt_put_cut(&in, y++, 1, TT_ROLE_STRONG, marks, c->w - 2, TT_CUT_END);
    }
    tt_canvas rest = tt_canvas_window(&in, y, 0, in.h - y, c->w);
    if (tt_timeline_screen_derived_detail(s)) {
        tt_detail_draw_pane(&x->detail, &rest);
        return;
    }
    if (!tt_timeline_has_sel(x->t)) {
        char row[512] = "no slice at the cursor: h l nearest slice, j k row", label[256];
        if (tt_timeline_row_text(x->t, tt_timeline_screen_unit(s), row, sizeof row)) {
            tt_timeline_label(x->t, &x->t->nodes.at[x->t->lines.at[x->t->line].node], label, sizeof label);
            tt_put_cut(&rest, 0, 1, TT_ROLE_NAME, label, c->w - 2, TT_CUT_END);
            tt_put_cut(&rest, 1, 1, TT_ROLE_TEXT, row, c->w - 2, TT_CUT_END);
        } else {
            tt_put_cut(&rest, 0, 1, TT_ROLE_DIM, row, c->w - 2, TT_CUT_END);
        }
        return;
    }
    tt_detail_make(&x->detail, x->t, x->t->sel, tt_timeline_screen_unit(s), x->plan.pane_h > 5);
    tt_detail_draw_pane(&x->detail, &rest);
}

static void draw_page(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    bool derived = tt_timeline_screen_derived_detail(s);
    if (!derived) tt_detail_make(&x->detail, x->t, x->t->sel, tt_timeline_screen_unit(s), true);
    tt_rule(c, 0, derived ? "Gap" : "Slice", "Enter or Esc closes   , . previous and next");
    tt_canvas in = tt_canvas_window(c, 1, 0, c->h - 1, c->w);
    x->page.lines = tt_detail_draw_page(&x->detail, &in, x->page.top);
    int most = x->page.lines > in.h ? x->page.lines - in.h : 0;
    if (x->page.top > most) {
        x->page.top = most;
        tt_fill(&in, 0, 0, in.h, in.w, TT_ROLE_TEXT, ' ');
        tt_detail_draw_page(&x->detail, &in, x->page.top);
    }
}

/* Take over the window of another screen, or share the own one. */
static void follow_look(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_viewport *look = tt_host_viewport(s->host);
    if (look->serial != x->look) {
        tt_timeline_window(x->t, look->t0, look->t1);
        x->t->at = look->at;
    }
    x->look = tt_host_set_viewport(s->host, x->t->t0, x->t->t1, x->t->at);
}

static void draw_trace(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline *t = x->t;
    if (x->page.shown && (tt_timeline_has_sel(t) || tt_row_source_here(t)->is_wait)) {
        draw_page(s, c);
        return;
    }
    x->page.shown = false;
    tt_timeline_screen_keep_read(s);
    tt_timeline_screen_layers_said(s);
    follow_look(s);
    x->plan =
        tt_timeline_arrange(t, c->h, c->w, tt_timeline_screen_interval_height(x, c->h, pane_height(s, c->h, c->w)));
    tt_timeline_screen_derive(s);
    if (!tt_timeline_settled(t, &x->frame, c->cheap, x->acted_at, tt_host_now(s->host))) tt_host_wake(s->host, LOOK_MS);
    x->frame.unit = tt_timeline_screen_unit(s);
    tt_timeline_draw(t, c, &x->plan, &x->frame);
    if (x->scope.has_range) {
        int a = tt_timeline_col(t, x->scope.t0), b = tt_timeline_col(t, x->scope.t1 - 1);
        a = a < 0 ? 0 : a;
        b = b >= t->cols ? t->cols - 1 : b;
        if (b >= a && x->scope.t1 > t->t0 && x->scope.t0 < t->t1) {
            tt_restyle(c, x->plan.ruler_y, x->plan.label_w + a, 1, b - a + 1, TT_ROLE_SCOPE);
        }
    }
    tt_timeline_screen_interval_draw(s, c);
    if (x->plan.pane_h > 0) {
        draw_pane(s, c);
    }
}

/* "stream 7", "thread 5555 (python)": a thread begins with its number. */
static void track_words(const tt_timeline *t, char *out, size_t cap)
{
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    uint32_t track = tt_row_track(s, t->sel.row), node = t->track_node[t->sel.trace][track];
    const char *tid = tt_str(&s->strings, s->tracks[track].tid);
    char label[128] = "";
    if (node != TT_NONE) tt_timeline_label(t, &t->nodes.at[node], label, sizeof label);
    size_t n = strlen(label), k = strlen(tid);
    bool numbered = k > 0 && n > k + 1 && label[n - k - 1] == ' ' && strcmp(label + n - k, tid) == 0;
    if (numbered && s->tracks[track].kind == TT_TRACK_THREAD && strncmp(label, "thread ", 7) != 0) {
        snprintf(out, cap, "thread %s (%.*s)", tid, (int)(n - k - 1), label);
    } else {
        snprintf(out, cap, "%s", label);
    }
}

static void status_trace(void *o, char *out, size_t cap)
{
    const tt_screen *s = o;
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_timeline *t = x->t;
    char at[TT_TEXT_CAP], cell[TT_TEXT_CAP], i[TT_TEXT_CAP], n[TT_TEXT_CAP], label[128] = "";
    int64_t per = (t->t1 - t->t0) / t->cols;
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s", tt_format_time(at, t->at, tt_timeline_screen_unit(s)));
    if (tt_timeline_has_sel(t) &&
        tt_timeline_indexed(t, t->sel.trace, tt_row_track(tt_timeline_trace(t, t->sel), t->sel.row))) {
        uint32_t of_n, place = tt_lod_position(t->lods[t->sel.trace], t->sel.row, &of_n);
        track_words(t, label, sizeof label);
        tt_buf_add(&line, "  slice %s of %s, %s", tt_format_count(i, (int64_t)place + 1), tt_format_count(n, of_n),
                   label);
    }
    uint32_t hidden = tt_timeline_count_flag(t, TT_TIMELINE_HIDDEN);
    tt_buf_add(&line, "  1 column = %s", tt_format_duration(cell, per > 0 ? per : 1, tt_timeline_screen_unit(s)));
    if (hidden > 0) tt_buf_add(&line, "  %u hidden: X shows", hidden);
}

/* ---- what the explorer asks ---- */

static bool find_trace(void *o, const char *text, int dir)
{
    const tt_screen *s = o;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    bool wrapped;
    tt_timeline_match(t, text, false);
    tt_slice_ref r = tt_timeline_next_match(t, dir, &wrapped);
    if (r.row == TT_NONE) {
        return false;
    }
    tt_timeline_select(t, r, true);
    tt_timeline_say_hits(t, s->host);
    return true;
}

static bool selection_trace(void *s, tt_drilldown *out)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    *out = (tt_drilldown){.what = TT_DRILL_ROW, .trace = t->sel.trace, .row = t->sel.row};
    return tt_timeline_has_sel(t);
}

/* The marked interval, else the gap at the cursor, else the selected slice. */
static bool about_trace(void *s, tt_drilldown *out)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    const tt_timeline_node *n = tt_timeline_here(t);
    int64_t a, b;
    bool gap = tt_row_source_here(t)->is_wait && tt_row_source_of(t, n)->hit(t, n, &a, &b);
    *out = (tt_drilldown){.what = TT_DRILL_RANGE, .trace = gap ? n->trace : TT_NONE};
    if (tt_timeline_marked(t, &out->t0, &out->t1)) return true;
    if (!gap) return selection_trace(s, out);
    out->t0 = a;
    out->t1 = b;
    return true;
}

static bool show_drilldown(tt_screen *s, const tt_drilldown *o)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_slice_ref r = {o->trace, o->row};
    tt_timeline_screen_evidence_end(s);
    x->page.shown = false;
    switch (o->what) {
    case TT_DRILL_NONE: return false;
    case TT_DRILL_RANGE:
        if (o->alone) open_alone(x->t, o->trace);
        x->t->mark_a = o->t0;
        x->t->mark_b = o->t1;
        x->t->sel.row = TT_NONE;
        tt_timeline_window(x->t, o->t0 - (o->t1 - o->t0) / 8, o->t1 + (o->t1 - o->t0) / 8);
        x->t->at = o->t0 + (o->t1 - o->t0) / 2;
        return true;
    case TT_DRILL_SLICES:
        if (!slice_of(x->t->session, tt_host_scope(s->host), o, &r)) return false;
        break;
    case TT_DRILL_ROW: break;
    }
    if (r.trace >= x->t->session->n_traces || r.row >= x->t->session->traces[r.trace]->n) {
        return false;
    }
    if (!tt_timeline_passes(x->t, r)) tt_timeline_screen_filter_drop(s);
    tt_timeline_show(x->t, r);
    if (o->what == TT_DRILL_SLICES && o->name) { /* n and N walk through the slices */
        tt_timeline_match(x->t, o->name, true);
        x->t->search.dim_others = false;
        tt_timeline_say_hits(x->t, s->host);
    }
    return true;
}

static bool takes_trace(const tt_host *host, const tt_show_target *to)
{
    (void)host;
    switch (to->kind) {
    case TT_SHOW_DRILLDOWN:
    case TT_SHOW_EVIDENCE: return to->what->what != TT_DRILL_NONE;
    case TT_SHOW_RANGES: return to->ranges->show < to->ranges->n;
    case TT_SHOW_NO_EVIDENCE: return true;
    default: return false;
    }
}

static bool show_trace(tt_screen *s, const tt_show_target *to)
{
    switch (to->kind) {
    case TT_SHOW_EVIDENCE: return tt_timeline_screen_evidence(s, to->what);
    case TT_SHOW_RANGES: return tt_timeline_screen_ranges(s, to->ranges);
    case TT_SHOW_NO_EVIDENCE: tt_timeline_screen_evidence_end(s); return true;
    default: return show_drilldown(s, to->what);
    }
}

static char *copy_trace(void *s, bool all)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    (void)all;
    if (tt_timeline_screen_derived_detail(s)) return tt_detail_text(&x->detail);
    if (!tt_timeline_has_sel(x->t)) {
        return NULL;
    }
    tt_detail_make(&x->detail, x->t, x->t->sel, tt_timeline_screen_unit(s), true);
    return tt_detail_text(&x->detail);
}

static bool go_to_time(tt_timeline *t, const char *text)
{
    int64_t at;
    if (!tt_parse_point(text, t->at, t->session->end_ns, &at)) return false;
    int64_t span = t->t1 - t->t0;
    t->at = at;
    tt_timeline_window(t, at - span / 2, at + span - span / 2);
    tt_timeline_pick(t);
    t->placed = at;
    return true;
}

static bool go_to_step(tt_timeline *t, const char *arg)
{
    char *end;
    long long number = strtoll(arg, &end, 10);
    for (uint32_t i = 0; i < t->session->n_traces && end != arg; i++) {
        const tt_trace *x = t->session->traces[i];
        for (uint32_t k = 0; k < x->n_steps; k++) {
            if (x->steps[k].row == TT_NONE || x->steps[k].number != number) continue;
            tt_timeline_select(t, (tt_slice_ref){i, x->steps[k].row}, true);
            tt_timeline_fit(t);
            return true;
        }
    }
    return false;
}

static bool command_trace(void *o, const char *verb, const char *arg)
{
    tt_screen *s = o;
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (strcmp(verb, "export") == 0) {
        tt_scope scope = *tt_host_scope(s->host);
        int64_t a, b;
        if (tt_timeline_marked(t, &a, &b)) {
            scope.has_range = true;
            scope.t0 = a;
            scope.t1 = b;
        }
        if (*arg) tt_host_export_trace(s->host, "export", &scope, arg);
        return *arg != 0;
    }
    if (tt_timeline_screen_bookmark_command(s, verb, arg)) return true;
    if (strcmp(verb, "goto") == 0 || strcmp(verb, "time") == 0) {
        if (*arg == '\0' || !go_to_time(t, arg)) tt_host_set_status(s->host, "not a bookmark or time: '%s'", arg);
        return true;
    }
    if (strcmp(verb, "layers") == 0) return tt_timeline_screen_layer_command(s, arg);
    if (strcmp(verb, "path") == 0) return tt_timeline_screen_path(s, 0);
    if (strcmp(verb, "pin") == 0 || strcmp(verb, "hide") == 0) {
        tt_timeline_flag_words(t, s->host, *verb == 'p' ? TT_TIMELINE_PINNED : TT_TIMELINE_HIDDEN, arg);
        tt_timeline_screen_keep_write(s);
        return true;
    }
    if (strcmp(verb, "step") == 0) {
        if (!go_to_step(t, arg)) tt_host_set_status(s->host, "no step %s in this trace", arg);
        return true;
    }
    return go_to_time(t, verb);
}

static bool filter_trace(void *s, const char *text) { return tt_timeline_screen_filter_set(s, text); }

/* The table of the marked interval if it has the keys, before the timeline. */
static tt_focus focus_trace(const tt_screen *s)
{
    static const tt_focus_ops slices = {
        .status = status_trace,
        .find = find_trace,
        .filter = filter_trace,
        .selection = selection_trace,
        .about = about_trace,
        .copy = copy_trace,
        .command = command_trace,
        .export_name = "window.json.gz",
    };
    tt_focus f = tt_focus_on(s, &slices);
    tt_table_view *table = tt_interval_pane_focus(&tt_timeline_screen_of(s)->interval);
    f.context = table ? TT_CTX_TABLE : TT_CTX_TIMELINE;
    if (!table) return f;
    f.at[1] = f.at[0];
    f.at[0] = (tt_focus_part){&tt_interval_focus, table};
    return f;
}

static bool mouse_trace(tt_screen *s, const tt_mouse *m)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    x->acted_at = tt_host_now(s->host);
    if (!x->page.shown && !x->dragging && tt_interval_pane_mouse(&x->interval, m)) return true;
    if (x->page.shown) {
        if (m->what == TT_MOUSE_WHEEL) {
            return tt_timeline_screen_act(s, m->wheel < 0 ? TT_ACT_UP : TT_ACT_DOWN);
        }
        return false;
    }
    bool done = tt_timeline_mouse(x->t, &x->plan, m, &x->dragging);
    return done && m->what == TT_MOUSE_DOUBLE ? tt_timeline_screen_act(s, TT_ACT_ENTER) : done;
}

static void save_trace(const tt_screen *s, tt_screen_place *p)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    p->timeline.t0 = t->t0;
    p->timeline.t1 = t->t1;
    p->timeline.at = t->at;
    p->timeline.sel = t->sel;
    p->timeline.line = t->line;
    p->timeline.top = t->top;
    p->timeline.folds = t->folds.n;
    p->timeline.evidence = tt_timeline_screen_of(s)->alone.evidence;
}

void tt_timeline_screen_stand(tt_screen *s, const tt_screen_place *p)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    tt_timeline_window(t, p->timeline.t0, p->timeline.t1);
    t->at = p->timeline.at;
    t->line = p->timeline.line;
    t->top = p->timeline.top;
    tt_timeline_scroll(t);
    t->sel = p->timeline.sel;
    bool known = t->sel.trace < t->session->n_traces && t->sel.row < t->session->traces[t->sel.trace]->n;
    known = known && tt_timeline_passes(t, t->sel);
    t->sel.row = known ? t->sel.row : TT_NONE;
    if (known) {
        tt_timeline_select(t, t->sel, true);
    }
}

static void restore_trace(tt_screen *s, const tt_screen_place *p)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_drilldown *e = &p->timeline.evidence;
    bool same = e->what == x->alone.evidence.what && e->finding == x->alone.evidence.finding &&
                e->trace == x->alone.evidence.trace && e->row == x->alone.evidence.row &&
                e->t0 == x->alone.evidence.t0 && e->t1 == x->alone.evidence.t1;
    x->page.shown = false;
    if (!same && !tt_timeline_screen_evidence_again(s, e, p)) tt_timeline_screen_evidence_end(s);
    if (!x->alone.evidence.what) {
        tt_view_undo_folds(x->t, p->timeline.folds);
        x->view = x->t->view;
    }
    tt_timeline_screen_stand(s, p);
}

const tt_screen_ops tt_screen_trace = {
    .tab = {.name = "timeline", .title = "Timeline", .brief = "Time", .of_dumps = true},
    .context = TT_CTX_TIMELINE,
    .state_size = sizeof(tt_timeline_screen),
    .open = open_trace,
    .close = close_trace,
    .renew = renew_trace,
    .foresee = {foresee, foresee_run, foresee_free},
    .scope = scope_changed,
    .draw = draw_trace,
    .act = tt_timeline_screen_act,
    .focus = focus_trace,
    .takes = takes_trace,
    .show = show_trace,
    .mouse = mouse_trace,
    .place = {.save = save_trace, .restore = restore_trace, .carry = carry_trace},
};
