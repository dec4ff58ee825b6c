/* tui/timeline/rows/path_overlay.c - the critical path by lane and by category, for drawing. */
#include "tui/timeline/rows/path_overlay.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/lines.h"

enum { SUM_EVERY = 64 }; /* segments between two kept sums */

typedef struct path_sum {
    int64_t of[TT_PATH_COUNT_];
} path_sum;

typedef struct path_lanes {
    uint32_t *first_lane; /* by track, and the end: its first lane */
    uint32_t *from;       /* by lane, and the end: its first segment in at[] */
    uint32_t *at;         /* indices of segments, by lane and then by time */
} path_lanes;

struct tt_path_overlay {
    const tt_trace *s;
    tt_path *path;
    path_sum *sums;        /* sums over the segments before segment i * SUM_EVERY */
    path_lanes depths;     /* lanes that are depths as recorded */
    path_lanes shown;      /* lanes of bands; empty while stacks are shown as recorded */
    tt_timeline_view view; /* the view that `shown` was made for */
};

/* ---- making ---- */

/* The lane of a segment; TT_NONE = no slice shows it. bands: a folded slice is replaced by the slice around it. */
static uint32_t lane_of(const tt_path_overlay *o, const path_lanes *l, tt_bands *bands, const tt_path_segment *x)
{
    const tt_trace *s = o->s;
    if (x->row == TT_NONE || s->start[x->row] >= x->t1 || tt_row_end(s, x->row) <= x->t0) return TT_NONE;
    uint32_t track = tt_row_track(s, x->row);
    const uint16_t *lane = bands ? tt_bands_lane(bands, track) : s->depth;
    tt_row r = x->row;
    while (lane[r] == TT_LANE_NONE && s->parent[r] != TT_NONE) r = s->parent[r];
    return lane[r] == TT_LANE_NONE ? TT_NONE : l->first_lane[track] + lane[r];
}

static void deal_out(tt_path_overlay *o, path_lanes *l, tt_bands *bands)
{
    const tt_trace *s = o->s;
    size_t n = o->path->at.n;
    l->first_lane = tt_calloc(s->n_tracks + (size_t)1, sizeof *l->first_lane);
    for (uint32_t k = 0; k < s->n_tracks; k++)
        l->first_lane[k + 1] = l->first_lane[k] + (bands ? tt_bands_lanes(bands, k) : s->tracks[k].depths);
    uint32_t lanes = l->first_lane[s->n_tracks];
    uint32_t *of = tt_malloc((n + 1) * sizeof *of), *fill = tt_calloc(lanes + (size_t)2, sizeof *fill);
    for (size_t i = 0; i < n; i++) {
        of[i] = lane_of(o, l, bands, &o->path->at.at[i]);
        if (of[i] != TT_NONE) fill[of[i] + 1]++;
    }
    for (uint32_t k = 0; k < lanes; k++) fill[k + 1] += fill[k];
    l->from = tt_malloc((lanes + (size_t)2) * sizeof *l->from);
    memcpy(l->from, fill, (lanes + (size_t)1) * sizeof *fill);
    l->at = tt_malloc((n + 1) * sizeof *l->at);
    for (size_t i = 0; i < n; i++)
        if (of[i] != TT_NONE) l->at[fill[of[i]]++] = (uint32_t)i;
    free(fill);
    free(of);
}

static void lanes_free(path_lanes *l)
{
    free(l->first_lane);
    free(l->from);
    free(l->at);
    *l = (path_lanes){0};
}

static void add_up(tt_path_overlay *o)
{
    path_sum sum = {0};
    size_t n = o->path->at.n;
    o->sums = tt_calloc(n / SUM_EVERY + 1, sizeof *o->sums);
    for (size_t i = 0; i <= n; i++) {
        if (i % SUM_EVERY == 0) o->sums[i / SUM_EVERY] = sum;
        if (i < n) sum.of[o->path->at.at[i].category] += o->path->at.at[i].t1 - o->path->at.at[i].t0;
    }
}

tt_path_overlay *tt_path_overlay_of(const tt_session *s, uint32_t trace, tt_path *path)
{
    tt_path_overlay *o = tt_calloc(1, sizeof *o);
    o->s = s->traces[trace];
    o->path = path;
    deal_out(o, &o->depths, NULL);
    add_up(o);
    return o;
}

tt_path_overlay *tt_path_overlay_make(const tt_session *s, const tt_scope *scope, uint32_t trace)
{
    return tt_path_overlay_of(s, trace, tt_path_make(s, scope, trace));
}

void tt_path_overlay_free(tt_path_overlay *o)
{
    if (!o) return;
    tt_path_free(o->path);
    free(o->sums);
    lanes_free(&o->depths);
    lanes_free(&o->shown);
    free(o);
}

const tt_path *tt_path_overlay_path(const tt_path_overlay *o) { return o->path; }

/* ---- the path of a timeline ---- */

static void deal_shown(const tt_timeline *t, uint32_t trace, tt_path_overlay *o)
{
    lanes_free(&o->shown);
    o->view = t->view;
    if (t->view == TT_VIEW_BANDS) deal_out(o, &o->shown, t->layers.bands[trace]);
}

void tt_path_overlay_follow(tt_timeline *t)
{
    for (uint32_t i = 0; i < t->session->n_traces; i++) {
        tt_path_overlay *o = t->path.overlays[i];
        if (o && o->view != t->view) deal_shown(t, i, o);
    }
}

void tt_path_overlay_set(tt_timeline *t, uint32_t trace, tt_path_overlay *o)
{
    tt_path_overlay_free(t->path.overlays[trace]);
    t->path.overlays[trace] = o;
    if (o) deal_shown(t, trace, o);
}

void tt_path_overlay_show(tt_timeline *t, bool on)
{
    t->path.shown = on;
    for (size_t i = 0; i < t->nodes.n; i++) {
        tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_PATH) continue;
        n->pinned = on && t->path.overlays[n->trace];
        n->hidden = false; /* a hidden row comes back when a person asks for the path */
    }
    tt_timeline_layout(t);
}

const tt_path_overlay *tt_path_overlay_shown(const tt_timeline *t, uint32_t trace)
{
    return t->path.shown ? t->path.overlays[trace] : NULL;
}

/* ---- questions ---- */

/* The first segment of the lane in [lo, end) that ends after t: mostly near lo. */
static uint32_t ends_after(const tt_path_overlay *o, const path_lanes *l, uint32_t lo, uint32_t end, int64_t t)
{
    const tt_path_segment *of = o->path->at.at;
    uint32_t hi = lo, step = 1;
    while (hi < end && of[l->at[hi]].t1 <= t) {
        lo = hi + 1;
        hi = end - hi > step ? hi + step : end;
        step *= 2;
    }
    TT_BISECT(lo, hi, i, of[l->at[i]].t1 <= t);
    return lo;
}

static void lane_cells(const tt_path_overlay *o, const path_lanes *l, uint32_t lane, const int64_t *edge,
                       int64_t offset, int w, uint8_t *out)
{
    const tt_path_segment *of = o->path->at.at;
    uint32_t i = l->from[lane], end = l->from[lane + 1];
    for (int col = 0; col < w && i < end; col++) {
        int64_t a = edge[col] - offset, b = edge[col + 1] - offset;
        b = b > a ? b : a + 1;
        i = ends_after(o, l, i, end, a);
        if (i == end || of[l->at[i]].t0 >= b) continue;
        const tt_path_segment *x = &of[l->at[i]];
        out[col] |= TT_ON_PATH;
        if (x->t0 >= a && x->t1 - x->t0 >= b - a) out[col] |= TT_PATH_BEGINS;
    }
}

void tt_path_overlay_cells(const tt_path_overlay *o, const tt_timeline_node *n, uint32_t depth, const int64_t *edge,
                           int64_t offset, int w, uint8_t *out)
{
    const path_lanes *l = o->shown.at ? &o->shown : &o->depths;
    uint32_t first = l->first_lane[n->index], end = l->first_lane[n->index + 1];
    memset(out, 0, (size_t)w);
    if (depth != TT_NONE) {
        first += depth;
        end = first + 1;
    }
    for (; first < end; first++) lane_cells(o, l, first, edge, offset, w, out);
}

int64_t tt_path_overlay_slice_ns(const tt_path_overlay *o, tt_row r)
{
    const tt_trace *s = o->s;
    uint32_t track = tt_row_track(s, r), lane = o->depths.first_lane[track] + s->depth[r];
    const path_lanes *l = &o->depths;
    uint32_t end = tt_kind_is_device(tt_row_kind(s, r)) ? lane + 1 : l->first_lane[track + 1];
    int64_t a = s->start[r], b = tt_row_end(s, r), ns = 0;
    for (; lane < end; lane++) { /* the lane of the slice, for a host slice also the lanes below it */
        for (uint32_t i = ends_after(o, l, l->from[lane], l->from[lane + 1], a); i < l->from[lane + 1]; i++) {
            const tt_path_segment *x = &o->path->at.at[l->at[i]];
            if (x->t0 >= b) break;
            ns += (x->t1 < b ? x->t1 : b) - (x->t0 > a ? x->t0 : a);
        }
    }
    return ns;
}

void tt_path_overlay_sums(const tt_path_overlay *o, int64_t t, int64_t sums[TT_PATH_COUNT_])
{
    uint32_t i = tt_path_at(o->path, t);
    const tt_path_segment *of = o->path->at.at;
    memcpy(sums, o->sums[i / SUM_EVERY].of, sizeof o->sums->of);
    for (uint32_t k = i / SUM_EVERY * SUM_EVERY; k < i; k++) sums[of[k].category] += of[k].t1 - of[k].t0;
    if (i < o->path->at.n && of[i].t0 < t) sums[of[i].category] += t - of[i].t0;
}
