/* tui/output/export/export_pick.c - finds the rows, instants and flows of a scope, and sorts them by their place in
 * the text. See export_pick.h. */
#include "tui/output/export/export_pick.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/build/builder.h"

#define CMP(a, b) (((a) > (b)) - ((a) < (b)))

bool tt_picked_row(const tt_picked *p, const tt_trace *s, tt_row r)
{
    const tt_windows *w = &p->windows;
    int64_t a = s->start[r], b = tt_row_end(s, r);
    if (w->everything) return true;
    return w->by_step ? tt_windows_have_row(w, s, r) : tt_windows_meet(w, a, b > a ? b : a + 1);
}

bool tt_picked_time(const tt_picked *p, int64_t ts)
{
    if (p->windows.everything || ts == TT_ANY_TIME) return true;
    return ts != TT_NO_TIME && tt_windows_have(&p->windows, ts);
}

static void add(tt_picked *p, uint64_t text, tt_pick_what what, int64_t ts, tt_row row)
{
    *tt_vec_push(&p->at) = (tt_pick){.text = text, .what = what, .ts = ts, .row = row};
}

static int by_text(const void *a, const void *b)
{
    const tt_pick *x = a, *y = b;
    if (x->text != y->text) return CMP(x->text, y->text);
    return x->what != y->what ? CMP(x->what, y->what) : CMP(x->row, y->row);
}

static void sort(tt_picked *p)
{
    if (p->at.n) qsort(p->at.at, p->at.n, sizeof *p->at.at, by_text);
}

/* Add the second events of the slices picked so far (B and E events make one slice). */
static void add_ends(tt_picked *p, const tt_trace *s)
{
    size_t n = p->at.n;
    if (!s->n_pairs || !s->text) return;
    sort(p);
    for (uint32_t i = 0; i < s->n_pairs; i++) {
        size_t lo = 0, hi = n;
        TT_BISECT(lo, hi, k, p->at.at[k].text < s->pairs[i].begin);
        if (lo == n || p->at.at[lo].text != s->pairs[i].begin) continue;
        tt_row r = p->at.at[lo].row;
        add(p, s->pairs[i].end, TT_PICK_END, tt_row_end(s, r), r);
    }
}

/* ---- flows ---- */

struct end { /* one end of a flow */
    const tt_flow *f;
    bool in;
};

static int by_flow(const void *a, const void *b)
{
    static const char order[] = "stf";
    const tt_flow *x = ((const struct end *)a)->f, *y = ((const struct end *)b)->f;
    if (x->cat != y->cat) return CMP(x->cat, y->cat);
    if (x->id != y->id) return CMP(x->id, y->id);
    if (x->ts != y->ts) return CMP(x->ts, y->ts);
    return CMP(strchr(order, (int)x->phase), strchr(order, (int)y->phase));
}

/* The end of a flow is in the scope. Device work may start far from its step, so if the end lies in device work,
 * that work decides. */
static bool end_is_in(const tt_picked *p, const tt_trace *s, const tt_flow *f)
{
    tt_row r = s->tracks[f->track].kind == TT_TRACK_STREAM ? tt_track_slice_at(s, f->track, f->ts, ~0u) : TT_NONE;
    return r == TT_NONE ? tt_picked_time(p, f->ts) : tt_picked_row(p, s, r);
}

/* Add the events of one flow if its beginning and at least one other end are in the steps. */
static void add_flow(tt_picked *p, const struct end *at, size_t n)
{
    size_t in = 0;
    for (size_t i = 0; i < n; i++) in += at[i].in;
    if (at[0].f->phase != 's' || !at[0].in || in < 2) return;
    for (size_t i = 0; i < n; i++) {
        if (at[i].in) add(p, at[i].f->text, TT_PICK_EVENT, at[i].f->ts, TT_NONE);
    }
}

static void add_flows_of_steps(tt_picked *p, const tt_trace *s)
{
    struct end *all = tt_malloc(s->n_flows * sizeof *all);
    for (uint32_t i = 0; i < s->n_flows; i++) all[i] = (struct end){&s->flows[i], end_is_in(p, s, &s->flows[i])};
    if (s->n_flows) qsort(all, s->n_flows, sizeof *all, by_flow);
    for (uint32_t i = 0, to; i < s->n_flows; i = to) {
        to = i + 1;
        while (to < s->n_flows && all[to].f->phase != 's' && all[to].f->cat == all[i].f->cat &&
               all[to].f->id == all[i].f->id)
            to++;
        add_flow(p, all + i, to - i);
    }
    free(all);
}

/* Add the flow events that may lead from a picked launch to its work. The trace keeps only their times; the id has
 * to be read from the text later. */
static void add_launch_flows_of_steps(tt_picked *p, const tt_trace *s)
{
    int64_t t0 = INT64_MAX, t1 = INT64_MIN;
    for (uint32_t i = 0; i < s->n_links; i++) {
        tt_row launch = s->launch_row[i], work = s->dev[s->launched_activity[i]].row;
        if (!tt_picked_row(p, s, work) || !tt_picked_row(p, s, launch)) continue;
        int64_t a = s->start[launch] < s->start[work] ? s->start[launch] : s->start[work];
        int64_t b = tt_row_end(s, launch) > tt_row_end(s, work) ? tt_row_end(s, launch) : tt_row_end(s, work);
        *tt_vec_push(&p->launches) = s->correlation[launch];
        t0 = a < t0 ? a : t0;
        t1 = b > t1 ? b : t1;
    }
    TT_SORT_UP(p->launches.at, p->launches.n);
    for (uint32_t i = 0; i < s->n_launch_flows; i++) {
        const tt_launch_flow *f = &s->launch_flows[i];
        if (f->ts >= t0 && f->ts <= t1) add(p, f->text, TT_PICK_LAUNCH_FLOW, f->ts, TT_NONE);
    }
}

bool tt_picked_launch(const tt_picked *p, int64_t id)
{
    if (!p->launches.n || id < 0) return false;
    /* the trace replaces ids beyond 31 bits by numbers from TT_WIDE_ID on: judge such a flow by its time */
    if (id >= TT_WIDE_ID) return p->launches.at[p->launches.n - 1] >= TT_WIDE_ID;
    return TT_SORTED_FIND(p->launches.at, p->launches.n, (uint32_t)id) < p->launches.n;
}

static void add_flows(tt_picked *p, const tt_trace *s)
{
    for (uint32_t i = 0; i < s->n_flows; i++) {
        if (tt_picked_time(p, s->flows[i].ts)) add(p, s->flows[i].text, TT_PICK_EVENT, s->flows[i].ts, TT_NONE);
    }
    for (uint32_t i = 0; i < s->n_launch_flows; i++) {
        const tt_launch_flow *f = &s->launch_flows[i];
        if (tt_picked_time(p, f->ts)) add(p, f->text, TT_PICK_EVENT, f->ts, TT_NONE);
    }
}

/* ---- all of it ---- */

void tt_export_pick(const tt_session *session, const tt_scope *scope, uint32_t trace, tt_picked *p)
{
    const tt_trace *s = session->traces[trace];
    tt_windows_free(&p->windows);
    p->windows = tt_scope_windows(session, scope, trace);
    p->at.n = p->launches.n = 0;
    for (tt_row r = 0; r < s->n; r++) {
        if (tt_picked_row(p, s, r)) add(p, tt_row_text(s, r), TT_PICK_SLICE, s->start[r], r);
    }
    add_ends(p, s);
    if (p->windows.by_step) {
        add_flows_of_steps(p, s);
        add_launch_flows_of_steps(p, s);
    } else {
        add_flows(p, s);
    }
    for (uint32_t i = 0; i < s->n_instants; i++) {
        const tt_instant *v = &s->instants[i];
        if (tt_picked_time(p, v->ts)) add(p, v->text, TT_PICK_EVENT, v->ts, TT_NONE);
    }
    for (uint32_t i = 0; i < s->n_memory; i++) {
        const tt_memory_record *v = &s->memory[i];
        if (tt_picked_time(p, v->ts)) add(p, v->text, TT_PICK_EVENT, v->ts, TT_NONE);
    }
    /* without a text, counters and metadata are written from the tables */
    for (uint32_t i = 0; i < s->n_others && s->text; i++) {
        const tt_other *v = &s->others[i];
        if (tt_picked_time(p, v->ts)) add(p, v->text, TT_PICK_EVENT, v->ts, TT_NONE);
    }
    sort(p);
}

void tt_picked_free(tt_picked *p)
{
    tt_windows_free(&p->windows);
    tt_vec_free(&p->at);
    tt_vec_free(&p->launches);
}
