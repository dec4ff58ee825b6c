/* tui/timeline/screen.c - the Trace screen: actions on the timeline, its panes, the way in from other screens. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/timeline/screen.h"

#include "tui/args/parse_values.h"

enum { CURSOR_IDLE_MS = 150, LARGE_TRACK = 1 << 18 };

/* Building the indices in the background; closing the screen waits for it or keeps it from beginning. */
struct tt_timeline_screen_prepare {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    tt_timeline *t; /* NULL = do not begin */
    bool running;
    bool orphan; /* the screen is gone: done() frees */
    bool over;   /* done() was called */
    atomic_bool stop;
};

/* ---- opening and closing ---- */

static void prepare_run(void *arg)
{
    struct tt_timeline_screen_prepare *p = arg;
    pthread_mutex_lock(&p->lock);
    tt_timeline *t = p->t;
    p->running = t != NULL;
    pthread_mutex_unlock(&p->lock);
    if (t) {
        tt_timeline_prepare(t, &p->stop);
    }
    pthread_mutex_lock(&p->lock);
    p->running = false;
    pthread_cond_broadcast(&p->ended);
    pthread_mutex_unlock(&p->lock);
}

static void prepare_free(struct tt_timeline_screen_prepare *p)
{
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->ended);
    free(p);
}

static void prepare_done(void *arg, tt_app *a)
{
    struct tt_timeline_screen_prepare *p = arg;
    p->over = true;
    if (p->orphan) {
        prepare_free(p);
    } else {
        if (p->t && p->t->picks_later) tt_timeline_pick(p->t);
        tt_app_dirty(a);
    }
}

/* patient: rows of large tracks may be empty at first. */
static void begin(tt_screen *s, bool patient)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    x->t = tt_timeline_new(tt_app_session(s->app));
    if (patient) x->t->wait_from = LARGE_TRACK;
    x->detail.of.row = TT_NONE;
    x->scope = *tt_app_scope(s->app);
    x->job = tt_calloc(1, sizeof *x->job);
    x->job->t = x->t;
    pthread_mutex_init(&x->job->lock, NULL);
    pthread_cond_init(&x->job->ended, NULL);
    atomic_store(&x->t->preparing, true);
    tt_app_job(s->app, prepare_run, prepare_done, x->job);
    tt_timeline_pick(x->t);
}

static void open_trace(tt_screen *s) { begin(s, true); }

/* Without the timeline. */
static void close_parts(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    struct tt_timeline_screen_prepare *p = x->job;
    atomic_store(&p->stop, true);
    pthread_mutex_lock(&p->lock);
    p->t = NULL;
    while (p->running) {
        pthread_cond_wait(&p->ended, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    if (p->over) {
        prepare_free(p);
    } else {
        p->orphan = true;
    }
    free(x->filter);
    tt_detail_free(&x->detail);
    tt_interval_pane_free(&x->interval);
    tt_timeline_frame_free(&x->frame);
}

static void close_trace(tt_screen *s)
{
    close_parts(s);
    tt_timeline_free(tt_timeline_screen_of(s)->t);
}

/* What a slice of the old session is in the one that took its place. */
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
    const tt_session *now = tt_app_session(s->app);
    tt_slice_ref *r = &p->timeline.sel;
    bool whole = p->timeline.t0 <= 0 && p->timeline.t1 >= old->end_ns;
    p->timeline.t0 = whole ? 0 : p->timeline.t0 + shift;
    p->timeline.t1 = whole ? now->end_ns : p->timeline.t1 + shift;
    p->timeline.at += shift;
    if (r->trace < old->n_traces && r->row < old->traces[r->trace]->n) *r = find_again(now, old, shift, *r);
}

static void renew_trace(tt_screen *s, int64_t shift)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline *old = x->t;
    bool whole = old->t0 <= 0 && old->t1 >= old->session->end_ns, had = tt_timeline_has_sel(old);
    int64_t a = old->mark_a == TT_UNKNOWN ? TT_UNKNOWN : old->mark_a + shift;
    int64_t b = old->mark_b == TT_UNKNOWN ? TT_UNKNOWN : old->mark_b + shift;
    int64_t at = old->at + shift;
    char *filter = x->filter;
    x->filter = NULL;
    close_parts(s);
    *x = (tt_timeline_screen){0};
    begin(s, false); /* what was there goes on being there */
    tt_timeline_screen_carry(old, x->t, shift);
    tt_slice_ref r = {0, TT_NONE};
    if (had) r = find_again(x->t->session, old->session, shift, old->sel);
    tt_timeline_free(old);
    if (filter) tt_timeline_screen_filter_set(s, filter);
    free(filter);
    if (r.row != TT_NONE) tt_timeline_select(x->t, r, false);
    if (!had) x->t->sel.row = TT_NONE;
    x->t->mark_a = a;
    x->t->mark_b = b;
    x->t->at = at;
    if (whole) { /* else the shared window is taken over with the next frame */
        tt_timeline_whole(x->t);
        x->t->at = at;
        x->look = tt_app_viewport(s->app)->serial;
    }
}

static void scope_changed(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_scope *now = tt_app_scope(s->app);
    if (now->worker != x->scope.worker && now->worker != TT_ALL) { /* the chosen worker is the one to look at */
        for (size_t i = 0; i < x->t->nodes.n; i++) {
            tt_timeline_row *n = &x->t->nodes.at[i];
            n->collapsed =
                n->kind == TT_TIMELINE_WORKER ? !tt_scope_has_store(x->t->session, now, n->trace) : n->collapsed;
        }
        tt_timeline_layout(x->t);
    }
    x->scope = *now;
    tt_interval_pane_scope(&x->interval);
}

/* ---- drawing ---- */

static int pane_height(int h) { return h >= 50 ? 11 : h >= 36 ? 9 : h >= 26 ? 7 : h >= 18 ? 5 : h >= 14 ? 4 : 0; }

void tt_timeline_screen_marks_text(tt_timeline_screen *x, tt_unit unit, char *out, size_t cap)
{
    int64_t a, b, busy;
    char from[TT_TEXT_CAP], to[TT_TEXT_CAP], len[TT_TEXT_CAP], sum[TT_TEXT_CAP], n[TT_TEXT_CAP];
    uint32_t count;
    out[0] = '\0';
    if (tt_timeline_marked(x->t, &a, &b)) {
        tt_timeline_busy(x->t, a, b, &busy, &count);
        snprintf(out, cap, "A %s  B %s  between %s: ", tt_format_time(from, a, unit), tt_format_time(to, b, unit),
                 tt_format_duration(len, b - a, unit));
        size_t at = strlen(out);
        snprintf(out + at, cap - at, "this row %s busy (%.1f %%)", tt_format_duration(sum, busy, unit),
                 (double)busy * 100 / (double)(b - a));
        at = strlen(out);
        if (count > 0) {
            snprintf(out + at, cap - at, ", %s", tt_format_counted(n, count, "slice"));
        }
    } else if (x->t->mark_a != TT_UNKNOWN) {
        snprintf(out, cap, "A %s; m marks the other end", tt_format_time(from, x->t->mark_a, unit));
    }
}

static void draw_pane(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    char marks[256];
    tt_timeline_screen_marks_text(x, tt_timeline_screen_unit(s), marks, sizeof marks);
    tt_rule(c, x->plan.pane_y, "Selection", NULL);
    tt_canvas in = tt_canvas_window(c, x->plan.pane_y + 1, 0, x->plan.pane_h - 1, c->w);
    int y = 0;
    if (marks[0] && !x->interval.shown) {
        tt_put_cut(&in, y++, 1, TT_ROLE_STRONG, marks, c->w - 2, TT_CUT_END);
    }
    tt_canvas rest = tt_canvas_window(&in, y, 0, in.h - y, c->w);
    if (!tt_timeline_has_sel(x->t)) {
        char row[512] = "nothing here: j k choose a row, h l a slice, w s zoom, a d pan", label[256];
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
    tt_detail_make(&x->detail, x->t, x->t->sel, tt_timeline_screen_unit(s), true);
    tt_rule(c, 0, "Slice", "Enter or Esc closes   , . previous and next");
    tt_canvas in = tt_canvas_window(c, 1, 0, c->h - 1, c->w);
    x->page_lines = tt_detail_draw_page(&x->detail, &in, x->page_top);
    int most = x->page_lines > in.h ? x->page_lines - in.h : 0;
    if (x->page_top > most) {
        x->page_top = most;
        tt_fill(&in, 0, 0, in.h, in.w, TT_ROLE_TEXT, ' ');
        tt_detail_draw_page(&x->detail, &in, x->page_top);
    }
}

/* The window that another screen chose, or ours for the others. */
static void follow_look(tt_screen *s)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_viewport *look = tt_app_viewport(s->app);
    if (look->serial != x->look) {
        tt_timeline_window(x->t, look->t0, look->t1);
        x->t->at = look->at;
    }
    x->look = tt_app_set_viewport(s->app, x->t->t0, x->t->t1, x->t->at);
}

static void draw_trace(tt_screen *s, tt_canvas *c)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline *t = x->t;
    if (x->page && tt_timeline_has_sel(t)) {
        draw_page(s, c);
        return;
    }
    x->page = false;
    tt_timeline_screen_keep_read(s);
    follow_look(s);
    x->plan = tt_timeline_arrange(t, c->h, c->w, tt_timeline_screen_interval_height(x, c->h, pane_height(c->h)));
    bool marking = t->mark_a != TT_UNKNOWN && t->mark_b == TT_UNKNOWN;
    int64_t now = tt_app_now(s->app);
    bool idle = now > 0 && now - x->acted_at >= CURSOR_IDLE_MS;
    if (now > 0 && !idle && !c->cheap) {
        tt_app_wake(s->app, CURSOR_IDLE_MS);
    }
    /* what costs bytes on every move waits for the person to stop; a column that does not move stays */
    bool stays = now > 0 && x->frame.column && x->column_at == t->at && x->column_t0 == t->t0 && x->column_t1 == t->t1;
    x->frame.column = marking || ((idle || stays) && !c->cheap);
    x->frame.dashed = !marking;
    x->frame.arrows = (idle || now == 0) && !c->cheap;
    x->column_at = t->at;
    x->column_t0 = t->t0;
    x->column_t1 = t->t1;
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

static void status_trace(const tt_screen *s, char *out, size_t cap)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    const tt_timeline *t = x->t;
    char at[TT_TEXT_CAP], cell[TT_TEXT_CAP], i[TT_TEXT_CAP], n[TT_TEXT_CAP], label[128] = "";
    if (tt_interval_pane_focus(&x->interval)) {
        tt_table_view_status(tt_interval_pane_focus(&x->interval), out, cap);
        return;
    }
    int64_t per = (t->t1 - t->t0) / t->cols;
    size_t used = (size_t)snprintf(out, cap, "%s", tt_format_time(at, t->at, tt_timeline_screen_unit(s)));
    if (used < cap && tt_timeline_has_sel(t) &&
        tt_timeline_indexed(t, t->sel.trace, tt_row_track(tt_timeline_store(t, t->sel), t->sel.row))) {
        uint32_t of_n, place = tt_lod_position(t->lods[t->sel.trace], t->sel.row, &of_n);
        uint32_t node = t->track_node[t->sel.trace][tt_row_track(tt_timeline_store(t, t->sel), t->sel.row)];
        if (node != TT_NONE) {
            tt_timeline_label(t, &t->nodes.at[node], label, sizeof label);
        }
        used += (size_t)snprintf(out + used, cap - used, "  slice %s/%s on %s", tt_format_count(i, (int64_t)place + 1),
                                 tt_format_count(n, of_n), label);
    }
    uint32_t hidden = tt_timeline_count_flag(t, TT_TIMELINE_HIDDEN);
    if (used < cap) {
        used += (size_t)snprintf(out + used, cap - used, "  1 cell = %s",
                                 tt_format_duration(cell, per > 0 ? per : 1, tt_timeline_screen_unit(s)));
    }
    if (used < cap && hidden > 0) {
        snprintf(out + used, cap - used, "  %u hidden: X shows", hidden);
    }
}

/* ---- what the application asks ---- */

static bool find_trace(tt_screen *s, const char *text, int dir)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    tt_table_view *table = tt_interval_pane_focus(&tt_timeline_screen_of(s)->interval);
    bool wrapped;
    if (table) return tt_table_view_find(table, text, dir);
    tt_timeline_match(t, text, false);
    tt_slice_ref r = tt_timeline_next_match(t, dir, &wrapped);
    if (r.row == TT_NONE) {
        return false;
    }
    tt_timeline_select(t, r, true);
    if (dir != 0) {
        tt_timeline_screen_say_hits(s);
    }
    return true;
}

static bool selection_trace(const tt_screen *s, tt_drilldown *out)
{
    const tt_timeline *t = tt_timeline_screen_of(s)->t;
    *out = (tt_drilldown){.what = TT_ORIGIN_ROW, .trace = t->sel.trace, .row = t->sel.row};
    return tt_timeline_has_sel(t);
}

static bool show_trace(tt_screen *s, const tt_drilldown *o)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_slice_ref r = {o->trace, o->row};
    x->page = false;
    switch (o->what) {
    case TT_ORIGIN_NONE: return false;
    case TT_ORIGIN_RANGE:
        x->t->mark_a = o->t0;
        x->t->mark_b = o->t1;
        x->t->sel.row = TT_NONE;
        tt_timeline_window(x->t, o->t0 - (o->t1 - o->t0) / 8, o->t1 + (o->t1 - o->t0) / 8);
        x->t->at = o->t0 + (o->t1 - o->t0) / 2;
        return true;
    case TT_ORIGIN_SLICES:
        if (tt_drilldown_slices(x->t->session, tt_app_scope(s->app), o, &r, 1) == 0) {
            return false;
        }
        break;
    case TT_ORIGIN_ROW: break;
    }
    if (r.trace >= x->t->session->n_traces || r.row >= x->t->session->traces[r.trace]->n) {
        return false;
    }
    if (!tt_timeline_passes(x->t, r)) tt_timeline_screen_filter_drop(s);
    tt_timeline_show(x->t, r);
    if (o->what == TT_ORIGIN_SLICES && o->name) { /* n and N walk through them */
        tt_timeline_match(x->t, o->name, true);
        x->t->dim_others = false;
        tt_app_set_status(s->app, "n and N walk through them, * highlights them: %s", o->name);
    }
    return true;
}

static char *copy_trace(const tt_screen *s, bool all)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_table_view *table = tt_interval_pane_focus(&x->interval);
    if (table) return tt_table_view_copy(table, all);
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

static bool command_trace(tt_screen *s, const char *verb, const char *arg)
{
    tt_timeline *t = tt_timeline_screen_of(s)->t;
    if (strcmp(verb, "export") == 0) {
        tt_scope scope = *tt_app_scope(s->app);
        int64_t a, b;
        if (tt_timeline_marked(t, &a, &b)) {
            scope.has_range = true;
            scope.t0 = a;
            scope.t1 = b;
        }
        if (*arg) tt_app_export_trace(s->app, "export", &scope, arg);
        return *arg != 0;
    }
    if (tt_timeline_screen_bookmark_command(s, verb, arg)) return true;
    if (strcmp(verb, "goto") == 0 || strcmp(verb, "time") == 0) {
        if (*arg == '\0' || !go_to_time(t, arg)) tt_app_set_status(s->app, "no bookmark and no time: '%s'", arg);
        return true;
    }
    if (strcmp(verb, "pin") == 0 || strcmp(verb, "hide") == 0) {
        return tt_timeline_screen_flag_named(s, *verb == 'p' ? TT_TIMELINE_PINNED : TT_TIMELINE_HIDDEN, arg);
    }
    if (strcmp(verb, "step") == 0) {
        if (!go_to_step(t, arg)) tt_app_set_status(s->app, "no step %s in this trace", arg);
        return true;
    }
    return go_to_time(t, verb);
}

static bool command_of_focus(tt_screen *s, const char *verb, const char *arg)
{
    tt_table_view *table = tt_interval_pane_focus(&tt_timeline_screen_of(s)->interval);
    return (table && tt_table_view_command(table, verb, arg)) || command_trace(s, verb, arg);
}

static bool press(tt_timeline_screen *x, const tt_mouse *m)
{
    tt_timeline *t = x->t;
    int col = m->x - x->plan.label_w, row = m->y - x->plan.rows_y;
    if (m->y == x->plan.overview_y || m->y == x->plan.bracket_y) {
        if (col < 0) {
            return false;
        }
        int64_t at = (int64_t)((__int128)t->session->end_ns * col / t->cols), span = t->t1 - t->t0;
        tt_timeline_window(t, at - span / 2, at + span - span / 2);
        t->at = at;
        return true;
    }
    if (col >= 0) {
        t->at = tt_timeline_edge(t, col);
    }
    if (m->y == x->plan.ruler_y && col >= 0) {
        t->mark_a = m->what == TT_MOUSE_PRESS ? t->at : t->mark_a;
        t->mark_b = m->what == TT_MOUSE_PRESS ? TT_UNKNOWN : t->at;
        x->dragging = true;
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

static bool mouse_trace(tt_screen *s, const tt_mouse *m)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline *t = x->t;
    x->acted_at = tt_app_now(s->app);
    if (!x->page && !x->dragging && tt_interval_pane_mouse(&x->interval, m)) return true;
    if (x->page) {
        if (m->what == TT_MOUSE_WHEEL) {
            return tt_timeline_screen_act(s, m->wheel < 0 ? TT_ACT_UP : TT_ACT_DOWN);
        }
        return false;
    }
    switch (m->what) {
    case TT_MOUSE_WHEEL:
        if (m->y <= x->plan.ruler_y && m->x >= x->plan.label_w) { /* on the ruler: zoom at the pointer */
            t->at = tt_timeline_edge(t, m->x - x->plan.label_w);
            t->sel.row = TT_NONE;
            return tt_timeline_screen_act(s, m->wheel < 0 ? TT_ACT_ZOOM_IN : TT_ACT_ZOOM_OUT);
        }
        tt_timeline_move_line(t, 3 * m->wheel);
        return true;
    case TT_MOUSE_PRESS: x->dragging = false; return press(x, m);
    case TT_MOUSE_DRAG:
        if (x->dragging && m->x >= x->plan.label_w && m->x < x->plan.label_w + t->cols) {
            t->at = tt_timeline_edge(t, m->x - x->plan.label_w);
            t->mark_b = t->at;
            return true;
        }
        return (m->y == x->plan.overview_y || m->y == x->plan.bracket_y) && press(x, m);
    case TT_MOUSE_RELEASE:
        if (x->dragging && t->mark_b == TT_UNKNOWN) {
            t->mark_a = TT_UNKNOWN; /* a click marks nothing */
        }
        x->dragging = false;
        return true;
    case TT_MOUSE_DOUBLE: return press(x, m) && tt_timeline_screen_act(s, TT_ACT_ENTER);
    }
    return false;
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
}

static void restore_trace(tt_screen *s, const tt_screen_place *p)
{
    tt_timeline_screen *x = tt_timeline_screen_of(s);
    tt_timeline *t = x->t;
    x->page = false;
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

const tt_screen_ops tt_screen_trace = {
    .name = "trace",
    .title = "Trace",
    .brief = "Trace",
    .context = TT_CTX_TIMELINE,
    .context_now = tt_timeline_screen_context,
    .state_size = sizeof(tt_timeline_screen),
    .open = open_trace,
    .close = close_trace,
    .renew = renew_trace,
    .scope = scope_changed,
    .draw = draw_trace,
    .act = tt_timeline_screen_act,
    .status = status_trace,
    .find = find_trace,
    .filter = tt_timeline_screen_filter_set,
    .selection = selection_trace,
    .show = show_trace,
    .copy = copy_trace,
    .command = command_of_focus,
    .mouse = mouse_trace,
    .picked = tt_timeline_screen_bookmark_picked,
    .save = save_trace,
    .restore = restore_trace,
    .carry = carry_trace,
    .export_name = "window.json.gz",
};
