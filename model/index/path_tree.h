/* model/index/path_tree.h - calls merged into a tree of places. A place is a parent place and a
 * name, and a number that keeps equal names apart. Flame graphs and tables whose rows are a tree use it. */
#ifndef TT_MODEL_INDEX_PATH_TREE_H
#define TT_MODEL_INDEX_PATH_TREE_H

#include "model/base/group_by.h"

#define TT_PLACE_ROOT UINT32_MAX

typedef struct tt_path_tree {
    tt_groups groups; /* key: parent place + 1, name id, extra; ids grow from parent to child */
} tt_path_tree;

void tt_path_tree_init(tt_path_tree *p);
void tt_path_tree_free(tt_path_tree *p);
/* The place with these keys; added when it is new. */
uint32_t tt_path_tree_put(tt_path_tree *p, uint32_t parent, uint32_t name, uint64_t extra);
static inline uint32_t tt_path_tree_count(const tt_path_tree *p) { return (uint32_t)p->groups.key.n; }
static inline uint32_t tt_place_parent(const tt_path_tree *p, uint32_t i)
{
    return (uint32_t)(p->groups.key.at[i].a - 1);
}
static inline uint32_t tt_place_name(const tt_path_tree *p, uint32_t i) { return (uint32_t)p->groups.key.at[i].b; }
/* The children of each place: those of place i begin at children[first[i + 1]] and end before children[first[i + 2]];
 * the roots begin at children[0] and end before children[first[1]]. Siblings stand by descending weight (NULL: by first
 * appearance). The caller frees both. */
void tt_path_tree_children(const tt_path_tree *p, const int64_t *weight, uint32_t **children, uint32_t **first);
/* Places in depth-first order, siblings as above, and the depth of each place. n values each in *order and *depth; the
 * caller frees both. */
void tt_path_tree_order(const tt_path_tree *p, const int64_t *weight, uint32_t **order, uint32_t **depth);

/* Path "outer/inner/name" of a place `depth` below the root, from its parent's path and name; in the arena. Deep
 * paths lose their head, so that endless recursion does not make endless paths. */
const char *tt_path_text(tt_arena *a, const char *parent_path, const char *parent, const char *name, uint32_t depth);

#endif
