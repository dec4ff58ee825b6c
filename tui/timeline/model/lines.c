/* tui/timeline/model/lines.c - lists the lines of the screen: pinned lines first, without folded, hidden and
 * filtered ones. */
#include "tui/timeline/model/lines.h"

#include "model/base/bisect.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/model/row_source.h"

/* ---- lines ---- */

void tt_lines_add(tt_timeline *t, uint32_t node, uint32_t depth) { *tt_vec_push(&t->lines) = (tt_line){node, depth}; }

/* The node has something to show while a filter limits the slices. */
static bool has_slices(const tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    tt_row_filter filter = tt_row_source_of(t, n)->filter;
    if (filter == TT_FILTER_ALWAYS) return true;
    if (filter == TT_FILTER_PARENT) return has_slices(t, n->parent);
    for (uint32_t i = node; i < n->end; i++) {
        const tt_timeline_node *inside = &t->nodes.at[i];
        const tt_row_source *of = tt_row_source_of(t, inside);
        if (of->passes && of->passes(t, inside)) return true;
    }
    return false;
}

static void add_lines(tt_timeline *t, uint32_t node)
{
    const tt_row_source *of = tt_row_source_of(t, &t->nodes.at[node]);
    if (of->lines)
        of->lines(t, node);
    else
        tt_lines_add(t, node, TT_NONE);
}

/* Append the lines of the nodes [from, to), without pinned ones unless `pinned`. */
static void add_nodes(tt_timeline *t, uint32_t from, uint32_t to, bool pinned)
{
    for (uint32_t i = from; i < to;) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->hidden || (n->pinned && !pinned) || (t->filter && !has_slices(t, i))) {
            i = n->end;
            continue;
        }
        add_lines(t, i);
        i = n->collapsed ? n->end : i + 1;
    }
}

/* Lines are ordered by node and lane, pinned ones apart from the others. */
uint32_t tt_lines_find(const tt_timeline *t, uint32_t node, uint32_t depth)
{
    for (int part = 0; part < 2; part++) {
        size_t a = part ? t->n_pinned : 0, end = part ? t->lines.n : t->n_pinned, b = end;
        const tt_line *at = t->lines.at;
        TT_BISECT(a, b, i, at[i].node < node || (at[i].node == node && at[i].depth != TT_NONE && at[i].depth < depth));
        if (a < end && t->lines.at[a].node == node) {
            return (uint32_t)a;
        }
    }
    return TT_NONE;
}

/* The new line of the cursor: the same line, else the last line before it that is left. */
static uint32_t line_after(const tt_timeline *t, tt_line was)
{
    uint32_t line = t->n_pinned < t->lines.n ? t->n_pinned : 0;
    for (uint32_t i = 0; i < t->lines.n; i++) {
        const tt_line *l = &t->lines.at[i];
        if (l->node == was.node && (was.depth == TT_NONE || l->depth == TT_NONE || l->depth <= was.depth)) {
            line = i;
        } else if (i >= t->n_pinned && l->node < was.node && t->lines.at[line].node != was.node) {
            line = i;
        }
    }
    return line;
}

/* Append the lines of all nodes, pinned ones first. */
static void add_all(tt_timeline *t)
{
    for (uint32_t i = 0; i < t->nodes.n;) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->pinned && !n->hidden) {
            add_nodes(t, i, n->end, true);
        }
        i = n->pinned || n->hidden ? n->end : i + 1;
    }
    t->n_pinned = (uint32_t)t->lines.n;
    add_nodes(t, 0, (uint32_t)t->nodes.n, false);
}

void tt_timeline_layout(tt_timeline *t)
{
    tt_line was = t->line < t->lines.n ? t->lines.at[t->line] : (tt_line){0, TT_NONE};
    uint32_t screen_row = t->line - (t->top < t->line ? t->top : t->line);
    t->lines.n = t->n_pinned = 0;
    t->layers.later = false;
    if (t->choice.on)
        t->choice.by->lines(t);
    else
        add_all(t);
    t->line = line_after(t, was);
    t->top = t->line > screen_row ? t->line - screen_row : 0;
    tt_timeline_scroll(t);
}

uint32_t tt_timeline_line_of(const tt_timeline *t, tt_slice_ref r)
{
    uint32_t node = t->track_node[r.trace][tt_row_track(tt_timeline_trace(t, r), r.row)];
    if (node == TT_NONE) return TT_NONE;
    uint32_t lane = tt_layers_lane(t, r), line = tt_lines_find(t, node, lane == TT_NONE ? 0 : lane);
    bool whole = line != TT_NONE && t->lines.at[line].depth == TT_NONE; /* the track is one row */
    return line != TT_NONE && (whole || t->lines.at[line].depth == lane) ? line : TT_NONE;
}

uint32_t tt_timeline_line_around(const tt_timeline *t, tt_slice_ref r)
{
    const tt_trace *s = tt_timeline_trace(t, r);
    uint32_t node = t->track_node[r.trace][tt_row_track(s, r.row)], line = TT_NONE;
    for (tt_row up = r.row; node != TT_NONE && line == TT_NONE && up != TT_NONE; up = s->parent[up]) {
        line =
            tt_timeline_line_of(t, (tt_slice_ref){r.trace, up}); /* the line of the slice, else of a slice around it */
    }
    line = line == TT_NONE && node != TT_NONE ? tt_lines_find(t, node, 0) : line;
    while (line == TT_NONE && node != TT_NONE && (node = t->nodes.at[node].parent) != TT_NONE) {
        line = tt_lines_find(t, node, 0);
    }
    return line;
}

/* ---- scrolling ---- */

/* Rows of the screen for pinned lines: as many as they need, up to two thirds of the screen. */
static uint32_t pinned_rows(const tt_timeline *t)
{
    uint32_t rows = t->rows > 0 ? (uint32_t)t->rows : 1, most = rows - (rows + 2) / 3;
    most = t->n_pinned == t->lines.n ? rows : most > 0 ? most : 1;
    return t->n_pinned < most ? t->n_pinned : most;
}

/* The first of n lines on a screen of `rows` rows, so that `line` and its neighbours are on the screen. */
static uint32_t scroll_to(uint32_t top, uint32_t line, uint32_t n, uint32_t rows)
{
    uint32_t margin = rows > 12 ? 2 : 0;
    if (line < top + margin) {
        top = line > margin ? line - margin : 0;
    }
    if (line + margin >= top + rows) {
        top = line + margin + 1 - rows;
    }
    uint32_t last = n > rows ? n - rows : 0;
    return top < last ? top : last;
}

void tt_timeline_scroll(tt_timeline *t)
{
    uint32_t rows = t->rows > 0 ? (uint32_t)t->rows : 1, n = (uint32_t)t->lines.n, own = pinned_rows(t);
    if (n == 0) {
        t->line = t->top = t->pin_top = 0;
        return;
    }
    t->line = t->line < n ? t->line : n - 1;
    bool pinned = t->line < t->n_pinned; /* the half without the cursor does not scroll */
    t->pin_top = scroll_to(t->pin_top, pinned ? t->line : t->pin_top + own / 2, t->n_pinned, own);
    t->top = t->top > t->n_pinned ? t->top - t->n_pinned : 0;
    if (rows > own) {
        uint32_t line = pinned ? t->top + (rows - own) / 2 : t->line - t->n_pinned;
        t->top = scroll_to(t->top, line, n - t->n_pinned, rows - own);
    }
    t->top += t->n_pinned;
}

uint32_t tt_timeline_line_at(const tt_timeline *t, int row)
{
    uint32_t own = pinned_rows(t), r = (uint32_t)row;
    if (row < 0 || row >= t->rows) {
        return TT_NONE;
    }
    uint32_t line = r < own ? t->pin_top + r : t->top + r - own;
    return line < t->lines.n ? line : TT_NONE;
}

int tt_timeline_row_of(const tt_timeline *t, uint32_t line)
{
    uint32_t own = pinned_rows(t), top = line < t->n_pinned ? t->pin_top : t->top;
    uint32_t rows = line < t->n_pinned ? own : (uint32_t)t->rows - own;
    if (line < top) {
        return -1;
    }
    return line - top < rows ? (int)(line - top + (line < t->n_pinned ? 0 : own)) : t->rows;
}
