/* model/tables/drilldown.c - from a row of a table back to the slices it was computed from. Names, shapes and stacks
 * are looked up once per trace and then compared as numbers, so a search is one pass over the columns. */
#include <stdlib.h>
#include <string.h>

#include "model/tables/table.h"

typedef struct matcher {
    const tt_trace *s;
    uint32_t kinds;
    bool any_name, any_shapes, any_stack;
    tt_sid name, shapes, stack;
} matcher;

/* The id of a text, 0 for what stands for "none"; false when the trace does not have it. */
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
    m->any_stack = !o->stack;
    if (o->name && (m->name = tt_strings_find(&s->strings, o->name, strlen(o->name))) == UINT32_MAX) return false;
    if (o->shapes && !find_id(s, o->shapes, "[]", &m->shapes)) return false;
    return !o->stack || find_id(s, o->stack, "", &m->stack);
}

static bool matches(const matcher *m, tt_row r)
{
    const tt_trace *s = m->s;
    tt_kind kind = tt_row_kind(s, r);
    if (!(m->kinds >> kind & 1) || (!m->any_name && s->name[r] != m->name)) return false;
    if (m->any_shapes && m->any_stack) return true;
    if (tt_kind_is_device(kind) || tt_kind_is_launch(kind) || tt_kind_is_python(kind)) return false;
    const tt_op_args *a = &s->op_args[s->detail[r]];
    tt_sid shapes = a->shapes;
    if (shapes && !strcmp(tt_str(&s->strings, shapes), "[]")) shapes = 0;
    return (m->any_shapes || shapes == m->shapes) && (m->any_stack || a->stack == m->stack);
}

typedef struct hit {
    int64_t start;
    tt_row row;
} hit;

static int by_start(const void *a, const void *b)
{
    const hit *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static uint32_t search_store(const tt_session *ses, const tt_scope *scope, const tt_drilldown *o, uint32_t trace,
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
            if (!matches(&m, r) || !tt_windows_have_row(&w, s, r)) continue;
            if (o->what == TT_ORIGIN_RANGE && (s->start[r] + off < o->t0 || s->start[r] + off >= o->t1)) continue;
            *tt_vec_push(&hits) = (hit){s->start[r], r};
        }
    }
    tt_windows_free(&w);
    if (hits.n) qsort(hits.at, hits.n, sizeof *hits.at, by_start);
    uint32_t n = (uint32_t)hits.n;
    for (uint32_t i = 0; i < n && i < cap; i++) out[i] = (tt_slice_ref){trace, hits.at[i].row};
    tt_vec_free(&hits);
    return n;
}

uint32_t tt_drilldown_slices(const tt_session *s, const tt_scope *scope, const tt_drilldown *o, tt_slice_ref *out,
                             uint32_t cap)
{
    if (o->what == TT_ORIGIN_NONE) return 0;
    if (o->what == TT_ORIGIN_ROW) {
        if (cap) *out = (tt_slice_ref){o->trace, o->row};
        return 1;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_traces; i++) {
        bool wanted = o->what == TT_ORIGIN_RANGE || o->trace == TT_NONE || o->trace == i;
        if (!wanted || !tt_scope_has_store(s, scope, i)) continue;
        uint32_t used = n < cap ? n : cap;
        n += search_store(s, scope, o, i, cap > used ? out + used : NULL, cap - used);
    }
    return n;
}
