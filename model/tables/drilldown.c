/* model/tables/drilldown.c - from a row of a table back to the slices it was computed from. Names, shapes and stacks
 * are looked up once per trace and then compared as numbers, so a search is one pass over the columns. */
#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/tables/table.h"
#include "model/trace/call_stack.h"

typedef struct matcher {
    const tt_trace *s;
    uint32_t kinds;
    bool any_name, any_shapes;
    tt_sid name, shapes;
    const char *stack; /* NULL = any */
} matcher;

/* Find the id of a text; 0 for the text that stands for "none". False when the trace does not have the text. */
static bool find_id(const tt_trace *s, const char *text, const char *none, tt_sid *id)
{
    *id = 0;
    if (!strcmp(text, none)) return true;
    *id = tt_strings_find(&s->strings, text, strlen(text));
    return *id != UINT32_MAX;
}

/* False when nothing in the trace can match. */
static bool matcher_init(matcher *m, const tt_trace *s, const tt_drilldown *o)
{
    *m = (matcher){.s = s, .kinds = o->kinds ? o->kinds : UINT32_MAX};
    m->any_name = !o->name;
    m->any_shapes = !o->shapes;
    m->stack = o->stack;
    if (o->name && (m->name = tt_strings_find(&s->strings, o->name, strlen(o->name))) == UINT32_MAX) return false;
    return !o->shapes || find_id(s, o->shapes, "[]", &m->shapes);
}

static bool matches(const matcher *m, uint32_t track, tt_row r)
{
    const tt_trace *s = m->s;
    tt_kind kind = tt_row_kind(s, r);
    if (!(m->kinds >> kind & 1) || (!m->any_name && s->name[r] != m->name)) return false;
    if (m->any_shapes && !m->stack) return true;
    if (tt_kind_is_device(kind) || tt_kind_is_python(kind)) return false;
    if (tt_kind_is_launch(kind)) return m->any_shapes && tt_call_stack_is(s, track, r, m->stack);
    const tt_op_args *a = &s->op_args[s->detail[r]];
    tt_sid shapes = a->shapes;
    if (shapes && !strcmp(tt_str(&s->strings, shapes), "[]")) shapes = 0;
    return (m->any_shapes || shapes == m->shapes) && (!m->stack || tt_call_stack_is(s, track, r, m->stack));
}

typedef struct hit {
    int64_t start;
    tt_row row;
} hit;

static uint32_t search_trace(const tt_session *ses, const tt_scope *scope, const tt_drilldown *o, uint32_t trace,
                             tt_slice_ref *out, uint32_t cap)
{
    const tt_trace *s = ses->traces[trace];
    matcher m;
    if (!matcher_init(&m, s, o)) return 0;
    tt_windows w = tt_scope_windows(ses, scope, trace);
    int64_t off = ses->offset_ns[trace];
    TT_VEC(hit) hits = {0};
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        if (scope->thread != TT_ALL && scope->thread != k) continue;
        const tt_track *track = &s->tracks[k];
        for (tt_row r = track->first; r < track->first + track->n; r++) {
            if (!matches(&m, k, r) || !tt_windows_have_row(&w, s, r)) continue;
            if (o->what == TT_DRILL_RANGE && (s->start[r] + off < o->t0 || s->start[r] + off >= o->t1)) continue;
            *tt_vec_push(&hits) = (hit){s->start[r], r};
        }
    }
    tt_windows_free(&w);
    TT_SORT_BY(hits.at, hits.n, TT_ASC(hit, start), TT_ASC(hit, row));
    uint32_t n = (uint32_t)hits.n;
    for (uint32_t i = 0; i < n && i < cap; i++) out[i] = (tt_slice_ref){trace, hits.at[i].row};
    tt_vec_free(&hits);
    return n;
}

uint32_t tt_drilldown_slices(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, tt_slice_ref *out,
                             uint32_t cap)
{
    if (o->what == TT_DRILL_NONE) return 0;
    if (o->what == TT_DRILL_ROW) {
        if (cap) *out = (tt_slice_ref){o->trace, o->row};
        return 1;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        bool wanted = o->what == TT_DRILL_RANGE || o->trace == TT_NONE || o->trace == i;
        if (!wanted || !tt_scope_has_trace(s, scope, i)) continue;
        uint32_t used = n < cap ? n : cap;
        n += search_trace(s, scope, o, i, cap > used ? out + used : NULL, cap - used);
    }
    return n;
}

/* Step of a slice that is one, or of device work; TT_NONE for other slices. */
static uint32_t step_of(const tt_trace *t, tt_row r)
{
    const tt_activity *dev = tt_row_dev(t, r);
    bool is_step = tt_row_kind(t, r) == TT_KIND_STEP || tt_row_kind(t, r) == TT_KIND_ENGINE_STEP;
    if (!dev && !is_step) return TT_NONE;
    uint32_t i = tt_step_at(t, tt_row_asked_at(t, r));
    return i != TT_NONE && t->steps[i].row != TT_NONE && (!is_step || t->steps[i].row == r) ? i : TT_NONE;
}

/* Step of a trace that begins and ends at these times; TT_NONE. */
static uint32_t step_from_to(const tt_trace *t, int64_t t0, int64_t t1)
{
    for (uint32_t i = 0; i < t->n_steps; i++) {
        if (t->steps[i].row != TT_NONE && t->steps[i].start == t0 && t->steps[i].end == t1) return i;
    }
    return TT_NONE;
}

static int32_t place_of(char *const *names, uint32_t n, const char *name)
{
    for (uint32_t i = 0; n > 1 && i < n; i++) {
        if (!strcmp(names[i], name)) return (int32_t)i;
    }
    return TT_ALL;
}

void tt_scope_narrow(const tt_session *s, const tt_drilldown *o, tt_scope *scope)
{
    if (o->what != TT_DRILL_RANGE && o->what != TT_DRILL_ROW) return;
    uint32_t step = TT_NONE;
    int64_t t0 = o->t0, t1 = o->t1;
    if (o->what == TT_DRILL_RANGE && o->trace < s->n_traces)
        step = step_from_to(s->traces[o->trace], t0 - s->offset_ns[o->trace], t1 - s->offset_ns[o->trace]);
    if (o->what == TT_DRILL_ROW) {
        const tt_trace *t = s->traces[o->trace];
        t0 = t->start[o->row] + s->offset_ns[o->trace];
        t1 = t0 + (t->dur[o->row] > 0 ? t->dur[o->row] : 1);
        step = step_of(t, o->row);
        scope->worker = place_of(s->workers, s->n_workers, t->worker);
        scope->span = place_of(s->spans, s->n_spans, t->span);
    }
    scope->has_steps = step != TT_NONE;
    scope->has_range = !scope->has_steps;
    if (scope->has_steps) {
        scope->step_first = scope->step_last = s->traces[o->trace]->steps[step].number;
    } else {
        scope->t0 = t0;
        scope->t1 = t1;
    }
}
