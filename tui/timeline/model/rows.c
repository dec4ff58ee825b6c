/* tui/timeline/model/rows.c - the rows of the screen: what is collapsed, hidden, filtered away, or pinned above the
 * others. */
#include <stdio.h>
#include <string.h>

#include "model/base/bisect.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/layers.h"
#include "tui/timeline/rows/curve_rows.h"
#include "tui/timeline/rows/evidence.h"

/* ---- lines ---- */

/* Is there anything to see of a node while only some slices are shown? What is derived from a device's slices is seen
 * with them. */
static bool has_slices(const tt_timeline *t, uint32_t node)
{
    tt_timeline_row_kind kind = t->nodes.at[node].kind;
    if (kind == TT_TIMELINE_PATH) return true;
    if (kind == TT_TIMELINE_IDLE || kind == TT_TIMELINE_BUSY || kind == TT_TIMELINE_MEMORY ||
        kind == TT_TIMELINE_CURVES)
        return has_slices(t, t->nodes.at[node].parent);
    if (tt_timeline_is_curve(kind)) return true; /* inside of CURVES */
    for (uint32_t i = node; i < t->nodes.at[node].end; i++) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->kind == TT_TIMELINE_TRACK ? tt_lod_has(t->lods[n->trace], n->index, TT_NONE)
                                         : n->kind == TT_TIMELINE_COUNTER) {
            return true;
        }
    }
    return false;
}

/* On few rows what the host does says more than the curves of a device: those show with the rest of them, when that is
 * opened. */
static bool gives_way(const tt_timeline *t, uint32_t node)
{
    enum { FEW = 14 };
    const tt_timeline_node *n = &t->nodes.at[node];
    if ((n->kind != TT_TIMELINE_BUSY && n->kind != TT_TIMELINE_MEMORY) || n->pinned) return false;
    while (node < t->nodes.n && t->nodes.at[node].kind != TT_TIMELINE_CURVES) node++;
    return t->rows > 0 && t->rows < FEW && node < t->nodes.n && t->nodes.at[node].parent == n->parent &&
           t->nodes.at[node].collapsed;
}

static void add_lines(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    if (n->only_host && !n->collapsed && t->view == TT_VIEW_BANDS && !t->flat) return;
    if (n->kind == TT_TIMELINE_PATH && !(t->path_shown && t->overlays[n->trace])) return;
    if (tt_timeline_is_curve(n->kind) && (!tt_curve_row_there(t, n) || gives_way(t, node))) return;
    bool open = !n->collapsed && !t->flat, plot = n->kind == TT_TIMELINE_COUNTER && open;
    uint32_t lanes = n->kind == TT_TIMELINE_TRACK && open ? tt_layers_lanes(t, n) : 0, shown = 0;
    for (uint32_t d = 0; d < lanes; d++) {
        if (!tt_layers_shows(t, n, d) || (t->filter && !tt_lod_has(t->lods[n->trace], n->index, d))) continue;
        *tt_vec_push(&t->lines) = (tt_line){node, d};
        shown++;
    }
    if (shown > 0) return;
    for (uint32_t d = 0; d < (plot ? TT_COUNTER_ROWS : 1); d++) {
        *tt_vec_push(&t->lines) = (tt_line){node, plot ? d : TT_NONE};
    }
}

/* Lines of the nodes [from, to); pinned ones only where they are asked for. */
static void add_nodes(tt_timeline *t, uint32_t from, uint32_t to, bool pinned)
{
    for (uint32_t i = from; i < to;) {
        const tt_timeline_node *n = &t->nodes.at[i];
        if (n->hidden || (n->pinned && !pinned) || (t->filter && !has_slices(t, i))) {
            i = n->end;
            continue;
        }
        add_lines(t, i);
        i = n->collapsed && n->kind != TT_TIMELINE_TRACK ? n->end : i + 1;
    }
}

/* The line of (node, depth), or of the node's first line; lines are ordered by both, those of pinned nodes apart. */
static uint32_t find_line(const tt_timeline *t, uint32_t node, uint32_t depth)
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

/* Where the cursor goes: to the same line, or the last one before it that is left. */
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

/* Of all nodes: the pinned ones first. */
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
    t->lanes_later = false;
    if (!tt_evidence_lines(t)) add_all(t);
    t->line = line_after(t, was);
    t->top = t->line > screen_row ? t->line - screen_row : 0;
    tt_timeline_scroll(t);
}

/* Open what a line's node lies in, and show it. */
static void expand_to(tt_timeline *t, uint32_t node, uint32_t depth)
{
    bool changed = false;
    if (tt_evidence_limits(t)) {
        tt_evidence_add(t, node, depth);
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

uint32_t tt_timeline_line_of_node(tt_timeline *t, uint32_t node)
{
    expand_to(t, node, t->nodes.at[node].kind == TT_TIMELINE_TRACK ? 0 : TT_NONE);
    return find_line(t, node, 0);
}

uint32_t tt_timeline_line_of(tt_timeline *t, tt_slice_ref r, bool expand)
{
    const tt_trace *s = tt_timeline_trace(t, r);
    uint32_t node = t->track_node[r.trace][tt_row_track(s, r.row)];
    if (node == TT_NONE) {
        return TT_NONE;
    }
    if (expand) {
        tt_layers_reveal(t, node, r);
        expand_to(t, node, tt_layers_lane(t, r));
    }
    uint32_t lane = tt_layers_lane(t, r), line = find_line(t, node, lane == TT_NONE ? 0 : lane);
    bool whole = line != TT_NONE && t->lines.at[line].depth == TT_NONE; /* the track is one row */
    return line != TT_NONE && (whole || t->lines.at[line].depth == lane) ? line : TT_NONE;
}

uint32_t tt_timeline_line_around(tt_timeline *t, tt_slice_ref r)
{
    const tt_trace *s = tt_timeline_trace(t, r);
    uint32_t node = t->track_node[r.trace][tt_row_track(s, r.row)], line = TT_NONE;
    for (tt_row up = r.row; node != TT_NONE && line == TT_NONE && up != TT_NONE; up = s->parent[up]) {
        line = tt_timeline_line_of(t, (tt_slice_ref){r.trace, up}, false); /* its own, else of what is around it */
    }
    line = line == TT_NONE && node != TT_NONE ? find_line(t, node, 0) : line;
    while (line == TT_NONE && node != TT_NONE && (node = t->nodes.at[node].parent) != TT_NONE) {
        line = find_line(t, node, 0);
    }
    return line;
}

/* ---- scrolling ---- */

/* Rows of the screen that pinned lines get: all of them where they leave a third to the others. */
static uint32_t pinned_rows(const tt_timeline *t)
{
    uint32_t rows = t->rows > 0 ? (uint32_t)t->rows : 1, most = rows - (rows + 2) / 3;
    most = t->n_pinned == t->lines.n ? rows : most > 0 ? most : 1;
    return t->n_pinned < most ? t->n_pinned : most;
}

/* The first of the lines [0, n) on `rows` rows, so that `line` is among them with its neighbours. */
static uint32_t scrolled(uint32_t top, uint32_t line, uint32_t n, uint32_t rows)
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
    bool pinned = t->line < t->n_pinned; /* the part without the cursor stays where it is */
    t->pin_top = scrolled(t->pin_top, pinned ? t->line : t->pin_top + own / 2, t->n_pinned, own);
    t->top = t->top > t->n_pinned ? t->top - t->n_pinned : 0;
    if (rows > own) {
        uint32_t line = pinned ? t->top + (rows - own) / 2 : t->line - t->n_pinned;
        t->top = scrolled(t->top, line, n - t->n_pinned, rows - own);
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

/* ---- pinned and hidden ---- */

void tt_timeline_settle(tt_timeline *t)
{
    bool slices = t->line < t->lines.n && t->nodes.at[t->lines.at[t->line].node].kind == TT_TIMELINE_TRACK;
    if (!slices && !tt_timeline_next_track(t, 1)) {
        tt_timeline_next_track(t, -1);
    }
    if (!tt_timeline_has_sel(t) || !tt_timeline_passes(t, t->sel) || tt_timeline_line_of(t, t->sel, false) != t->line) {
        tt_timeline_pick(t);
    }
}

uint64_t tt_timeline_hash(const void *bytes, size_t n)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const unsigned char *p = bytes; n > 0; n--) {
        h = (h ^ *p++) * UINT64_C(1099511628211);
    }
    return h;
}

uint64_t tt_timeline_node_key(const tt_timeline *t, uint32_t node)
{
    char text[512];
    uint64_t key = 0;
    for (; node != TT_NONE; node = t->nodes.at[node].parent) {
        int n = snprintf(text, sizeof text, "%016llx", (unsigned long long)key);
        tt_timeline_label(t, &t->nodes.at[node], text + n, sizeof text - (size_t)n);
        key = tt_timeline_hash(text, strlen(text));
    }
    return key;
}

static void set_flag(tt_timeline *t, tt_timeline_row_flag flag, uint32_t node, bool on)
{
    tt_timeline_node *n = &t->nodes.at[node];
    *(flag == TT_TIMELINE_PINNED ? &n->pinned : &n->hidden) = on;
}

uint32_t tt_timeline_count_flag(const tt_timeline *t, tt_timeline_row_flag flag)
{
    uint32_t count = 0;
    for (size_t i = 0; i < t->nodes.n; i++) {
        count += flag == TT_TIMELINE_PINNED ? t->nodes.at[i].pinned : t->nodes.at[i].hidden;
    }
    return count;
}

bool tt_timeline_flag_here(tt_timeline *t, tt_timeline_row_flag flag)
{
    if (t->line >= t->lines.n) {
        return false;
    }
    uint32_t node = t->lines.at[t->line].node;
    for (uint32_t p = node; flag == TT_TIMELINE_PINNED && p != TT_NONE; p = t->nodes.at[p].parent) {
        if (t->nodes.at[p].pinned) { /* what is pinned with the group around it is let go with it */
            t->nodes.at[p].pinned = false;
            tt_timeline_layout(t);
            return false;
        }
    }
    set_flag(t, flag, node, true);
    tt_timeline_layout(t);
    return true;
}

uint32_t tt_timeline_clear_flag(tt_timeline *t, tt_timeline_row_flag flag)
{
    uint32_t count = tt_timeline_count_flag(t, flag);
    for (uint32_t i = 0; i < t->nodes.n; i++) {
        set_flag(t, flag, i, false);
    }
    tt_timeline_layout(t);
    return count;
}

/* Does every word of the text occur in the labels of the node and of what is around it? */
static bool labelled(const tt_timeline *t, uint32_t node, const char *text)
{
    char label[256], word[128];
    for (const char *p = text; *(p += strspn(p, " "));) {
        size_t n = strcspn(p, " ");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        bool found = false;
        for (uint32_t i = node; i != TT_NONE && !found; i = t->nodes.at[i].parent) {
            tt_timeline_label(t, &t->nodes.at[i], label, sizeof label);
            found = strcasestr(label, word) != NULL;
        }
        if (!found) {
            return false;
        }
        p += n;
    }
    return true;
}

uint32_t tt_timeline_flag_named(tt_timeline *t, tt_timeline_row_flag flag, const char *text)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->nodes.n;) {
        bool found = labelled(t, i, text);
        if (found) {
            set_flag(t, flag, i, true);
            count++;
        }
        i = found ? t->nodes.at[i].end : i + 1;
    }
    tt_timeline_layout(t);
    return count;
}

/* ---- collapsing ---- */

void tt_timeline_collapse(tt_timeline *t)
{
    if (t->lines.n == 0) {
        return;
    }
    uint32_t node = t->lines.at[t->line].node;
    tt_timeline_node *n = &t->nodes.at[node];
    if (n->kind == TT_TIMELINE_TRACK && tt_layers_uncut(t, n)) {
        tt_timeline_layout(t);
        return;
    }
    /* what cannot be folded further folds the group around it */
    bool leaf = n->kind >= TT_TIMELINE_INSTANTS || (n->kind == TT_TIMELINE_COUNTER && (n->collapsed || t->flat)) ||
                (n->kind == TT_TIMELINE_TRACK && !n->collapsed && (t->flat || tt_layers_lanes(t, n) < 2));
    uint32_t parent = leaf && n->parent != TT_NONE ? find_line(t, n->parent, 0) : TT_NONE;
    if (parent != TT_NONE) { /* not that of a track that is pinned alone */
        n = &t->nodes.at[n->parent];
        t->line = parent;
    }
    n->collapsed = !n->collapsed;
    tt_timeline_layout(t);
}

void tt_timeline_collapse_others(tt_timeline *t)
{
    if (t->lines.n == 0) {
        return;
    }
    uint32_t own = t->lines.at[t->line].node;
    bool any = false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < t->nodes.n; i++) {
            tt_timeline_node *n = &t->nodes.at[i];
            bool around = own >= i && own < n->end;
            if (n->kind > TT_TIMELINE_PROCESS) {
                continue;
            }
            if (pass == 0) {
                any = any || (!around && !n->collapsed);
            } else {
                n->collapsed = any && !around;
            }
        }
    }
    tt_timeline_layout(t);
}

bool tt_timeline_next_track(tt_timeline *t, int dir)
{
    if (t->lines.n == 0) {
        return false;
    }
    uint32_t own = t->lines.at[t->line].node, i = t->line;
    for (;;) {
        if (dir > 0 ? i + 1 >= t->lines.n : i == 0) {
            return false;
        }
        i += dir > 0 ? 1 : UINT32_MAX;
        const tt_line *l = &t->lines.at[i];
        bool first = i == 0 || t->lines.at[i - 1].node != l->node;
        if (l->node != own && first && t->nodes.at[l->node].kind == TT_TIMELINE_TRACK) {
            t->line = i;
            tt_timeline_scroll(t);
            tt_timeline_pick(t);
            return true;
        }
    }
}
