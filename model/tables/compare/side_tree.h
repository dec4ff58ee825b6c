/* model/tables/compare/side_tree.h - the operator tree of one side of a comparison: of all its matched workers and
 * compared steps, merged by place. */
#ifndef TT_MODEL_TABLES_COMPARE_SIDE_TREE_H
#define TT_MODEL_TABLES_COMPARE_SIDE_TREE_H

#include "model/tables/analysis/calls/path_tree.h"
#include "model/tables/compare/matching.h"
#include "model/text/strings.h"

typedef struct tt_side_place {
    uint32_t name;   /* in the strings of both sides: what the row is called */
    uint32_t family; /* likewise: its short name (short_name.h), an operator's without what runs it ("...: ") */
    bool is_device;  /* kernel, copy or set */
    int64_t calls;   /* over all compared steps, as are the times (ns); workers added up */
    int64_t host_total, host_self; /* 0 for device work */
    int64_t device_total;
    uint32_t trace;    /* the only trace that has it, TT_NONE: several */
    const char *slice; /* name of a slice of it; the trace's */
} tt_side_place;

typedef struct tt_side_tree {
    tt_path_tree places;      /* by parent, name, device work or not; in order of first appearance */
    TT_VEC(tt_side_place) at; /* by place */
    uint32_t *first, *inside; /* what is inside place i: inside[first[i + 1]] to inside[first[i + 2] - 1]; the roots
                                 where i is -1 */
    bool has_device;          /* a trace of the side has device work */
} tt_side_tree;

/* Names are put into `names`, which both sides share. short_names: places whose short names are equal are one.
 * O(calls); caller frees. */
tt_side_tree tt_side_tree_make(const tt_matching *m, int side, bool short_names, tt_strings *names);
void tt_side_tree_free(tt_side_tree *t);

/* What is inside a place (TT_PLACE_ROOT: the roots), in order of first appearance. */
static inline const uint32_t *tt_side_tree_inside(const tt_side_tree *t, uint32_t place, uint32_t *n)
{
    const uint32_t *first = t->first + (uint32_t)(place + 1);
    *n = first[1] - first[0];
    return t->inside + first[0];
}

#endif
