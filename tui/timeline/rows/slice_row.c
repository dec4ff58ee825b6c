/* tui/timeline/rows/slice_row.c - rows of slices: a lane of a track, or a whole track, in cells.
 *
 * A cell filled by one slice is painted. A cell in which a slice begins or ends has the boundary at an eighth of the
 * cell, between the colours of both sides. A cell with more slices than can be told apart has the colour of the class
 * that takes most of its time, as high as the cell is busy. Every slice leaves a mark: at least one eighth of a cell,
 * on devices three. Colours are never mixed. The selected slice keeps its colour between two brackets, with its name
 * reversed; a slice too narrow for brackets is painted as a whole. */
#include "tui/timeline/rows/slice_row.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/run/parallel.h"
#include "tui/timeline/model/index.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/lines.h"
#include "tui/timeline/model/search.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/path_overlay.h"
#include "tui/timeline/rows/sources.h"
#include "tui/widgets/short_names.h"

typedef struct run { /* cells filled by one slice, which get one label */
    tt_row row;
    int from, to;
    tt_style style;
} run;

typedef struct span { /* part of a slice inside a cell, in eighths */
    tt_row row;
    int from, to;
    bool from_left, to_right; /* the slice continues in the next cell */
} span;

static bool is_sel(const tt_lane *l, tt_row r) { return r == l->f->t->sel.row && l->node->trace == l->f->t->sel.trace; }

static bool is_linked(const tt_lane *l, tt_row r)
{
    for (uint32_t i = 0; i < l->f->links.n; i++) {
        if (l->f->links.at[i].row == r && l->f->links.at[i].trace == l->node->trace) {
            return true;
        }
    }
    return false;
}

/* Another tone of the same category. */
static tt_paint next_tone(tt_paint p)
{
    return tt_paint_is_hue(p) ? tt_paint_hue(tt_paint_hue_of(p), (p - 1u) % TT_TONES + 1) : p;
}

/* A colour, or the dim colour if something else is highlighted. */
static tt_paint unless_dimmed(const tt_lane *l, tt_row r, int col, tt_paint p)
{
    const tt_timeline *t = l->f->t;
    if (l->path && !(l->path[col] & TT_ON_PATH)) {
        return TT_PAINT_DIM;
    }
    if (t->search.hits && t->search.dim_others && !tt_timeline_matches(t, l->node->trace, r)) {
        int64_t a = l->f->edge[col], b = l->f->edge[col + 1];
        const tt_lod_cell *cell = &l->cells[col];
        if (cell->count < 2 ||
            !tt_timeline_hit_in(l->s, &l->hits, l->next_hit, a - l->offset, (b > a ? b : a + 1) - l->offset)) {
            return TT_PAINT_DIM;
        }
    }
    return p;
}

tt_paint tt_lane_paint_of(const tt_lane *l, tt_row r)
{
    tt_kind kind = tt_row_kind(l->s, r);
    if (l->s->flight && tt_flight_is_culprit(l, r)) return tt_paint_hue(TT_HUE_DATALOADER, 0);
    /* two threads may look up the same name: both find the same colour */
    _Atomic uint16_t *cache = &l->f->paints[l->node->trace][l->s->name[r]];
    uint16_t known = atomic_load_explicit(cache, memory_order_relaxed);
    if (known >> 8 != kind || known == 0) {
        known = (uint16_t)(kind << 8 | tt_paint_slice(kind, tt_row_name(l->s, r)));
        atomic_store_explicit(cache, known, memory_order_relaxed);
    }
    return (tt_paint)known;
}

static tt_paint plain_paint(const tt_lane *l, tt_row r, int col)
{
    return unless_dimmed(l, r, col, tt_lane_paint_of(l, r));
}

int64_t tt_lane_columns_of(const tt_lane *l, tt_row r)
{
    int64_t window = l->f->t->t1 - l->f->t->t0;
    return (int64_t)((__int128)l->s->dur[r] * l->f->w / (window > 0 ? window : 1));
}

/* The selected slice is wide enough for brackets: then it keeps its colour. */
static bool has_brackets(const tt_lane *l, tt_row r) { return tt_lane_columns_of(l, r) >= 4; }

static tt_paint slice_paint(const tt_lane *l, tt_row r, int col)
{
    return is_sel(l, r) ? TT_PAINT_ACCENT : plain_paint(l, r, col);
}

static tt_style attributes_of(const tt_lane *l, tt_row r) { return is_linked(l, r) ? TT_UNDERLINE | TT_BOLD : 0; }

static void put_gap(const tt_lane *l, int col) { tt_timeline_put_gap(l->c, l->y, l->f, col); }

static tt_paint gap_paint(const tt_lane *l, int col)
{
    return l->f->under[col] & TT_UNDER_MARK ? TT_PAINT_MARK : TT_PAINT_NONE;
}

/* The pattern of a cell without colours: the pattern of its category, or whether the critical path goes through the
 * cell. */
static uint32_t fill_of(const tt_lane *l, int col, tt_paint p)
{
    if (!l->path || p == TT_PAINT_ACCENT) return (uint32_t)tt_paint_pattern(p);
    return l->path[col] & TT_ON_PATH ? tt_glyph_of(l->c, TT_G_ARROW_UP) : tt_glyph_of(l->c, TT_G_DOT);
}

static void put_full(const tt_lane *l, int col, tt_paint p, tt_style attr)
{
    if (l->c->mono) {
        tt_put_char(l->c, l->y, l->f->x + col, tt_style_fill(p, TT_PAINT_NONE) | attr, fill_of(l, col, p));
    } else {
        tt_put_char(l->c, l->y, l->f->x + col, tt_style_fill(TT_PAINT_CONTRAST, p) | attr,
                    l->c->few ? fill_of(l, col, p) : ' ');
    }
}

/* A boundary inside a cell: n eighths of left, the rest of right. TT_PAINT_NONE and TT_PAINT_MARK are gaps. */
static void put_split(const tt_lane *l, int col, int n, tt_paint left, tt_paint right, tt_style attr)
{
    bool gap_left = left == TT_PAINT_NONE || left == TT_PAINT_MARK,
         gap_right = right == TT_PAINT_NONE || right == TT_PAINT_MARK;
    if (l->c->ascii || l->c->mono || l->c->cheap) {
        bool thin = (gap_left && n > 4) || (gap_right && n < 4);
        tt_paint p = gap_left ? right : left;
        if (!thin) {
            put_full(l, col, gap_left || gap_right ? p : n >= 4 ? left : right, attr);
        } else {
            tt_put_char(l->c, l->y, l->f->x + col, tt_style_fill(p, gap_left ? left : right) | attr,
                        tt_glyph_of(l->c, TT_G_VLINE));
        }
        return;
    }
    /* the background of the terminal cannot be a foreground colour: draw the gap as the glyph, reversed */
    tt_style st = gap_left ? (tt_style)(tt_style_fill(right, left) | TT_REVERSE) : tt_style_fill(left, right);
    tt_put_char(l->c, l->y, l->f->x + col, st | attr, tt_eighth(l->c, n));
}

/* The selected slice begins in a cell that holds others too. */
static bool holds_sel(const tt_lane *l, int col, int64_t width)
{
    const tt_timeline *t = l->f->t;
    if (!tt_timeline_has_sel(t) || t->sel.trace != l->node->trace ||
        (l->depth != TT_NONE && tt_layers_lane(t, t->sel) != l->depth)) {
        return false;
    }
    int64_t a = l->f->edge[col] - l->offset, start = l->s->start[t->sel.row];
    return start >= a && start < a + width && tt_row_track(l->s, t->sel.row) == l->node->index;
}

/* A cell of many slices: the colour of the class with most time, as high as the cell is busy. */
static void put_dense(const tt_lane *l, int col, const tt_lod_cell *cell, int64_t width)
{
    bool sel = holds_sel(l, col, width);
    tt_paint p = sel ? TT_PAINT_ACCENT : unless_dimmed(l, cell->longest, col, tt_paint_hue(cell->class, 0));
    int n = tt_timeline_eighths(cell->busy_ns, width);
    if (l->node->device && n > 0) { /* device work is visible in any case: at least three eighths */
        n = 2 + (n * 6 + 4) / 8;
    }
    if (l->c->mono) {
        tt_put_char(l->c, l->y, l->f->x + col, tt_style_fill(p, TT_PAINT_NONE),
                    n >= 4 || sel ? fill_of(l, col, p) : tt_glyph_of(l->c, TT_G_DOT));
        return;
    }
    if (sel || n >= 8) {
        put_full(l, col, p, 0);
        return;
    }
    tt_style st = tt_style_fill(p, gap_paint(l, col));
    tt_put_char(l->c, l->y, l->f->x + col, st, n > 0 ? tt_height(l->c, n) : tt_glyph_of(l->c, TT_G_DOT));
}

/* Brackets at both ends of the selected slice, if the ends are on the screen. */
static void put_brackets(const tt_lane *l, const run *r)
{
    int64_t start = tt_timeline_start(l->f->t, l->f->t->sel), end = tt_timeline_end(l->f->t, l->f->t->sel);
    bool plain = l->c->ascii || l->c->mono || l->c->few || l->c->cheap;
    for (int right = 0; right < 2; right++) {
        int col = right ? r->to - 1 : r->from;
        if (right ? end > l->f->edge[r->to] + (l->f->edge[r->to] - l->f->edge[col])
                  : start < l->f->edge[col - (col > 0)]) {
            continue; /* the slice continues beyond the window */
        }
        tt_paint p = plain_paint(l, r->row, col);
        tt_style st = l->c->mono ? tt_style_fill(p, TT_PAINT_NONE) | TT_BOLD
                      : plain    ? tt_style_fill(TT_PAINT_CONTRAST, p) | TT_BOLD
                                 : tt_style_fill(right ? p : TT_PAINT_ACCENT, right ? TT_PAINT_ACCENT : p);
        uint32_t half = tt_eighth(l->c, 4), ch = plain ? (right ? ']' : '[') : half;
        tt_put_char(l->c, l->y, l->f->x + col, st, ch);
    }
}

static void flush_run(const tt_lane *l, run *r)
{
    int w = r->to - r->from;
    if (r->row == TT_NONE || w < 2) {
        r->row = TT_NONE;
        return;
    }
    char text[256], dur[TT_TEXT_CAP];
    tt_kind kind = tt_row_kind(l->s, r->row);
    const char *name = tt_row_name(l->s, r->row);
    bool begins = l->path && l->path[r->from] & TT_PATH_BEGINS, sel = is_sel(l, r->row) && has_brackets(l, r->row);
    int pad = w >= 6 || begins || sel ? 1 : 0, used = 0, x = l->f->x + r->from + pad, room = w - pad - sel;
    tt_style st = sel ? r->style | TT_REVERSE | TT_BOLD : r->style;
    bool fits = tt_slice_short_name(text, sizeof text, kind, name, 200, l->c->ascii) <= room;
    if (room >= 3 && (w >= 4 || fits)) {
        if (!fits) {
            tt_slice_short_name(text, sizeof text, kind, name, room, l->c->ascii);
        }
        used = pad + tt_put(l->c, l->y, x, st, text, room);
    }
    tt_format_duration(dur, l->s->dur[r->row], l->f->unit);
    int dw = (int)tt_text_width(dur, strlen(dur));
    if (used > 0 && w - used - sel >= dw + 3) {
        if (l->c->mono || l->c->few || sel) { /* a blank replaces the pattern */
            tt_put_char(l->c, l->y, l->f->x + r->from + used, st, ' ');
        }
        tt_put(l->c, l->y, l->f->x + r->from + used + 1, st, dur, dw);
    }
    for (int col = r->from; l->path && col < r->to;
         col++) { /* parts of the slice are on the critical path, others are not */
        tt_paint p = plain_paint(l, r->row, col);
        tt_style part = l->c->mono ? tt_style_fill(p, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, p);
        tt_restyle(l->c, l->y, l->f->x + col, 1, 1, part | attributes_of(l, r->row) | (sel ? TT_BOLD : 0));
    }
    if (sel) put_brackets(l, r);
    r->row = TT_NONE;
}

/* The part of a slice that lies in column col. */
static span span_of(const tt_lane *l, tt_row r, int col, int64_t clip)
{
    int64_t a = l->f->edge[col] - l->offset, b = l->f->edge[col + 1] - l->offset;
    b = b > a ? b : a + 1;
    int64_t from = l->s->start[r], to = from + l->s->dur[r];
    to = to < clip ? to : clip;
    span p = {.row = r, .from_left = from < a, .to_right = b < to};
    int64_t lo = from > a ? from - a : 0, hi = (to < b ? to : b) - a, width = b - a;
    hi = hi > lo ? hi : lo;
    p.from = (int)(((__int128)lo * 8 + width / 2) / width);
    p.to = (int)(((__int128)hi * 8 + width / 2) / width);
    if (p.to <= p.from) { /* at least one eighth */
        p.from = p.from > 7 ? 7 : p.from;
        p.to = p.from + 1;
    }
    return p;
}

static void put_one(const tt_lane *l, int col, const span *p, tt_paint paint)
{
    tt_paint gap = gap_paint(l, col);
    tt_style attr = attributes_of(l, p->row);
    if (p->from == 0 && p->to == 8) {
        put_full(l, col, paint, attr);
    } else if (p->from == 0) {
        put_split(l, col, p->to, paint, gap, attr);
    } else if (p->to == 8 || p->from + p->to > 8) {
        put_split(l, col, p->to == 8 ? p->from : 8 - (p->to - p->from), gap, paint, attr);
    } else {
        put_split(l, col, p->to - p->from, paint, gap, attr);
    }
}

/* Draw two slices in a cell; false = they cannot be told apart. */
static bool put_two(const tt_lane *l, int col, tt_row longest)
{
    tt_lod *lod = l->f->t->lods[l->node->trace];
    int64_t a = l->f->edge[col] - l->offset;
    tt_row first = tt_lod_prev(lod, longest), second = longest;
    if (first == TT_NONE || (l->s->start[first] < a && tt_row_end(l->s, first) <= a)) {
        first = longest;
        second = tt_lod_next(lod, longest);
        if (second == TT_NONE) {
            return false;
        }
    }
    span p = span_of(l, first, col, l->s->start[second]), q = span_of(l, second, col, INT64_MAX);
    tt_paint left = slice_paint(l, first, col), right = slice_paint(l, second, col);
    if (q.from - p.to <= 1 && p.from <= 1 && q.to >= 7) { /* side by side */
        int n = q.from < 1 ? 1 : q.from > 7 ? 7 : q.from;
        put_split(l, col, n, left, right == left ? next_tone(right) : right,
                  attributes_of(l, first) | attributes_of(l, second));
        return true;
    }
    if (p.from_left && q.to_right && p.to < 8 &&
        q.from > 0) { /* both slices continue beside the cell: show the gap between them */
        put_split(l, col, p.to > 6 ? 6 : p.to, left, gap_paint(l, col), 0);
        return true;
    }
    return false;
}

/* ---- the cells of a row ---- */

/* The place that keeps the cells of a row: the place of the last frame, else one that this frame does not use. */
static tt_kept_timeline_row *find_place(tt_timeline_frame *f, uint32_t trace, uint32_t track, uint32_t depth)
{
    uint32_t first = (trace * 53 + track * 31 + depth) % TT_ROWS_KEPT;
    tt_kept_timeline_row *free_one = NULL;
    for (uint32_t i = 0; i < 8 || !free_one; i++) {
        tt_kept_timeline_row *k = &f->kept[(first + i) % TT_ROWS_KEPT];
        if (k->trace == trace && k->track == track && k->depth == depth && k->w > 0) return k;
        if (!free_one && k->frame != f->number) free_one = k;
        if (i == TT_ROWS_KEPT) return NULL;
    }
    free_one->w = 0;
    free_one->trace = trace;
    free_one->track = track;
    free_one->depth = depth;
    return free_one;
}

/* Find the cells of the row, or keep those of the last frame if the window is the same. False = not known yet. */
static bool query_cells(const tt_lane *l, tt_kept_timeline_row *k)
{
    const tt_timeline_frame *f = l->f;
    int64_t t0 = f->t->t0 - l->offset, t1 = f->t->t1 - l->offset;
    if (k->w == f->w && k->t0 == t0 && k->t1 == t1) {
        return true;
    }
    if (!tt_timeline_indexed(f->t, k->trace, k->track)) {
        return false;
    }
    if (k->cap < f->w) {
        k->cells = tt_realloc(k->cells, (size_t)f->w, sizeof *k->cells);
        k->cap = f->w;
    }
    k->w = f->w;
    k->t0 = t0;
    k->t1 = t1;
    tt_lod *lod = f->t->lods[k->trace];
    if (l->depth == TT_NONE) {
        tt_lod_query_track(lod, k->track, t0, t1, (uint32_t)f->w, k->cells);
    } else {
        tt_lod_query(lod, k->track, l->depth, t0, t1, (uint32_t)f->w, k->cells);
    }
    return true;
}

/* ---- the row ---- */

/* A thin line where a slice ends and the next one of its category begins. */
static bool put_seam(const tt_lane *l, int col, tt_row row, tt_row before, tt_paint paint)
{
    if (before == TT_NONE || before == row || l->c->cheap) {
        return false;
    }
    tt_paint other = slice_paint(l, before, col);
    bool hues = tt_paint_is_hue(paint) && tt_paint_is_hue(other);
    if (hues ? tt_paint_hue_of(paint) != tt_paint_hue_of(other) : paint != other) {
        return false;
    }
    if (l->c->ascii || l->c->mono || l->c->few) {
        tt_style st = l->c->mono ? tt_style_fill(paint, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, paint);
        tt_put_char(l->c, l->y, l->f->x + col, st, tt_glyph_of(l->c, TT_G_VLINE));
    } else {
        put_split(l, col, 1, gap_paint(l, col), paint, attributes_of(l, row));
    }
    return true;
}

/* The other end of a link of the selection: a mark beside the row, and its time if it is not on the screen. */
static void draw_link_ends(const tt_lane *l)
{
    const tt_timeline *t = l->f->t;
    for (uint32_t i = 0; i < l->f->links.n; i++) {
        tt_slice_ref r = l->f->links.at[i];
        if (r.trace != l->node->trace || (l->depth != TT_NONE && tt_layers_lane(t, r) != l->depth) ||
            tt_row_track(l->s, r.row) != l->node->index) {
            continue;
        }
        tt_put_char(l->c, l->y, l->f->x - 2, TT_ROLE_LINK, tt_glyph_of(l->c, TT_G_TRI_RIGHT));
        int64_t to = tt_timeline_start(t, r);
        bool left = tt_timeline_end(t, r) < t->t0, right = to >= t->t1;
        if ((!left && !right) || i > 0) continue;
        char text[TT_TEXT_CAP], far[TT_TEXT_CAP + 4];
        tt_format_time(text, to, l->f->unit);
        snprintf(far, sizeof far, " %s ", text);
        int w = (int)strlen(far) + 1, x = left ? 0 : l->f->w - w;
        tt_put_char(l->c, l->y, l->f->x + (left ? 0 : l->f->w - 1), TT_ROLE_LINK,
                    tt_glyph_of(l->c, left ? TT_G_TRI_LEFT : TT_G_TRI_RIGHT));
        tt_put(l->c, l->y, l->f->x + x + (left ? 1 : 0), TT_ROLE_LINK, far, w - 1);
    }
}

/* By column: bits of the critical path in the lane; NULL = it is not shown. */
static const uint8_t *path_of(const tt_lane *l, tt_kept_timeline_row *k)
{
    const tt_path_overlay *o = tt_path_overlay_shown(l->f->t, l->node->trace);
    if (!o) return NULL;
    if (k->path_cap < l->f->w) {
        k->path = tt_realloc(k->path, (size_t)l->f->w, sizeof *k->path);
        k->path_cap = l->f->w;
    }
    tt_path_overlay_cells(o, l->node, l->depth, l->f->edge, l->offset, l->f->w, k->path);
    return k->path;
}

/* A mark in the first cell of each segment of the path that is wide enough. */
static void put_path_marks(const tt_lane *l)
{
    enum { BLOCKS = 0x2500 }; /* from here on characters draw boxes and boundaries */
    for (int col = 0; l->path && col < l->f->w; col++) {
        const tt_lod_cell *cell = &l->cells[col];
        if (!(l->path[col] & TT_PATH_BEGINS) || cell->count != 1) continue;
        tt_paint p = slice_paint(l, cell->longest, col);
        uint32_t ch = l->c->cells[(size_t)l->y * (size_t)l->c->stride + (size_t)(l->f->x + col)].ch;
        if (ch > ' ' && ch < BLOCKS && ch != fill_of(l, col, p)) continue; /* the cell has a letter of a name */
        tt_style st = l->c->mono ? tt_style_fill(p, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, p);
        tt_put_char(l->c, l->y, l->f->x + col, st | TT_BOLD, tt_glyph_of(l->c, TT_G_TRI_RIGHT));
    }
}

/* Find the place of the cells of a row; true = the cells have to be found. Rows are claimed one after the other, then
 * drawn in any order and several at once. */
static bool claim_lane(tt_timeline_frame *f, const tt_timeline_node *n, uint32_t depth, tt_lane_row *out)
{
    int64_t offset = f->t->session->offset_ns[n->trace];
    *out = (tt_lane_row){.node = n, .depth = depth, .kept = find_place(f, n->trace, n->index, depth)};
    if (f->t->search.hits && f->t->search.dim_others) {
        out->hits = tt_timeline_hits_of((tt_timeline *)f->t, n->trace, n->index, depth);
    }
    if (!out->kept) return false;
    out->kept->frame = f->number;
    return out->kept->w != f->w || out->kept->t0 != f->t->t0 - offset || out->kept->t1 != f->t->t1 - offset;
}

static void draw_lane(tt_canvas *c, int y, tt_timeline_frame *f, const tt_lane_row *r0)
{
    size_t next_hit = 0;
    const tt_timeline_node *n = r0->node;
    uint32_t depth = r0->depth;
    tt_lane l = {
        c,        f,         n,   f->t->session->traces[n->trace], depth, f->t->session->offset_ns[n->trace], y, NULL,
        r0->hits, &next_hit, NULL};
    run r = {.row = TT_NONE};
    tt_row filled = TT_NONE;                /* the slice that fills the cell to the left */
    if (!query_cells(&l, r0->kept)) return; /* draw_waiting() says so, once for all rows */
    l.path = path_of(&l, r0->kept);
    l.cells = r0->kept->cells;
    uint32_t hues = 0;
    for (int col = 0; col < f->w; col++) {
        const tt_lod_cell *cell = &l.cells[col];
        hues |= cell->count > 0 ? 1u << cell->class : 0;
        int64_t width = f->edge[col + 1] > f->edge[col] ? f->edge[col + 1] - f->edge[col] : 1;
        tt_row before = filled;
        filled = TT_NONE;
        if (cell->count != 1 || r.row != cell->longest) {
            flush_run(&l, &r);
        }
        if (cell->count == 0) {
            put_gap(&l, col);
        } else if (cell->count == 1) {
            /* busy_ns leaves out what another slice covers: the slice ends where the next one begins */
            tt_row row = cell->longest;
            int64_t a = f->edge[col] - l.offset, from = l.s->start[row] > a ? l.s->start[row] : a;
            span p = span_of(&l, row, col, from + cell->busy_ns);
            bool plain = p.from == 0 && p.to == 8 && (!is_sel(&l, row) || has_brackets(&l, row));
            tt_paint paint = plain ? plain_paint(&l, row, col) : slice_paint(&l, row, col);
            if (p.from == 0 && p.to == 8) {
                bool seam = r.row != row && put_seam(&l, col, row, before, paint);
                if (!seam) {
                    put_full(&l, col, paint, attributes_of(&l, row));
                    uint32_t fill = l.s->flight ? tt_flight_fill(&l, row, col) : 0;
                    if (fill) tt_put_char(c, y, f->x + col, tt_style_fill(TT_PAINT_CONTRAST, paint), fill);
                    r.from = r.row == row ? r.from : col;
                    r.row = row;
                    r.to = col + 1;
                    r.style =
                        (c->mono ? tt_style_fill(paint, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, paint)) |
                        attributes_of(&l, row);
                }
                filled = row;
            } else {
                flush_run(&l, &r);
                bool small = n->device && tt_lane_columns_of(&l, row) < 1 && !is_sel(&l, row);
                if (small)
                    put_dense(&l, col, cell, width);
                else
                    put_one(&l, col, &p, paint);
            }
        } else if (cell->count != 2 || depth == TT_NONE || !put_two(&l, col, cell->longest)) {
            put_dense(&l, col, cell, width);
        }
    }
    flush_run(&l, &r);
    if (n->device) atomic_fetch_or(&f->hues, hues);
    if (!l.path) tt_lane_label_runs(&l);
    put_path_marks(&l);
    draw_link_ends(&l);
}

typedef struct lanes_job {
    tt_canvas *c;
    tt_timeline_frame *f;
} lanes_job;

static void draw_one_lane(void *arg, size_t i)
{
    lanes_job *j = arg;
    draw_lane(j->c, j->f->lanes[i].y, j->f, &j->f->lanes[i]);
}

/* Draw the rows, with several threads if there are very many slices, since drawing then waits for memory. For fewer
 * slices one thread is fast enough, however busy the other processors are. */
void tt_slice_rows_draw(tt_canvas *c, tt_timeline_frame *f)
{
    enum { MANY_ROWS = 4, MANY_SLICES = 1 << 25 };
    lanes_job job = {c, f};
    uint64_t slices = 0;
    for (uint32_t i = 0; i < f->t->session->n_traces; i++) slices += f->t->session->traces[i]->n;
    bool many = f->new_lanes >= MANY_ROWS && slices >= (f->many ? f->many : MANY_SLICES);
    tt_parallel(many ? tt_threads() : 1, (size_t)f->n_lanes, draw_one_lane, &job);
}

/* ---- the source ---- */

/* A line for each lane that is shown; one line if there are none. */
static void add_lines(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    uint32_t lanes = !n->collapsed && !t->flat ? tt_layers_lanes(t, n) : 0, shown = 0;
    for (uint32_t d = 0; d < lanes; d++) {
        if (!tt_layers_shows(t, n, d) || (t->filter && !tt_lod_has(t->lods[n->trace], n->index, d))) continue;
        tt_lines_add(t, node, d);
        shown++;
    }
    if (shown == 0) tt_lines_add(t, node, TT_NONE);
}

static bool can_fold(tt_timeline *t, const tt_timeline_node *n)
{
    return n->collapsed || !(t->flat || tt_layers_lanes(t, n) < 2);
}

static tt_fold_sign sign_of(tt_timeline *t, const tt_timeline_node *n)
{
    if (tt_layers_lanes(t, n) < 2) return TT_FOLD_NONE;
    return n->collapsed || t->flat ? TT_FOLD_CLOSED : TT_FOLD_OPEN;
}

static bool passes_filter(const tt_timeline *t, const tt_timeline_node *n)
{
    return tt_lod_has(t->lods[n->trace], n->index, TT_NONE);
}

/* Whether the number is too large for a thread's and too small for an address, which some profilers take instead:
 * recorders number rows that are no threads so, as NCCL's communicators. */
static bool is_made_up(const char *tid)
{
    long long n = strtoll(tid, NULL, 10);
    return n > UINT32_MAX && n < INT64_C(1) << 42;
}

static void label_of(const tt_timeline *t, const tt_timeline_node *n0, char *out, size_t cap)
{
    const tt_trace *s = t->session->traces[n0->trace];
    const tt_track *k = &s->tracks[n0->index];
    const char *name = tt_str(&s->strings, k->name), *tid = tt_str(&s->strings, k->tid);
    const char *open = strncmp(name, "thread ", 7) == 0 ? strstr(name, " (") : NULL;
    size_t n = strlen(name);
    if (open && open[2] != ')' && name[n - 1] == ')') { /* "thread 2014 (python)" becomes "python 2014" */
        snprintf(out, cap, "%.*s %.*s", (int)(n - 3 - (size_t)(open - name)), open + 2, (int)(open - name - 7),
                 name + 7);
    } else if (k->kind == TT_TRACK_STREAM && k->stream >= 0) {
        const tt_track *before = k > s->tracks ? k - 1 : k;
        bool more = before < k && before->kind == TT_TRACK_STREAM && before->process == k->process &&
                    before->stream == k->stream; /* the second track has work that overlaps the stream */
        tt_kind kind = k->n > 0 ? tt_row_kind(s, k->first) : TT_KIND_OTHER;
        snprintf(out, cap, more ? kind == TT_KIND_SYNC ? "stream %lld waits" : "stream %lld, more" : "stream %lld",
                 (long long)k->stream);
    } else if (strcmp(name, tid) == 0) {
        snprintf(out, cap, !tt_row_is_number(tid) ? "%s" : "thread %s", tid);
    } else if (strstr(name, tid) || !*tid || is_made_up(tid) ||
               (k->kind == TT_TRACK_THREAD && s->processes[k->process].device >= 0)) {
        /* no thread, but a row beside the streams of a device, or one of a communicator: its number says nothing */
        snprintf(out, cap, "%s", name);
    } else {
        snprintf(out, cap, "%s %s", name, tid);
    }
}

static void claim_cells(tt_canvas *c, int y, tt_timeline_frame *f, const tt_line *l)
{
    (void)c;
    tt_lane_row *row = &f->lanes[f->n_lanes++];
    f->new_lanes += claim_lane(f, &f->t->nodes.at[l->node], l->depth, row);
    row->y = y;
    if (!row->kept) f->n_lanes--;
}

const tt_row_source tt_source_track = {
    .lines = add_lines,
    .folds = can_fold,
    .sign = sign_of,
    .passes = passes_filter,
    .label = label_of,
    .cut_middle = true,
    .lane_label = tt_layers_label,
    .cells = claim_cells,
};
