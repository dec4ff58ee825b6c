/* tui/timeline/rows/lane_labels.c - one label over a run of slices that are too small for labels of their own.
 *
 * A run is a series of neighbouring cells of one class, each at least half busy. On a device the label is what the
 * class colour means ("gemm x12"), or the name if every slice of the run has the same one ("aten::add x3"). On a host
 * only a name says anything, so there only runs with few slices get labels. */
#include <stdio.h>
#include <string.h>

#include "model/text/frame_name.h"
#include "tui/timeline/rows/frame.h"
#include "tui/timeline/rows/slice_row.h"
#include "tui/widgets/short_names.h"

enum { LEAST_W = 4, LOOK_AT = 64, WIDE = 4, HIGH = 4 }; /* columns, slices, columns of a slice, eighths of a cell */

typedef struct names { /* the names in a run */
    const char *name;  /* the name of all slices, without the number of a module; NULL = names differ */
    tt_kind kind;
    uint32_t n; /* slices of the class of the run; 0 = not known */
} names;

/* The cell has little in it, or a slice with a label of its own. */
static bool stands_alone(const tt_lane *l, int col)
{
    const tt_lod_cell *cell = &l->cells[col];
    int64_t width = l->f->edge[col + 1] > l->f->edge[col] ? l->f->edge[col + 1] - l->f->edge[col] : 1;
    if (cell->count == 0 || tt_timeline_eighths(cell->busy_ns, width) < HIGH) return true;
    return cell->count == 1 && tt_lane_columns_of(l, cell->longest) >= WIDE;
}

/* Bytes of a name to compare: the class of a module ("BertLayer_0" and "BertLayer_1" are alike), else the whole
 * name. */
static size_t bytes_compared(tt_kind kind, const char *name)
{
    return kind == TT_KIND_MODULE ? tt_module_class_len(name) : strlen(name);
}

/* Compare the few slices of [a, b), trace time. */
static names compare_names(const tt_lane *l, int64_t a, int64_t b, uint8_t class)
{
    tt_lod *lod = l->f->t->lods[l->node->trace];
    names out = {NULL, TT_KIND_OTHER, 0};
    tt_row r = tt_lod_nearest(lod, l->node->index, l->depth, a);
    bool same = true;
    if (r != TT_NONE && tt_row_end(l->s, r) <= a) r = tt_lod_next(lod, r);
    for (uint32_t i = 0; r != TT_NONE && l->s->start[r] < b && i < 2 * LOOK_AT; i++, r = tt_lod_next(lod, r)) {
        const char *name = tt_row_name(l->s, r);
        tt_kind kind = tt_row_kind(l->s, r);
        same =
            same && (!out.name || (kind == out.kind && bytes_compared(kind, name) == bytes_compared(kind, out.name) &&
                                   strncmp(name, out.name, bytes_compared(kind, name)) == 0));
        out.name = out.name ? out.name : name;
        out.kind = i == 0 ? kind : out.kind;
        out.n += tt_paint_hue_of(tt_lane_paint_of(l, r)) == class; /* classes are hues */
    }
    out.name = same ? out.name : NULL;
    return out;
}

/* The name that the longest slice has in every cell of a run; NULL = names differ. */
static const char *longest_name(const tt_lane *l, int from, int to, tt_kind *kind)
{
    tt_row first = l->cells[from].longest;
    *kind = tt_row_kind(l->s, first);
    const char *name = tt_row_name(l->s, first);
    size_t n = bytes_compared(*kind, name);
    for (int col = from + 1; col < to; col++) {
        tt_row r = l->cells[col].longest;
        const char *other = tt_row_name(l->s, r);
        bool same =
            tt_row_kind(l->s, r) == *kind &&
            (l->s->name[r] == l->s->name[first] || (bytes_compared(*kind, other) == n && strncmp(name, other, n) == 0));
        if (!same) return NULL;
    }
    return name;
}

/* The label of a run of columns [from, to); "" = none. */
static void text_of(const tt_lane *l, int from, int to, char *out, size_t cap)
{
    tt_lod *lod = l->f->t->lods[l->node->trace];
    uint8_t class = l->cells[from].class;
    int64_t a = l->f->edge[from] - l->offset, b = l->f->edge[to] - l->offset;
    tt_lod_cell whole;
    const char *kind = l->node->device ? tt_hue_device_name((tt_hue) class) : NULL;
    names in = {NULL, TT_KIND_OTHER, 0};
    char name[256] = "", count[TT_TEXT_CAP + 2] = "";
    out[0] = '\0';
    if (b <= a) return;
    if (l->depth == TT_NONE) {
        tt_lod_query_track(lod, l->node->index, a, b, 1, &whole);
    } else {
        tt_lod_query(lod, l->node->index, l->depth, a, b, 1, &whole);
    }
    if (l->depth != TT_NONE && whole.count <= LOOK_AT) {
        in = compare_names(l, a, b, class);
    } else if (kind && whole.class == class && whole.class_ns == whole.busy_ns) {
        in.n = whole.count;
    } else if (!kind) {
        in.name = longest_name(l, from, to, &in.kind);
    }
    if (in.n > 1) {
        char n[TT_TEXT_CAP];
        snprintf(count, sizeof count, " x%s", tt_format_count(n, in.n));
    }
    int w = to - from, room = w - (int)strlen(count);
    if (in.name) {
        char alike[256];
        snprintf(alike, sizeof alike, "%.*s", (int)bytes_compared(in.kind, in.name), in.name);
        if (room >= LEAST_W) tt_slice_short_name(name, sizeof name, in.kind, alike, room, l->c->ascii);
        if (kind && strstr(name, l->c->ascii ? "~" : "\u2026"))
            name[0] = '\0'; /* a cut name says less than the class */
    }
    if (!*name && kind) {
        if (class == TT_HUE_COMMUNICATION && (int)strlen(kind) > w) kind = "comm";
        bool all = (int)strlen(kind) + (int)strlen(count) <= w;
        if (!all) count[0] = '\0';
        if ((int)strlen(kind) > w && w < LEAST_W + 1) return;
        tt_text_cut(name, sizeof name, kind, w, TT_CUT_END, l->c->ascii);
    }
    if (!*name) return;
    snprintf(out, cap, "%s%s", name, count);
}

void tt_lane_label_runs(const tt_lane *l)
{
    for (int from = 0, to; from < l->f->w; from = to) {
        to = from + 1;
        if (stands_alone(l, from)) continue;
        while (to < l->f->w && l->cells[to].class == l->cells[from].class && !stands_alone(l, to)) to++;
        if (to - from < LEAST_W) continue;
        char text[300];
        text_of(l, from, to, text, sizeof text);
        tt_cellc *cells = &l->c->cells[(size_t)l->y * (size_t)l->c->stride + (size_t)(l->f->x + from)];
        bool sel = false; /* a selected or dimmed cell gets no label over it */
        for (int i = 0; i < to - from && l->f->x + from + i < l->c->w; i++) {
            tt_style st = cells[i].style;
            sel |= tt_style_fg(st) == TT_PAINT_ACCENT || tt_style_bg(st) == TT_PAINT_ACCENT ||
                   tt_style_fg(st) == TT_PAINT_DIM || tt_style_bg(st) == TT_PAINT_DIM;
        }
        if (sel || !*text) continue;
        tt_paint p = tt_paint_hue(l->cells[from].class, 0);
        tt_style st = l->c->mono ? tt_style_fill(p, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, p);
        tt_put(l->c, l->y, l->f->x + from, st, text, to - from);
    }
}

void tt_timeline_class_legend(const tt_timeline_frame *f, tt_canvas *c, int y, int x)
{
    static const tt_hue order[] = {TT_HUE_KERNEL,       TT_HUE_ATTENTION, TT_HUE_NORM, TT_HUE_ELEMENTWISE,
                                   TT_HUE_MEMCPY,       TT_HUE_MEMSET,    TT_HUE_SYNC, TT_HUE_COMMUNICATION,
                                   TT_HUE_KERNEL_OTHER, TT_HUE_COUNT_};
    int w = 0, n = 0;
    for (; order[n] != TT_HUE_COUNT_; n++) { /* count the classes that fit */
        int more = (int)strlen(tt_hue_device_name(order[n])) + 3;
        if (!(f->hues >> order[n] & 1u)) continue;
        if (x + w + more > c->w - 1) break;
        w += more;
    }
    for (int i = 0, at = c->w - 1 - w; i < n; i++) {
        const char *name = tt_hue_device_name(order[i]);
        if (!(f->hues >> order[i] & 1u)) continue;
        tt_put_char(c, y, at, TT_ROLE_TEXT, ' ');
        tt_fill_paint(c, y, at + 1, 1, tt_paint_hue(order[i], 0));
        at += 2 + tt_put(c, y, at + 2, TT_ROLE_DIM, name, -1);
        tt_put_char(c, y, at++, TT_ROLE_TEXT, ' ');
    }
}
