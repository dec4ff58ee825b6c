/* tui/screens/memory/memory_flame.c - live allocations as a flame graph: a box for each function of their stacks,
 * the outermost on top, as wide as the bytes allocated below it.
 *
 * A function with one caller's worth of bytes below it, as the first functions of every program, shares the box of
 * its only child. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/index/path_tree.h"
#include "model/tables/cells.h"
#include "model/tables/memory/columns.h"
#include "model/text/frame_name.h"
#include "model/text/strings.h"
#include "tui/screens/memory/memory_snapshot.h"
#include "tui/widgets/format_value.h"

typedef struct node {
    uint32_t name;         /* index into names */
    uint32_t depth, level; /* depth with and without the folded boxes */
    int64_t bytes, at;     /* at: begin of the box, in bytes from the left */
    bool folded;           /* the only child is as wide, and is drawn in the box's place */
} node;

struct tt_memory_flame {
    const tt_table *of;
    int64_t arg[2];
    uint32_t rows, deepest;
    tt_strings names;
    TT_VEC(node) nodes; /* node 0 stands for all bytes; parents come before their children */
};

void tt_memory_flame_free(tt_memory_flame *f)
{
    if (!f) return;
    tt_strings_free(&f->names);
    tt_vec_free(&f->nodes);
    free(f);
}

/* ---- the tree ---- */

static void add_stack(tt_memory_flame *f, tt_path_tree *places, const char *stack, int64_t bytes)
{
    enum { DEEPEST = 512 };
    uint32_t at = 0;
    size_t end = strlen(stack);
    f->nodes.at[0].bytes += bytes;
    for (int depth = 0; depth < DEEPEST; depth++) { /* from the outermost frame, which is the last one */
        size_t from = end;
        while (from > 0 && stack[from - 1] != ';') from--;
        uint32_t name = tt_strings_put(&f->names, stack + from, end - from);
        if (from && tt_frame_is_wrapper(
                        tt_str(&f->names, name))) { /* the frame is a wrapper and says nothing; its callee does */
            end = from - 1;
            continue;
        }
        at = tt_path_tree_put(places, at, name, 0);
        if (at == f->nodes.n) *tt_vec_push(&f->nodes) = (node){.name = name};
        f->nodes.at[at].bytes += bytes;
        if (!from) return;
        end = from - 1;
    }
}

/* Place the children of each node side by side, the widest first. */
static void lay_out(tt_memory_flame *f, const tt_path_tree *places)
{
    uint32_t *children, *first;
    int64_t *bytes = tt_calloc(f->nodes.n, sizeof *bytes);
    for (size_t i = 0; i < f->nodes.n; i++) bytes[i] = f->nodes.at[i].bytes;
    tt_path_tree_children(places, bytes, &children, &first);
    for (size_t i = 0; i < f->nodes.n; i++) {
        node *up = &f->nodes.at[i];
        uint32_t from = first[i + 1], to = first[i + 2];
        int64_t at = up->at;
        up->folded = i && to - from == 1 && bytes[children[from]] == up->bytes;
        for (uint32_t k = from; k < to; k++) {
            node *x = &f->nodes.at[children[k]];
            x->at = at;
            at += x->bytes;
            x->level = up->level + !up->folded;
            x->depth = up->depth + 1;
            if (x->depth > f->deepest) f->deepest = x->depth;
        }
    }
    free(bytes);
    free(children);
    free(first);
}

static tt_memory_flame *make(const tt_table *t)
{
    tt_memory_flame *f = tt_calloc(1, sizeof *f);
    tt_path_tree places;
    f->of = t;
    f->rows = t->n_rows;
    f->arg[0] = t->options.arg[0];
    f->arg[1] = t->options.arg[1];
    tt_strings_init(&f->names);
    tt_path_tree_init(&places);
    tt_path_tree_put(&places, TT_PLACE_ROOT, 0, 0);
    *tt_vec_push(&f->nodes) = (node){0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const char *stack = tt_cell_s(t, r, TT_MEMORY_PEAK_STACK);
        int64_t bytes = tt_cell_i(t, r, TT_MEMORY_PEAK_BYTES);
        if (bytes > 0) add_stack(f, &places, *stack ? stack : "(before the recording, or no stack)", bytes);
    }
    lay_out(f, &places);
    tt_path_tree_free(&places);
    return f;
}

/* ---- drawing ---- */

/* The frame without its folders: "model.py(40): forward". */
static const char *short_name(const char *frame)
{
    const char *end = strchr(frame, '('), *from = frame;
    for (const char *p = frame; end && p < end; p++) {
        if (*p == '/' || *p == '\\') from = p + 1;
    }
    return from;
}

static void draw_box(const tt_memory_flame *f, const node *x, tt_canvas *c, int y)
{
    char label[400], size[TT_TEXT_CAP], pct[TT_TEXT_CAP];
    double all = (double)f->nodes.at[0].bytes, w = c->w - 2;
    int x0 = 1 + (int)((double)x->at / all * w + 0.5), x1 = 1 + (int)((double)(x->at + x->bytes) / all * w + 0.5);
    if (x1 <= x0) return;
    const char *name = short_name(tt_str(&f->names, x->name));
    tt_paint paint = tt_paint_slice(TT_KIND_CPU_OP, name);
    tt_style st = c->mono ? tt_style_fill(paint, TT_PAINT_NONE) : tt_style_fill(TT_PAINT_CONTRAST, paint);
    tt_fill_paint(c, y, x0, x1 - x0, paint);
    if (x0 > 1) tt_put_char(c, y, x0, st, c->ascii ? '|' : 0x258f);
    int from = x0 + (x0 > 1);
    snprintf(label, sizeof label, "%.300s  %s %s", name, tt_format_bytes(size, x->bytes),
             tt_format_percent(pct, 100.0 * (double)x->bytes / all));
    if (x1 - from >= 3) tt_put_cut(c, y, from, st, label, x1 - from, TT_CUT_END);
}

void tt_memory_flame_draw(tt_memory_flame **f, const tt_table *peak, const char *title, tt_canvas *c)
{
    char right[64], all[TT_TEXT_CAP];
    if (peak && (!*f || (*f)->of != peak || (*f)->rows != peak->n_rows || (*f)->arg[0] != peak->options.arg[0] ||
                 (*f)->arg[1] != peak->options.arg[1])) {
        tt_memory_flame_free(*f);
        *f = make(peak);
    }
    if (!*f || !(*f)->nodes.at[0].bytes) {
        tt_rule(c, 0, title, NULL);
        tt_put(c, 2, 2, TT_ROLE_DIM, *f ? "nothing was allocated at this moment" : "computing ...", -1);
        return;
    }
    snprintf(right, sizeof right, "%s, by stack", tt_format_bytes(all, (*f)->nodes.at[0].bytes));
    tt_rule(c, 0, title, right);
    bool fold = (*f)->deepest >= (uint32_t)c->h;
    for (size_t i = 1; i < (*f)->nodes.n; i++) {
        const node *x = &(*f)->nodes.at[i];
        uint32_t level = fold ? x->level : x->depth;
        if (!(fold && x->folded) && level < (uint32_t)c->h) draw_box(*f, x, c, (int)level);
    }
}
