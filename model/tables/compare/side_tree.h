/* model/tables/compare/side_tree.h - the operator tree of one side of a comparison: all matched workers and compared
 * steps merged by place. */
#ifndef TT_MODEL_TABLES_COMPARE_SIDE_TREE_H
#define TT_MODEL_TABLES_COMPARE_SIDE_TREE_H

#include "model/index/path_tree.h"
#include "model/tables/compare/matching.h"
#include "model/text/strings.h"

typedef struct tt_side_place {
    uint32_t name;   /* name of the row, in the strings of both sides */
    uint32_t family; /* its short name (short_name.h), for an operator without a "...: " prefix; in the same strings */
    bool is_device;  /* kernel, copy or set */
    int64_t calls;   /* calls over all compared steps, summed over workers; times (ns) alike */
    int64_t host_total, host_self; /* 0 for device work */
    int64_t device_total;
    uint32_t trace;    /* the only trace with this place, TT_NONE: several */
    const char *slice; /* name of one of its slices; owned by the trace */
} tt_side_place;

typedef struct tt_side_tree {
    tt_path_tree places;      /* tree keyed by parent, name, device work or not; in order of first appearance */
    TT_VEC(tt_side_place) at; /* by place */
    uint32_t *first,
        *inside;     /* children of place i: inside[first[i + 1]] to inside[first[i + 2] - 1]; i = -1: the roots */
    bool has_device; /* some trace of the side has device work */
} tt_side_tree;

/* Make the tree. Names are interned in `names`, which both sides share. short_names: merge places with equal short
 * names. O(calls); the caller frees. */
tt_side_tree tt_side_tree_make(const tt_matching *m, int side, bool short_names, tt_strings *names);
void tt_side_tree_free(tt_side_tree *t);

/* Children of a place (TT_PLACE_ROOT: the roots), in order of first appearance. */
static inline const uint32_t *tt_side_tree_inside(const tt_side_tree *t, uint32_t place, uint32_t *n)
{
    const uint32_t *first = t->first + (uint32_t)(place + 1);
    *n = first[1] - first[0];
    return t->inside + first[0];
}

#endif
