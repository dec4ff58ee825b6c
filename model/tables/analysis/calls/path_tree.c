/* model/tables/analysis/calls/path_tree.c - a tree of places kept as a hash of (parent, name), put into depth-first
 * order at the end. */
#include "model/tables/analysis/calls/path_tree.h"

#include <stdlib.h>

#include "model/base/sort_by.h"

void tt_path_tree_init(tt_path_tree *p) { tt_groups_init(&p->groups); }
void tt_path_tree_free(tt_path_tree *p) { tt_groups_free(&p->groups); }

uint32_t tt_path_tree_put(tt_path_tree *p, uint32_t parent, uint32_t name, uint64_t extra)
{
    return tt_groups_put(&p->groups, (tt_group_key){(uint32_t)(parent + 1), name, extra});
}

typedef struct item {
    uint32_t parent, offset; /* parent + 1, so that roots sort first */
    int64_t weight;
} item;

void tt_path_tree_order(const tt_path_tree *p, const int64_t *weight, uint32_t **order, uint32_t **depth)
{
    uint32_t n = tt_path_tree_count(p), n_order = 0;
    item *items = tt_calloc(n + 1u, sizeof *items);
    uint32_t *first = tt_calloc(n + 2u, sizeof *first); /* children of place i begin at item first[i + 1] */
    uint32_t *todo = tt_calloc(n + 1u, sizeof *todo), n_todo = 0;
    *order = tt_calloc(n + 1u, sizeof **order);
    *depth = tt_calloc(n + 1u, sizeof **depth);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t parent = tt_place_parent(p, i);
        items[i] = (item){parent + 1, i, weight ? weight[i] : 0};
        (*depth)[i] = parent == TT_PLACE_ROOT ? 0 : (*depth)[parent] + 1;
        first[parent + 1]++;
    }
    TT_SORT_BY(items, n, TT_ASC(item, parent), TT_DESC(item, weight), TT_ASC(item, offset));
    for (uint32_t i = 0, at = 0; i <= n; i++) {
        uint32_t count = first[i];
        first[i] = at;
        at += count;
    }
    first[n + 1] = n;
    for (uint32_t i = first[1]; i-- > first[0];) todo[n_todo++] = items[i].offset;
    while (n_todo) {
        uint32_t offset = todo[--n_todo];
        (*order)[n_order++] = offset;
        for (uint32_t i = first[offset + 2]; i-- > first[offset + 1];) todo[n_todo++] = items[i].offset;
    }
    free(items);
    free(first);
    free(todo);
}

const char *tt_path_text(tt_arena *a, const char *parent_path, const char *parent, const char *name, uint32_t depth)
{
    enum { MAX_DEPTH = 64 };
    if (depth <= MAX_DEPTH) return tt_arena_printf(a, "%s/%s", parent_path, name);
    return tt_arena_printf(a, ".../%s/%s", parent, name);
}
