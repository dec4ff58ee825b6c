/* tui/pair/pair.c - two timelines with one window, and the moment at which they are aligned. */
#include "tui/pair/pair.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/rows/nodes.h"

/* ---- the rows of a half ---- */

/* Hide the tracks of all workers but the worker of the half. */
static void hide_others(tt_pair_half *h)
{
    for (size_t i = 0; i < h->t->nodes.n; i++) {
        tt_timeline_node *n = &h->t->nodes.at[i];
        n->hidden = h->worker && strcmp(h->t->session->traces[n->trace]->worker, h->worker) != 0;
    }
    tt_timeline_layout(h->t);
}

void tt_pair_show_hidden(tt_pair *p, int side) { hide_others(&p->half[side]); }

/* Fold the hosts, so that both halves show their devices at once. */
static void choose_rows(tt_pair_half *h)
{
    tt_timeline *t = h->t;
    for (size_t i = 0; i < t->nodes.n; i++) {
        tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind == TT_TIMELINE_WORKER) n->collapsed = n->trace != h->trace;
        if (n->kind == TT_TIMELINE_PROCESS && !n->device) n->collapsed = true;
    }
    hide_others(h);
}

/* Put the cursor on the first track of a device of the trace, else on the first row. */
static void begin_at_device(tt_pair_half *h)
{
    tt_timeline *t = h->t;
    t->line = 0;
    for (uint32_t i = 0; i < t->lines.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (n->kind != TT_TIMELINE_TRACK || !n->device || n->trace != h->trace) continue;
        t->line = i;
        break;
    }
    t->top = t->line > 1 ? t->line - 1 : 0;
    tt_timeline_scroll(t);
}

/* ---- what is aligned ---- */

static int64_t first_work(const tt_session *s, uint32_t trace)
{
    const tt_trace *t = s->traces[trace];
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < t->n_dev; i++) {
        tt_row r = t->dev[i].row;
        if (tt_kind_is_work(tt_row_kind(t, r)) && t->start[r] < first) first = t->start[r];
    }
    return first;
}

static tt_pair_by how_aligned(const tt_pair *p)
{
    bool steps = p->m.workers.n > 0, ranges = true, work = true;
    for (int side = 0; side < TT_SIDES; side++) {
        steps = steps && p->m.n_samples[side] > 0;
        ranges = ranges && p->m.scope[side].has_range;
        work = work && first_work(p->m.of[side], p->half[side].trace) != INT64_MAX;
    }
    return steps ? TT_PAIR_BY_STEP : ranges ? TT_PAIR_BY_RANGE : work ? TT_PAIR_BY_WORK : TT_PAIR_BY_START;
}

const tt_step *tt_pair_aligned_step(const tt_pair *p, int side)
{
    const tt_pair_half *h = &p->half[side];
    if (p->by != TT_PAIR_BY_STEP) return NULL;
    tt_step_sample at = p->m.workers.at[p->worker].samples[side][h->sample];
    return &p->m.of[side]->traces[at.trace]->steps[at.step];
}

static void place_zero(tt_pair *p, int side)
{
    tt_pair_half *h = &p->half[side];
    const tt_session *s = p->m.of[side];
    const tt_step *step = tt_pair_aligned_step(p, side);
    h->length = 0;
    if (step) {
        h->trace = p->m.workers.at[p->worker].samples[side][h->sample].trace;
        h->zero = step->start + s->offset_ns[h->trace];
        h->length = step->end - step->start;
    } else if (p->by == TT_PAIR_BY_RANGE) {
        h->zero = p->m.scope[side].t0;
    } else {
        h->zero = s->offset_ns[h->trace] + (p->by == TT_PAIR_BY_WORK ? first_work(s, h->trace) : 0);
    }
}

/* Let both windows reach over the time that either run covers. */
static void join_axes(tt_pair *p)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int side = 0; side < TT_SIDES; side++) {
        int64_t a = tt_pair_offset(p, side, 0), b = tt_pair_offset(p, side, p->m.of[side]->end_ns);
        first = a < first ? a : first;
        last = b > last ? b : last;
    }
    for (int side = 0; side < TT_SIDES; side++) {
        p->half[side].t->axis.start = p->half[side].zero + first;
        p->half[side].t->axis.end = p->half[side].zero + last;
        p->half[side].t->axis.fit0 = p->half[side].t->axis.start;
        p->half[side].t->axis.fit1 = p->half[side].t->axis.end;
    }
}

int64_t tt_pair_offset(const tt_pair *p, int side, int64_t at) { return at - p->half[side].zero; }

void tt_pair_follow(tt_pair *p)
{
    const tt_pair_half *from = &p->half[p->focus];
    tt_pair_half *to = &p->half[!p->focus];
    int64_t shift = to->zero - from->zero;
    to->t->t0 = from->t->t0 + shift;
    to->t->t1 = from->t->t1 + shift;
    to->t->at = from->t->at + shift;
}

void tt_pair_align(tt_pair *p, uint32_t worker, uint32_t base_sample, uint32_t new_sample)
{
    const uint32_t want[TT_SIDES] = {base_sample, new_sample};
    tt_timeline *t = p->half[p->focus].t;
    int64_t was = p->half[p->focus].zero;
    bool other = worker < p->m.workers.n && p->worker != worker;
    if (other) p->worker = worker;
    for (int side = 0; side < TT_SIDES; side++) {
        tt_pair_half *h = &p->half[side];
        uint32_t n = p->by == TT_PAIR_BY_STEP ? p->m.workers.at[p->worker].n[side] : 0, trace = h->trace;
        h->sample = want[side] < n ? want[side] : n ? n - 1 : 0;
        if (other) {
            h->worker = p->m.workers.at[p->worker].name[side];
            h->trace = tt_matching_trace(&p->m, side, p->worker, 0);
        }
        place_zero(p, side);
        if (h->trace == trace) continue;
        choose_rows(h);
        begin_at_device(h);
    }
    join_axes(p);
    int64_t by = p->half[p->focus].zero - was;
    t->at += by;
    tt_timeline_window(t, t->t0 + by, t->t1 + by);
    tt_pair_follow(p);
}

bool tt_pair_step(tt_pair *p, int dir)
{
    if (p->by != TT_PAIR_BY_STEP) return false;
    for (int side = 0; side < TT_SIDES; side++) {
        uint32_t at = p->half[side].sample;
        if (dir < 0 ? at == 0 : at + 1 >= p->m.workers.at[p->worker].n[side]) return false;
    }
    uint32_t by = dir < 0 ? UINT32_MAX : 1;
    tt_pair_align(p, p->worker, p->half[TT_BASE].sample + by, p->half[TT_NEW].sample + by);
    return true;
}

void tt_pair_whole_step(tt_pair *p)
{
    const tt_pair_half *h = &p->half[p->focus];
    int64_t length =
        p->half[TT_BASE].length > p->half[TT_NEW].length ? p->half[TT_BASE].length : p->half[TT_NEW].length;
    int64_t room = length / 40 + 1;
    if (length > 0) {
        tt_timeline_window(h->t, h->zero - room, h->zero + length + room);
        bool inside = h->t->at >= h->zero && h->t->at < h->zero + length;
        if (!inside) h->t->at = h->zero + length / 2;
    } else {
        tt_timeline_whole(h->t);
    }
    tt_pair_follow(p);
}

/* ---- life ---- */

static uint32_t first_trace(const tt_session *s, const tt_scope *scope)
{
    for (uint32_t i = 0; i < s->n_traces; i++)
        if (tt_scope_has_trace(s, scope, i)) return i;
    return 0;
}

tt_pair *tt_pair_new(tt_session *new_run, const tt_scope *scope, const tt_comparison *c)
{
    tt_pair *p = tt_calloc(1, sizeof *p);
    tt_session *const of[TT_SIDES] = {c->base, new_run};
    p->m = tt_matching_make(new_run, scope, c);
    p->focus = TT_NEW;
    p->short_names = c->short_names;
    for (int side = 0; side < TT_SIDES; side++) {
        tt_pair_half *h = &p->half[side];
        bool matched = p->m.workers.n > 0;
        h->worker = matched ? p->m.workers.at[0].name[side] : NULL;
        h->trace = matched ? tt_matching_trace(&p->m, side, 0, 0) : first_trace(of[side], &p->m.scope[side]);
        h->t = tt_timeline_new(of[side]);
        tt_view_show(h->t, TT_VIEW_BANDS);
    }
    p->by = how_aligned(p);
    for (int side = 0; side < TT_SIDES; side++) {
        place_zero(p, side);
        choose_rows(&p->half[side]);
        begin_at_device(&p->half[side]);
    }
    join_axes(p);
    for (int side = 0; side < TT_SIDES; side++)
        p->half[side].t->at = p->half[side].zero - 1; /* the cursor lies in no step yet */
    tt_pair_whole_step(p);
    return p;
}

void tt_pair_free(tt_pair *p)
{
    if (!p) return;
    for (int side = 0; side < TT_SIDES; side++) tt_timeline_free(p->half[side].t);
    tt_matching_free(&p->m);
    free(p);
}
