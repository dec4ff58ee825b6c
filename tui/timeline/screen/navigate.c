/* tui/timeline/screen/navigate.c - moving about: the selection, its neighbours, its links, marks. */
#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/tables/analysis/names/kernel_class.h"
#include "tui/timeline/model/derived.h"
#include "tui/timeline/model/layers.h"

int64_t tt_timeline_start(const tt_timeline *t, tt_slice_ref r)
{
    return tt_timeline_trace(t, r)->start[r.row] + t->session->offset_ns[r.trace];
}

int64_t tt_timeline_end(const tt_timeline *t, tt_slice_ref r)
{
    return tt_row_end(tt_timeline_trace(t, r), r.row) + t->session->offset_ns[r.trace];
}

/* Pan, keeping the scale, so that a good part of [a, b] is on screen. */
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
    uint32_t line = tt_timeline_line_of(t, r, reveal);
    if (line != TT_NONE) {
        t->line = line;
    }
    tt_timeline_scroll(t);
    if (reveal) {
        reveal_time(t, a, b);
    }
    if (t->at < a || t->at >= b) { /* the middle of what can be seen of it */
        int64_t from = a > t->t0 ? a : t->t0, to = b < t->t1 ? b : t->t1;
        t->at = to > from ? from + (to - from) / 2 : a;
    }
}

void tt_timeline_show(tt_timeline *t, tt_slice_ref r)
{
    int64_t a = tt_timeline_start(t, r), len = tt_timeline_end(t, r) - a, span = t->t1 - t->t0;
    int64_t cell = span / t->cols;
    if (len < 3 * cell || len > span) { /* a sixth of the screen, so that what is around it can be seen */
        span = len > 0 ? 6 * len : t->cols;
    }
    tt_timeline_window(t, a + len / 2 - span / 2, a + len / 2 + span - span / 2);
    t->at = a + len / 2;
    tt_timeline_select(t, r, true);
}

/* Track of the cursor's line, NULL when it shows no slices. */
static const tt_timeline_node *slices_here(const tt_timeline *t, uint32_t *depth)
{
    if (t->line >= t->lines.n) {
        return NULL;
    }
    const tt_line *l = &t->lines.at[t->line];
    const tt_timeline_node *n = &t->nodes.at[l->node];
    *depth = l->depth;
    return n->kind == TT_TIMELINE_TRACK ? n : NULL;
}

static tt_row longest_in(tt_timeline *t, const tt_timeline_node *n, uint32_t depth, int64_t a, int64_t b,
                         tt_lod_cell *cell)
{
    int64_t offset = t->session->offset_ns[n->trace];
    *cell = (tt_lod_cell){.longest = TT_NONE};
    if (!tt_timeline_indexed(t, n->trace, n->index)) {
        return TT_NONE;
    }
    if (depth == TT_NONE) {
        tt_lod_query_track(t->lods[n->trace], n->index, a - offset, b - offset, 1, cell);
    } else {
        tt_lod_query(t->lods[n->trace], n->index, depth, a - offset, b - offset, 1, cell);
    }
    return cell->longest;
}

void tt_timeline_pick(tt_timeline *t)
{
    uint32_t depth = 0;
    const tt_timeline_node *n = slices_here(t, &depth);
    t->sel.row = TT_NONE;
    t->picks_later = n && !tt_timeline_indexed(t, n->trace, n->index);
    if (!n || t->picks_later) {
        return;
    }
    int col = tt_timeline_col(t, t->at);
    tt_lod_cell cell;
    tt_row row = TT_NONE;
    if (col >= 0 && col < t->cols) {
        int64_t a = tt_timeline_edge(t, col), b = tt_timeline_edge(t, col + 1);
        row = longest_in(t, n, depth, a, b > a ? b : a + 1, &cell);
    }
    if (row == TT_NONE) { /* nothing there: the nearest one, if it is on the screen */
        row = tt_lod_nearest(t->lods[n->trace], n->index, depth == TT_NONE ? 0 : depth,
                             t->at - t->session->offset_ns[n->trace]);
        tt_slice_ref r = {n->trace, row};
        if (row == TT_NONE || tt_timeline_start(t, r) >= t->t1 || tt_timeline_end(t, r) < t->t0) {
            return;
        }
    }
    t->sel = (tt_slice_ref){n->trace, row};
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
    const tt_timeline_node *n = slices_here(t, &depth);
    if (t->line < t->lines.n && t->nodes.at[t->lines.at[t->line].node].kind >= TT_TIMELINE_COUNTER) {
        return tt_timeline_move_sample(t, dir);
    }
    if (!n) { /* no slices on this row: the cursor moves by a column */
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
    if (tt_timeline_has_sel(t) && tt_timeline_line_of(t, t->sel, false) == t->line) {
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
    for (uint32_t d = lane == TT_NONE ? 0 : lane; d-- > 0 && up == TT_NONE;) { /* what lies above it on the screen */
        if (!tt_layers_on(t, &t->nodes.at[node], d)) continue;
        tt_row c = tt_lod_nearest(t->lods[t->sel.trace], track, d, s->start[r]);
        up = c != TT_NONE && s->start[c] <= s->start[r] && tt_row_end(s, c) >= tt_row_end(s, r) ? c : TT_NONE;
    }
    for (tt_row p = s->parent[r]; up == TT_NONE && p != TT_NONE; p = s->parent[p]) { /* what is around it elsewhere */
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
    /* of the children the one around the cursor, if there is one */
    tt_row at = tt_lod_nearest(t->lods[t->sel.trace], track, of, t->at - t->session->offset_ns[t->sel.trace]);
    if (at != TT_NONE && s->start[at] >= s->start[r] && tt_row_end(s, at) <= tt_row_end(s, r)) {
        child = at;
    }
    tt_timeline_select(t, (tt_slice_ref){t->sel.trace, child}, true);
    return true;
}

bool tt_timeline_span(const tt_timeline *t, int64_t *a, int64_t *b)
{
    if (!tt_timeline_has_sel(t)) return tt_derived_span(t, a, b);
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

/* ---- links ---- */

static size_t link_from(const tt_trace *s, tt_row row)
{
    size_t a = 0, b = s->n_links;
    TT_BISECT(a, b, i, s->launch_row[i] < row);
    return a;
}

void tt_timeline_launches(const tt_trace *s, tt_row r, uint32_t *from, uint32_t *to)
{
    tt_row end = tt_track_lower_bound(s, tt_row_track(s, r), tt_row_end(s, r));
    *from = (uint32_t)link_from(s, r);
    *to = (uint32_t)link_from(s, end > r ? end : r + 1);
}

static const char *go(tt_timeline *t, tt_row row)
{
    if (!tt_timeline_passes(t, (tt_slice_ref){t->sel.trace, row})) {
        return "the filter hides where this leads; \\ shows everything";
    }
    tt_timeline_select(t, (tt_slice_ref){t->sel.trace, row}, true);
    return NULL;
}

static const char *link_back(tt_timeline *t, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    const tt_activity *d = tt_row_dev(s, r);
    if (d) {
        return d->launch != TT_NONE ? go(t, d->launch) : "no launch event";
    }
    tt_row up = tt_kind_is_launch(kind) && s->detail[r] != TT_NONE ? s->detail[r] : s->parent[r];
    return up != TT_NONE ? go(t, up) : "no launch or flow linked to this slice";
}

typedef struct call { /* of a collective on a device */
    int64_t start;
    tt_row row;
} call;

static int by_time(const void *a, const void *b)
{
    const call *x = a, *y = b;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

/* All device work of a name, by time; the caller frees. */
static call *calls_of(const tt_trace *s, const char *name, size_t *n)
{
    TT_VEC(call) v = {0};
    tt_sid id = 0; /* not looked for yet: a name is compared once */
    for (uint32_t i = 0; i < s->n_dev; i++) {
        tt_row row = s->dev[i].row;
        if (id == 0 && strcmp(tt_row_name(s, row), name) == 0) {
            id = s->name[row];
        }
        if (id != 0 && s->name[row] == id) {
            *tt_vec_push(&v) = (call){s->start[row], row};
        }
    }
    if (v.n > 1) {
        qsort(v.at, v.n, sizeof *v.at, by_time);
    }
    *n = v.n;
    return v.at;
}

/* A collective: the same call on the next rank, round and round. NULL, or why there is none. */
static const char *same_call(tt_timeline *t, const tt_trace *s, tt_row r, bool launched)
{
    const char *name = tt_row_name(s, r), *alone = "its launch started only this";
    size_t n, place = 0;
    if (!tt_comm_kernel_library(name)) {
        return launched ? alone : "no launch event";
    }
    call *calls = calls_of(s, name, &n);
    while (place < n && calls[place].row != r) {
        place++;
    }
    free(calls);
    for (uint32_t i = 1; i < t->session->n_traces; i++) {
        uint32_t other = (t->sel.trace + i) % t->session->n_traces;
        const tt_trace *x = t->session->traces[other];
        if (strcmp(x->span, s->span) != 0 || strcmp(x->worker, s->worker) == 0) {
            continue;
        }
        calls = calls_of(x, name, &n);
        tt_slice_ref to = {other, place < n ? calls[place].row : TT_NONE};
        free(calls);
        if (to.row != TT_NONE && tt_timeline_passes(t, to)) {
            tt_timeline_select(t, to, true);
            return NULL;
        }
    }
    return t->session->n_traces > 1 ? "no other rank has this call" : alone;
}

static const char *link_forward(tt_timeline *t, const tt_trace *s, tt_row r)
{
    tt_kind kind = tt_row_kind(s, r);
    const tt_activity *d = tt_row_dev(s, r);
    uint32_t n = 0;
    if (d) { /* the next piece of work of the same launch, round and round */
        const uint32_t *work = d->launch != TT_NONE ? tt_row_launched(s, d->launch, &n) : NULL;
        for (uint32_t i = 0; i < n && n > 1; i++) {
            if (s->dev[work[i]].row == r) {
                return go(t, s->dev[work[(i + 1) % n]].row);
            }
        }
        return same_call(t, s, r, d->launch != TT_NONE);
    }
    if (tt_kind_is_launch(kind)) {
        const uint32_t *work = tt_row_launched(s, r, &n);
        return n > 0 ? go(t, s->dev[work[0]].row) : "it started nothing on the GPU";
    }
    uint32_t from, to;
    tt_timeline_launches(s, r, &from, &to);
    return from < to ? go(t, s->launch_row[from]) : "no GPU work launched inside";
}

const char *tt_timeline_link(tt_timeline *t, int dir)
{
    if (!tt_timeline_has_sel(t)) {
        return "select a slice first";
    }
    const tt_trace *s = tt_timeline_trace(t, t->sel);
    return dir < 0 ? link_back(t, s, t->sel.row) : link_forward(t, s, t->sel.row);
}

static tt_row flow_slice(const tt_trace *s, const tt_flow *f)
{
    uint32_t host = 0;
    for (unsigned k = 0; k < TT_KIND_COUNT_; k++) {
        host |= tt_kind_is_python((tt_kind)k) ? 0 : 1u << k;
    }
    return tt_track_slice_at(s, f->track, f->ts, host);
}

/* The first flow bound to the slice, NULL; none of launches and their work, which the links tie. */
static const tt_flow *flow_of(const tt_trace *s, tt_row r)
{
    enum { LOOK = 64 };
    uint32_t track = tt_row_track(s, r);
    size_t a = 0, b = s->n_flows;
    if (tt_kind_is_launch(tt_row_kind(s, r)) || tt_row_dev(s, r)) {
        return NULL;
    }
    const tt_flow *at = s->flows;
    TT_BISECT(a, b, i, at[i].track < track || (at[i].track == track && at[i].ts < s->start[r]));
    for (size_t i = a; i < s->n_flows && i < a + LOOK; i++) {
        const tt_flow *f = &s->flows[i];
        if (f->track != track || f->ts > tt_row_end(s, r)) {
            break;
        }
        if (flow_slice(s, f) == r) {
            return f;
        }
    }
    return NULL;
}

bool tt_timeline_has_flow(const tt_trace *s, tt_row r) { return flow_of(s, r) != NULL; }

tt_row tt_timeline_flow_partner(const tt_trace *s, tt_row r)
{
    const tt_flow *own = flow_of(s, r);
    tt_row found = TT_NONE;
    for (uint32_t i = 0; own && i < s->n_flows && found == TT_NONE; i++) {
        const tt_flow *f = &s->flows[i];
        if (f != own && f->id == own->id && f->cat == own->cat && f->phase != own->phase) {
            found = flow_slice(s, f);
        }
    }
    return found;
}

const char *tt_timeline_fwdbwd(tt_timeline *t)
{
    if (!tt_timeline_has_sel(t)) {
        return "select a slice first";
    }
    tt_row r = tt_timeline_flow_partner(tt_timeline_trace(t, t->sel), t->sel.row);
    return r != TT_NONE ? go(t, r) : "no launch or flow linked to this slice";
}

/* ---- marks ---- */

/* What a mark is set at: an edge of the selected slice, unless the cursor was put at a time or that edge cannot be
 * seen. */
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
    } else if (!tt_derived_span(t, &a, &b)) {
        a = b = t->at;
    }
    if (t->mark_a == TT_UNKNOWN || t->mark_b != TT_UNKNOWN) {
        t->mark_a = a;
        t->mark_b = TT_UNKNOWN;
    } else { /* from the beginning of the first to the end of the second, in either order */
        t->mark_b = b > t->mark_a ? b : a;
    }
}

bool tt_timeline_marked(const tt_timeline *t, int64_t *a, int64_t *b)
{
    if (t->mark_a == TT_UNKNOWN || t->mark_b == TT_UNKNOWN || t->mark_a == t->mark_b) {
        return false;
    }
    *a = t->mark_a < t->mark_b ? t->mark_a : t->mark_b;
    *b = t->mark_a < t->mark_b ? t->mark_b : t->mark_a;
    return true;
}

void tt_timeline_busy(tt_timeline *t, int64_t a, int64_t b, int64_t *busy_ns, uint32_t *count)
{
    uint32_t depth = 0;
    const tt_timeline_node *n = slices_here(t, &depth);
    tt_lod_cell cell = {0};
    *busy_ns = 0;
    if (n) {
        longest_in(t, n, depth, a, b, &cell);
        *busy_ns = cell.busy_ns;
    } else if (t->line < t->lines.n && t->nodes.at[t->lines.at[t->line].node].group) {
        tt_lod_union_query(t->nodes.at[t->lines.at[t->line].node].group, a, b, 1, busy_ns);
    }
    *count = cell.count;
}
