/* tui/timeline/model/index.c - see index.h. */
#include "tui/timeline/model/index.h"

#include <stdlib.h>

#include "model/keys/keys.h"
#include "model/tables/analysis/graphs/graph_owner.h"
#include "model/tables/analysis/names/name_sums.h"
#include "tui/timeline/model/row_source.h"
#include "tui/widgets/theme.h"

static uint8_t class_of(tt_kind kind, const char *name) { return (uint8_t)tt_hue_class(kind, name); }

static const tt_lod_classifier classes = {class_of, TT_HUE_BY_NAME};
_Static_assert((int)TT_HUE_COUNT_ <= (int)TT_LOD_CLASSES, "a hue is a class of the index");

/* Tracks of a subtree for its busy time: device tracks if it has any, else host tracks. */
static tt_lod_union *group_of(const tt_timeline *t, tt_lod **lods, uint32_t from, uint32_t to)
{
    TT_VEC(tt_lod_member) m = {0};
    for (int device = 1; device >= 0 && m.n == 0; device--) {
        for (uint32_t i = from; i < to; i++) {
            const tt_timeline_node *n = &t->nodes.at[i];
            if (tt_timeline_is_track(n) && n->device == device) {
                const tt_trace *s = t->session->traces[n->trace];
                *tt_vec_push(&m) = (tt_lod_member){lods[n->trace], s, n->index, t->session->offset_ns[n->trace]};
            }
        }
    }
    tt_lod_union *g = tt_lod_union_new(m.at, (uint32_t)m.n);
    tt_vec_free(&m);
    return g;
}

void tt_timeline_index_open(const tt_timeline *t, tt_timeline_view view, tt_lod_filter *filters, tt_timeline_index *x)
{
    x->lods = tt_calloc(t->session->n_traces + (size_t)1, sizeof *x->lods);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        x->lods[i] = tt_lod_new_filtered(t->session->traces[i], filters ? &filters[i] : NULL,
                                         view == TT_VIEW_BANDS ? t->layers.bands[i] : NULL);
        tt_lod_classify(x->lods[i], &classes);
    }
    x->groups = tt_calloc(t->nodes.n + 1, sizeof *x->groups);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        if (tt_row_source_of(t, &t->nodes.at[i])->heads) {
            x->groups[i] = group_of(t, x->lods, i, t->nodes.at[i].end);
        }
    }
    x->overview = group_of(t, x->lods, 0, (uint32_t)t->nodes.n);
}

void tt_timeline_index_build(const tt_timeline *t, tt_timeline_index *x, const atomic_bool *stop)
{
    bool banded = x->lods[0] && tt_lod_bands(x->lods[0]);
    for (uint32_t i = 0; i < t->session->n_traces && banded && !atomic_load(stop); i++) {
        tt_bands_build(t->layers.bands[i], 0, stop); /* bands first: lines depend on them */
    }
    for (uint32_t i = 0; i < t->session->n_traces && !atomic_load(stop); i++) {
        tt_lod_build(x->lods[i], 0, stop);
    }
    if (!atomic_load(stop)) {
        tt_lod_union_build(x->overview, stop);
    }
    for (size_t i = 0; i < t->nodes.n && !atomic_load(stop); i++) {
        if (x->groups[i]) {
            tt_lod_union_build(x->groups[i], stop);
        }
    }
}

void tt_timeline_index_close(const tt_timeline *t, tt_timeline_index *x)
{
    for (size_t i = 0; i < t->nodes.n; i++) {
        tt_lod_union_free(x->groups[i]);
    }
    tt_lod_union_free(x->overview);
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        tt_lod_free(x->lods[i]);
    }
    free(x->groups);
    free(x->lods);
}

void tt_timeline_index_use(tt_timeline *t, const tt_timeline_index *x)
{
    t->lods = x->lods;
    t->overview = x->overview;
    for (size_t i = 0; i < t->nodes.n; i++) {
        t->nodes.at[i].group = x->groups[i];
    }
    t->serial++;
}

bool tt_timeline_indexed(const tt_timeline *t, uint32_t trace, uint32_t track)
{
    return t->session->traces[trace]->tracks[track].n < t->wait_from || !atomic_load(&((tt_timeline *)t)->preparing) ||
           tt_lod_ready(t->lods[trace], track);
}

bool tt_timeline_may_query(const tt_timeline *t, const tt_lod_union *g)
{
    return tt_lod_union_ready(g) || !atomic_load(&((tt_timeline *)t)->preparing);
}

void tt_timeline_prepare(tt_timeline *t, tt_timeline_view view, const atomic_bool *stop)
{
    tt_timeline_index_build(t, &t->full[view], stop);
    for (uint32_t i = 0; i < t->session->n_traces && !atomic_load(stop); i++) {
        tt_name_sums_get(t->session, i);
        tt_graphs_get(t->session, i);
    }
    atomic_store(&t->summed, !atomic_load(stop));
}

bool tt_timeline_sums_ready(const tt_timeline *t, uint32_t trace)
{
    enum { SMALL = 1 << 17 }; /* slices */
    return atomic_load(&((tt_timeline *)t)->summed) ||
           (t->session->traces[trace]->n < SMALL && !tt_session_keys(t->session));
}
