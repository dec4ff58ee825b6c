/* tui/timeline/model/layers.c - see layers.h. */
#include "tui/timeline/model/layers.h"

#include <stdio.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/rows/evidence.h"
#include "tui/timeline/rows/path_overlay.h"

const tt_layer tt_layers[TT_LAYERS] = {
    {"python", "modules and Python functions", TT_BAND_MODULES},
    {"operators", "operators", TT_BAND_OPERATORS},
    {"runtime", "launches, copies, syncs", TT_BAND_RUNTIME},
};

/* ---- lanes ---- */

static bool known(const tt_timeline *t, uint32_t trace, uint32_t track)
{
    return t->view == TT_VIEW_STACKS || tt_bands_ready(t->bands[trace], track) ||
           t->session->traces[trace]->tracks[track].n < t->wait_from || !atomic_load(&((tt_timeline *)t)->preparing);
}

/* Lanes of the bands of a track; NULL = it has none, or is shown as recorded. */
static const uint32_t *bands_of(const tt_timeline *t, const tt_timeline_node *n)
{
    return t->view == TT_VIEW_BANDS && known(t, n->trace, n->index) ? tt_bands_of(t->bands[n->trace], n->index) : NULL;
}

static tt_band band_at(const uint32_t *first, uint32_t lane)
{
    tt_band band = TT_BAND_STEPS;
    while (band + 1 < TT_BAND_COUNT_ && lane >= first[band + 1]) band++;
    return band;
}

uint32_t tt_layers_lanes(tt_timeline *t, const tt_timeline_node *n)
{
    if (!known(t, n->trace, n->index)) {
        t->lanes_later = true;
        return 0;
    }
    return t->view == TT_VIEW_BANDS ? tt_bands_lanes(t->bands[n->trace], n->index)
                                    : t->session->traces[n->trace]->tracks[n->index].depths;
}

static uint32_t lane_of(const tt_timeline *t, uint32_t trace, uint32_t track, tt_row r)
{
    if (t->view == TT_VIEW_STACKS) return t->session->traces[trace]->depth[r];
    if (!known(t, trace, track)) return TT_NONE;
    uint16_t lane = tt_bands_lane(t->bands[trace], track)[r];
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
        if (!known(t, trace, k)) return NULL;
        tt_bands_of(t->bands[trace], k);
    }
    return t->view == TT_VIEW_BANDS ? tt_bands_folded(t->bands[trace]) : NULL;
}

bool tt_layers_on(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = n->device ? NULL : bands_of(t, n);
    return !first || !(t->bands_off >> band_at(first, lane) & 1);
}

/* Lanes of a band that are left of it. */
static uint32_t left_of(const tt_timeline_node *n, const uint32_t *first, tt_band band)
{
    uint32_t all = first[band + 1] - first[band];
    return n->cut[band] == TT_CUT_NONE_LEFT ? 0 : n->cut[band] == 0 || n->cut[band] > all ? all : n->cut[band];
}

bool tt_layers_shows(const tt_timeline *t, const tt_timeline_node *n, uint32_t lane)
{
    const uint32_t *first = bands_of(t, n);
    if (!first) return true;
    tt_band band = band_at(first, lane);
    return (n->device || !(t->bands_off >> band & 1)) && lane - first[band] < left_of(n, first, band);
}

/* ---- what is shown ---- */

enum { FIT_AGAIN = -1 };

/* After the view has changed: the cursor's slice, if it has a line, else what is at the cursor. */
static void settle(tt_timeline *t)
{
    tt_timeline_layout(t);
    if (!tt_timeline_has_sel(t)) return;
    tt_slice_ref r = t->sel;
    const tt_trace *s = tt_timeline_trace(t, r);
    uint32_t line = tt_timeline_line_of(t, r, false);
    while (line == TT_NONE && r.row != TT_NONE) { /* folded away: what is around it */
        r.row = s->parent[r.row];
        line = r.row != TT_NONE ? tt_timeline_line_of(t, r, false) : TT_NONE;
    }
    if (line != TT_NONE) {
        t->sel = r;
        t->line = line;
        tt_timeline_scroll(t);
    } else {
        tt_timeline_pick(t);
    }
}

static void use_view(tt_timeline *t, tt_timeline_view view)
{
    t->view = view;
    if (!t->full[view].lods) tt_timeline_index_open(t, view, NULL, &t->full[view]);
    tt_timeline_index_use(t, t->filter ? tt_timeline_filter_index(t->filter, view) : &t->full[view]);
    tt_timeline_rematch(t);
    for (uint32_t i = 0; i < t->session->n_traces; i++) tt_path_overlay_redeal(t, i);
}

void tt_layers_view(tt_timeline *t, tt_timeline_view view)
{
    if (t->view == view) return;
    use_view(t, view);
    settle(t);
}

void tt_layers_set(tt_timeline *t, tt_band band, bool on)
{
    t->bands_off = on ? t->bands_off & ~(1u << band) : t->bands_off | 1u << band;
    if (t->view != TT_VIEW_BANDS) use_view(t, TT_VIEW_BANDS);
    t->fitted_h = t->fitted_h ? FIT_AGAIN : 0; /* the rows are for those that are shown */
    settle(t);
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

void tt_layers_reveal(tt_timeline *t, uint32_t node, tt_slice_ref r)
{
    tt_timeline_node *n = &t->nodes.at[node];
    if (t->view != TT_VIEW_BANDS || !known(t, n->trace, n->index)) return;
    uint32_t lane = tt_layers_lane_on(t, n, r.row);
    if (lane == TT_NONE) {
        tt_folds_keep_view(t);
        use_view(t, TT_VIEW_STACKS);
        tt_timeline_layout(t);
        return;
    }
    const uint32_t *first = bands_of(t, n);
    if (!first || tt_layers_shows(t, n, lane)) return;
    tt_band band = band_at(first, lane);
    if (t->bands_off >> band & 1) tt_folds_keep_view(t);
    t->bands_off &= ~(1u << band);
    if (left_of(n, first, band) <= lane - first[band]) {
        tt_folds_keep_node(t, node);
        n->cut[band] = 0;
    }
    tt_timeline_layout(t);
}

/* The first piece of work of a track, TT_NONE. */
static tt_row first_work(const tt_trace *s, const tt_track *k)
{
    uint32_t a = 0, b = s->n_dev;
    TT_BISECT(a, b, at, s->dev[at].row < k->first);
    for (; a < s->n_dev && s->dev[a].row < k->first + k->n; a++) {
        if (tt_kind_is_work(tt_row_kind(s, s->dev[a].row))) return s->dev[a].row;
    }
    return TT_NONE;
}

void tt_timeline_start_line(tt_timeline *t)
{
    uint32_t first = 0;
    while (first + 1 < t->lines.n && t->lines.at[first].depth == TT_NONE) first++;
    t->line = first;
    for (uint32_t i = first; i < t->lines.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (n->kind != TT_TIMELINE_TRACK || !n->device) continue;
        const tt_trace *s = t->session->traces[n->trace];
        tt_row work = first_work(s, &s->tracks[n->index]);
        if (work == TT_NONE) continue;
        uint32_t line = tt_timeline_line_of(t, (tt_slice_ref){n->trace, work}, false);
        t->line = line != TT_NONE ? line : i;
        return;
    }
}

/* ---- as much as fits ---- */

/* Lanes that each band gets in turn, the first first: a thread is understood from its modules. */
static const struct {
    tt_band band;
    uint16_t lanes;
} turns[] = {{TT_BAND_MODULES, 3},          {TT_BAND_STEPS, 2},          {TT_BAND_MODULES, 6},
             {TT_BAND_OPERATORS, 3},        {TT_BAND_MODULES, 9},        {TT_BAND_RUNTIME, 2},
             {TT_BAND_OPERATORS, 6},        {TT_BAND_MODULES, 16},       {TT_BAND_OPERATORS, 16},
             {TT_BAND_MODULES, UINT16_MAX}, {TT_BAND_STEPS, UINT16_MAX}, {TT_BAND_OPERATORS, UINT16_MAX},
             {TT_BAND_RUNTIME, UINT16_MAX}};

/* Give bands of a track more lanes, up to `most` of the band in this turn. Returns what is left. */
static uint32_t give(tt_timeline_node *n, const uint32_t *first, tt_band band, uint16_t most, uint32_t left)
{
    uint32_t all = first[band + 1] - first[band], want = all < most ? all : most;
    uint32_t more = want > n->cut[band] ? want - n->cut[band] : 0;
    more = more < left ? more : left;
    n->cut[band] = (uint16_t)(n->cut[band] + more);
    return left - more;
}

/* Of streams only the work stays: their annotations are those of the host once more. */
static void cut_annotations(tt_timeline *t)
{
    for (size_t i = 0; i < t->lines.n; i++) {
        tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        const uint32_t *first = n->kind == TT_TIMELINE_TRACK && n->device ? bands_of(t, n) : NULL;
        if (first && first[TT_BAND_RUNTIME] > 0) n->cut[TT_BAND_RUNTIME] = TT_CUT_NONE_LEFT;
    }
    tt_timeline_layout(t);
}

/* Threads to one line each, the last first, as far as it takes to fit; the first of each process stays. */
static void fold_threads(tt_timeline *t)
{
    size_t n_lines = t->lines.n;
    bool any = false;
    for (size_t i = t->lines.n; i > t->n_pinned && n_lines > (size_t)t->rows;) {
        uint32_t node = t->lines.at[i - 1].node;
        size_t end = i;
        while (i > t->n_pinned && t->lines.at[i - 1].node == node) i--;
        tt_timeline_node *n = &t->nodes.at[node];
        if (n->kind != TT_TIMELINE_TRACK || n->cut[0] == 0 || n->collapsed || node == 0) continue;
        if (t->nodes.at[node - 1].kind != TT_TIMELINE_TRACK) continue;
        n->collapsed = n->folded_first = any = true;
        n_lines -= end - i - 1;
    }
    if (any) tt_timeline_layout(t);
}

void tt_layers_fit(tt_timeline *t, int h)
{
    if (t->view != TT_VIEW_BANDS || t->fitted_h == h || t->lanes_later || t->flat) return;
    if (tt_evidence_limits(t)) return; /* its rows are few */
    bool first_time = t->fitted_h == 0;
    t->fitted_h = h;
    tt_folds_forget_cuts(t);
    for (size_t i = 0; i < t->nodes.n; i++) memset(t->nodes.at[i].cut, 0, sizeof t->nodes.at[i].cut);
    tt_timeline_layout(t);
    if (t->lines.n > (size_t)t->rows) cut_annotations(t);
    for (size_t i = 0; i < t->lines.n; i++) { /* every band one lane; then see how many lines are left for more */
        tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (n->kind != TT_TIMELINE_TRACK || n->device || t->lines.at[i].depth == TT_NONE) continue;
        for (int b = 0; b < TT_BAND_COUNT_; b++) n->cut[b] = 1;
    }
    tt_timeline_layout(t);
    if (first_time) fold_threads(t);
    uint32_t left = t->lines.n < (size_t)t->rows ? (uint32_t)t->rows - (uint32_t)t->lines.n : 0;
    for (size_t turn = 0; turn < sizeof turns / sizeof *turns && left > 0; turn++) {
        uint32_t before = TT_NONE;
        for (size_t i = 0; i < t->lines.n && left > 0; i++) {
            tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
            const uint32_t *first = n->cut[0] > 0 ? bands_of(t, n) : NULL;
            if (!first || t->lines.at[i].node == before) continue;
            before = t->lines.at[i].node;
            if (t->bands_off >> turns[turn].band & 1) continue;
            left = give(n, first, turns[turn].band, turns[turn].lanes, left);
        }
    }
    settle(t);
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
    if (!first || lane != first[band] || (n->device && band != TT_BAND_RUNTIME)) return; /* work needs no name */
    snprintf(out, cap, "%s", names[n->device ? TT_BAND_STEPS : band]);
}

bool tt_layers_prepared(const tt_timeline *t)
{
    const tt_lod *const *lods = (const tt_lod *const *)t->full[t->view].lods;
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        for (uint32_t k = 0; k < t->session->traces[i]->n_tracks; k++) {
            if (t->session->traces[i]->tracks[k].n >= t->wait_from && !tt_lod_ready(lods[i], k)) return false;
        }
    }
    return true;
}
