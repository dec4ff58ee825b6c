/* model/index/path_tree.c - a tree of places kept as a hash of (parent, name), put into depth-first
 * order at the end. */
#include "model/index/path_tree.h"

#include <stdlib.h>

#include "model/base/sort_by.h"

void tt_path_tree_init(tt_path_tree *p) { tt_groups_init(&p->groups); }
void tt_path_tree_free(tt_path_tree *p) { tt_groups_free(&p->groups); }

uint32_t tt_path_tree_put(tt_path_tree *p, uint32_t parent, uint32_t name, uint64_t extra)
{
    return tt_groups_put(&p->groups, (tt_group_key){(uint32_t)(parent + 1), name, extra});
}

typedef struct child {
    uint32_t parent, offset; /* parent + 1, so that roots sort first */
    int64_t weight;
} child;

static void sort_children(const tt_path_tree *p, const int64_t *weight, uint32_t *children)
{
    uint32_t n = tt_path_tree_count(p);
    child *all = tt_calloc(n + 1u, sizeof *all);
    for (uint32_t i = 0; i < n; i++) all[i] = (child){tt_place_parent(p, i) + 1, i, weight[i]};
    TT_SORT_BY(all, n, TT_ASC(child, parent), TT_DESC(child, weight), TT_ASC(child, offset));
    for (uint32_t i = 0; i < n; i++) children[i] = all[i].offset;
    free(all);
}

void tt_path_tree_children(const tt_path_tree *p, const int64_t *weight, uint32_t **children, uint32_t **first)
{
    uint32_t n = tt_path_tree_count(p), *at = *first = tt_calloc(n + 3u, sizeof **first);
    *children = tt_calloc(n + 1u, sizeof **children);
    /* count one entry late: an entry is where its children begin, and where they end once they are put in */
    for (uint32_t i = 0; i < n; i++) at[tt_place_parent(p, i) + 3]++;
    for (uint32_t i = 2; i <= n; i++) at[i + 1] += at[i];
    for (uint32_t i = 0; i < n; i++) (*children)[at[tt_place_parent(p, i) + 2]++] = i;
    if (weight) sort_children(p, weight, *children);
}

void tt_path_tree_order(const tt_path_tree *p, const int64_t *weight, uint32_t **order, uint32_t **depth)
{
    uint32_t n = tt_path_tree_count(p), n_order = 0, *children, *first;
    uint32_t *todo = tt_calloc(n + 1u, sizeof *todo), n_todo = 0;
    *order = tt_calloc(n + 1u, sizeof **order);
    *depth = tt_calloc(n + 1u, sizeof **depth);
    tt_path_tree_children(p, weight, &children, &first);
    for (uint32_t i = first[1]; i-- > first[0];) todo[n_todo++] = children[i];
    while (n_todo) {
        uint32_t place = todo[--n_todo], parent = tt_place_parent(p, place);
        (*order)[n_order++] = place;
        (*depth)[place] = parent == TT_PLACE_ROOT ? 0 : (*depth)[parent] + 1;
        for (uint32_t i = first[place + 2]; i-- > first[place + 1];) todo[n_todo++] = children[i];
    }
    free(children);
    free(first);
    free(todo);
}

const char *tt_path_text(tt_arena *a, const char *parent_path, const char *parent, const char *name, uint32_t depth)
{
    enum { MAX_DEPTH = 64 };
    if (depth <= MAX_DEPTH) return tt_arena_printf(a, "%s/%s", parent_path, name);
    return tt_arena_printf(a, ".../%s/%s", parent, name);
}
