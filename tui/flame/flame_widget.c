/* tui/flame/flame_widget.c - boxes of merged calls: geometry, drawing, movement, search. */
#include "tui/flame/flame_widget.h"
#include "model/base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/base/mem.h"
#include "tui/widgets/short_names.h"

static const tt_flame_node *node_at(const tt_flame_view *v, uint32_t i) { return &v->f->nodes.at[i]; }
static int64_t weight_of(const tt_flame_view *v, uint32_t i) { return node_at(v, i)->total[v->weight]; }

void tt_flame_view_free(tt_flame_view *v)
{
    tt_flame_free(v->f);
    v->f = NULL;
}

void tt_flame_view_set(tt_flame_view *v, tt_flame *f)
{
    tt_flame_free(v->f);
    v->f = f;
    v->zoom = v->cursor = 0;
    v->top = 0;
    if (v->weight != TT_FLAME_TIME) tt_flame_sort(f, v->weight);
    if (v->found[0]) tt_flame_view_find(v, v->found, 0);
    v->zoom = v->cursor = 0;
}

void tt_flame_view_weigh(tt_flame_view *v, tt_flame_weight w)
{
    v->weight = w;
    if (v->f) tt_flame_sort(v->f, w);
    if (!v->f) return;
    while (!weight_of(v, v->cursor) && v->cursor) v->cursor = node_at(v, v->cursor)->up;
    while (!weight_of(v, v->zoom) && v->zoom) v->zoom = node_at(v, v->zoom)->up;
    tt_flame_view_go(v, v->cursor, v->zoom);
}

/* ---- geometry ---- */

/* Cells per nanosecond for the children of a node of `width` cells. The factor is smaller if crossing slices add up
 * to more than the node. */
static double scale_of(const tt_flame_view *v, uint32_t node, double width)
{
    const tt_flame_node *n = node_at(v, node);
    double sum = 0, own = (double)weight_of(v, node);
    for (uint32_t i = 0; i < n->n; i++) {
        double more = (double)weight_of(v, tt_flame_child(v->f, node, i));
        if (more <= 0) break; /* the largest children come first */
        sum += more;
    }
    own = sum > own ? sum : own;
    return own > 0 ? width / own : 0;
}

static bool matches(const tt_flame_view *v, uint32_t node)
{
    char buf[128];
    return v->found[0] && strcasestr(tt_flame_name(v->f, node, buf, sizeof buf), v->found);
}

/* ---- drawing ---- */

typedef struct frame {
    tt_flame_view *v;
    tt_canvas *c;
    uint32_t tail; /* the node with the cursor among the narrow boxes at its end; TT_NONE */
} frame;

static tt_paint paint_of(const tt_flame_view *v, uint32_t node)
{
    const tt_flame_node *n = node_at(v, node);
    if (node == v->cursor) return TT_PAINT_ACCENT;
    if (v->found[0] && !matches(v, node)) return tt_paint_hue(TT_HUE_OTHER, 0);
    if (n->kind == TT_KIND_COUNT_) return tt_paint_hue(TT_HUE_OTHER, 0);
    return tt_paint_slice((tt_kind)n->kind, tt_flame_text(v->f, n->name));
}

static void draw_box(const frame *d, uint32_t node, int y, int x0, int x1)
{
    const tt_flame_view *v = d->v;
    const tt_flame_node *n = node_at(v, node);
    char buf[128], label[256], ns[TT_TEXT_CAP];
    tt_paint paint = paint_of(v, node);
    tt_style st = d->c->mono ? tt_style_fill(paint, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, paint);
    if (node == v->cursor) st |= TT_BOLD;
    if (v->found[0] && matches(v, node)) st |= TT_UNDERLINE;
    tt_fill_paint(d->c, y, x0, x1 - x0, paint);
    if (x0 > 0) tt_put_char(d->c, y, x0, st, d->c->ascii ? '|' : 0x258f);
    int from = x0 + (x0 > 0), room = x1 - from;
    if (room < 3) return;
    const char *name = tt_flame_name(v->f, node, buf, sizeof buf);
    tt_kind kind = n->kind < TT_KIND_COUNT_ ? (tt_kind)n->kind : TT_KIND_OTHER;
    int used = tt_slice_short_name(label, sizeof label, kind, name, room, d->c->ascii);
    tt_put(d->c, y, from, st, label, room);
    tt_format_duration(ns, n->total[v->weight], TT_UNIT_AUTO);
    int w = (int)tt_text_width(ns, strlen(ns));
    if (used + w + 2 <= room) tt_put(d->c, y, from + used + 1, st, ns, -1);
}

/* Draw the boxes that have no cell of their own as one shaded piece. */
static void draw_tail(const frame *d, uint32_t node, int y, int x0, int x1, uint32_t n)
{
    char text[48];
    tt_style st = node == d->tail ? TT_ROLE_CURSOR : TT_ROLE_DIM;
    if (x1 <= x0) return;
    tt_fill(d->c, y, x0, 1, x1 - x0, st, tt_glyph_of(d->c, TT_G_SHADE1));
    int w = snprintf(text, sizeof text, " +%u narrower ", n);
    if (x1 - x0 >= w + 2) tt_put(d->c, y, x0 + 1, st, text, -1);
}

static uint32_t with_weight(const tt_flame_view *v, uint32_t node)
{
    uint32_t n = 0;
    while (n < node_at(v, node)->n && weight_of(v, tt_flame_child(v->f, node, n)) > 0) n++;
    return n;
}

static void draw_node(const frame *d, uint32_t node, int row, double x0, double x1)
{
    const tt_flame_view *v = d->v;
    int y = row - v->top;
    if (y >= 0) draw_box(d, node, y, (int)lround(x0), (int)lround(x1));
    if (y + 1 >= d->c->h) return;
    double scale = scale_of(v, node, x1 - x0), x = x0;
    uint32_t n = with_weight(v, node);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t child = tt_flame_child(v->f, node, i);
        double next = x + scale * (double)weight_of(v, child);
        if (lround(next) <= lround(x)) {
            double end = x;
            for (uint32_t k = i; k < n; k++) end += scale * (double)weight_of(v, tt_flame_child(v->f, node, k));
            if (y + 1 >= 0) draw_tail(d, node, y + 1, (int)lround(x), (int)lround(end), n - i);
            break;
        }
        draw_node(d, child, row + 1, x, next);
        x = next;
    }
}

void tt_flame_view_draw(tt_flame_view *v, tt_canvas *c, int y)
{
    v->y = y;
    v->h = c->h;
    v->w = c->w;
    if (!v->f || c->h < 1) return;
    if (!weight_of(v, v->zoom)) {
        tt_put_wrapped(c, 1, 2, c->h - 1, c->w - 4, TT_ROLE_DIM,
                       v->weight == TT_FLAME_DEVICE ? "no GPU work launched here; x switches to CPU time"
                                                    : "no slices here");
        return;
    }
    int row = (int)(node_at(v, v->cursor)->depth - node_at(v, v->zoom)->depth);
    if (row < v->top) v->top = row;
    if (row >= v->top + c->h) v->top = row - c->h + 1;
    frame d = {v, c, v->cursor != v->zoom ? node_at(v, v->cursor)->up : TT_NONE};
    draw_node(&d, v->zoom, 0, 0, c->w);
}

void tt_flame_view_path(const tt_flame_view *v, uint32_t node, char *out, size_t cap)
{
    uint32_t path[24], n = 0;
    char buf[128];
    for (; node != TT_NONE && n < sizeof path / sizeof *path; node = node_at(v, node)->up) path[n++] = node;
    tt_buf line = tt_buf_on(out, cap);
    tt_buf_add(&line, "%s", node != TT_NONE ? "..." : "");
    while (n-- > 0) tt_buf_list(&line, " > ", "%.80s", tt_flame_name(v->f, path[n], buf, sizeof buf));
}

static void put_fact(tt_canvas *c, int *y, int *x, const char *key, const char *value)
{
    int w = (int)(strlen(key) + 1 + tt_text_width(value, strlen(value)));
    if (*x > 1 && *x + w > c->w - 1) {
        *x = 1;
        ++*y;
    }
    tt_put(c, *y, *x, TT_ROLE_DIM, key, -1);
    tt_put(c, *y, *x + (int)strlen(key) + 1, TT_ROLE_TEXT, value, -1);
    *x += w + 3;
}

void tt_flame_view_detail(const tt_flame_view *v, tt_canvas *c, tt_unit unit)
{
    static const char *const titles[TT_FLAME_WEIGHTS][2] = {{"CPU time", "CPU self"}, {"GPU time", "GPU self"}};
    char buf[128], text[TT_TEXT_CAP + 48], ns[TT_TEXT_CAP];
    const tt_flame_node *n = node_at(v, v->cursor);
    int64_t all[TT_FLAME_WEIGHTS] = {node_at(v, 0)->total[0], node_at(v, 0)->total[1]};
    int y = 1, x = 1, kind_w = 0;
    if (n->kind < TT_KIND_COUNT_) {
        kind_w = (int)strlen(tt_kind_title[n->kind]) + 2;
        tt_put_right(c, 0, 0, c->w - 1, TT_ROLE_DIM, tt_kind_title[n->kind]);
    }
    tt_put_cut(c, 0, 1, TT_ROLE_NAME | TT_BOLD, tt_flame_name(v->f, v->cursor, buf, sizeof buf), c->w - 2 - kind_w,
               tt_kind_is_device((tt_kind)n->kind) ? TT_CUT_KERNEL : TT_CUT_END);
    for (int k = 0; k < TT_FLAME_WEIGHTS; k++) {
        int w = k ? 1 - (int)v->weight : (int)v->weight; /* the weight that is drawn comes first */
        for (int self = 0; self < 2; self++) {
            int64_t value = self ? n->self[w] : n->total[w];
            if (!all[w]) continue;
            snprintf(text, sizeof text, "%s (%.1f%%)", tt_format_duration(ns, value, unit),
                     100 * (double)value / (double)all[w]);
            put_fact(c, &y, &x, titles[w][self], text);
        }
    }
    if (v->zoom && weight_of(v, v->zoom)) {
        snprintf(text, sizeof text, "%.1f%%", 100 * (double)weight_of(v, v->cursor) / (double)weight_of(v, v->zoom));
        put_fact(c, &y, &x, "of the zoomed", text);
    }
    if (n->kind == TT_KIND_COUNT_) return;
    put_fact(c, &y, &x, "calls", tt_format_count(text, n->calls));
    put_fact(c, &y, &x, "longest", tt_format_duration(text, n->longest_ns, unit));
    if (n->calls > 1 && n->total[TT_FLAME_TIME])
        put_fact(c, &y, &x, "mean", tt_format_duration(text, n->total[TT_FLAME_TIME] / n->calls, unit));
}

/* ---- movement ---- */

static bool below(const tt_flame_view *v, uint32_t node, uint32_t top)
{
    while (node != TT_NONE && node != top) node = node_at(v, node)->up;
    return node == top;
}

void tt_flame_view_go(tt_flame_view *v, uint32_t node, uint32_t zoom)
{
    if (!v->f || node >= v->f->nodes.n || zoom >= v->f->nodes.n) return;
    v->cursor = node;
    v->zoom = below(v, node, zoom) ? zoom : 0;
    v->top = 0;
    double least = v->w > 8 ? 4.0 / v->w : 0.1;
    while (v->zoom != node && (double)weight_of(v, node) < least * (double)weight_of(v, v->zoom)) {
        uint32_t step = node; /* one level down the path */
        while (node_at(v, step)->up != v->zoom) step = node_at(v, step)->up;
        v->zoom = step;
    }
}

static uint32_t first_child(const tt_flame_view *v, uint32_t node)
{
    return with_weight(v, node) ? tt_flame_child(v->f, node, 0) : TT_NONE;
}

/* The next box of the same parent; TT_NONE = none. */
static uint32_t brother(const tt_flame_view *v, uint32_t node, int dir)
{
    uint32_t up = node_at(v, node)->up, n;
    if (node == v->zoom || up == TT_NONE) return TT_NONE;
    n = with_weight(v, up);
    for (uint32_t i = 0; i < n; i++) {
        if (tt_flame_child(v->f, up, i) != node) continue;
        return dir > 0 ? i + 1 < n ? tt_flame_child(v->f, up, i + 1) : TT_NONE
               : i > 0 ? tt_flame_child(v->f, up, i - 1)
                       : TT_NONE;
    }
    return TT_NONE;
}

/* Move to the adjacent box at the same depth, even of another parent; if the tree is not as deep there, to its
 * deepest box. */
static bool beside(tt_flame_view *v, int dir)
{
    uint32_t node = v->cursor, depth = node_at(v, node)->depth, next = TT_NONE;
    while (node != v->zoom && (next = brother(v, node, dir)) == TT_NONE) node = node_at(v, node)->up;
    if (next == TT_NONE) return false;
    while (node_at(v, next)->depth < depth) {
        uint32_t n = with_weight(v, next);
        if (!n) break;
        next = tt_flame_child(v->f, next, dir > 0 ? 0 : n - 1);
    }
    v->cursor = next;
    return true;
}

static bool down(tt_flame_view *v)
{
    uint32_t child = first_child(v, v->cursor);
    if (child != TT_NONE) v->cursor = child;
    return child != TT_NONE;
}

static bool up(tt_flame_view *v)
{
    uint32_t to = node_at(v, v->cursor)->up;
    if (to == TT_NONE) return false;
    if (v->cursor == v->zoom) v->zoom = to;
    v->cursor = to;
    return true;
}

static bool zoom_out(tt_flame_view *v)
{
    if (!v->zoom) return false;
    v->zoom = node_at(v, v->zoom)->up;
    v->top = 0;
    return true;
}

bool tt_flame_view_act(tt_flame_view *v, tt_action a)
{
    int by = v->h > 2 ? v->h / 2 : 1;
    if (!v->f) return false;
    switch (a) {
    case TT_ACT_UP: up(v); return true;
    case TT_ACT_DOWN: down(v); return true;
    case TT_ACT_LEFT:
    case TT_ACT_PAN_LEFT:
    case TT_ACT_PAN_SCREEN_LEFT: beside(v, -1); return true;
    case TT_ACT_RIGHT:
    case TT_ACT_PAN_RIGHT:
    case TT_ACT_PAN_SCREEN_RIGHT: beside(v, 1); return true;
    case TT_ACT_HALF_UP:
    case TT_ACT_PAGE_UP:
        while (by-- > 0 && v->cursor != v->zoom) up(v);
        return true;
    case TT_ACT_HALF_DOWN:
    case TT_ACT_PAGE_DOWN:
        while (by-- > 0 && down(v)) {}
        return true;
    case TT_ACT_TOP:
    case TT_ACT_HOME: v->cursor = v->zoom; return true;
    case TT_ACT_BOTTOM:
    case TT_ACT_END:
        while (down(v)) {}
        return true;
    case TT_ACT_ENTER:
    case TT_ACT_ZOOM_IN:
    case TT_ACT_ZOOM_IN_FAST:
        v->zoom = v->cursor;
        v->top = 0;
        return true;
    case TT_ACT_ZOOM_OUT:
    case TT_ACT_ZOOM_OUT_FAST: return zoom_out(v);
    case TT_ACT_WHOLE:
        v->zoom = 0;
        v->top = 0;
        return true;
    default: return false;
    }
}

uint32_t tt_flame_view_at(const tt_flame_view *v, int y, int x)
{
    uint32_t node = v->zoom;
    double x0 = 0, x1 = v->w;
    if (!v->f || y < v->y || y >= v->y + v->h || x < 0 || x >= v->w || !weight_of(v, node)) return TT_NONE;
    for (int row = y - v->y + v->top; row > 0; row--) {
        double scale = scale_of(v, node, x1 - x0), from = x0;
        uint32_t n = with_weight(v, node), hit = TT_NONE;
        for (uint32_t i = 0; i < n && hit == TT_NONE; i++) {
            uint32_t child = tt_flame_child(v->f, node, i);
            double to = from + scale * (double)weight_of(v, child);
            if (x < lround(to) || (lround(to) <= lround(from) && x <= lround(from))) {
                hit = child;
                x0 = from;
                x1 = to;
            }
            from = to;
        }
        if (hit == TT_NONE) return TT_NONE;
        node = hit;
    }
    return node;
}

/* ---- search ---- */

static void count_found(tt_flame_view *v)
{
    size_t n = v->f->nodes.n;
    uint8_t *in = tt_calloc(n + 1, 1);
    v->n_found = 0;
    v->found_ns = 0;
    for (uint32_t i = 0; i < n; i++) {
        const tt_flame_node *x = node_at(v, i);
        bool inside = x->up != TT_NONE && in[x->up], match = weight_of(v, i) > 0 && matches(v, i);
        in[i] = inside || match;
        v->n_found += match;
        if (match && !inside) v->found_ns += weight_of(v, i);
    }
    free(in);
}

/* Order nodes by weight, heavier first, then by number. */
static bool before(const tt_flame_view *v, uint32_t a, uint32_t b)
{
    int64_t x = weight_of(v, a), y = weight_of(v, b);
    return x != y ? x > y : a < b;
}

bool tt_flame_view_find(tt_flame_view *v, const char *text, int dir)
{
    uint32_t best = TT_NONE, end = TT_NONE;
    if (!v->f) return false;
    if (strcmp(v->found, text) != 0) snprintf(v->found, sizeof v->found, "%s", text);
    count_found(v);
    if (!v->n_found) {
        v->found[0] = 0;
        return false;
    }
    if (dir == 0 && matches(v, v->cursor)) return true;
    for (uint32_t i = 0; i < v->f->nodes.n; i++) {
        if (!weight_of(v, i) || !matches(v, i)) continue;
        bool forward = dir >= 0;
        if (end == TT_NONE || before(v, i, end) == forward) end = i; /* the node at which the search begins again */
        if (i == v->cursor || dir == 0 || before(v, v->cursor, i) != forward) continue;
        if (best == TT_NONE || before(v, i, best) == forward) best = i;
    }
    tt_flame_view_go(v, best != TT_NONE ? best : end, v->zoom);
    return true;
}
