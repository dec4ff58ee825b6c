/* tui/timeline/model/view.c - see view.h. */
#include "tui/timeline/model/view.h"

#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"

/* ---- the view and its layers ---- */

enum { FIT_AGAIN = -1 };

/* Lay out, and keep the selected slice, else a slice around it that has a line, else select at the cursor. */
static void keep_slice(tt_timeline *t)
{
    tt_timeline_layout(t);
    if (!tt_timeline_has_sel(t)) return;
    tt_slice_ref r = t->sel;
    const tt_trace *s = tt_timeline_trace(t, r);
    uint32_t line = tt_timeline_line_of(t, r);
    while (line == TT_NONE && r.row != TT_NONE) { /* the slice is folded away: try its parents */
        r.row = s->parent[r.row];
        line = r.row != TT_NONE ? tt_timeline_line_of(t, r) : TT_NONE;
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
}

void tt_view_show(tt_timeline *t, tt_timeline_view view)
{
    if (t->view == view) return;
    use_view(t, view);
    keep_slice(t);
}

void tt_view_show_layer(tt_timeline *t, tt_band band, bool on)
{
    t->layers.off = on ? t->layers.off & ~(1u << band) : t->layers.off | 1u << band;
    if (t->view != TT_VIEW_BANDS) use_view(t, TT_VIEW_BANDS);
    t->layers.fitted_h = t->layers.fitted_h ? FIT_AGAIN : 0; /* lanes are cut again, for the bands that are shown */
    keep_slice(t);
}

void tt_view_set_filter(tt_timeline *t, tt_timeline_filter *f)
{
    tt_timeline_filter *old = t->filter;
    t->filter = f;
    tt_timeline_index_use(t, f ? tt_timeline_filter_index(f, t->view) : &t->full[t->view]);
    tt_timeline_filter_free(old);
    tt_timeline_layout(t);
    tt_timeline_rematch(t);
    bool keeps = tt_timeline_has_sel(t) && tt_timeline_passes(t, t->sel);
    uint32_t line = keeps ? tt_timeline_line_of(t, t->sel) : TT_NONE;
    t->line = line != TT_NONE ? line : t->line;
    tt_timeline_settle(t);
}

void tt_view_undo_folds(tt_timeline *t, size_t n)
{
    if (t->folds.n <= n) return;
    tt_timeline_view view = t->view;
    while (t->folds.n > n) {
        const tt_fold *f = &t->folds.at[--t->folds.n];
        if (f->node == TT_NONE) {
            view = f->view;
            t->layers.off = f->bands_off;
            continue;
        }
        tt_timeline_node *r = &t->nodes.at[f->node];
        r->collapsed = f->collapsed;
        r->hidden = f->hidden;
        if (f->cuts) memcpy(r->cut, f->cut, sizeof r->cut);
    }
    if (view != t->view)
        tt_view_show(t, view);
    else
        tt_timeline_layout(t);
}

/* ---- showing what is hidden ---- */

void tt_view_reveal_lane(tt_timeline *t, uint32_t node, tt_slice_ref r)
{
    tt_timeline_node *n = &t->nodes.at[node];
    if (t->view != TT_VIEW_BANDS || !tt_layers_known(t, n)) return;
    uint32_t lane = tt_layers_lane_on(t, n, r.row);
    if (lane == TT_NONE) {
        tt_folds_keep_view(t);
        use_view(t, TT_VIEW_STACKS);
        tt_timeline_layout(t);
        return;
    }
    tt_band band;
    if (!tt_layers_band(t, n, lane, &band) || tt_layers_shows(t, n, lane)) return;
    if (t->layers.off >> band & 1) tt_folds_keep_view(t);
    t->layers.off &= ~(1u << band);
    if (tt_layers_cut(t, n, lane)) {
        tt_folds_keep_node(t, node);
        n->cut[band] = 0;
    }
    tt_timeline_layout(t);
}

/* Unfold and show a node with everything around it. */
static void expand_to(tt_timeline *t, uint32_t node, uint32_t depth)
{
    bool changed = false;
    if (t->choice.on) {
        t->choice.by->reveal(t, node, depth);
        return;
    }
    for (uint32_t p = node; p != TT_NONE; p = t->nodes.at[p].parent) {
        if (!t->nodes.at[p].collapsed && !t->nodes.at[p].hidden) continue;
        changed = true;
        tt_folds_keep_node(t, p);
        t->nodes.at[p].collapsed = t->nodes.at[p].hidden = false;
    }
    if (changed) {
        tt_timeline_layout(t);
    }
}

uint32_t tt_view_reveal_node(tt_timeline *t, uint32_t node)
{
    expand_to(t, node, tt_timeline_is_track(&t->nodes.at[node]) ? 0 : TT_NONE);
    return tt_lines_find(t, node, 0);
}

uint32_t tt_view_reveal(tt_timeline *t, tt_slice_ref r)
{
    uint32_t node = t->track_node[r.trace][tt_row_track(tt_timeline_trace(t, r), r.row)];
    if (node == TT_NONE) return TT_NONE;
    tt_view_reveal_lane(t, node, r);
    expand_to(t, node, tt_layers_lane(t, r));
    return tt_timeline_line_of(t, r);
}

/* ---- as many lanes as fit ---- */

/* The first device work of a track, TT_NONE. */
static tt_row first_work(const tt_trace *s, const tt_track *k)
{
    uint32_t a = 0, b = s->n_dev;
    TT_BISECT(a, b, at, s->dev[at].row < k->first);
    for (; a < s->n_dev && s->dev[a].row < k->first + k->n; a++) {
        if (tt_kind_is_work(tt_row_kind(s, s->dev[a].row))) return s->dev[a].row;
    }
    return TT_NONE;
}

void tt_view_start_line(tt_timeline *t)
{
    uint32_t first = 0;
    while (first + 1 < t->lines.n && t->lines.at[first].depth == TT_NONE) first++;
    t->line = first;
    for (uint32_t i = first; i < t->lines.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (!tt_timeline_is_track(n) || !n->device) continue;
        const tt_trace *s = t->session->traces[n->trace];
        tt_row work = first_work(s, &s->tracks[n->index]);
        if (work == TT_NONE) continue;
        uint32_t line = tt_timeline_line_of(t, (tt_slice_ref){n->trace, work});
        t->line = line != TT_NONE ? line : i;
        return;
    }
}

/* Cut annotations of streams: the host has them too. */
static void cut_annotations(tt_timeline *t)
{
    for (size_t i = 0; i < t->lines.n; i++) {
        tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (tt_timeline_is_track(n) && n->device) tt_layers_cut_annotations(t, n);
    }
    tt_timeline_layout(t);
}

/* Fold threads to one line each, the last first, until all lines fit. The first thread of each process stays open. */
static void fold_threads(tt_timeline *t)
{
    size_t n_lines = t->lines.n;
    bool any = false;
    for (size_t i = t->lines.n; i > t->n_pinned && n_lines > (size_t)t->rows;) {
        uint32_t node = t->lines.at[i - 1].node;
        size_t end = i;
        while (i > t->n_pinned && t->lines.at[i - 1].node == node) i--;
        tt_timeline_node *n = &t->nodes.at[node];
        if (!tt_timeline_is_track(n) || n->cut[0] == 0 || n->collapsed || node == 0) continue;
        if (!tt_timeline_is_track(&t->nodes.at[node - 1])) continue;
        n->collapsed = n->folded_first = any = true;
        n_lines -= end - i - 1;
    }
    if (any) tt_timeline_layout(t);
}

void tt_view_fit_lanes(tt_timeline *t, int h)
{
    if (t->view != TT_VIEW_BANDS || t->layers.fitted_h == h || t->layers.later || t->flat || t->choice.on) return;
    bool first_time = t->layers.fitted_h == 0;
    t->layers.fitted_h = h;
    tt_folds_forget_cuts(t);
    for (size_t i = 0; i < t->nodes.n; i++) memset(t->nodes.at[i].cut, 0, sizeof t->nodes.at[i].cut);
    tt_timeline_layout(t);
    if (t->lines.n > (size_t)t->rows) cut_annotations(t);
    for (size_t i = 0; i < t->lines.n; i++) { /* one lane for each band; then see how many lines are left */
        tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
        if (!tt_timeline_is_track(n) || n->device || t->lines.at[i].depth == TT_NONE) continue;
        for (int b = 0; b < TT_BAND_COUNT_; b++) n->cut[b] = 1;
    }
    tt_timeline_layout(t);
    if (first_time) fold_threads(t);
    uint32_t left = t->lines.n < (size_t)t->rows ? (uint32_t)t->rows - (uint32_t)t->lines.n : 0;
    for (size_t turn = 0; turn < TT_LAYERS_TURNS && left > 0; turn++) {
        uint32_t before = TT_NONE;
        for (size_t i = 0; i < t->lines.n && left > 0; i++) {
            tt_timeline_node *n = &t->nodes.at[t->lines.at[i].node];
            if (n->cut[0] == 0 || t->lines.at[i].node == before) continue;
            before = t->lines.at[i].node;
            left = tt_layers_give(t, n, turn, left);
        }
    }
    keep_slice(t);
}
