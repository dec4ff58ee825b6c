/* tui/timeline/model/axis.c - see axis.h. */
#include "tui/timeline/model/axis.h"

#include "tui/widgets/ruler.h"

static tt_ruler axis_of(const tt_timeline *t) { return (tt_ruler){.t0 = t->t0, .t1 = t->t1, .w = t->cols}; }

int64_t tt_timeline_edge(const tt_timeline *t, int col)
{
    tt_ruler axis = axis_of(t);
    return tt_ruler_edge(&axis, col);
}

int tt_timeline_col(const tt_timeline *t, int64_t at)
{
    tt_ruler axis = axis_of(t);
    return tt_ruler_col(&axis, at);
}

void tt_timeline_window(tt_timeline *t, int64_t t0, int64_t t1)
{
    int64_t start = t->axis.start, end = t->axis.end > start ? t->axis.end : start + 1;
    int64_t most = end - start + (end - start) / 20, least = t->cols > 8 ? t->cols : 8;
    int64_t span = t1 - t0;
    if (span > most) {
        t0 -= (most - span) / 2;
        span = most;
    }
    if (span < least) {
        t0 -= (least - span) / 2;
        span = least;
    }
    int64_t slack = span / 20; /* a little beyond both ends */
    t0 = t0 > end + slack - span ? end + slack - span : t0;
    t0 = t0 < start - slack ? start - slack : t0;
    t->t0 = t0;
    t->t1 = t0 + span;
}

bool tt_timeline_cell_here(const tt_timeline *t, const tt_timeline_node *n, int64_t *at, int64_t *a, int64_t *b)
{
    int64_t offset = t->session->offset_ns[n->trace];
    int col = tt_timeline_col(t, t->at);
    *at = t->at - offset;
    if (col < 0 || col >= t->cols) return false;
    *a = tt_timeline_edge(t, col) - offset;
    *b = tt_timeline_edge(t, col + 1) - offset;
    *b = *b > *a ? *b : *a + 1;
    return true;
}

void tt_timeline_to_time(tt_timeline *t, int64_t at)
{
    if (at < t->t0 || at >= t->t1) {
        int64_t span = t->t1 - t->t0;
        tt_timeline_window(t, at - span / 2, at + span - span / 2);
    }
    t->at = at;
}

void tt_timeline_place(tt_timeline *t, int64_t at)
{
    tt_timeline_to_time(t, at);
    t->placed = at;
}

static int64_t scale_time(int64_t v, int num, int den) { return (int64_t)((__int128)v * num / den); }

void tt_timeline_zoom(tt_timeline *t, int num, int den)
{
    int64_t focus = t->at, a, b;
    if (tt_timeline_has_sel(t)) {
        a = tt_timeline_start(t, t->sel);
        b = tt_timeline_end(t, t->sel);
        if ((focus < a || focus >= b) && a < t->t1 && b >= t->t0) { /* the middle of its visible part */
            a = a > t->t0 ? a : t->t0;
            b = b < t->t1 ? b : t->t1;
            focus = a + (b - a) / 2;
        }
    }
    if (focus < t->t0 || focus > t->t1) {
        focus = t->t0 + (t->t1 - t->t0) / 2;
    }
    t->at = focus;
    tt_timeline_window(t, focus - scale_time(focus - t->t0, num, den), focus + scale_time(t->t1 - focus, num, den));
}

void tt_timeline_pan(tt_timeline *t, int quarters)
{
    int64_t by = scale_time(t->t1 - t->t0, quarters, 4), was = t->t0;
    tt_timeline_window(t, t->t0 + by, t->t1 + by);
    t->at += t->t0 - was; /* the cursor keeps its column on the screen */
}

bool tt_timeline_navigate(tt_timeline *t, tt_action a)
{
    int num, den, quarters = tt_action_pans(a);
    bool zooms = tt_action_zooms(a, &num, &den);
    if (zooms) tt_timeline_zoom(t, num, den);
    if (quarters) tt_timeline_pan(t, quarters);
    return zooms || quarters;
}

static bool shows_window(const tt_timeline *t, int64_t a, int64_t b)
{
    tt_timeline all = *t; /* a copy, to see which window the call would choose */
    tt_timeline_window(&all, a, b);
    return t->t0 == all.t0 && t->t1 == all.t1;
}

bool tt_timeline_is_whole(const tt_timeline *t)
{
    return shows_window(t, t->axis.fit0, t->axis.fit1) || shows_window(t, t->axis.start, t->axis.end);
}

void tt_timeline_whole(tt_timeline *t)
{
    bool fitted = shows_window(t, t->axis.fit0, t->axis.fit1);
    tt_timeline_window(t, fitted ? t->axis.start : t->axis.fit0, fitted ? t->axis.end : t->axis.fit1);
}

/* The time of the steps in scope, common axis; false = no steps were asked for, or the traces have none. */
static bool steps_time(const tt_session *s, const tt_scope *scope, int64_t *a, int64_t *b)
{
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    for (uint32_t i = 0; i < s->n_traces && scope->has_steps; i++) {
        if (!tt_scope_has_trace(s, scope, i)) continue;
        tt_windows w = tt_scope_time(s, scope, i);
        int64_t off = s->offset_ns[i];
        if (w.n && w.at[0].t0 + off < t0) t0 = w.at[0].t0 + off;
        if (w.n && w.at[w.n - 1].t1 + off > t1) t1 = w.at[w.n - 1].t1 + off;
        tt_windows_free(&w);
    }
    if (t0 >= t1) return false;
    *a = t0 > *a ? t0 : *a;
    *b = t1 < *b ? t1 : *b;
    return *a < *b;
}

void tt_timeline_fit_axis(tt_timeline *t, const tt_scope *scope)
{
    enum { BESIDE = 50 };
    int64_t a = t->axis.start, b = t->axis.end;
    t->axis.fit0 = a;
    t->axis.fit1 = b;
    if (steps_time(t->session, scope, &a, &b)) {
        t->axis.fit0 = a;
        t->axis.fit1 = b;
    } else {
        tt_dense_part(t->session, scope, a, b, &t->axis.fit0, &t->axis.fit1);
    }
    t->axis.beyond = tt_slices_beyond(t->session, t->axis.fit0, t->axis.fit1);
    /* slices close to the dense part belong to it */
    int64_t little = (t->axis.fit1 - t->axis.fit0) / BESIDE;
    if (t->axis.beyond.before > 0 && t->axis.fit0 - t->axis.start <= little)
        t->axis.fit0 = t->axis.start, t->axis.beyond.before = 0;
    if (t->axis.beyond.after > 0 && t->axis.end - t->axis.fit1 <= little)
        t->axis.fit1 = t->axis.end, t->axis.beyond.after = 0;
    tt_timeline_window(t, t->axis.fit0, t->axis.fit1);
}

void tt_timeline_strip(const tt_timeline *t, int64_t *a, int64_t *b)
{
    int64_t slack = (t->axis.fit1 - t->axis.fit0) / 8;
    bool inside = t->t0 >= t->axis.fit0 - slack && t->t1 <= t->axis.fit1 + slack;
    *a = inside ? t->axis.fit0 : t->axis.start;
    *b = inside ? t->axis.fit1 : t->axis.end;
    *b = *b > *a ? *b : *a + 1;
}

bool tt_timeline_marked(const tt_timeline *t, int64_t *a, int64_t *b)
{
    if (t->mark_a == TT_UNKNOWN || t->mark_b == TT_UNKNOWN || t->mark_a == t->mark_b) return false;
    *a = t->mark_a < t->mark_b ? t->mark_a : t->mark_b;
    *b = t->mark_a < t->mark_b ? t->mark_b : t->mark_a;
    return true;
}
