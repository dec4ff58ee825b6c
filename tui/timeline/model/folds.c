/* tui/timeline/model/folds.c - see folds.h. */
#include "tui/timeline/model/folds.h"

#include <string.h>

#include "tui/timeline/model/layers.h"

void tt_folds_keep_node(tt_timeline *t, uint32_t node)
{
    const tt_timeline_node *n = &t->nodes.at[node];
    tt_fold *f = tt_vec_push(&t->folds);
    *f = (tt_fold){.node = node, .collapsed = n->collapsed, .hidden = n->hidden, .cuts = true};
    memcpy(f->cut, n->cut, sizeof f->cut);
}

void tt_folds_keep_view(tt_timeline *t)
{
    *tt_vec_push(&t->folds) = (tt_fold){.node = TT_NONE, .view = t->view, .bands_off = t->bands_off};
}

void tt_folds_forget_cuts(tt_timeline *t)
{
    for (size_t i = 0; i < t->folds.n; i++) t->folds.at[i].cuts = false;
}

void tt_folds_back(tt_timeline *t, size_t n)
{
    if (t->folds.n <= n) return;
    tt_timeline_view view = t->view;
    while (t->folds.n > n) {
        const tt_fold *f = &t->folds.at[--t->folds.n];
        if (f->node == TT_NONE) {
            view = f->view;
            t->bands_off = f->bands_off;
            continue;
        }
        tt_timeline_node *r = &t->nodes.at[f->node];
        r->collapsed = f->collapsed;
        r->hidden = f->hidden;
        if (f->cuts) memcpy(r->cut, f->cut, sizeof r->cut);
    }
    if (view != t->view)
        tt_layers_view(t, view);
    else
        tt_timeline_layout(t);
}
