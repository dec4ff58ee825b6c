/* tui/timeline/navigate/bookmarks.c - places of the timeline with a name. */
#include "tui/timeline/navigate/bookmarks.h"

#include <stdio.h>
#include <string.h>

#include "tui/timeline/model/axis.h"
#include "tui/timeline/model/cursor.h"
#include "tui/timeline/model/folds.h"
#include "tui/timeline/model/lines.h"

static size_t place_of(const tt_timeline *t, const char *name)
{
    size_t i = 0;
    while (i < t->bookmarks.n && strcmp(t->bookmarks.at[i].name, name) != 0) {
        i++;
    }
    return i;
}

const tt_bookmark *tt_timeline_find_bookmark(const tt_timeline *t, const char *name)
{
    size_t i = place_of(t, name);
    return i < t->bookmarks.n ? &t->bookmarks.at[i] : NULL;
}

bool tt_timeline_remove_bookmark(tt_timeline *t, const char *name)
{
    size_t i = place_of(t, name), n = t->bookmarks.n;
    if (i == n) {
        return false;
    }
    memmove(&t->bookmarks.at[i], &t->bookmarks.at[i + 1], (n - i - 1) * sizeof *t->bookmarks.at);
    t->bookmarks.n--;
    return true;
}

void tt_timeline_put_bookmark(tt_timeline *t, const tt_bookmark *b)
{
    tt_bookmark copy = *b;
    tt_timeline_remove_bookmark(t, copy.name);
    (void)tt_vec_push(&t->bookmarks);
    size_t i = t->bookmarks.n - 1;
    for (; i > 0 && t->bookmarks.at[i - 1].a > copy.a; i--) {
        t->bookmarks.at[i] = t->bookmarks.at[i - 1];
    }
    t->bookmarks.at[i] = copy;
}

const tt_bookmark *tt_timeline_bookmark(tt_timeline *t, const char *name)
{
    tt_bookmark b = {.a = t->at, .b = t->at, .t0 = t->t0, .t1 = t->t1};
    if (tt_timeline_has_sel(t)) {
        b.a = tt_timeline_start(t, t->sel);
        b.b = tt_timeline_end(t, t->sel);
    }
    if (t->line < t->lines.n) {
        b.node = tt_timeline_node_key(t, t->lines.at[t->line].node);
        b.depth = t->lines.at[t->line].depth;
    }
    snprintf(b.name, sizeof b.name, "%s", name);
    for (unsigned i = 1; !*name && (i == 1 || tt_timeline_find_bookmark(t, b.name)); i++) {
        snprintf(b.name, sizeof b.name, "%u", i);
    }
    tt_timeline_put_bookmark(t, &b);
    return tt_timeline_find_bookmark(t, b.name);
}

void tt_timeline_goto(tt_timeline *t, const tt_bookmark *b)
{
    tt_timeline_window(t, b->t0, b->t1);
    t->at = b->a + (b->b - b->a) / 2;
    for (uint32_t i = 0; i < t->lines.n; i++) {
        const tt_line *l = &t->lines.at[i];
        bool lane = l->depth == b->depth || l->depth == TT_NONE || b->depth == TT_NONE;
        if (lane && (i == 0 || t->lines.at[i - 1].node != l->node || l->depth == b->depth) &&
            tt_timeline_node_key(t, l->node) == b->node) {
            t->line = i;
        }
    }
    tt_timeline_scroll(t);
    tt_timeline_pick(t);
    if (!tt_timeline_has_sel(t)) {
        return;
    }
    const tt_line *l = &t->lines.at[t->line]; /* the bookmarked slice, if several slices share the place */
    const tt_timeline_node *n = &t->nodes.at[l->node];
    tt_slice_ref r = {n->trace, tt_lod_nearest(t->lods[n->trace], n->index, l->depth == TT_NONE ? 0 : l->depth,
                                               b->a - t->session->offset_ns[n->trace])};
    if (r.row != TT_NONE && tt_timeline_start(t, r) == b->a && tt_timeline_end(t, r) == b->b) {
        t->sel = r;
    }
}
