/* tui/timeline/navigate/evidence.c - the rows of the evidence of a finding, and the state of the timeline before it. */
#include "tui/timeline/navigate/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/bisect.h"
#include "model/base/sort_by.h"
#include "model/tables/idle/idle_gaps.h"
#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/row_source.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/model/view.h"
#include "tui/timeline/navigate/ranges.h"
#include "tui/timeline/navigate/select.h"
#include "tui/timeline/rows/derived.h"

enum { MOST_LANES = 6 }; /* lanes of the thread that a gap waits for */

struct tt_evidence {
    TT_VEC(tt_line) lines;  /* the chosen lines, by node and lane; empty = all rows are shown */
    tt_drilldown of;        /* the evidence, to choose its rows again when lanes change */
    tt_timeline_view lanes; /* the view that the lanes of `lines` are of */
    bool later;             /* some lanes were not known yet */
    bool path;              /* `lines` has the row of the critical path */
    int rows;               /* rows of the screen that `lines` were chosen for */
    tt_pieces *pieces;      /* pieces of the finding; owned, NULL = it has none */
    size_t piece;           /* the piece that is shown */
    /* ---- the timeline before ---- */
    tt_timeline_view view;
    unsigned bands_off;
    int fitted_h;
    uint16_t *cut; /* [nodes][TT_BAND_COUNT_]; owned */
    int64_t t0, t1, at, placed, mark_a, mark_b;
    uint32_t line, top;
    tt_slice_ref sel;
    char *pattern; /* owned */
    bool exact, dim;
    TT_VEC(tt_hit_range) ranges;
    size_t range_at;
};

/* NULL is fine */
static void evidence_free(tt_evidence *e)
{
    if (!e) return;
    tt_pieces_free(e->pieces);
    tt_vec_free(&e->lines);
    tt_vec_free(&e->ranges);
    free(e->pattern);
    free(e->cut);
    free(e);
}

/* ---- the timeline before ---- */

static tt_evidence *keep_state(const tt_timeline *t)
{
    tt_evidence *e = tt_calloc(1, sizeof *e);
    e->view = e->lanes = t->view;
    e->bands_off = t->layers.off;
    e->fitted_h = t->layers.fitted_h;
    e->cut = tt_malloc(t->nodes.n * sizeof t->nodes.at->cut);
    for (size_t i = 0; i < t->nodes.n; i++)
        memcpy(e->cut + i * TT_BAND_COUNT_, t->nodes.at[i].cut, sizeof t->nodes.at[i].cut);
    e->t0 = t->t0;
    e->t1 = t->t1;
    e->at = t->at;
    e->placed = t->placed;
    e->mark_a = t->mark_a;
    e->mark_b = t->mark_b;
    e->line = t->line;
    e->top = t->top;
    e->sel = t->sel;
    e->pattern = t->search.pattern ? tt_strdup(t->search.pattern) : NULL;
    e->exact = t->search.exact;
    e->dim = t->search.dim_others;
    for (size_t i = 0; i < t->search.ranges.n; i++) *tt_vec_push(&e->ranges) = t->search.ranges.at[i];
    e->range_at = t->search.range_at;
    return e;
}

void tt_evidence_end(tt_timeline *t)
{
    tt_evidence *e = t->choice.evidence;
    if (!e) return;
    t->choice.evidence = NULL;
    t->choice.on = false;
    t->search.only_trace = TT_NONE;
    t->layers.off = e->bands_off;
    t->layers.fitted_h = e->fitted_h;
    for (size_t i = 0; i < t->nodes.n; i++)
        memcpy(t->nodes.at[i].cut, e->cut + i * TT_BAND_COUNT_, sizeof t->nodes.at[i].cut);
    if (t->view != e->view) tt_view_show(t, e->view);
    tt_timeline_match(t, NULL, false);
    tt_timeline_match(t, e->pattern, e->exact);
    t->search.dim_others = e->dim;
    for (size_t i = 0; i < e->ranges.n; i++) *tt_vec_push(&t->search.ranges) = e->ranges.at[i];
    t->search.range_at = e->range_at;
    tt_timeline_layout(t);
    tt_timeline_window(t, e->t0, e->t1);
    t->at = e->at;
    t->placed = e->placed;
    t->mark_a = e->mark_a;
    t->mark_b = e->mark_b;
    t->sel = e->sel;
    t->line = e->line;
    t->top = e->top;
    tt_timeline_scroll(t);
    evidence_free(e);
}

/* ---- rows ---- */

static bool line_before(const tt_line *a, const tt_line *b)
{
    if (a->node != b->node) return a->node < b->node;
    return a->depth != TT_NONE && b->depth != TT_NONE && a->depth < b->depth;
}

static void add_line(tt_evidence *e, tt_line l)
{
    size_t a = 0, b = e->lines.n;
    TT_BISECT(a, b, i, line_before(&e->lines.at[i], &l));
    if (a < e->lines.n && !line_before(&l, &e->lines.at[a])) return;
    tt_vec_push(&e->lines);
    for (size_t i = e->lines.n - 1; i > a; i--) e->lines.at[i] = e->lines.at[i - 1];
    e->lines.at[a] = l;
}

/* Add a line, and the lines of its parents. */
static void add_named(const tt_timeline *t, tt_evidence *e, uint32_t node, uint32_t depth)
{
    for (uint32_t p = t->nodes.at[node].parent; p != TT_NONE; p = t->nodes.at[p].parent)
        add_line(e, (tt_line){p, TT_NONE});
    add_line(e, (tt_line){node, depth});
}

static void reveal_line(tt_timeline *t, uint32_t node, uint32_t depth)
{
    size_t had = t->choice.evidence->lines.n;
    add_named(t, t->choice.evidence, node, depth);
    if (t->choice.evidence->lines.n != had) tt_timeline_layout(t);
}

void tt_evidence_all_rows(tt_timeline *t)
{
    if (!t->choice.on) return;
    t->choice.evidence->lines.n = 0;
    t->choice.on = false;
    tt_timeline_layout(t);
}

static bool path_known(const tt_timeline *t, uint32_t trace) { return t->path.shown && t->path.overlays[trace]; }

static void add_path(const tt_timeline *t, tt_evidence *e, uint32_t trace)
{
    for (uint32_t i = 0; e->path && i < t->nodes.n; i++)
        if (t->nodes.at[i].kind == TT_TIMELINE_PATH && t->nodes.at[i].trace == trace) add_named(t, e, i, TT_NONE);
}

/* If there are few rows, drop the lines of parents, except devices. */
static void drop_names(const tt_timeline *t, tt_evidence *e)
{
    size_t kept = 0;
    if (e->lines.n <= (size_t)t->rows) return;
    for (size_t i = 0; i < e->lines.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[e->lines.at[i].node];
        bool name = tt_row_source_of(t, n)->heads && !n->device;
        if (!name) e->lines.at[kept++] = e->lines.at[i];
    }
    e->lines.n = kept;
}

/* Add the idle rows of a trace; device: index in tt_device_work.devices, TT_NONE = all devices. */
static void add_idle(const tt_timeline *t, tt_evidence *e, uint32_t trace, uint32_t device)
{
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind != TT_TIMELINE_IDLE || n->trace != trace) continue;
        if (device == TT_NONE || tt_derived_device(t, n) == device) add_named(t, e, i, TT_NONE);
    }
}

static uint32_t lanes_of(tt_timeline *t, uint32_t trace, uint32_t track)
{
    return tt_layers_lanes(t, &t->nodes.at[t->track_node[trace][track]]);
}

/* Add the row of a slice, and the rows with matches. There are no matches once a person has ended the search. */
static void add_hits(tt_timeline *t, tt_evidence *e, uint32_t trace, tt_row row)
{
    const tt_trace *s = t->session->traces[trace];
    const tt_slice_ref r = {trace, row};
    uint32_t own = t->track_node[trace][tt_row_track(s, row)], lane = tt_layers_lane(t, r);
    if (own != TT_NONE) add_named(t, e, own, lane); /* one line if it is folded away, or its lanes are not known yet */
    if (!t->search.hits) return;
    for (uint32_t k = 0; k < s->n_tracks; k++) {
        uint32_t node = t->track_node[trace][k];
        if (node == TT_NONE || tt_timeline_hits_of(t, trace, k, TT_NONE).n == 0) continue;
        for (uint32_t d = 0; d < lanes_of(t, trace, k); d++)
            if (tt_timeline_hits_of(t, trace, k, d).n > 0) add_named(t, e, node, d);
    }
}

/* A lane of a thread has a slice in [a, b), common axis. inner: the slice is at most ten times as long as that. */
static bool lane_has(const tt_timeline *t, uint32_t trace, uint32_t track, uint32_t lane, int64_t a, int64_t b,
                     bool inner)
{
    int64_t off = t->session->offset_ns[trace];
    tt_lod_cell cell = {.longest = TT_NONE};
    tt_lod_query(t->lods[trace], track, lane, a - off, b - off, 1, &cell);
    return cell.longest != TT_NONE && (!inner || t->session->traces[trace]->dur[cell.longest] / 10 <= b - a);
}

/* Add one row of a thread: the innermost lane with a slice in the window, or its first lane. */
static void add_least(tt_timeline *t, tt_evidence *e, uint32_t trace, uint32_t track)
{
    uint32_t node = t->track_node[trace][track], best = TT_NONE;
    if (node == TT_NONE) return;
    if (!tt_timeline_indexed(t, trace, track)) {
        t->layers.later = true;
    } else {
        uint32_t lanes = lanes_of(t, trace, track);
        best = lanes ? 0 : TT_NONE;
        for (int inner = 0; inner < 2; inner++)
            for (uint32_t d = 0; d < lanes; d++)
                if (lane_has(t, trace, track, d, e->of.t0, e->of.t1, inner)) best = d;
    }
    add_named(t, e, node, best);
}

/* Add more lanes of a thread, the innermost first, up to `most` lines in all. inner: as for lane_has(). */
static void add_lanes(tt_timeline *t, tt_evidence *e, uint32_t trace, uint32_t track, bool inner, size_t most)
{
    uint32_t node = t->track_node[trace][track];
    if (node == TT_NONE || !tt_timeline_indexed(t, trace, track)) return;
    for (uint32_t d = lanes_of(t, trace, track); d-- > 0 && e->lines.n < most;)
        if (lane_has(t, trace, track, d, e->of.t0, e->of.t1, inner)) add_line(e, (tt_line){node, d});
}

/* ---- rows of pieces ---- */

typedef struct host_time { /* time of pieces that is charged to a thread */
    uint32_t track;
    int64_t ns;
} host_time;

typedef struct host_times {
    TT_VEC(host_time) at;
} host_times;

static void charge_thread(host_times *of, uint32_t track, int64_t ns)
{
    size_t i = 0;
    if (track == TT_NONE) return;
    while (i < of->at.n && of->at.at[i].track != track) i++;
    if (i == of->at.n) *tt_vec_push(&of->at) = (host_time){.track = track};
    of->at.at[i].ns += ns < INT64_MAX - of->at.at[i].ns ? ns : INT64_MAX - of->at.at[i].ns;
}

/* Add the row of the device work of a piece. */
static void add_work(tt_timeline *t, tt_evidence *e, const tt_piece *p)
{
    const tt_slice_ref r = {e->pieces->trace, p->work};
    if (p->work == TT_NONE) return;
    uint32_t node = t->track_node[r.trace][tt_row_track(tt_timeline_trace(t, r), r.row)];
    if (node != TT_NONE) add_named(t, e, node, tt_layers_lane(t, r));
}

/* Add the rows of all pieces in the window, those of the shown piece first, and their threads. */
static void find_piece_rows(tt_timeline *t, tt_evidence *e)
{
    const tt_pieces *p = e->pieces;
    const size_t rows = t->rows > 1 ? (size_t)t->rows : 1;
    host_times hosts = {0};
    add_path(t, e, p->trace);
    add_idle(t, e, p->trace, p->device);
    add_work(t, e, &p->at.at[e->piece]);
    charge_thread(&hosts, p->at.at[e->piece].host, INT64_MAX);
    for (size_t i = tt_pieces_after(p, e->of.t0); i < p->at.n && p->at.at[i].t0 < e->of.t1; i++) {
        if (e->lines.n < rows / 2) add_work(t, e, &p->at.at[i]);
        charge_thread(&hosts, p->at.at[i].host, p->at.at[i].ns);
    }
    TT_SORT_BY(hosts.at.at, hosts.at.n, TT_DESC(host_time, ns), TT_ASC(host_time, track));
    for (size_t i = 0; i < hosts.at.n && (i == 0 || e->lines.n < rows); i++) {
        add_least(t, e, p->trace, hosts.at.at[i].track);
        drop_names(t, e);
    }
    for (int outer = 0; outer < 2; outer++)
        for (size_t i = 0; i < hosts.at.n && e->lines.n < rows; i++)
            add_lanes(t, e, p->trace, hosts.at.at[i].track, !outer, rows);
    tt_vec_free(&hosts.at);
}

/* ---- gaps ---- */

/* The gap of any device that has most of [a, b), common axis; NULL = no device is idle. */
static const tt_idle_gap *gap_in(const tt_timeline *t, uint32_t trace, int64_t a, int64_t b)
{
    const tt_device_work *w = tt_device_work_get(t->session, trace);
    int64_t off = t->session->offset_ns[trace], most = 0;
    const tt_idle_gap *best = NULL;
    for (uint32_t d = 0; d < w->n_devices; d++) {
        tt_idle_lane l = tt_idle_lane_of(t->session, trace, d);
        for (uint32_t i = tt_idle_lane_after(&l, a - off); i < l.n; i++) {
            const tt_idle_gap *x = tt_idle_lane_at(&l, i);
            if (x->t0 + off >= b) break;
            int64_t t0 = x->t0 + off > a ? x->t0 + off : a, t1 = x->t1 + off < b ? x->t1 + off : b;
            if (t1 - t0 <= most) continue;
            most = t1 - t0;
            best = x;
        }
    }
    return best;
}

/* Gaps of the same device and cause as g, by time. *show: index of g. */
static void gaps_like(const tt_timeline *t, uint32_t trace, const tt_idle_gap *g, tt_hit_range **at, size_t *n,
                      size_t *show)
{
    tt_idle_lane l = tt_idle_lane_of(t->session, trace, g->device);
    int64_t off = t->session->offset_ns[trace];
    TT_VEC(tt_hit_range) out = {0};
    for (uint32_t i = 0; i < l.n; i++) {
        const tt_idle_gap *x = tt_idle_lane_at(&l, i);
        if (x == g) *show = out.n;
        if (x->cause == g->cause) *tt_vec_push(&out) = (tt_hit_range){x->t0 + off, x->t1 + off, trace, x->device};
    }
    *at = out.at;
    *n = out.n;
}

/* ---- showing ---- */

/* Choose the rows of the evidence: those of its pieces, else of its matches or of the thread for which a gap waits;
 * and the idle rows. */
static void find_rows(tt_timeline *t, tt_evidence *e)
{
    const tt_drilldown *o = &e->of;
    e->lines.n = 0;
    e->lanes = t->view;
    e->rows = t->rows;
    e->path = path_known(t, o->trace);
    if (e->pieces) {
        find_piece_rows(t, e);
    } else {
        const tt_idle_gap *g = gap_in(t, o->trace, o->t0, o->t1);
        add_path(t, e, o->trace);
        add_idle(t, e, o->trace, g ? g->device : TT_NONE);
        if (o->what == TT_DRILL_ROW) {
            add_hits(t, e, o->trace, o->row);
        } else if (g && g->track != TT_NONE) {
            add_least(t, e, o->trace, g->track);
            add_lanes(t, e, o->trace, g->track, true, e->lines.n + MOST_LANES - 1);
        }
        drop_names(t, e);
    }
    e->later = t->layers.later;
    t->choice.on = e->lines.n > 0;
}

static void append_lines(tt_timeline *t)
{
    tt_evidence *e = t->choice.evidence;
    if (e->lanes != t->view || e->later || e->rows != t->rows || e->path != path_known(t, e->of.trace)) find_rows(t, e);
    for (size_t i = 0; i < e->lines.n; i++) *tt_vec_push(&t->lines) = e->lines.at[i];
}

/* Choose lines again for another number of rows. */
static void fit_lines(tt_timeline *t)
{
    if (t->choice.on && t->choice.evidence->rows != t->rows) tt_timeline_layout(t);
}

static const tt_line_chooser chooser = {append_lines, reveal_line, fit_lines, evidence_free};

/* Replace the evidence by another, with times on the common axis. The state before the first evidence stays kept. */
static tt_evidence *replace_evidence(tt_timeline *t, const tt_drilldown *o, int64_t t0, int64_t t1)
{
    tt_evidence *e = t->choice.evidence ? t->choice.evidence : keep_state(t);
    t->choice.evidence = e;
    t->choice.by = &chooser;
    t->choice.on = false;
    t->search.only_trace = o->trace;
    t->mark_a = t->mark_b = TT_UNKNOWN;
    e->lines.n = 0;
    tt_pieces_free(e->pieces);
    e->pieces = NULL;
    e->of = (tt_drilldown){.what = o->what, .trace = o->trace, .row = o->row, .t0 = t0, .t1 = t1};
    tt_timeline_match(t, NULL, false); /* matches of other traces must not stay */
    return e;
}

/* Zoom to [a, b) with a quarter of its length on both sides. */
static void zoom_to(tt_timeline *t, int64_t a, int64_t b)
{
    int64_t side = (b - a) / 4 > 0 ? (b - a) / 4 : 1;
    tt_timeline_window(t, a - side, b + side);
}

static void show_slice(tt_timeline *t, tt_slice_ref r)
{
    int64_t a = tt_timeline_start(t, r), b = tt_timeline_end(t, r), len = b - a;
    const tt_drilldown o = {.what = TT_DRILL_ROW, .trace = r.trace, .row = r.row};
    tt_evidence *e = replace_evidence(t, &o, a, b);
    const tt_idle_gap *g = gap_in(t, r.trace, a, b);
    const int64_t off = t->session->offset_ns[r.trace];
    tt_view_reveal_lane(t, t->track_node[r.trace][tt_row_track(tt_timeline_trace(t, r), r.row)], r);
    tt_timeline_match(t, tt_row_name(tt_timeline_trace(t, r), r.row), true);
    t->search.dim_others = false;
    find_rows(t, e);
    tt_timeline_layout(t);
    tt_timeline_select(t, r, true);
    if (g && g->t1 - g->t0 <= 3 * len) { /* show all of the gap that the slice causes */
        a = g->t0 + off < a ? g->t0 + off : a;
        b = g->t1 + off > b ? g->t1 + off : b;
    }
    zoom_to(t, a, b);
    t->at = tt_timeline_start(t, r) + len / 2;
}

static void show_range(tt_timeline *t, const tt_drilldown *o)
{
    tt_evidence *e = replace_evidence(t, o, o->t0, o->t1);
    const tt_idle_gap *g = gap_in(t, o->trace, o->t0, o->t1);
    tt_hit_range *at = NULL;
    size_t n = 0, show = 0;
    find_rows(t, e);
    tt_timeline_layout(t);
    if (g) gaps_like(t, o->trace, g, &at, &n, &show);
    if (n) tt_ranges_show(t, tt_ranges_set(t, at, n, show));
    free(at);
    zoom_to(t, o->t0, o->t1);
    t->mark_a = o->t0;
    t->mark_b = o->t1;
}

/* ---- pieces ---- */

/* Move the cursor to the shown piece: on the idle row of the device, or on the work. */
static void put_on_piece(tt_timeline *t, tt_evidence *e)
{
    const tt_piece *p = &e->pieces->at.at[e->piece];
    int64_t middle = p->t0 + (p->t1 - p->t0) / 2;
    if (p->work == TT_NONE) {
        tt_ranges_to_idle_row(t, e->pieces->trace, e->pieces->device, middle);
        return;
    }
    const tt_slice_ref r = {e->pieces->trace, p->work};
    int64_t a = tt_timeline_start(t, r) > p->t0 ? tt_timeline_start(t, r) : p->t0;
    int64_t b = tt_timeline_end(t, r) < p->t1 ? tt_timeline_end(t, r) : p->t1;
    tt_view_reveal(t, r);
    t->at = b > a ? a + (b - a) / 2 : a;
    tt_timeline_select(t, r, false);
}

static void show_pieces(tt_timeline *t, const tt_drilldown *o, tt_pieces *pieces)
{
    tt_evidence *e = replace_evidence(t, o, o->t0, o->t1);
    e->pieces = pieces;
    e->piece = tt_pieces_longest(pieces, o->t0, o->t1);
    tt_timeline_window(t, o->t0, o->t1);
    find_rows(t, e);
    tt_timeline_layout(t);
    t->mark_a = o->t0;
    t->mark_b = o->t1;
    put_on_piece(t, e);
}

const tt_pieces *tt_evidence_all_pieces(const tt_timeline *t, size_t *at)
{
    if (!t->choice.evidence || !t->choice.evidence->pieces) return NULL;
    *at = t->choice.evidence->piece;
    return t->choice.evidence->pieces;
}

void tt_evidence_piece_here(tt_timeline *t)
{
    tt_evidence *e = t->choice.evidence;
    if (!e || !e->pieces) return;
    size_t i = tt_pieces_after(e->pieces, t->at);
    e->piece = i < e->pieces->at.n ? i : e->pieces->at.n - 1;
}

bool tt_evidence_next_piece(tt_timeline *t, int dir, bool *wrapped)
{
    tt_evidence *e = t->choice.evidence;
    if (!e || !e->pieces) return false;
    size_t n = e->pieces->at.n, from = e->piece;
    *wrapped = dir < 0 ? from == 0 : from + 1 == n;
    e->piece = (from + (dir < 0 ? n - 1 : 1)) % n;
    tt_ranges_window_to(t, e->pieces->at.at[e->piece].t0, e->pieces->at.at[e->piece].t1);
    e->of.t0 = t->t0;
    e->of.t1 = t->t1;
    if (t->choice.on) {
        find_rows(t, e);
        tt_timeline_layout(t);
    }
    put_on_piece(t, e);
    return true;
}

/* ---- the origin of the evidence ---- */

static bool has_place(const tt_timeline *t, const tt_drilldown *o)
{
    if (o->trace >= t->session->n_traces) return false;
    if (o->what == TT_DRILL_ROW) return o->row < t->session->traces[o->trace]->n;
    return o->what == TT_DRILL_RANGE && o->t1 > o->t0;
}

bool tt_evidence_expect(tt_timeline *t, const tt_drilldown *o)
{
    const tt_slice_ref r = {o->trace, o->row};
    if (!has_place(t, o)) return false;
    bool row = o->what == TT_DRILL_ROW;
    int64_t a = row ? tt_timeline_start(t, r) : o->t0, b = row ? tt_timeline_end(t, r) : o->t1;
    replace_evidence(t, o, a, b);
    tt_timeline_layout(t);
    zoom_to(t, a, b);
    return true;
}

bool tt_evidence_begin(tt_timeline *t, const tt_drilldown *o, tt_pieces *pieces)
{
    if (!has_place(t, o)) {
        tt_pieces_free(pieces);
        return false;
    }
    if (pieces)
        show_pieces(t, o, pieces);
    else if (o->what == TT_DRILL_ROW)
        show_slice(t, (tt_slice_ref){o->trace, o->row});
    else
        show_range(t, o);
    return true;
}

void tt_evidence_step(tt_timeline *t, size_t i)
{
    tt_evidence *e = t->choice.evidence;
    const tt_hit_range *r = &t->search.ranges.at[i];
    if (t->choice.on && e->of.what == TT_DRILL_RANGE) {
        e->of.trace = t->search.only_trace = r->trace;
        e->of.t0 = r->t0;
        e->of.t1 = r->t1;
        find_rows(t, e);
        tt_timeline_layout(t);
    }
    tt_ranges_show(t, i);
}

bool tt_evidence_gaps(tt_timeline *t, const tt_hit_range *at, size_t n, size_t show)
{
    if (show >= n || at[show].trace >= t->session->n_traces) return false;
    const tt_hit_range *r = &at[show];
    const tt_drilldown o = {.what = TT_DRILL_RANGE, .trace = r->trace};
    find_rows(t, replace_evidence(t, &o, r->t0, r->t1));
    tt_timeline_layout(t);
    tt_ranges_show(t, tt_ranges_set(t, at, n, show));
    zoom_to(t, r->t0, r->t1);
    return true;
}
