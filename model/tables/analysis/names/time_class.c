/* model/tables/analysis/names/time_class.c - role intervals. Rows of a track are sorted, so each track gives sorted
 * sets, which are merged in pairs; tracks and roles run side by side, and the whole trace is never sorted. */
#include "model/tables/analysis/names/time_class.h"

#include <stdlib.h>

#include "model/base/run/parallel.h"
#include "model/tables/analysis/names/name_class.h"
#include "model/trace/analysis_cache.h"

typedef TT_VEC(tt_ivs) set_list;

tt_time_class tt_role_of(const tt_trace *s, const tt_name_classes *names, tt_row r)
{
    const tt_activity *d;
    switch (tt_row_kind(s, r)) {
    case TT_KIND_KERNEL:
        if (tt_name_class(names, s, r) & TT_NAME_COMM_STEP) return TT_TIME_COMMUNICATION;
        d = tt_row_dev(s, r);
        return d && d->coll ? TT_TIME_COMMUNICATION : TT_TIME_KERNEL;
    case TT_KIND_MEMCPY: return TT_TIME_MEMCPY;
    case TT_KIND_MEMSET: return TT_TIME_MEMSET;
    case TT_KIND_RUNTIME:
    case TT_KIND_DRIVER: return TT_TIME_RUNTIME;
    case TT_KIND_COLLECTIVE: return TT_TIME_COMMUNICATION;
    case TT_KIND_DATALOADER: return TT_TIME_DATALOADER;
    case TT_KIND_COMMUNICATION: return TT_TIME_COMMUNICATION;
    case TT_KIND_CPU_OP:
    case TT_KIND_ANNOTATION: {
        unsigned c = tt_name_class(names, s, r);
        if (c & TT_NAME_COMM) return TT_TIME_COMMUNICATION;
        return c & TT_NAME_DATALOADER ? TT_TIME_DATALOADER : TT_TIME_CPU;
    }
    case TT_KIND_OP_INNER:
    case TT_KIND_PYTHON_OP: return TT_TIME_CPU;
    default: return TT_TIME_COUNT_;
    }
}

typedef struct track_roles {
    tt_ivs of[TT_TIME_COUNT_];
    bool has_device, has_work;
} track_roles;

typedef struct role_build {
    const tt_trace *s;
    const tt_name_classes *names;
    track_roles *tracks;
    set_list lists[TT_TIME_COUNT_];
    tt_time_classes *roles;
} role_build;

static void walk_track(void *arg, size_t t)
{
    const role_build *b = arg;
    const tt_trace *s = b->s;
    track_roles x = {0};
    for (tt_row r = s->tracks[t].first; r < s->tracks[t].first + s->tracks[t].n; r++) {
        tt_kind k = tt_row_kind(s, r);
        x.has_work |= tt_kind_is_work(k);
        x.has_device |= tt_kind_is_work(k) || tt_kind_is_launch(k);
        tt_time_class role = tt_role_of(s, b->names, r);
        if (role == TT_TIME_COUNT_ || s->dur[r] <= 0) continue;
        tt_ivs_extend(&x.of[role], s->start[r], tt_row_end(s, r));
    }
    b->tracks[t] = x;
}

static void unite_role(void *arg, size_t i)
{
    role_build *b = arg;
    b->roles->of[i] = tt_ivs_unite(b->lists[i].at, b->lists[i].n);
    tt_vec_free(&b->lists[i]);
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    tt_time_classes *roles = tt_calloc(1, sizeof *roles);
    role_build b = {.s = s, .names = tt_name_classes_get(session, trace), .roles = roles};
    b.tracks = tt_calloc(s->n_tracks + (size_t)1, sizeof *b.tracks);
    tt_parallel(tt_threads(), s->n_tracks, walk_track, &b);
    for (uint32_t t = 0; t < s->n_tracks; t++) {
        roles->has_work |= b.tracks[t].has_work;
        roles->has_device |= b.tracks[t].has_device;
        for (int i = 0; i < TT_TIME_COUNT_; i++)
            if (b.tracks[t].of[i].n) *tt_vec_push(&b.lists[i]) = b.tracks[t].of[i];
    }
    tt_parallel(tt_threads(), TT_TIME_COUNT_, unite_role, &b);
    roles->has_communication = roles->of[TT_TIME_COMMUNICATION].n > 0;
    free(b.tracks);
    return roles;
}

static void release(void *value)
{
    tt_time_classes *roles = value;
    for (int i = 0; i < TT_TIME_COUNT_; i++) tt_vec_free(&roles->of[i]);
    free(roles);
}

const tt_time_classes *tt_time_classes_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"roles", build, release};
    return tt_analysis_get(s, trace, &kind);
}
