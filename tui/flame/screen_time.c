/* tui/flame/screen_time.c - the flame view in the order of time: a timeline with a window of its own that has only
 * the tracks of the subject, with the slice at the top. */
#include "tui/flame/screen.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/detail.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/nodes.h"

#include <stdlib.h>
#include <string.h>

/* A job of the worker: build the timeline and the index of its tracks. */
struct tt_flame_time_job {
    tt_screen *screen;
    tt_session *session;
    tt_flame_subject of;
    tt_flame_about about;
    int64_t t0, t1;
    tt_timeline_filter *filter; /* the filter of slices, NULL = all slices */
    tt_timeline *t;
    atomic_bool stop; /* the screen no longer waits for the job */
};

void tt_flame_time_close(tt_flame_screen *x)
{
    if (x->time_job) atomic_store(&x->time_job->stop, true);
    x->time_job = NULL;
    if (!x->t) return;
    tt_timeline_frame_free(&x->frame);
    x->frame = (tt_timeline_frame){0};
    tt_detail_free(&x->detail);
    x->detail = (tt_detail){.of.row = TT_NONE};
    tt_timeline_free(x->t);
    x->t = NULL;
}

void tt_flame_window(const tt_screen *s, int64_t *t0, int64_t *t1)
{
    const tt_flame_screen *x = tt_flame_of(s);
    const tt_session *session = tt_host_session(s->host);
    const tt_scope *scope = tt_host_scope(s->host);
    int64_t offset = session->offset_ns[x->of.slice.trace];
    *t0 = 0;
    *t1 = session->end_ns > 0 ? session->end_ns : 1;
    if (x->about <= TT_FLAME_DURING && x->of.slice.row != TT_NONE) {
        const tt_trace *st = session->traces[x->of.slice.trace];
        *t0 = st->start[x->of.slice.row] + offset;
        *t1 = tt_row_end(st, x->of.slice.row) + offset;
    } else if (x->about <= TT_FLAME_RANGE) {
        *t0 = x->of.t0;
        *t1 = x->of.t1;
    } else if (scope->has_range || scope->has_steps) {
        tt_windows w = tt_scope_windows(session, scope, x->of.slice.trace);
        if (w.n && !w.everything) {
            *t0 = w.at[0].t0 + offset;
            *t1 = w.at[w.n - 1].t1 + offset;
        }
        tt_windows_free(&w);
    }
    if (*t1 <= *t0) *t1 = *t0 + 1;
}

/* The track belongs to the subject of the view. */
static bool wanted(const struct tt_flame_time_job *j, uint32_t track)
{
    const tt_trace *st = j->session->traces[j->of.slice.trace];
    if (j->about == TT_FLAME_DURING || j->about == TT_FLAME_RANGE || j->about == TT_FLAME_ALL)
        return st->tracks[track].kind != TT_TRACK_STREAM && st->tracks[track].kind != TT_TRACK_META;
    return j->of.slice.row != TT_NONE && track == tt_row_track(st, j->of.slice.row);
}

/* Set the window, and put the slice at the top. */
static void aim(tt_timeline *t, const tt_flame_subject *of, tt_flame_about about, int64_t t0, int64_t t1)
{
    tt_timeline_window(t, t0, t1);
    t->at = t0;
    if (of->slice.row == TT_NONE || about == TT_FLAME_ALL || !tt_timeline_passes(t, of->slice)) return;
    tt_timeline_select(t, of->slice, false);
    t->top = t->line; /* the slices above that line enclose the slice */
}

static void time_run(void *arg)
{
    struct tt_flame_time_job *j = arg;
    tt_lod_cell cell;
    if (atomic_load(&j->stop)) return;
    tt_timeline *t = tt_timeline_new(j->session);
    for (size_t i = 0; i < t->nodes.n; i++) t->nodes.at[i].hidden = true;
    for (size_t i = 0; i < t->nodes.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_TRACK || n->trace != j->of.slice.trace || !wanted(j, n->index)) continue;
        for (uint32_t p = (uint32_t)i; p != TT_NONE; p = t->nodes.at[p].parent)
            t->nodes.at[p].hidden = t->nodes.at[p].collapsed = false;
        /* the first query builds the index of the track */
        if (!j->filter && !atomic_load(&j->stop)) tt_lod_query(t->lods[n->trace], n->index, 0, j->t0, j->t1, 1, &cell);
    }
    if (j->filter) {
        tt_timeline_filter_build(t, t->view, j->filter, &j->stop);
        tt_view_set_filter(t, j->filter);
        j->filter = NULL;
    }
    tt_timeline_layout(t);
    aim(t, &j->of, j->about, j->t0, j->t1);
    j->t = t;
}

static void time_done(void *arg, tt_host *a)
{
    struct tt_flame_time_job *j = arg;
    tt_flame_screen *x = tt_flame_of(j->screen);
    if (x->time_job == j) {
        x->time_job = NULL;
        x->t = j->t;
        tt_host_dirty(a);
    } else {
        tt_timeline_free(j->t);
    }
    tt_timeline_filter_free(j->filter);
    free(j);
}

static void open_time(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    const char *why;
    struct tt_flame_time_job *j = tt_calloc(1, sizeof *j);
    x->detail.of.row = TT_NONE;
    j->screen = s;
    j->session = tt_host_session(s->host);
    j->of = x->of;
    j->about = x->about;
    j->filter = x->filter ? tt_timeline_filter_new(j->session, x->filter, &why) : NULL;
    tt_flame_window(s, &j->t0, &j->t1);
    x->time_job = j;
    tt_host_job(s->host, time_run, time_done, j);
}

void tt_flame_time_draw(tt_screen *s, tt_canvas *c)
{
    tt_flame_screen *x = tt_flame_of(s);
    if (!x->t && !x->time_job) open_time(s);
    if (!x->t || !x->t->lines.n) {
        tt_put(c, 1, 2, TT_ROLE_DIM, x->t ? "nothing here passes the filter (\\ clears it)" : "indexing ...", -1);
        return;
    }
    int label = c->w < 50 ? 10 : c->w < 110 ? 16 : 22;
    x->plan = (tt_timeline_plan){.label_w = label, .overview_y = -1, .bracket_y = -1, .ruler_y = 0, .rows_y = 1};
    x->plan.rows = c->h > 2 ? c->h - 1 : 1;
    x->t->cols = c->w - label > 1 ? c->w - label : 1;
    x->t->rows = x->plan.rows;
    x->frame.unit = (tt_unit)tt_host_unit(s->host);
    tt_timeline_scroll(x->t);
    tt_timeline_draw(x->t, c, &x->plan, &x->frame);
}

void tt_flame_time_whole(tt_screen *s)
{
    tt_flame_screen *x = tt_flame_of(s);
    int64_t t0, t1;
    tt_flame_window(s, &t0, &t1);
    if (x->t) aim(x->t, &x->of, x->about, t0, t1);
}

bool tt_flame_time_act(tt_flame_screen *x, tt_action a)
{
    tt_timeline *t = x->t;
    int page = t ? t->rows / 2 : 1;
    if (!t) return false;
    switch (a) {
    case TT_ACT_UP: tt_timeline_move_line(t, -1); return true;
    case TT_ACT_DOWN: tt_timeline_move_line(t, 1); return true;
    case TT_ACT_HALF_UP:
    case TT_ACT_PAGE_UP: tt_timeline_move_line(t, -page); return true;
    case TT_ACT_HALF_DOWN:
    case TT_ACT_PAGE_DOWN: tt_timeline_move_line(t, page); return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME: tt_timeline_move_line(t, INT32_MIN / 2); return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END: tt_timeline_move_line(t, INT32_MAX / 2); return true;
    case TT_ACT_LEFT: tt_timeline_move_slice(t, -1); return true;
    case TT_ACT_RIGHT: tt_timeline_move_slice(t, 1); return true;
    case TT_ACT_ENTER:
        if (tt_timeline_has_sel(t)) tt_timeline_window(t, tt_timeline_start(t, t->sel), tt_timeline_end(t, t->sel));
        return true;
    default: return tt_timeline_navigate(t, a);
    }
}
