/* tui/pair/calls.c - slices of one side and their counterparts on the other side. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/mem.h"
#include "model/base/sort_by.h"
#include "model/text/short_name.h"
#include "tui/pair/pair.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/select.h"

enum { MOST_SLICES = 1 << 16 }; /* slices read for a row of a comparison: the earliest of each trace */

/* Samples of a worker are in the order of traces and steps. */
static uint32_t pair_sample_of(const tt_pair *p, int side, tt_slice_ref r)
{
    if (p->by != TT_PAIR_BY_STEP) return TT_NONE;
    const tt_trace *s = p->m.of[side]->traces[r.trace];
    const tt_matched_worker *w = &p->m.workers.at[p->worker];
    uint32_t step = tt_step_at(s, tt_row_asked_at(s, r.row));
    if (step == TT_NONE) return TT_NONE;
    const tt_step_sample *at = w->samples[side];
    uint32_t a = 0, b = w->n[side];
    TT_BISECT(a, b, i, at[i].trace < r.trace || (at[i].trace == r.trace && at[i].step < step));
    return a < w->n[side] && at[a].trace == r.trace && at[a].step == step ? a : TT_NONE;
}

typedef struct like {
    int64_t at; /* in the order of launches */
    tt_row row;
} like;
typedef TT_VEC(like) likes;

/* the strings of a trace that equal the name searched for */
typedef struct namesakes {
    const tt_trace *s;
    tt_sid id;        /* number of the same name in the trace; UINT32_MAX = the trace does not have it */
    const char *name; /* the short name; NULL = only `id` matches */
    bool device;
    uint8_t *known; /* by string: 0 not looked at, 1 no, 2 yes */
    tt_arena arena;
} namesakes;

static const char *short_name(namesakes *n, const char *name) { return tt_brief_name(&n->arena, name, n->device); }

static namesakes namesakes_of(const tt_trace *s, const char *name, tt_kind kind, bool by_short_name)
{
    namesakes n = {.s = s, .id = tt_strings_find(&s->strings, name, strlen(name)), .device = tt_kind_is_device(kind)};
    if (!by_short_name) return n;
    n.name = short_name(&n, name);
    n.known = tt_calloc(s->strings.text.n + 1, sizeof *n.known);
    return n;
}

static bool is_namesake(namesakes *n, tt_sid id)
{
    if (id == n->id || !n->name) return id == n->id;
    if (!n->known[id]) n->known[id] = strcmp(short_name(n, tt_str(&n->s->strings, id)), n->name) ? 1 : 2;
    return n->known[id] == 2;
}

/* All slices of a name and a kind in a step of the trace (TT_NONE: in all of it), in order. */
static likes find_like(const tt_pair *pair, const tt_trace *s, const char *name, tt_kind kind, uint32_t step)
{
    likes out = {0};
    namesakes n = namesakes_of(s, name, kind, pair->short_names);
    if (n.id == UINT32_MAX && !n.name) return out;
    const tt_step *p = step != TT_NONE ? &s->steps[step] : NULL;
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        tt_row end = s->tracks[k].first + s->tracks[k].n;
        tt_row r = p ? tt_track_lower_bound(s, k, p->host_start) : s->tracks[k].first;
        for (; r < end && !(p && s->start[r] >= p->end && s->start[r] >= p->host_end); r++) {
            if (tt_row_kind(s, r) != kind || !is_namesake(&n, s->name[r])) continue;
            int64_t at = tt_row_asked_at(s, r);
            if (!p || tt_step_at(s, at) == step) *tt_vec_push(&out) = (like){at, r};
        }
    }
    TT_SORT_BY(out.at, out.n, TT_ASC(like, at), TT_ASC(like, row));
    tt_arena_free(&n.arena);
    free(n.known);
    return out;
}

/* The start of a sample; without samples the aligned moment. Common axis. */
static int64_t sample_start(const tt_pair *p, int side, uint32_t sample)
{
    if (sample == TT_NONE) return p->half[side].zero;
    tt_step_sample at = p->m.workers.at[p->worker].samples[side][sample];
    return p->m.of[side]->traces[at.trace]->steps[at.step].start + p->m.of[side]->offset_ns[at.trace];
}

static tt_step_sample where(const tt_pair *p, int side, uint32_t sample)
{
    if (sample == TT_NONE) return (tt_step_sample){.trace = p->half[side].trace, .step = TT_NONE};
    return p->m.workers.at[p->worker].samples[side][sample];
}

void tt_pair_calls(const tt_pair *p, int side, tt_slice_ref r, tt_pair_call out[TT_SIDES])
{
    const tt_trace *s = p->m.of[side]->traces[r.trace];
    const char *name = tt_row_name(s, r.row);
    uint32_t sample[TT_SIDES];
    for (int k = 0; k < TT_SIDES; k++) out[k] = (tt_pair_call){.r = {0, TT_NONE}};
    sample[side] = sample[!side] = pair_sample_of(p, side, r);
    out[side].r = r;
    out[side].offset = tt_timeline_start(p->half[side].t, r) - sample_start(p, side, sample[side]);
    if (p->by == TT_PAIR_BY_STEP) {
        if (sample[side] == TT_NONE) return;
        int64_t other = (int64_t)sample[side] + p->half[!side].sample - p->half[side].sample;
        bool there = other >= 0 && other < p->m.workers.at[p->worker].n[!side];
        sample[!side] = there ? (uint32_t)other : TT_NONE;
    }
    for (int i = 0; i < TT_SIDES; i++) {
        int k = i == 0 ? side : !side;
        if (p->by == TT_PAIR_BY_STEP && sample[k] == TT_NONE) return;
        tt_step_sample at = where(p, k, sample[k]);
        if (k == side) at.trace = r.trace;
        likes l = find_like(p, p->m.of[k]->traces[at.trace], name, tt_row_kind(s, r.row), at.step);
        tt_pair_call *c = &out[k];
        c->in_sample = true;
        c->n = (uint32_t)l.n;
        if (k == side) {
            while (c->place < l.n && l.at[c->place].row != r.row) c->place++;
        } else if (out[side].place < l.n) {
            c->place = out[side].place;
            c->r = (tt_slice_ref){at.trace, l.at[c->place].row};
            c->offset = tt_timeline_start(p->half[k].t, c->r) - sample_start(p, k, sample[k]);
        }
        tt_vec_free(&l);
    }
}

tt_slice_ref tt_pair_call_at(const tt_pair *p, int side, const char *name, tt_kind kind, uint32_t place)
{
    tt_step_sample at = where(p, side, p->by == TT_PAIR_BY_STEP ? p->half[side].sample : TT_NONE);
    likes l = find_like(p, p->m.of[side]->traces[at.trace], name, kind, at.step);
    tt_slice_ref r = {at.trace, place < l.n ? l.at[place].row : TT_NONE};
    tt_vec_free(&l);
    return r;
}

/* ---- the places of a row ---- */

typedef struct places {  /* places on one side */
    tt_slice_ref *first; /* by sample: the earliest slice there, row TT_NONE = none */
    uint32_t n;          /* number of samples; without steps one */
    tt_slice_ref any;    /* the earliest of all, for slices outside of steps */
} places;

static bool earlier(const tt_pair *p, int side, tt_slice_ref a, tt_slice_ref than)
{
    const tt_timeline *t = p->half[side].t;
    return than.row == TT_NONE || tt_timeline_start(t, a) < tt_timeline_start(t, than);
}

static const char *worker_of(const tt_pair *p, int side, tt_slice_ref r)
{
    return p->m.of[side]->traces[r.trace]->worker;
}

/* Slices of an origin on a side; the caller frees. */
static tt_slice_ref *slices_of(const tt_pair *p, int side, const tt_scope *scope, const tt_drilldown *o, uint32_t *n)
{
    const tt_session *s = p->m.of[side];
    *n = 0;
    if (o->what == TT_DRILL_NONE || o->what == TT_DRILL_RANGE) return NULL;
    if (o->what == TT_DRILL_ROW && (o->trace >= s->n_traces || o->row >= s->traces[o->trace]->n)) return NULL;
    tt_slice_ref *at = tt_calloc(MOST_SLICES, sizeof *at);
    *n = tt_drilldown_slices(s, scope, o, at, MOST_SLICES);
    *n = *n < MOST_SLICES ? *n : MOST_SLICES;
    return at;
}

/* The matched worker of the first slice that has one. */
static uint32_t worker_at(const tt_pair *p, int side, const tt_slice_ref *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t w = 0; w < p->m.workers.n; w++)
            if (!strcmp(p->m.workers.at[w].name[side], worker_of(p, side, at[i]))) return w;
    }
    return TT_NONE;
}

static places places_of(const tt_pair *p, int side, const tt_slice_ref *at, uint32_t n)
{
    places x = {.n = p->by == TT_PAIR_BY_STEP ? p->m.workers.at[p->worker].n[side] : 1, .any = {0, TT_NONE}};
    x.first = tt_calloc(x.n + (size_t)1, sizeof *x.first);
    for (uint32_t i = 0; i < x.n; i++) x.first[i].row = TT_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (p->half[side].worker && strcmp(worker_of(p, side, at[i]), p->half[side].worker) != 0) continue;
        uint32_t sample = p->by == TT_PAIR_BY_STEP ? pair_sample_of(p, side, at[i]) : 0;
        if (earlier(p, side, at[i], x.any)) x.any = at[i];
        if (sample != TT_NONE && earlier(p, side, at[i], x.first[sample])) x.first[sample] = at[i];
    }
    return x;
}

/* Choose the samples to align: the first sample with slices on both sides, else for each side its first sample with
 * slices. */
static void choose_samples(const places at[TT_SIDES], uint32_t out[TT_SIDES])
{
    uint32_t common = at[TT_BASE].n < at[TT_NEW].n ? at[TT_BASE].n : at[TT_NEW].n;
    for (uint32_t i = 0; i < common; i++) {
        if (at[TT_BASE].first[i].row == TT_NONE || at[TT_NEW].first[i].row == TT_NONE) continue;
        out[TT_BASE] = out[TT_NEW] = i;
        return;
    }
    for (int side = 0; side < TT_SIDES; side++) {
        out[side] = TT_NONE;
        for (uint32_t i = at[side].n; i-- > 0;)
            if (at[side].first[i].row != TT_NONE) out[side] = i;
    }
    for (int side = 0; side < TT_SIDES; side++) /* a side without slices takes the sample of the other side */
        if (out[side] == TT_NONE) out[side] = out[!side] != TT_NONE ? out[!side] : 0;
}

/* The index of the step in which a range begins. */
static uint32_t sample_of_range(const tt_pair *p, int side, int64_t t0)
{
    const tt_matched_worker *w = p->by == TT_PAIR_BY_STEP ? &p->m.workers.at[p->worker] : NULL;
    for (uint32_t i = 0; w && i < w->n[side]; i++) {
        const tt_step *s = &p->m.of[side]->traces[w->samples[side][i].trace]->steps[w->samples[side][i].step];
        int64_t start = sample_start(p, side, i);
        if (t0 >= start && t0 < start + (s->end - s->start)) return i;
    }
    return 0;
}

static void select_at(tt_pair *p, int side, tt_slice_ref r, bool reveal)
{
    tt_timeline *t = p->half[side].t;
    if (r.row == TT_NONE) return;
    tt_view_reveal(t, r);
    tt_timeline_select(t, r, reveal);
}

unsigned tt_pair_show(tt_pair *p, const tt_scope *scope, const tt_comparison *c, const tt_drilldown at[TT_SIDES])
{
    const tt_scope *const in[TT_SIDES] = {&c->base_scope, scope};
    tt_slice_ref *slices[TT_SIDES], sel[TT_SIDES];
    uint32_t n[TT_SIDES], sample[TT_SIDES] = {0, 0}, worker = TT_NONE;
    places x[TT_SIDES];
    unsigned found = 0;
    for (int side = TT_SIDES; side-- > 0;) {
        slices[side] = slices_of(p, side, in[side], &at[side], &n[side]);
        if (worker == TT_NONE) worker = worker_at(p, side, slices[side], n[side]);
    }
    if (worker != TT_NONE && worker != p->worker) tt_pair_align(p, worker, 0, 0);
    for (int side = 0; side < TT_SIDES; side++) x[side] = places_of(p, side, slices[side], n[side]);
    choose_samples(x, sample);
    for (int side = 0; side < TT_SIDES; side++) {
        bool range = at[side].what == TT_DRILL_RANGE;
        if (range) sample[side] = sample_of_range(p, side, at[side].t0);
        sel[side] = sample[side] < x[side].n ? x[side].first[sample[side]] : x[side].any;
        if (sel[side].row == TT_NONE) sel[side] = x[side].any;
        if (sel[side].row != TT_NONE || range) found |= 1u << side;
        free(slices[side]);
        free(x[side].first);
    }
    tt_pair_align(p, p->worker, sample[TT_BASE], sample[TT_NEW]);
    tt_pair_whole_step(p);
    p->focus = found & 1u << TT_NEW || !found ? TT_NEW : TT_BASE;
    for (int side = 0; side < TT_SIDES; side++) {
        tt_timeline *t = p->half[side].t;
        t->sel.row = TT_NONE;
        t->mark_a = at[side].what == TT_DRILL_RANGE ? at[side].t0 : TT_UNKNOWN;
        t->mark_b = at[side].what == TT_DRILL_RANGE ? at[side].t1 : TT_UNKNOWN;
        tt_timeline_match(t, at[side].what == TT_DRILL_SLICES ? at[side].name : NULL, true);
    }
    select_at(p, !p->focus, sel[!p->focus], false);
    select_at(p, p->focus, sel[p->focus], true);
    if (at[p->focus].what == TT_DRILL_RANGE) {
        tt_timeline *t = p->half[p->focus].t;
        t->at = at[p->focus].t0 + (at[p->focus].t1 - at[p->focus].t0) / 2;
        if (t->at < t->t0 || t->at >= t->t1)
            tt_timeline_window(t, t->at - (t->t1 - t->t0) / 2, t->at + (t->t1 - t->t0) / 2);
    }
    tt_pair_follow(p);
    return found;
}
