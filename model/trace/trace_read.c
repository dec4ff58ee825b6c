/* Reading a finished trace: see trace.h. */
#include "model/trace/trace.h"

#include "model/trace/imported.h"
#include "model/trace/session.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/page_pool.h"
#include "model/trace/ancestors.h"
#include "model/trace/snapshot.h"

const char *const tt_kind_name[TT_KIND_COUNT_] = {
#define X(id, name, title) [TT_KIND_##id] = name,
#include "model/trace/kinds.def"
#undef X
};
const char *const tt_kind_title[TT_KIND_COUNT_] = {
#define X(id, name, title) [TT_KIND_##id] = title,
#include "model/trace/kinds.def"
#undef X
};

uint32_t tt_row_track(const tt_trace *s, tt_row r)
{
    uint32_t lo = 0, hi = s->n_tracks; /* find the last track with rows whose first row is at or before r */
    TT_BISECT(lo, hi, i, s->tracks[i].first + s->tracks[i].n <= r);
    return lo;
}

tt_row tt_track_lower_bound(const tt_trace *s, uint32_t track, int64_t t)
{
    tt_row lo = s->tracks[track].first, hi = lo + s->tracks[track].n;
    TT_BISECT(lo, hi, i, s->start[i] < t);
    return lo;
}

static uint32_t kinds_there(const tt_trace *s)
{
    uint32_t kinds = 0;
    for (uint32_t c = 0; c < s->n_cats; c++) kinds |= 1u << s->kind_of[c];
    return kinds;
}

/* From the last slice of its layer that starts at or before t, walk up until a slice contains t. */
static tt_row slice_at_layer(const tt_trace *s, const tt_track *tr, tt_row last, int64_t t, uint32_t kinds, bool python,
                             const tt_row *last_frame)
{
    tt_row r = python && last_frame ? last_frame[last] : last;
    if (!tr->has_layer[python] || r == TT_NONE)
        return TT_NONE; /* the layer is empty: a search would go through the whole track */
    r = tt_last_of_layer(s, tr, r, python);
    return tt_first_around(s, r, t, kinds);
}

tt_row *tt_last_frames(const tt_trace *s)
{
    tt_row *last = tt_malloc((s->n + (size_t)1) * sizeof *last);
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        tt_row first = s->tracks[k].first, found = TT_NONE;
        for (tt_row r = first; r < first + s->tracks[k].n; r++)
            last[r] = found = tt_kind_is_python(tt_row_kind(s, r)) ? r : found;
    }
    return last;
}

tt_row tt_track_slice_at(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds)
{
    return tt_track_slice_at_with(s, track, t, kinds, NULL);
}

tt_row tt_track_slice_at_with(const tt_trace *s, uint32_t track, int64_t t, uint32_t kinds, const tt_row *last_frame)
{
    const tt_track *tr = &s->tracks[track];
    const uint32_t python = (1u << TT_KIND_PYTHON) | (1u << TT_KIND_MODULE);
    kinds &= kinds_there(s); /* no slice of the wanted kinds exists: the walk would go all the way up */
    if (!kinds) return TT_NONE;
    tt_row after = tt_track_lower_bound(s, track, t + 1);
    if (after == tr->first) return TT_NONE;
    tt_row a = kinds & ~python ? slice_at_layer(s, tr, after - 1, t, kinds, false, NULL) : TT_NONE;
    tt_row b = kinds & python ? slice_at_layer(s, tr, after - 1, t, kinds, true, last_frame) : TT_NONE;
    if (a == TT_NONE || b == TT_NONE) return a == TT_NONE ? b : a;
    return a > b ? a : b; /* when both slices contain t, the later start is the inner one */
}

tt_row tt_row_ancestor(const tt_trace *s, tt_row r, uint32_t kinds)
{
    return tt_first_around(s, s->parent[r], INT64_MIN, kinds);
}

const uint32_t *tt_row_launched(const tt_trace *s, tt_row launch, uint32_t *n)
{
    uint32_t lo = 0, hi = s->n_links;
    TT_BISECT(lo, hi, i, s->launch_row[i] < launch);
    *n = 0;
    while (lo + *n < s->n_links && s->launch_row[lo + *n] == launch) ++*n;
    return s->launched_activity + lo;
}

int64_t tt_activity_asked_at(const tt_trace *s, const tt_activity *d)
{
    uint32_t id = s->correlation[d->row];
    if (tt_steps_of_devices(s)) return s->start[d->row];
    if (d->launch != TT_NONE) return s->start[d->launch];
    return id && id < s->first_launch ? INT64_MIN : s->start[d->row];
}

int64_t tt_row_asked_at(const tt_trace *s, tt_row r)
{
    const tt_activity *d = tt_row_dev(s, r);
    return d ? tt_activity_asked_at(s, d) : s->start[r];
}

tt_row tt_activity_operator(const tt_trace *s, const tt_activity *d)
{
    return d->op != TT_NONE || d->launch == TT_NONE ? d->op : s->detail[d->launch];
}

uint32_t tt_step_at(const tt_trace *s, int64_t t)
{
    uint32_t hint = TT_NONE;
    return tt_step_near(s, t, &hint);
}

uint32_t tt_step_near(const tt_trace *s, int64_t t, uint32_t *hint)
{
    uint32_t lo = 0, hi = s->n_step_spans; /* find the first stretch that ends after t */
    if (*hint < hi && s->step_spans[*hint].t0 <= t && t < s->step_spans[*hint].t1) return s->step_spans[*hint].step;
    TT_BISECT(lo, hi, i, s->step_spans[i].t1 <= t);
    *hint = lo;
    return lo < s->n_step_spans && s->step_spans[lo].t0 <= t ? s->step_spans[lo].step : TT_NONE;
}

const char *tt_trace_meta(const tt_trace *s, const char *key)
{
    for (uint32_t i = s->n_meta; i-- > 0;) {
        if (!strcmp(tt_str(&s->strings, s->meta[i].key), key)) return tt_str(&s->strings, s->meta[i].value);
    }
    return NULL;
}

static bool read_engine_step(const tt_trace *s, tt_row r, tt_engine_step_name *out)
{
    const char *name = tt_row_name(s, r);
    return tt_row_kind(s, r) == TT_KIND_ENGINE_STEP && tt_engine_step_read(name, strlen(name), out);
}

tt_engine_step_name tt_engine_step_of_row(const tt_trace *s, tt_row row)
{
    tt_engine_step_name all, inner;
    const tt_track *track = &s->tracks[tt_row_track(s, row)];
    (void)read_engine_step(s, row, &all);
    for (tt_row r = row + 1; r < track->first + track->n && s->start[r] < tt_row_end(s, row); r++)
        if (tt_row_end(s, r) <= tt_row_end(s, row) && read_engine_step(s, r, &inner)) tt_engine_step_add(&all, &inner);
    return all;
}
