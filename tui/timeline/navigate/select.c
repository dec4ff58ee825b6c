/* tui/timeline/navigate/select.c - see select.h. */
#include "tui/timeline/navigate/select.h"

#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/filter.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/view.h"

/* Pan without zooming until [a, b], or at least an eighth of the window of it, is on the screen. */
static void reveal_time(tt_timeline *t, int64_t a, int64_t b)
{
    int64_t span = t->t1 - t->t0, want = b - a < span / 8 ? b - a : span / 8;
    int64_t from = a > t->t0 ? a : t->t0, to = b < t->t1 ? b : t->t1;
    if (a >= t->t1 || b < t->t0 || to - from < want) {
        int64_t lead = b - a < span ? (span - (b - a)) / 2 : span / 8;
        lead = lead > span / 4 ? span / 4 : lead;
        tt_timeline_window(t, a - lead, a - lead + span);
    }
}

void tt_timeline_select(tt_timeline *t, tt_slice_ref r, bool reveal)
{
    t->sel = r;
    t->placed = TT_UNKNOWN;
    t->picks_later = false;
    int64_t a = tt_timeline_start(t, r), b = tt_timeline_end(t, r);
    uint32_t line = reveal ? tt_view_reveal(t, r) : tt_timeline_line_of(t, r);
    if (line != TT_NONE) {
        t->line = line;
    }
    tt_timeline_scroll(t);
    if (reveal) {
        reveal_time(t, a, b);
    }
    if (t->at < a || t->at >= b) { /* the middle of its visible part */
        int64_t from = a > t->t0 ? a : t->t0, to = b < t->t1 ? b : t->t1;
        t->at = to > from ? from + (to - from) / 2 : a;
    }
}

void tt_timeline_show(tt_timeline *t, tt_slice_ref r)
{
    int64_t a = tt_timeline_start(t, r), len = tt_timeline_end(t, r) - a, span = t->t1 - t->t0;
    int64_t cell = span / t->cols;
    if (len < 3 * cell || len > span) { /* then it takes a sixth of the screen */
        span = len > 0 ? 6 * len : t->cols;
    }
    tt_timeline_window(t, a + len / 2 - span / 2, a + len / 2 + span - span / 2);
    t->at = a + len / 2;
    tt_timeline_select(t, r, true);
}

void tt_timeline_move_line(tt_timeline *t, int by)
{
    if (t->lines.n == 0) {
        return;
    }
    int64_t to = (int64_t)t->line + by, last = (int64_t)t->lines.n - 1;
    t->line = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
    tt_timeline_scroll(t);
    tt_timeline_pick(t);
}

bool tt_timeline_move_slice(tt_timeline *t, int dir)
{
    uint32_t depth = 0;
    const tt_timeline_node *n = tt_timeline_track_here(t, &depth);
    const tt_timeline_node *here = tt_timeline_here(t);
    if (here && tt_row_source_of(t, here)->move) return tt_row_source_of(t, here)->move(t, here, dir);
    if (!n) { /* the row has no slices: the cursor moves by a column */
        int64_t cell = (t->t1 - t->t0) / t->cols;
        t->at += dir * (cell > 0 ? cell : 1);
        if (t->at < t->t0 || t->at >= t->t1) {
            tt_timeline_window(t, t->t0 + dir * (t->t1 - t->t0) / 4, t->t1 + dir * (t->t1 - t->t0) / 4);
            t->at = t->at < t->t0 ? t->t0 : t->at >= t->t1 ? t->t1 - 1 : t->at;
        }
        return true;
    }
    tt_lod *lod = t->lods[n->trace];
    tt_row row;
    if (!tt_timeline_indexed(t, n->trace, n->index)) {
        return true;
    }
    if (tt_timeline_has_sel(t) && tt_timeline_line_of(t, t->sel) == t->line) {
        row = dir > 0 ? tt_lod_next(lod, t->sel.row) : tt_lod_prev(lod, t->sel.row);
    } else {
        row = tt_lod_nearest(lod, n->index, depth == TT_NONE ? 0 : depth, t->at - t->session->offset_ns[n->trace]);
    }
    if (row == TT_NONE) {
        return false;
    }
    uint32_t line = t->line;
    tt_timeline_select(t, (tt_slice_ref){n->trace, row}, false);
    reveal_time(t, tt_timeline_start(t, t->sel), tt_timeline_end(t, t->sel));
    tt_timeline_select(t, t->sel, false);
    t->line = depth == TT_NONE ? line : t->line;
    return true;
}

bool tt_timeline_parent(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t)) {
        return false;
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    tt_row r = t->sel.row, up = TT_NONE;
    uint32_t track = tt_row_track(s, r), node = t->track_node[t->sel.trace][track], lane = tt_layers_lane(t, t->sel);
    for (uint32_t d = lane == TT_NONE ? 0 : lane; d-- > 0 && up == TT_NONE;) { /* the slice above it on the screen */
        if (!tt_layers_on(t, &t->nodes.at[node], d)) continue;
        tt_row c = tt_lod_nearest(t->lods[t->sel.trace], track, d, s->start[r]);
        up = c != TT_NONE && s->start[c] <= s->start[r] && tt_row_end(s, c) >= tt_row_end(s, r) ? c : TT_NONE;
    }
    for (tt_row p = s->parent[r]; up == TT_NONE && p != TT_NONE;
         p = s->parent[p]) { /* else a slice around it that is shown elsewhere */
        uint32_t d = tt_layers_lane(t, (tt_slice_ref){t->sel.trace, p});
        up = d != TT_NONE && tt_layers_on(t, &t->nodes.at[node], d) ? p : TT_NONE;
    }
    if (up == TT_NONE || !tt_timeline_passes(t, (tt_slice_ref){t->sel.trace, up})) {
        return false;
    }
    tt_timeline_select(t, (tt_slice_ref){t->sel.trace, up}, true);
    return true;
}

bool tt_timeline_child(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t)) {
        return false;
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    tt_row r = t->sel.row;
    uint32_t track = tt_row_track(s, r);
    tt_row last = s->tracks[track].first + s->tracks[track].n, child = TT_NONE;
    uint32_t lane = tt_layers_lane(t, t->sel), of = 0;
    const tt_timeline_node *node = &t->nodes.at[t->track_node[t->sel.trace][track]];
    for (tt_row c = r + 1; c < last && s->start[c] < tt_row_end(s, r); c++) {
        of = tt_layers_lane_on(t, node, c);
        if (of != TT_NONE && (lane == TT_NONE || of > lane) && tt_layers_on(t, node, of) &&
            tt_timeline_passes(t, (tt_slice_ref){t->sel.trace, c})) {
            child = c;
            break;
        }
    }
    if (child == TT_NONE) {
        return false;
    }
    /* prefer the child at the cursor */
    tt_row at = tt_lod_nearest(t->lods[t->sel.trace], track, of, t->at - t->session->offset_ns[t->sel.trace]);
    if (at != TT_NONE && s->start[at] >= s->start[r] && tt_row_end(s, at) <= tt_row_end(s, r)) {
        child = at;
    }
    tt_timeline_select(t, (tt_slice_ref){t->sel.trace, child}, true);
    return true;
}

/* The stretch of time that the row of the cursor shows there. */
static bool hit_here(const tt_timeline *t, int64_t *a, int64_t *b)
{
    const tt_timeline_node *n = tt_timeline_here(t);
    return n && tt_row_source_of(t, n)->hit && tt_row_source_of(t, n)->hit(t, n, a, b);
}

bool tt_timeline_span(const tt_timeline *t, int64_t *a, int64_t *b)
{
    if (!tt_timeline_has_sel(t)) return hit_here(t, a, b);
    *a = tt_timeline_start(t, t->sel);
    *b = tt_timeline_end(t, t->sel);
    return true;
}

void tt_timeline_centre(tt_timeline *t)
{
    int64_t span = t->t1 - t->t0, mid = t->at, a, b;
    if (tt_timeline_span(t, &a, &b)) {
        mid = a + (b - a) / 2;
        t->at = t->placed = mid;
    }
    tt_timeline_window(t, mid - span / 2, mid + span - span / 2);
}

void tt_timeline_fit(tt_timeline *t)
{
    int64_t a, b;
    bool sel = tt_timeline_has_sel(t);
    if (!tt_timeline_span(t, &a, &b) && !tt_timeline_marked(t, &a, &b)) {
        tt_timeline_whole(t);
        return;
    }
    int64_t room = (b - a) / 20 + 1;
    tt_timeline_window(t, a - room, b + room);
    t->at = a + (b - a) / 2;
    t->placed = sel ? t->placed : t->at;
}

tt_row tt_timeline_slice_named(const tt_trace *s, int64_t start, const char *name)
{
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        tt_row end = s->tracks[k].first + s->tracks[k].n;
        for (tt_row r = tt_track_lower_bound(s, k, start); r < end && s->start[r] == start; r++) {
            if (strcmp(tt_row_name(s, r), name) == 0) {
                return r;
            }
        }
    }
    return TT_NONE;
}

/* ---- marks ---- */

/* Where a mark is set: at an edge of the selected slice, or at the cursor if a person put it there or if that edge is
 * not on the screen. */
static int64_t mark_at(const tt_timeline *t, int64_t edge)
{
    return t->at == t->placed || edge < t->t0 || edge > t->t1 ? t->at : edge;
}

void tt_timeline_mark(tt_timeline *t)
{
    int64_t a, b;
    if (tt_timeline_has_sel(t)) {
        a = mark_at(t, tt_timeline_start(t, t->sel));
        b = mark_at(t, tt_timeline_end(t, t->sel));
    } else if (!hit_here(t, &a, &b)) {
        a = b = t->at;
    }
    if (t->mark_a == TT_UNKNOWN || t->mark_b != TT_UNKNOWN) {
        t->mark_a = a;
        t->mark_b = TT_UNKNOWN;
    } else { /* from the start of one slice to the end of the other, in either order */
        t->mark_b = b > t->mark_a ? b : a;
    }
}
