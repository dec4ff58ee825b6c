/* Children are linked to their parents, the last child first; then each thread is walked from its outermost calls. */
#include "model/tables/analysis/calls/call_order.h"

#include <stdlib.h>
#include <string.h>

#include "model/base/sort_by.h"
#include "model/trace/analysis_cache.h"

struct walk {
    const tt_trace *s;
    tt_row *child,
        /* per row its last child and its previous sibling. Children of a launch are linked to the slice around it
         * that is no launch. */
        *next;
    TT_VEC(tt_row) todo;
    tt_call_order *v;
};

static void walk_track(struct walk *w, const tt_track *t)
{
    tt_row root = TT_NONE;
    for (tt_row r = t->first; r < t->first + t->n; r++) {
        tt_row parent = w->s->parent[r];
        if (parent != TT_NONE && tt_kind_is_launch(tt_row_kind(w->s, parent))) parent = w->child[parent];
        if (tt_kind_is_launch(tt_row_kind(w->s, r))) {
            w->child[r] = parent;
            continue;
        }
        tt_row *head = parent == TT_NONE ? &root : &w->child[parent];
        w->next[r] = *head;
        *head = r;
    }
    if (root != TT_NONE) *tt_vec_push(&w->todo) = root;
    while (w->todo.n) { /* visit a slice, then its children, then its previous siblings */
        tt_row r = w->todo.at[--w->todo.n];
        w->v->row[w->v->n++] = r;
        if (w->next[r] != TT_NONE) *tt_vec_push(&w->todo) = w->next[r];
        if (w->child[r] != TT_NONE) *tt_vec_push(&w->todo) = w->child[r];
    }
}

static void *build(const tt_session *session, uint32_t trace)
{
    const tt_trace *s = session->traces[trace];
    struct walk w = {.s = s, .v = tt_calloc(1, sizeof *w.v)};
    const tt_track **threads = tt_calloc(s->n_tracks + 1u, sizeof *threads);
    uint32_t n = 0;
    w.v->row = tt_calloc(s->n + 1u, sizeof *w.v->row);
    w.child = tt_malloc((s->n + 1u) * sizeof *w.child);
    w.next = tt_malloc((s->n + 1u) * sizeof *w.next);
    memset(w.child, 0xFF, (s->n + 1u) * sizeof *w.child); /* fills with TT_NONE */
    for (uint32_t i = 0; i < s->n_tracks; i++)
        if (s->tracks[i].kind != TT_TRACK_STREAM) threads[n++] = &s->tracks[i];
    TT_SORT_POINTERS_BY(threads, n, TT_ASC(tt_track, sort_index));
    for (uint32_t i = 0; i < n; i++) walk_track(&w, threads[i]);
    free(threads);
    free(w.child);
    free(w.next);
    tt_vec_free(&w.todo);
    return w.v;
}

static void release(void *value)
{
    tt_call_order *v = value;
    free(v->row);
    free(v);
}

const tt_call_order *tt_call_order_get(const tt_session *s, uint32_t trace)
{
    static const tt_analysis_kind kind = {"call order", build, release};
    return tt_analysis_get(s, trace, &kind);
}
