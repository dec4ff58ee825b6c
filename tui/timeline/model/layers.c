/* tui/timeline/model/layers.c - see layers.h. */
#include "tui/timeline/model/layers.h"

#include <stdio.h>
#include <string.h>

const tt_layer tt_layers[TT_LAYERS] = {
    {"python", "modules and Python functions", TT_BAND_MODULES},
    {"operators", "operators", TT_BAND_OPERATORS},
    {"runtime", "launches, copies, syncs", TT_BAND_RUNTIME},
};

static bool lanes_known(const tt_timeline *t, uint32_t trace, uint32_t track)
{
    return t->view == TT_VIEW_STACKS || tt_bands_ready(t->layers.bands[trace], track) ||
           t->session->traces[trace]->tracks[track].n < t->wait_from || !atomic_load(&((tt_timeline *)t)->preparing);
}

bool tt_layers_known(const tt_timeline *t, const tt_timeline_node *n) { return lanes_known(t, n->trace, n->index); }

/* First lane of each band of a track, and the end; NULL = the track has no bands, or stacks are shown as recorded. */
static const uint32_t *bands_of(const tt_timeline *t, const tt_timeline_node *n)
{
    return t->view == TT_VIEW_BANDS && lanes_known(t, n->trace, n->index)
               ? tt_bands_of(t->layers.bands[n->trace], n->index)
               : NULL;
}

static tt_band band_at(const uint32_t *first, uint32_t lane)
{
    tt_band band = TT_BAND_STEPS;
    while (band + 1 < TT_BAND_COUNT_ && lane >= first[band + 1]) band++;
    return band;
}

uint32_t tt_layers_lanes(tt_timeline *t, const tt_timeline_node *n)
{
    if (!lanes_known(t, n->trace, n->index)) {
        t->layers.later = true;
        return 0;
    }
    return t->view == TT_VIEW_BANDS ? tt_bands_lanes(t->layers.bands[n->trace], n->index)
                                    : t->session->traces[n->trace]->tracks[n->index].depths;
}

static uint32_t lane_of(const tt_timeline *t, uint32_t trace, uint32_t track, tt_row r)
{
    if (t->view == TT_VIEW_STACKS) return t->session->traces[trace]->depth[r];
    if (!lanes_known(t, trace, track)) return TT_NONE;
    uint16_t lane = tt_bands_lane(t->layers.bands[trace], track)[r];
    return lane == TT_LANE_NONE ? TT_NONE : lane;
}

uint32_t tt_layers_lane_on(const tt_timeline *t, const tt_timeline_node *n, tt_row r)
{
    return lane_of(t, n->trace, n->index, r);
}

uint32_t tt_layers_lane(const tt_timeline *t, tt_slice_ref r)
{
    return lane_of(t, r.trace, tt_row_track(tt_timeline_trace(t, r), r.row), r.row);
}

const uint16_t *tt_layers_folded(const tt_timeline *t, uint32_t trace)
{
    for (uint32_t k = 0; k < t->session->traces[trace]->n_tracks && t->view == TT_VIEW_BANDS; k++) {
        if (!lanes_known(t, trace, k)) return NULL;
        tt_bands_of(t->layers.bands[trace], k);
    }
    return t->view == TT_VIEW_BANDS ? tt_bands_folded(t->layers.bands[trace]) : NULL;
}

bool tt_layers_on(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = n->device ? NULL : bands_of(t, n);
    return !first || !(t->layers.off >> band_at(first, lane) & 1);
}

/* Lanes of a band that are not cut. */
static uint32_t left_of(const tt_timeline_node *n, const uint32_t *first, tt_band band)
{
    uint32_t all = first[band + 1] - first[band];
    return n->cut[band] == TT_CUT_NONE_LEFT ? 0 : n->cut[band] == 0 || n->cut[band] > all ? all : n->cut[band];
}

bool tt_layers_band(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane, tt_band *band)
{
    const uint32_t *first = bands_of(t, n);
    if (first) *band = band_at(first, lane);
    return first;
}

bool tt_layers_cut(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = bands_of(t, n);
    if (!first) return false;
    tt_band band = band_at(first, lane);
    return left_of(n, first, band) <= lane - first[band];
}

bool tt_layers_shows(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = bands_of(t, n);
    if (!first) return true;
    tt_band band = band_at(first, lane);
    return (n->device || !(t->layers.off >> band & 1)) && lane - first[band] < left_of(n, first, band);
}

bool tt_layers_uncut(tt_timeline *t, tt_timeline_node *n)
{
    const uint32_t *first = bands_of(t, n);
    bool any = false;
    for (int b = 0; first && b < TT_BAND_COUNT_ && !n->collapsed && !t->flat; b++) {
        any |= left_of(n, first, (tt_band)b) < first[b + 1] - first[b];
        n->cut[b] = 0;
    }
    return any;
}

/* ---- cutting ---- */

/* In each turn a band gets lanes up to this number. Modules come first: they explain a thread best. */
static const struct {
    tt_band band;
    uint16_t lanes;
} turns[] = {{TT_BAND_MODULES, 3},          {TT_BAND_STEPS, 2},          {TT_BAND_MODULES, 6},
             {TT_BAND_OPERATORS, 3},        {TT_BAND_MODULES, 9},        {TT_BAND_RUNTIME, 2},
             {TT_BAND_OPERATORS, 6},        {TT_BAND_MODULES, 16},       {TT_BAND_OPERATORS, 16},
             {TT_BAND_MODULES, UINT16_MAX}, {TT_BAND_STEPS, UINT16_MAX}, {TT_BAND_OPERATORS, UINT16_MAX},
             {TT_BAND_RUNTIME, UINT16_MAX}};

_Static_assert(sizeof turns / sizeof *turns == TT_LAYERS_TURNS, "the header says how many");

uint32_t tt_layers_give(const tt_timeline *t, tt_timeline_node *n, size_t turn, uint32_t left)
{
    tt_band band = turns[turn].band;
    const uint32_t *first = t->layers.off >> band & 1 ? NULL : bands_of(t, n);
    if (!first) return left;
    uint32_t all = first[band + 1] - first[band], want = all < turns[turn].lanes ? all : turns[turn].lanes;
    uint32_t more = want > n->cut[band] ? want - n->cut[band] : 0;
    more = more < left ? more : left;
    n->cut[band] = (uint16_t)(n->cut[band] + more);
    return left - more;
}

void tt_layers_cut_annotations(const tt_timeline *t, tt_timeline_node *n)
{
    const uint32_t *first = bands_of(t, n);
    if (first && first[TT_BAND_RUNTIME] > 0) n->cut[TT_BAND_RUNTIME] = TT_CUT_NONE_LEFT;
}

uint32_t tt_layers_missing(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = lane == TT_NONE ? NULL : bands_of(t, n);
    if (!first) return 0;
    tt_band band = n->device ? TT_BAND_RUNTIME : band_at(first, lane);
    return first[band + 1] - first[band] - left_of(n, first, band);
}

void tt_layers_label(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane, char *out, size_t cap)
{
    static const char *const names[TT_BAND_COUNT_] = {"annotations", "modules", "operators", "launches, syncs"};
    const uint32_t *first = lane == TT_NONE ? NULL : bands_of(t, n);
    tt_band band = first ? band_at(first, lane) : TT_BAND_STEPS;
    out[0] = '\0';
    if (!first || lane != first[band] || (n->device && band != TT_BAND_RUNTIME)) return; /* kernels need no name */
    snprintf(out, cap, "%s", names[n->device ? TT_BAND_STEPS : band]);
}
